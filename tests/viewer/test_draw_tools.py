"""Each tool of the page on which terrains are drawn, with a real mouse and keyboard: what it does to the canvas, to the
cells, and to the file that is saved."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from expedition.terrain import MATERIALS, Collapse, Door, Person
from expedition.terrain.material import material_index
from tests.viewer.drawing import Hand
from tests.viewer.serving import Serving, serve

WHITE = (255, 255, 255)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an empty store."""
    with serve(tmp_path_factory.mktemp("store")) as started:
        yield started


@pytest.fixture(scope="module")
def page_hand(browser, serving: Serving) -> Iterator[Hand]:
    context = browser.new_context(viewport={"width": 1300, "height": 850})
    hand = Hand(context.new_page(), serving)
    yield hand
    assert hand.troubles == []
    context.close()


@pytest.fixture
def hand(page_hand: Hand) -> Hand:
    """The page with an empty terrain of 10 x 8 m, and everything set as for a newcomer."""
    page_hand.page.evaluate(
        """() => { for (const [name, value] of Object.entries({
            thickness: 0.2, height: 2, material: 0, ink: "wall", speed: 50, size: 0.6, erase: "both",
            doorWidth: 1, doorClosed: false, doorSwitches: "", filled: true, snap: "0.5" }))
            expeditionDraw.set(name, value); }"""
    )
    page_hand.new()
    return page_hand


def rectangle(left: float, bottom: float, right: float, top: float, shape=(80, 100)) -> np.ndarray:
    """The cells of 0.1 m in a rectangle of metres."""
    cells = np.zeros(shape, dtype=bool)
    cells[round(bottom * 10) : round(top * 10), round(left * 10) : round(right * 10)] = True
    return cells


def hex_colour(name: str) -> tuple[int, int, int]:
    colour = MATERIALS[material_index(name)].colour
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def test_wall_snaps_to_the_grid_and_closes_its_ends(hand: Hand) -> None:
    hand.tool("w")
    assert hand.colour(4, 3) == WHITE
    hand.drag((2.1, 3.1), (7.9, 2.9))
    np.testing.assert_array_equal(hand.save("wall").occupied, rectangle(1.9, 2.9, 8.1, 3.1))
    assert hand.colour(4, 3) == hex_colour("concrete")


def test_wall_has_the_thickness_height_and_material_of_the_panel(hand: Hand) -> None:
    hand.tool("w")
    hand.set(thickness=0.4, height=1.2)
    hand.press("material-brick")
    hand.drag((2, 2), (2, 6))
    terrain = hand.save("brick")
    walls = rectangle(1.8, 1.8, 2.2, 6.2)
    np.testing.assert_array_equal(terrain.wall_height_cm, np.where(walls, 120, 0))
    np.testing.assert_array_equal(terrain.material[walls], material_index("brick"))


def test_wall_one_cell_thick_is_one_cell_thick_wherever_it_runs(hand: Hand) -> None:
    hand.tool("w")
    hand.set(thickness=0.1)
    hand.drag((2, 1), (2, 7))
    hand.drag((3, 4), (9, 4))
    occupied = hand.layer("wall_height_cm") > 0
    assert set(occupied[20:60].sum(axis=1).tolist()) >= {1}
    assert occupied[:, 40:80].sum(axis=0).tolist() == [1] * 40


def test_wall_with_shift_keeps_to_steps_of_15_degrees(hand: Hand) -> None:
    hand.tool("w")
    hand.drag((2, 2), (6.2, 2.9), keys=["Shift"])
    rows, columns = np.nonzero(hand.layer("wall_height_cm"))
    slope = np.polyfit(columns, rows, 1)[0]
    assert math.degrees(math.atan(slope)) == pytest.approx(15, abs=1)


def test_wall_with_alt_leaves_the_grid(hand: Hand) -> None:
    hand.tool("w")
    hand.drag((2.2, 3.3), (7.2, 3.3), keys=["Alt"])
    np.testing.assert_array_equal(hand.layer("wall_height_cm") > 0, rectangle(2.1, 3.2, 7.3, 3.4))


def test_clicks_make_a_chain_of_walls_until_enter(hand: Hand) -> None:
    hand.tool("w")
    for point in [(2, 2), (6, 2), (6, 5)]:
        hand.click(*point)
    hand.page.keyboard.press("Enter")
    hand.click(1, 7)
    hand.page.keyboard.press("Escape")
    chain = rectangle(1.9, 1.9, 6.1, 2.1) | rectangle(5.9, 1.9, 6.1, 5.1)
    np.testing.assert_array_equal(hand.layer("wall_height_cm") > 0, chain)


def test_slanted_wall_lets_nothing_through(hand: Hand) -> None:
    hand.tool("w")
    hand.set(thickness=0.1)
    hand.drag((0, 1), (10, 6.5))
    occupied = hand.layer("wall_height_cm") > 0
    # Even by the corners of cells one side cannot be left.
    from scipy import ndimage

    assert ndimage.label(~occupied, structure=np.ones((3, 3)))[1] == 2


def test_room_is_four_walls(hand: Hand) -> None:
    hand.tool("r")
    hand.drag((2, 2), (6, 5))
    room = rectangle(1.9, 1.9, 6.1, 5.1) & ~rectangle(2.1, 2.1, 5.9, 4.9)
    np.testing.assert_array_equal(hand.save("room").occupied, room)


def test_rectangle_fills_and_with_shift_is_a_square(hand: Hand) -> None:
    hand.tool("t")
    hand.drag((1, 1), (3, 2))
    hand.drag((5, 2), (7, 3), keys=["Shift"])
    np.testing.assert_array_equal(hand.save("boxes").occupied, rectangle(1, 1, 3, 2) | rectangle(5, 2, 7, 4))


def test_rough_ground_by_rectangle_spares_walls_and_shows(hand: Hand) -> None:
    hand.tool("t")
    hand.drag((2, 2), (3, 4))
    hand.page.keyboard.press("2")
    hand.set(speed=30)
    hand.drag((1, 1), (5, 5))
    terrain = hand.save("rough")
    expected = np.where(rectangle(1, 1, 5, 5) & ~rectangle(2, 2, 3, 4), 30, 100)
    np.testing.assert_array_equal(terrain.speed_percent, expected)
    assert hand.colour(4, 4) not in (WHITE, hex_colour("concrete"))


def test_brush_paints_along_the_way_of_the_hand(hand: Hand) -> None:
    hand.tool("b")
    hand.set(size=0.5)
    hand.drag((2, 2), (5, 2), (5, 6))
    occupied = hand.save("brush").occupied
    assert occupied[20, 20:50].all()
    assert occupied[20:60, 50].all()
    assert not occupied[20, :16].any()
    rows, columns = np.nonzero(occupied)
    x, y = (columns + 0.5) / 10, (rows + 0.5) / 10
    along = np.minimum(
        np.hypot(np.maximum(0, np.maximum(2 - x, x - 5)), y - 2),
        np.hypot(x - 5, np.maximum(0, y - 6)) + np.maximum(0, 2 - y),
    )
    assert along.max() < 0.25 + 0.08


def test_rough_ground_and_materials_by_brush(hand: Hand) -> None:
    hand.tool("t")
    hand.drag((2, 2), (8, 3))
    hand.tool("b")
    hand.press("ink-material")
    hand.press("material-glass")
    hand.drag((4, 2.5), (6, 2.5))
    hand.press("ink-rough")
    hand.set(speed=40)
    hand.drag((4, 5), (6, 5))
    terrain = hand.save("painted")
    assert terrain.material[25, 50] == material_index("glass")
    assert terrain.material[25, 25] == material_index("concrete")
    assert hand.colour(5, 2.5) == hex_colour("glass")
    assert set(np.unique(terrain.speed_percent).tolist()) == {40, 100}
    assert terrain.speed_percent[50, 50] == 40
    np.testing.assert_array_equal(terrain.occupied, rectangle(2, 2, 8, 3))


def test_eraser_clears_walls_only_or_rough_ground_only_if_so_set(hand: Hand) -> None:
    hand.tool("t")
    hand.drag((1, 1), (3, 7))
    hand.page.keyboard.press("2")
    hand.drag((4, 1), (6, 7))
    hand.tool("e")
    hand.press("erase-walls")
    hand.drag((2, 2), (5, 2))
    heights, speeds = hand.layer("wall_height_cm"), hand.layer("speed_percent")
    assert heights[20, 20] == 0
    assert speeds[20, 45] == 50
    hand.press("erase-rough")
    hand.drag((2, 4), (5, 4))
    heights, speeds = hand.layer("wall_height_cm"), hand.layer("speed_percent")
    assert heights[40, 20] == 200
    assert speeds[40, 45] == 100
    assert hand.colour(2, 2) == WHITE


def test_polygon_filled_and_as_a_wall(hand: Hand) -> None:
    hand.tool("o")
    for point in [(1, 1), (4, 1), (4, 4)]:
        hand.click(*point)
    hand.page.keyboard.press("Enter")
    triangle = hand.layer("wall_height_cm") > 0
    assert triangle.sum() == pytest.approx(450, abs=20)
    assert triangle[15, 35]
    assert not triangle[35, 15]
    hand.set(filled=False)
    for point in [(6, 4), (9, 4), (9, 7), (6, 7), (6, 4)]:
        hand.click(*point)
    both = hand.save("polygons").occupied
    assert both[40, 75]
    assert not both[55, 75]


def test_fill_stops_at_walls_and_changes_walls_of_one_kind(hand: Hand) -> None:
    hand.tool("r")
    hand.drag((2, 2), (6, 5))
    hand.tool("f")
    hand.page.keyboard.press("2")
    hand.click(4, 4)
    inside = rectangle(2.1, 2.1, 5.9, 4.9)
    np.testing.assert_array_equal(hand.layer("speed_percent"), np.where(inside, 50, 100))
    hand.page.keyboard.press("1")
    hand.press("material-wood")
    hand.click(2, 3)
    terrain = hand.save("filled")
    np.testing.assert_array_equal(
        terrain.material, np.where(rectangle(1.9, 1.9, 6.1, 5.1) & ~inside, material_index("wood"), 0)
    )
    hand.page.keyboard.press("4")
    hand.click(2, 3)
    assert not hand.layer("wall_height_cm").any()


def test_door_stands_in_its_wall_opens_it_and_has_its_times(hand: Hand) -> None:
    hand.tool("w")
    hand.set(thickness=0.4)
    hand.drag((1, 4), (9, 4))
    hand.tool("d")
    hand.set(doorClosed=True, doorSwitches="60, 120")
    hand.drag((4, 4), (5.5, 4.02))
    terrain = hand.save("door")
    (door,) = terrain.changes
    assert isinstance(door, Door)
    assert (door.area.left, door.area.bottom, door.area.right, door.area.top) == pytest.approx((4, 3.8, 5.5, 4.2))
    assert door.closed
    assert door.switches == (60, 120)
    np.testing.assert_array_equal(terrain.occupied, rectangle(0.8, 3.8, 9.2, 4.2) & ~rectangle(4, 3.8, 5.5, 4.2))


def test_door_by_a_click_finds_the_direction_of_its_wall(hand: Hand) -> None:
    hand.tool("w")
    hand.drag((5, 1), (5, 7))
    hand.tool("d")
    hand.click(5, 3)
    (door,) = hand.objects("door")
    assert (
        door["area"]["right"] - door["area"]["left"],
        door["area"]["top"] - door["area"]["bottom"],
    ) == pytest.approx((0.2, 1))


def test_door_that_is_moved_closes_the_wall_behind_it_and_one_removed_too(hand: Hand) -> None:
    hand.tool("w")
    hand.drag((1, 4), (9, 4))
    wall = hand.layer("wall_height_cm").copy()
    hand.tool("d")
    hand.drag((3, 4), (4, 4))
    hand.tool("v")
    hand.drag((3.5, 4), (6.5, 4))
    occupied = hand.layer("wall_height_cm") > 0
    np.testing.assert_array_equal(occupied, (wall > 0) & ~rectangle(6, 3.9, 7, 4.1))
    hand.page.keyboard.press("Delete")
    np.testing.assert_array_equal(hand.layer("wall_height_cm"), wall)
    assert hand.objects("door") == []


def test_random_door_is_set_in_its_fields(hand: Hand) -> None:
    hand.tool("d")
    hand.drag((3, 4), (4, 4))
    hand.page.locator('[data-field="switching"]').select_option("random")
    hand.set(mean_open=20, mean_closed=45)
    (door,) = hand.save("random").changes
    assert isinstance(door, Door)
    assert (door.mean_open, door.mean_closed, door.switches) == (20, 45, ())


def test_landmark_has_a_descriptor(hand: Hand) -> None:
    hand.tool("l")
    hand.click(3, 2)
    hand.set(descriptor="0.2, 0.7 -1")
    hand.tool("l")
    hand.click(4.4, 2.4)
    first, second = hand.save("marks").landmarks
    assert (first.x, first.y, first.descriptor) == (3, 2, (0.2, 0.7, -1))
    assert (second.x, second.y, second.descriptor) == (4.5, 2.5, ())


def test_starts_are_ordered_turned_moved_and_removed(hand: Hand) -> None:
    hand.tool("s")
    hand.click(2, 2)
    hand.drag((4, 2), (4, 4))
    hand.click(6, 2)
    hand.drag((2, 2), (2, 5))
    starts = hand.save("starts").starts
    assert [(start.x, start.y) for start in starts] == [(2, 5), (4, 2), (6, 2)]
    assert [start.heading for start in starts] == pytest.approx([0, math.pi / 2, 0], abs=1e-3)
    hand.tool("v")
    hand.click(6, 2)
    hand.set(order=0, heading=90)
    hand.click(4, 2)
    hand.page.keyboard.press("Delete")
    starts = hand.save("starts").starts
    assert [(start.x, start.y) for start in starts] == [(6, 2), (2, 5)]
    assert starts[0].heading == pytest.approx(math.pi / 2, abs=1e-3)


def test_start_is_turned_by_its_handle(hand: Hand) -> None:
    hand.tool("s")
    hand.click(5, 4)
    hand.tool("v")
    hand.click(5, 4)
    x, y = hand.pixel(5, 4)
    handle = hand.page.evaluate("expeditionDraw.tool.handle(expeditionDraw.selectedObject)")
    box = hand.page.locator(".draw-sheet").bounding_box()
    hand.page.mouse.move(handle[0] + box["x"], handle[1] + box["y"])
    hand.page.mouse.down()
    hand.page.mouse.move(x, y + 90, steps=3)
    hand.page.mouse.up()
    assert hand.objects("start")[0]["heading"] == pytest.approx(-math.pi / 2, abs=0.02)


def test_person_walks_waypoints_and_one_of_them_is_moved(hand: Hand) -> None:
    hand.tool("p")
    hand.click(2, 2)
    hand.click(6, 2)
    hand.double_click(6, 5)
    hand.tool("v")
    hand.click(2, 2)
    hand.set(speed=0.8)
    hand.drag((6, 2), (7, 3))
    hand.tool("p")
    hand.click(3, 7)
    hand.press("finish")
    walker, wanderer = hand.save("people").changes
    assert isinstance(walker, Person)
    assert walker.waypoints == ((2, 2), (7, 3), (6, 5))
    assert walker.speed == 0.8
    assert isinstance(wanderer, Person)
    assert wanderer.waypoints == ((3, 7),)


def test_collapse_has_a_time_and_a_share(hand: Hand) -> None:
    hand.tool("c")
    hand.set(collapseTime=300)
    hand.drag((2, 2), (4, 5))
    hand.set(fill=60)
    (collapse,) = hand.save("collapse").changes
    assert isinstance(collapse, Collapse)
    assert (collapse.time, collapse.fill) == (300, 0.6)
    assert collapse.area.model_dump() == {"left": 2, "bottom": 2, "right": 4, "top": 5}


def test_arrows_move_what_is_selected_by_a_cell(hand: Hand) -> None:
    hand.tool("l")
    hand.click(3, 2)
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowDown"):
        hand.page.keyboard.press(key)
    (mark,) = hand.objects("landmark")
    assert (mark["x"], mark["y"]) == pytest.approx((3.2, 1.9))


def test_ruler_measures_and_changes_nothing(hand: Hand) -> None:
    before = hand.state()
    hand.tool("m")
    hand.drag((1, 1), (4, 5))
    assert hand.page.evaluate("expeditionDraw.tool.said") == "5 m, 53°"
    assert hand.state() == before


def test_sheet_is_panned_and_zoomed_about_the_pointer(hand: Hand) -> None:
    hand.tool("h")
    x, y = hand.pixel(5, 4)
    hand.drag((5, 4), (6, 4))
    moved = hand.pixel(5, 4)
    assert moved[0] > x + 10
    assert moved[1] == pytest.approx(y)
    hand.page.mouse.move(*moved)
    hand.page.mouse.wheel(0, -300)
    assert hand.pixel(5, 4) == pytest.approx(moved, abs=0.5)
    assert hand.pixel(6, 4)[0] - moved[0] > 1.3 * (moved[0] - x)
    hand.page.keyboard.press("0")
    assert hand.pixel(5, 4) == pytest.approx((x, y), abs=0.5)


def test_place_under_the_pointer_is_told(hand: Hand) -> None:
    hand.page.mouse.move(*hand.pixel(3.25, 6.5))
    assert hand.page.locator(".draw-where").inner_text().split() == ["x", "3.25", "y", "6.50", "m"]


def test_keys_have_a_sheet_that_tells_them(hand: Hand) -> None:
    hand.page.keyboard.press("?")
    sheet = hand.page.locator(".draw-help-paper")
    assert "Eraser" in sheet.inner_text()
    sheet.get_by_role("button", name="Close").click()
    assert hand.page.locator(".draw-help-paper").count() == 0


def test_only_what_a_stroke_touched_is_painted_anew(hand: Hand) -> None:
    hand.new(200, 200)
    assert hand.page.evaluate("expeditionDraw.drawing.rows * expeditionDraw.drawing.columns") == 4_000_000
    hand.page.wait_for_function("expeditionDraw.view.paintedCells === 4e6")
    hand.tool("b")
    hand.click(100, 100)
    assert hand.colour(100, 100) == hex_colour("concrete")
    assert hand.page.evaluate("expeditionDraw.view.paintedCells") < 1000
