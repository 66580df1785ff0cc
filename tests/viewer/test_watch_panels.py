"""The panel of the watch page: what is shown, robots, curves and events, checked against the log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from expedition.exploring import plan_mission
from expedition.log.reader import LogReader
from expedition.log.recorder import Recorder
from expedition.mission import run
from expedition.robot import Robot
from tests.viewer.serving import serve
from tests.viewer.watching import PATIENCE, Watching, address_of, watching

HTML = "<img src=x onerror='window.hit=1'>"


def rows_of(watch: Watching) -> list[int]:
    """The robots in the list, from above."""
    rows = watch.page.locator("[data-part=robot-list] .row:visible")
    found = [(row.bounding_box(), row.get_attribute("data-robot")) for row in rows.all()]
    return [int(robot or -1) for _, robot in sorted(found, key=lambda one: one[0]["y"] if one[0] else 0.0)]


def fact(watch: Watching, name: str) -> str:
    return watch.page.locator(f'[data-fact="{name}"]').inner_text()


@pytest.mark.parametrize(("choice", "which"), [("2", 2), ("base", "base"), ("truth", "truth")])
def test_the_map_of_the_one_that_is_chosen_is_shown(
    watch: Watching, log: LogReader, choice: str, which: int | str
) -> None:
    watch.seek(30.0)
    watch.part("map").select_option(value=choice)
    watch.settle()
    cells = bytes(watch.ask("panes[0].keeper.cells.reduce((all, cell) => all + cell, '')"), "ascii")
    assert (np.frombuffer(cells, np.uint8) - 48 == log.map(which, 30.0).ravel()).all()  # type: ignore[arg-type]


def test_layouts_show_one_side_or_both(watch: Watching) -> None:
    for layout, sides in (("both", ["truth", "belief"]), ("truth", ["truth"]), ("belief", ["belief"])):
        watch.part(f"layout-{layout}").click()
        assert watch.ask("panes.map(pane => pane.side)") == sides
        assert watch.part(f"layout-{layout}").get_attribute("aria-checked") == "true"
    watch.part("layout-belief").focus()
    watch.press("ArrowRight")
    assert watch.ask("sides") == "truth"


def test_layers_are_switched_by_mouse_and_keyboard_and_remembered(watch: Watching) -> None:
    box = watch.page.locator("[data-layer=links]")
    box.uncheck()
    scans = watch.page.locator("[data-layer=scans]")
    scans.focus()
    watch.press("Space")
    watch.part("layout-over").click()
    assert not watch.ask("layers.has('links')")
    assert watch.ask("layers.has('scans')")
    watch.page.reload()
    watch.page.wait_for_function("() => window.expedition?.frames > 0", timeout=PATIENCE)
    assert not watch.ask("layers.has('links')")
    assert watch.ask("layers.has('scans')")
    assert watch.ask("sides") == "over"
    assert not box.is_checked()
    watch.act("usual").click()
    assert watch.ask("layers.has('links')")
    assert not watch.ask("layers.has('scans')")


def test_robots_are_found_by_number_role_and_failure(watch: Watching, log: LogReader) -> None:
    watch.seek(25.0)
    watch.open("robots")
    scene = log.scene(25.0)
    assert rows_of(watch) == [0, 1, 2, 3]
    for words, robots in (
        ("failed", [robot for robot in range(4) if scene.failed[robot]]),
        ("2", [2]),
        (scene.roles[0], [robot for robot in range(4) if scene.roles[robot] == scene.roles[0]]),
        (scene.states[0], [robot for robot in range(4) if scene.states[robot] == scene.states[0]]),
        ("nobody at all", []),
    ):
        watch.part("robot-search").fill(words)
        watch.beat()
        if words != scene.states[0]:
            assert rows_of(watch) == robots, words
        else:
            assert set(rows_of(watch)) == {robot for robot in robots if not scene.failed[robot]} | set(robots)


def test_the_list_is_sorted_and_a_click_selects(watch: Watching, log: LogReader) -> None:
    watch.seek(25.0)
    watch.open("robots")
    scene = log.scene(25.0)
    watch.part("sort-travelled").click()
    assert rows_of(watch) == sorted(range(4), key=lambda robot: (-np.float32(scene.travelled[robot]), robot))
    watch.part("sort-travelled").click()
    assert rows_of(watch) == sorted(range(4), key=lambda robot: (np.float32(scene.travelled[robot]), robot))
    watch.part("sort-battery").click()
    assert rows_of(watch) == sorted(range(4), key=lambda robot: (np.float32(scene.batteries[robot]), robot))
    watch.page.locator("[data-robot='3']").click()
    assert watch.ask("selected") == 3
    watch.act("follow").click()
    assert watch.ask("followed") == 3


def test_a_list_of_five_hundred_robots_has_the_rows_that_are_seen(watch: Watching) -> None:
    watch.open("robots")
    rows = watch.page.evaluate("""async () => {
        const { attachRobotList } = await import("/static/panels/robotlist.js");
        const count = 500, zeros = new Float32Array(count);
        const names = Array.from({ length: count }, (_, robot) => `robot_${robot}`);
        const many = {
            mission: { names, models: names, states: ["driving"], failures: [] }, moment: {}, also: new Set(),
            state: { states: zeros, failed: zeros, explored: zeros, travelled: zeros, batteries: zeros },
            selected: null,
        };
        const list = document.querySelector("[data-part=robot-list]");
        list.replaceChildren();
        const panel = attachRobotList(many);
        await new Promise(done => setTimeout(done, 100));
        panel.update();
        list.scrollTop = 300 * 26;
        await new Promise(done => setTimeout(done, 100));
        return [...list.querySelectorAll("[data-robot]")].map(row => Number(row.dataset.robot));
    }""")
    assert len(rows) < 60
    assert 303 in rows


def test_the_inspector_tells_the_robot_as_it_was(watch: Watching, log: LogReader) -> None:
    watch.seek(22.3)
    watch.press("n", "n")
    watch.settle()
    scene, robot = log.scene(22.3), 1
    assert fact(watch, "state") == scene.states[robot]
    assert fact(watch, "role") == scene.roles[robot]
    assert fact(watch, "activity") == scene.activities[robot]
    assert fact(watch, "explored") == f"{100 * scene.explored[robot]:.1f} %"
    assert fact(watch, "distance") == f"{scene.travelled[robot]:.1f} m"
    assert fact(watch, "battery") == f"{100 * scene.batteries[robot]:.1f} %"
    assert fact(watch, "really at").startswith(f"{scene.poses[robot, 0]:.2f}, {scene.poses[robot, 1]:.2f}, ")
    assert fact(watch, "believes at").startswith(f"{scene.believed[robot, 0]:.2f}, {scene.believed[robot, 1]:.2f}, ")
    error = np.hypot(*(scene.believed[robot] - scene.poses[robot])[:2])
    assert fact(watch, "error").startswith(f"{error:.2f} m")
    assert fact(watch, "sent") == f"{scene.sent[robot] / 1000:.3g} kB"
    assert fact(watch, "received") == f"{scene.received[robot] / 1000:.3g} kB"
    mind = watch.page.locator(".mind").inner_text()
    for message in scene.inbox[robot]:
        assert message.text in mind
    for note in scene.notes[robot]:
        assert note.text in mind
    watch.press("n")
    watch.settle()
    assert fact(watch, "failed") == scene.failed[2]
    assert watch.page.locator(".badge").is_visible()


def test_alternatives_are_ranked_and_marked_on_the_map(watch: Watching, log: LogReader) -> None:
    times = [
        time for time in np.arange(0.0, 40.0, 1.0) if (made := log.told.decision(0, time)) and len(made.values) > 1
    ]
    watch.seek(float(times[0]))
    decision = log.scene(times[0]).decisions[0]
    assert decision is not None
    watch.press("n")
    watch.settle()
    rows = watch.page.locator(".alternative")
    values = [float(text) for text in watch.page.locator(".alternative .value").all_inner_texts()]
    assert values == pytest.approx(sorted(decision.values), rel=1e-3)
    assert float(watch.page.locator(".alternative.chosen .value").inner_text()) == pytest.approx(
        decision.values[decision.chosen], rel=1e-3
    )
    rows.last.hover()
    place = decision.places[int(np.argmax(decision.values))]
    assert watch.ask("pointed") == pytest.approx([*place], abs=1e-3)
    watch.page.mouse.move(10, 300)
    assert watch.ask("pointed") is None


def test_curves_are_the_logs_and_a_click_on_them_seeks(watch: Watching, log: LogReader) -> None:
    watch.open("curves")
    watch.until("w.frames > 0 && document.querySelector('.chart output').textContent !== ''")
    plot = watch.page.locator("[data-chart=Explored] .chart-plot")
    box = plot.bounding_box()
    assert box is not None
    watch.page.mouse.click(box["x"] + 40 + (box["width"] - 44) * 0.4, box["y"] + 50)
    assert watch.time == pytest.approx(0.4 * log.end, abs=0.3)
    watch.page.mouse.move(10, 300)
    watch.settle()
    scene = log.scene(watch.time)
    told = watch.page.locator("[data-chart=Explored] output").inner_text()
    assert f"together {round(100 * scene.union)} %" in told
    assert f"base {round(100 * scene.at_base)} %" in told
    assert f"{round(100 * scene.connected)} %" in watch.page.locator("[data-chart=Connected] output").inner_text()
    watch.press("n")
    watch.until("document.querySelector('[data-chart=Distance] output').textContent.includes('robot 0')")
    assert f"robot 0 {round(scene.travelled[0])} m" in watch.page.locator("[data-chart=Distance] output").inner_text()


def test_events_are_searched_and_gone_to(watch: Watching, log: LogReader) -> None:
    watch.open("events")
    watch.part("event-search").fill("lost robot 1")
    watch.beat()
    (event,) = [one for one in log.events if one["event"] == "lost contact" and one["robot"] == 1]
    row = watch.page.locator("[data-part=event-list] .row:visible")
    assert row.count() == 1
    row.click()
    assert watch.time == event["time_s"]
    assert watch.ask("selected") == 1


async def mischief(robot: Robot) -> None:
    """Say things that are HTML."""
    robot.role = robot.activity = HTML
    while True:
        robot.note(HTML)
        robot.send({"text": HTML}, topic="html")
        robot.drop_tag(HTML)
        await robot.wait(0.5)


def test_what_robots_say_is_text_and_never_html(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "mischief.mcap"
    run(plan_mission("cross", 2, mischief, 1, stop={"time": 3.0, "explored": 1.0}), record=Recorder(path))
    with serve(tmp_path, str(path)) as serving, watching(browser, address_of(serving)) as watch:
        watch.seek(2.5)
        watch.press("n")
        watch.settle()
        assert HTML in watch.page.locator(".mind").inner_text()
        assert fact(watch, "role") == HTML
        watch.open("events")
        assert HTML in watch.part("event-list").inner_text()
        assert watch.page.evaluate("() => window.hit ?? null") is None
        assert watch.page.locator("main img").count() == 0
