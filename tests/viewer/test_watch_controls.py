"""Time on the watch page: the play bar, the time line and the keys, checked against the log."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Browser

from expedition.log.reader import LogReader
from tests.log.eventful import SECONDS
from tests.viewer.serving import Serving
from tests.viewer.watching import PATIENCE, Watching, address_of


def clock_text(seconds: float) -> str:
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"


def place_on_line(watch: Watching, time: float) -> tuple[float, float]:
    box = watch.part("timeline-shape").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * time / SECONDS, box["y"] + box["height"] / 2


def test_play_goes_on_and_pause_stands_still(watch: Watching) -> None:
    watch.act("play").click()
    watch.until("w.clock.playing && w.clock.time > 1")
    watch.act("play").click()
    watch.settle()
    stands = watch.time
    watch.beat()
    assert watch.time == stands
    shown, whole = watch.part("clock").inner_text().split(" / ")
    assert shown == clock_text(round(stands, 1))
    assert whole == "0:45.0"


def test_buttons_step_by_a_control_period_and_a_second_and_go_to_both_ends(watch: Watching, log: LogReader) -> None:
    watch.seek(10.0)
    watch.act("on").click()
    assert watch.time == pytest.approx(10.0 + log.header.control_period)
    watch.act("back-second").click()
    watch.act("back").click()
    assert watch.time == pytest.approx(9.0)
    watch.act("on-second").click()
    assert watch.time == pytest.approx(10.0)
    watch.act("end").click()
    assert watch.time == log.end
    watch.act("start").click()
    assert watch.time == 0.0


def test_the_fastest_speed_reaches_the_end_and_the_slowest_is_a_tenth(watch: Watching, log: LogReader) -> None:
    watch.part("speed").select_option(label="0.1×")
    assert watch.ask("clock.speed") == 0.1
    watch.part("speed").select_option(label="max")
    watch.act("play").click()
    watch.until(f"!w.clock.playing && w.clock.time === {log.end}")


def test_the_time_line_is_dragged_to_a_moment_that_is_the_logs(watch: Watching, log: LogReader) -> None:
    mouse = watch.page.mouse
    mouse.move(*place_on_line(watch, 5.0))
    mouse.down()
    for time in (12.0, 31.0, 23.0):
        mouse.move(*place_on_line(watch, time), steps=4)
    mouse.up()
    watch.settle()
    time = watch.time
    assert time == pytest.approx(23.0, abs=0.2)
    scene = log.scene(time)
    poses = [float(value) for value in watch.ask("state.poses.join()").split(",")]
    np.testing.assert_allclose(poses, scene.poses.ravel(), atol=1e-3)
    cells = bytes(watch.ask("panes[0].keeper.cells.reduce((all, cell) => all + cell, '')"), "ascii")
    assert (np.frombuffer(cells, np.uint8) - 48 == log.map("union", time).ravel()).all()


def test_an_event_is_told_on_hover_and_gone_to_by_a_click(watch: Watching, log: LogReader) -> None:
    (event,) = [one for one in log.events if one["event"] == "breakdown" and one["text"] == "robot"]
    watch.beat()
    x, y = place_on_line(watch, event["time_s"])
    watch.page.mouse.move(x + 1, y)
    told = watch.part("timeline-tip").inner_text()
    assert "breakdown" in told
    assert f"robot {event['robot']}" in told
    watch.page.mouse.down()
    watch.page.mouse.up()
    near = [one["time_s"] for one in log.events if abs(one["time_s"] - event["time_s"]) < 0.5]
    assert watch.time in near


def test_marks_of_a_kind_that_is_switched_off_leave_the_time_line(watch: Watching) -> None:
    def has_colour() -> bool:
        """Whether a pixel of the time line is as blue as notes are."""
        return bool(
            watch.page.evaluate("""() => {
                const canvas = document.querySelector('[data-part=timeline-shape]');
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                for (let k = 0; k < data.length; k += 4)
                    if (data[k] === 0 && data[k + 1] === 114 && data[k + 2] === 178 && data[k + 3] === 255) return true;
                return false;
            }""")
        )

    chip = watch.part("legend").locator("[data-kind=note]")
    chip.wait_for()
    watch.beat()
    assert has_colour()
    chip.click()
    watch.beat()
    assert not has_colour()
    assert chip.get_attribute("aria-pressed") == "false"


def test_keys_do_what_buttons_do(watch: Watching, log: LogReader) -> None:
    watch.seek(10.0)
    watch.press("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "ArrowLeft", "Shift+ArrowLeft")
    assert watch.time == pytest.approx(11.0)
    watch.press("Space")
    assert watch.ask("clock.playing")
    watch.press("Space")
    assert not watch.ask("clock.playing")
    speed = watch.ask("clock.speed")
    watch.press("+")
    assert watch.ask("clock.speed") > speed
    watch.press("-", "-")
    assert watch.ask("clock.speed") < speed
    watch.press("End")
    assert watch.time == log.end
    watch.press("Home")
    assert watch.time == 0.0
    watch.press("n", "n", "p", "p")
    assert watch.ask("selected") == 3
    watch.press("m")
    assert watch.ask("sides") == "truth"
    watch.press("r")
    assert watch.ask("ruler") is True
    watch.press("Escape")
    assert watch.ask("ruler") is False
    watch.press("Escape")
    assert watch.ask("selected") is None
    trails = watch.ask("layers.has('trails')")
    watch.press("1")
    assert watch.ask("layers.has('trails')") is not trails


def test_brackets_go_from_event_to_event(watch: Watching, log: LogReader) -> None:
    watch.until("w.page.events.tags.length > 0")
    quiet = ("activity", "role", "contact")
    times = {one["time_s"] for one in log.events if one["event"] not in quiet}
    times = sorted(times | {tag.time for tag in log.told.tags_at(log.end)})
    watch.seek(15.0)
    watch.press("]", "]")
    assert watch.time == [time for time in times if time > 15.0][1]
    watch.press("[", "[")
    assert watch.time == [time for time in times if time < 15.0][-1]


def test_keys_are_letters_in_a_field_and_help_lists_them(watch: Watching) -> None:
    watch.press("/")
    watch.page.keyboard.type("d l?1")
    assert watch.part("robot-search").input_value() == "d l?1"
    assert watch.ask("clock.playing") is False
    assert watch.part("help").is_hidden()
    watch.press("Escape", "?")
    assert "Play or pause" in watch.part("help").inner_text()
    watch.press("Escape")
    assert watch.part("help").is_hidden()


def test_the_camera_follows_a_robot_and_fits_the_terrain_again(watch: Watching, log: LogReader) -> None:
    watch.seek(20.0)
    watch.press("n", "f")
    watch.settle()
    x, y, _ = log.scene(20.0).believed[0]
    assert watch.ask("camera.x") == pytest.approx(x, abs=1e-3)
    assert watch.ask("camera.y") == pytest.approx(y, abs=1e-3)
    watch.press("0")
    left, right, bottom, top = log.header.extent
    assert [watch.ask("camera.x"), watch.ask("camera.y")] == pytest.approx([(left + right) / 2, (bottom + top) / 2])


def test_ten_pages_watch_one_log_at_ten_moments(browser: Browser, serving: Serving, log: LogReader) -> None:
    profile = browser.new_context(viewport={"width": 700, "height": 500})
    profile.set_default_timeout(PATIENCE)
    pages = [profile.new_page() for _ in range(10)]
    times = [4.0 * number + 1.0 for number in range(10)]
    for page, time in zip(pages, times, strict=True):
        page.goto(address_of(serving, f"?t={time}"), wait_until="commit")
    for page, time in zip(pages, times, strict=True):
        page.bring_to_front()
        page.wait_for_function("() => window.expedition?.frames > 0", timeout=PATIENCE)
        watch = Watching(page)
        watch.settle()
        assert watch.time == time
        (x, y, _), *_ = log.scene(time).poses
        assert [watch.ask("state.poses[0]"), watch.ask("state.poses[1]")] == pytest.approx([x, y], abs=1e-3)
    profile.close()
