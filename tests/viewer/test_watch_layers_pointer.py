"""Mouse and fingers on the map: camera, selection, hover, ruler and follow, with real events."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.log.reader import LogReader
from tests.viewer.drawn import Watching, centres, has_colour, is_blank, near


@pytest.fixture
def watching(drawn: Watching) -> Watching:
    drawn.reset()
    drawn.settle(15.1)
    return drawn


def camera(watching: Watching) -> tuple[float, float, float]:
    x, y, scale = watching.run("return [w.camera.x, w.camera.y, w.camera.scale];")
    return x, y, scale


def test_the_whole_terrain_is_seen_at_first(watching: Watching, log: LogReader) -> None:
    left, right, bottom, top = log.header.extent
    width, height = watching.run("return [w.panes[0].width, w.panes[0].height];")
    for x, y in ((left, bottom), (right, top)):
        px, py = watching.pixel(x, y)
        assert -1e-6 <= px <= width + 1e-6
        assert -1e-6 <= py <= height + 1e-6


def test_dragging_takes_the_ground_along(watching: Watching) -> None:
    x, y = watching.screen(5.0, 9.0)
    watching.page.mouse.move(x, y)
    watching.page.mouse.down()
    watching.page.mouse.move(x + 60, y - 45, steps=4)
    watching.page.mouse.up()
    assert watching.screen(5.0, 9.0) == pytest.approx((x + 60, y - 45), abs=0.5)
    assert watching.run("return w.selected;") is None


def test_the_wheel_zooms_around_the_pointer(watching: Watching) -> None:
    before = camera(watching)
    place = watching.screen(14.0, 12.0)
    watching.page.mouse.move(*place)
    watching.page.mouse.wheel(0, -300)
    watching.page.wait_for_function("scale => window.expedition.camera.scale > 1.3 * scale", arg=before[2])
    assert watching.screen(14.0, 12.0) == pytest.approx(place, abs=0.5)
    watching.page.mouse.dblclick(*watching.screen(14.0, 12.0))
    assert camera(watching) == pytest.approx(before)


def test_what_was_drawn_is_shifted_while_the_camera_moves_and_then_drawn_anew(watching: Watching) -> None:
    watching.only("trails")
    watching.settle()
    transform = watching.run("""
        const sheet = w.panes[0].sheets.trails;
        sheet.cost = 1000;  // As if it were slow.
        sheet.drawn = performance.now();
        w.camera.pan(30, 12);
        for (let k = 0; k < 40 && !sheet.canvas.style.transform; k++) await new Promise(requestAnimationFrame);
        return sheet.canvas.style.transform;
    """)
    assert transform == "translate(30px, 12px) scale(1)"
    watching.settle()
    assert watching.run("return w.panes[0].sheets.trails.canvas.style.transform;") == ""


def test_two_fingers_zoom_and_one_pans(watching: Watching) -> None:
    _, _, scale = camera(watching)
    watching.run("""
        const { element } = w.panes[0], box = element.getBoundingClientRect();
        const send = (name, id, x, y) => element.dispatchEvent(new PointerEvent(name, {
            pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + y, bubbles: true,
            button: name === "pointermove" ? -1 : 0 }));
        element.setPointerCapture = () => {};
        send("pointerdown", 11, 200, 200);
        send("pointerdown", 12, 300, 200);
        send("pointermove", 11, 150, 200);
        send("pointermove", 12, 350, 200);
        send("pointerup", 11, 150, 200);
        send("pointerup", 12, 350, 200);
    """)
    assert camera(watching)[2] == pytest.approx(2 * scale)
    assert watching.run("return w.selected;") is None


def test_a_click_selects_the_nearest_robot_and_empty_ground_none(watching: Watching, log: LogReader) -> None:
    poses = log.scene(15.1).believed
    x, y = watching.screen(*poses[0, :2])
    watching.page.mouse.click(x + 9, y - 9)
    assert watching.run("return w.selected;") == 0
    watching.only("robots")
    watching.settle()
    reach = watching.run(
        "return Math.max(6, w.camera.scale * Math.max(...w.mission.footprints[0].map(p => Math.hypot(...p)))) + 6.5;"
    )
    column, row = watching.pixel(*poses[0, :2])
    assert has_colour(watching.sheet("fast"), (column, row - reach), "#2b2f36", 2)
    watching.page.mouse.click(*watching.screen(18.0, 14.0))
    assert watching.run("return w.selected;") is None
    watching.settle()
    assert not has_colour(watching.sheet("fast"), (column, row - reach), "#2b2f36", 2)


def test_on_the_side_of_truth_a_click_means_where_robots_are(watching: Watching, log: LogReader) -> None:
    watching.run('w.show("both");')
    watching.settle(40.0)
    scene = log.scene(40.0)
    for pane, poses in ((0, scene.poses), (1, scene.believed)):
        watching.page.mouse.click(*watching.screen(*poses[3, :2], pane))
        assert watching.run("return w.selected;") == 3
        watching.run("w.select(null);")


def hover(watching: Watching, x: float, y: float, pane: int = 0) -> str:
    watching.page.mouse.move(*watching.screen(x, y, pane))
    watching.page.wait_for_function(
        "([x, y]) => { const h = window.expedition.hover; return h && Math.hypot(h.x - x, h.y - y) < 0.1; }", arg=[x, y]
    )
    watching.settle()
    return str(watching.page.locator(".pane-readout").nth(pane).inner_text())


def test_hovering_tells_what_is_there(watching: Watching, log: LogReader) -> None:
    watching.run("w.heard = []; w.addEventListener('hover', event => w.heard.push(event.detail));")
    x, y, _ = log.scene(15.1).believed[0]
    said = hover(watching, x, y)
    assert said.startswith(f"{x:.2f}, {y:.2f}"[:4])
    assert "map: free" in said
    assert "robot_0: " in said
    assert watching.run("return w.heard.at(-1).robot;") == 0
    said = hover(watching, 1.5, 3.5)
    assert "rough: 50 % speed" in said
    assert "robot_" not in said
    said = hover(watching, 15.0, 9.05)
    assert "map: unknown" in said
    assert "truth: occupied (concrete)" in said


def test_hovering_knows_the_cell_of_the_map_and_of_the_truth(watching: Watching, log: LogReader) -> None:
    watching.run('w.show("both");')
    watching.settle()
    belief, truth = log.map("union", 15.1), log.map("truth", 15.1)
    generator = np.random.default_rng(2)
    words = ("unknown", "free", "occupied")
    for value in range(3):
        for row, column in generator.permutation(np.argwhere((belief == value) & (truth > 0)))[:8]:
            (place,) = centres(log, np.array([[row, column]]))
            found = watching.run(
                """
                const { whatIsAt } = await import("/static/hover.js"), pane = w.panes[1];
                return whatIsAt(w, pane, ...w.camera.toPixel(...given, pane.width, pane.height));
                """,
                place,
            )
            assert (found["x"], found["y"]) == pytest.approx(place)
            assert found["map"] == words[value]
            if "truth" in found:  # Beyond the terrain there is none.
                assert found["truth"] == words[truth[row, column]]


def test_hovering_tells_who_saw_it_first_once_that_is_known(watching: Watching, log: LogReader) -> None:
    watching.run('w.layers.set("explorers", true);')
    watching.settle()
    who, when = log.first_seen(log.end)
    row, column = np.argwhere((who == 1) & (when < 10.0))[5]
    ((x, y),) = centres(log, np.array([[row, column]]))
    assert f"first seen by robot_1 at {when[row, column]:.0f} s" in hover(watching, x, y)
    row, column = np.argwhere((when > 16.0) & (when < 40.0))[5]
    ((x, y),) = centres(log, np.array([[row, column]]))
    assert "first seen" not in hover(watching, x, y)


def test_the_place_under_the_pointer_is_marked_in_the_pane_beside(watching: Watching) -> None:
    watching.run('w.show("both");')
    watching.only()
    watching.settle()
    hover(watching, 5.0, 9.0, 1)
    assert watching.run("return w.hover.pane;") == "belief"
    column, row = watching.pixel(5.0, 9.0, 0)
    assert has_colour(watching.sheet("fast", 0), (column + 8, row), "#2b2f36", 2, 80)
    assert is_blank(watching.sheet("fast", 1))


def test_leaving_the_pane_ends_the_read_out(watching: Watching) -> None:
    assert hover(watching, 5.0, 9.0)
    watching.page.mouse.move(300, 5)
    watching.page.wait_for_function("window.expedition.hover === null")
    watching.settle()
    assert watching.page.locator(".pane-readout").inner_text() == ""


def test_the_ruler_measures_by_a_drag_or_by_two_clicks(watching: Watching) -> None:
    watching.only()
    watching.run("w.ruler = true; w.told = []; w.addEventListener('measure', event => w.told.push(event.detail));")
    mouse, before = watching.page.mouse, camera(watching)
    mouse.move(*watching.screen(4.0, 8.0))
    mouse.down()
    mouse.move(*watching.screen(7.0, 12.0), steps=3)
    mouse.up()
    told = watching.run("return w.told.at(-1);")
    assert told["metres"] == pytest.approx(5.0, abs=0.05)
    assert told["bearing"] == pytest.approx(np.degrees(np.arctan2(4, 3)), abs=1.0)
    watching.settle()
    assert has_colour(watching.sheet("fast"), watching.pixel(5.5, 10.0), "#2b2f36", 2)
    mouse.click(*watching.screen(10.0, 10.0))
    mouse.move(*watching.screen(12.0, 10.0))
    mouse.click(*watching.screen(16.0, 10.0))
    mouse.move(*watching.screen(3.0, 3.0))
    told = watching.run("return w.told.at(-1);")
    assert told["metres"] == pytest.approx(6.0, abs=0.05)
    assert told["bearing"] == pytest.approx(0.0, abs=0.6) or told["bearing"] == pytest.approx(360.0, abs=0.6)
    assert camera(watching) == before
    watching.run("w.ruler = false;")
    watching.settle()
    assert is_blank(watching.sheet("fast"))


def test_the_camera_follows_a_robot_until_it_is_dragged(watching: Watching, log: LogReader) -> None:
    watching.run("w.followRobot(3); w.zoomBy(3);")
    for time in (20.0, 30.0):
        watching.settle(time)
        x, y, _ = camera(watching)
        assert (x, y) == pytest.approx(log.scene(time).believed[3, :2], abs=1e-3)
    x, y = watching.screen(x, y)
    watching.page.mouse.move(x + 100, y)
    watching.page.mouse.down()
    watching.page.mouse.move(x + 160, y, steps=3)
    watching.page.mouse.up()
    assert watching.run("return w.followed;") is None
    x, y, _ = camera(watching)
    watching.settle(35.0)
    assert camera(watching)[:2] == (x, y)


def test_the_scale_bar_has_a_round_length(watching: Watching) -> None:
    for zoom in (1.0, 3.0, 0.1, 40.0):
        watching.run("w.zoomBy(given);", zoom)
        watching.settle()
        text = watching.page.locator(".pane-bar").inner_text()
        value, unit = text.split()
        metres = float(value) * (0.01 if unit == "cm" else 1.0)
        box = watching.page.locator(".pane-bar").bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(metres * camera(watching)[2], rel=0.02)
        assert f"{metres:e}"[0] in "125"


def test_panes_share_one_camera(watching: Watching) -> None:
    watching.run('w.show("both");')
    watching.settle()
    x, y = watching.screen(5.0, 9.0, 1)
    other = watching.screen(5.0, 9.0, 0)
    watching.page.mouse.move(x, y)
    watching.page.mouse.down()
    watching.page.mouse.move(x + 40, y, steps=2)
    watching.page.mouse.up()
    assert watching.screen(5.0, 9.0, 0) == pytest.approx((other[0] + 40, other[1]), abs=0.5)
    watching.settle()
    assert not is_blank(near(watching.sheet("ground", 0), (20, 20), 5))
