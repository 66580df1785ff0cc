"""What is to be seen in pictures, and where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from expedition.film.layers import LAYERS, MOST_NAMED, parse_layers
from expedition.film.robots import is_dead, radius_for
from expedition.film.shot import Shot
from expedition.film.stage import Stage
from expedition.film.theme import DARK, LIGHT, rgb
from expedition.log.reader import LogReader
from expedition.plotstyle import robot_colour
from tests.log.eventful import SECONDS, mission, witness

ALL = ",".join(LAYERS)


def drawn(log: LogReader, time: float, **wanted: object) -> tuple[Stage, NDArray[np.int64]]:
    """A picture as an array."""
    stage = Stage(log, Shot.of(log, **{"curves": False, **wanted}), (log.start, log.end))
    return stage, np.asarray(stage.draw(time), dtype=np.int64)


def panel_of(stage: Stage, picture: NDArray[np.int64], number: int = 0) -> NDArray[np.int64]:
    """The pixels of a map."""
    box = stage.boxes[number]
    return picture[box.top : box.top + box.height, box.left : box.left + box.width]


def place_in(panel: NDArray[np.int64], extent: tuple[float, ...], x: float, y: float) -> tuple[float, float]:
    """Row and column where a place should be, if a map shows the whole terrain."""
    left, right, bottom, top = extent
    return (top - y) / (top - bottom) * panel.shape[0], (x - left) / (right - left) * panel.shape[1]


def near(panel: NDArray[np.int64], colour: tuple[int, int, int], row: float, column: float, reach: int = 6) -> int:
    """How many pixels of a colour are around a place."""
    top, left = max(0, round(row) - reach), max(0, round(column) - reach)
    part = panel[top : round(row) + reach + 1, left : round(column) + reach + 1]
    return int((part == np.array(colour)).all(axis=2).sum())


@pytest.mark.parametrize(("which", "dark"), [("truth", False), ("truth", True), ("union", False), ("0", True)])
@pytest.mark.parametrize("time", [3.3, 15.0])
def test_robots_are_where_the_log_says(log: LogReader, which: str, dark: bool, time: float) -> None:
    stage, picture = drawn(log, time, which=which, dark=dark, layers="robots")
    panel, scene = panel_of(stage, picture), log.scene(time)
    poses = scene.poses if which == "truth" else scene.believed
    for robot, (x, y, _) in enumerate(poses.tolist()):
        row, column = place_in(panel, log.header.extent, x, y)
        assert near(panel, rgb(robot_colour(robot)), row, column) > 20
    elsewhere = (panel == np.array(rgb(robot_colour(0)))).all(axis=2)
    rows, columns = np.nonzero(elsewhere)
    row, column = place_in(panel, log.header.extent, *poses[0, :2].tolist())
    assert np.hypot(rows - row, columns - column).max() < 2.2 * radius_for(4)


def test_side_by_side_shows_robots_where_they_are_and_where_they_believe_to_be(tmp_path: Path) -> None:
    seen = witness(tmp_path / "lost.mcap", mission(settings={"localiser": "odometry"}))
    log = LogReader(seen.path)
    time = 40.0
    scene = log.scene(time)
    stage, picture = drawn(log, time, side_by_side=True, layers="robots")
    assert np.hypot(*(scene.poses - scene.believed)[:, :2].T).max() > 0.25
    for number, poses in enumerate((scene.poses, scene.believed)):
        panel = panel_of(stage, picture, number)
        for robot in range(4):
            if not is_dead(scene.failed[robot]):
                row, column = place_in(panel, log.header.extent, *poses[robot, :2].tolist())
                assert near(panel, rgb(robot_colour(robot)), row, column, 3) > 8


def test_trails_lie_where_robots_have_been(log: LogReader) -> None:
    stage, picture = drawn(log, 18.0, which="truth", layers="trails")
    changed = (panel_of(stage, picture) != panel_of(*drawn(log, 18.0, which="truth", layers=""))).any(axis=2)
    been = np.concatenate([log.trajectory(robot, 18.0)[:, :2] for robot in range(4)])
    places = np.array([place_in(changed, log.header.extent, x, y) for x, y in been.tolist()])
    for row, column in places[::20].astype(int).tolist():
        assert changed[row - 1 : row + 2, column - 1 : column + 2].any()
    for row, column in np.argwhere(changed)[::40].tolist():
        assert np.hypot(*(places - (row + 0.5, column + 0.5)).T).min() < 6.0


def test_a_robot_that_failed_loses_its_colour_and_is_crossed_out(log: LogReader) -> None:
    before, after = log.scene(15.0), log.scene(40.0)
    dead = [robot for robot in range(4) if is_dead(after.failed[robot])]
    assert dead == [2]
    assert not any(map(is_dead, before.failed))
    stage, picture = drawn(log, 40.0, which="truth", layers="robots")
    panel = panel_of(stage, picture)
    for robot in range(4):
        row, column = place_in(panel, log.header.extent, *after.poses[robot, :2].tolist())
        assert (near(panel, rgb(robot_colour(robot)), row, column) == 0) == (robot in dead)
        assert (near(panel, LIGHT.failed, row, column) > 5) == (robot in dead)


def test_maps_grow_and_are_the_log_s_cell_by_cell(log: LogReader) -> None:
    frame, known = log.header.frame, []
    for time in (0.0, 10.0, 20.0, SECONDS):
        stage, picture = drawn(log, time, which="1", layers="", dark=True)
        panel, state = panel_of(stage, picture), log.map(1, time)
        known.append(int((panel == np.array(DARK.free)).all(axis=2).sum()))
        for x, y in ((1.0, 14.0), (5.0, 5.0), (15.0, 10.0), (-1.5, 10.0)):
            inside = state[np.ix_(*(np.array([-1, 0, 1]) + cell for cell in frame.cell(x, y)))]
            if len(set(inside.ravel().tolist())) == 1:
                row, column = place_in(panel, log.header.extent, x, y)
                colour = (DARK.unknown, DARK.free, DARK.wall)[inside[0, 0]]
                assert tuple(panel[int(row), int(column)].tolist()) == colour
    assert known == sorted(known)
    assert known[-1] > 2 * known[0]


def test_the_door_of_the_truth_opens_and_closes(log: LogReader) -> None:
    shown = []
    for time in (5.0, 15.0, 30.0):
        stage, picture = drawn(log, time, which="truth", layers="")
        panel = panel_of(stage, picture)
        row, column = place_in(panel, log.header.extent, 10.05, 9.0)
        shown.append(near(panel, LIGHT.door, row, column, 6) > 0)
    truth = [bool(log.map("truth", time)[log.header.frame.cell(10.05, 9.0)] == 2) for time in (5.0, 15.0, 30.0)]
    assert shown == truth
    assert len(set(shown)) == 2


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_is_to_be_seen(log: LogReader, layer: str) -> None:
    rest = set(LAYERS) - {layer, "who"} if layer == "heat" else set(LAYERS) - {layer}
    for which in ("union", "truth"):
        if which == "truth" and layer in ("scans", "frontiers"):
            continue
        with_it = panel_of(*drawn(log, 15.0, which=which, layers=[*rest, layer]))
        without = panel_of(*drawn(log, 15.0, which=which, layers=rest))
        assert (with_it != without).any(axis=2).sum() > 5, which


def test_what_is_beside_the_map_changes_with_time(log: LogReader) -> None:
    stage, early = drawn(log, 10.0, curves=True, layers="")
    late = np.asarray(stage.draw(30.0), dtype=np.int64)
    beside = stage._side
    assert beside is not None
    parts = [picture[beside.top : beside.top + beside.height, beside.left :] for picture in (early, late)]
    lines = [np.flatnonzero((part == np.array(LIGHT.failed)).all(axis=2).any(axis=0)) for part in parts]
    assert all(len(line) for line in lines)
    assert np.median(lines[0]) < np.median(lines[1])


def test_a_robot_that_is_followed_stays_in_the_picture_seen_from_near(log: LogReader) -> None:
    for time in (2.0, 18.0):
        stage, picture = drawn(log, time, follow=2, which="truth", layers="robots")
        panel, box = panel_of(stage, picture), stage.boxes[0]
        view = stage.panels[0].view(log.scene(time), box.width, box.height)
        assert view.scale == pytest.approx(min(box.width, box.height) / 8.0)
        x, y, _ = log.scene(time).poses[2].tolist()
        left, right = view.left, view.left + box.width / view.scale
        bottom, top = view.top - box.height / view.scale, view.top
        assert near(panel, rgb(robot_colour(2)), *place_in(panel, (left, right, bottom, top), x, y)) > 20
        assert (left + right) / 2 == pytest.approx(x) or left == pytest.approx(log.header.extent[0])
        assert (bottom + top) / 2 == pytest.approx(y) or top == pytest.approx(log.header.extent[3])


@pytest.mark.parametrize("size", ["160x160", "200x640", "720x1280", "1080x1080", "1920x400", "2560x1440"])
@pytest.mark.parametrize("side_by_side", [False, True])
def test_pictures_of_any_size_are_drawn_within_it(log: LogReader, size: str, side_by_side: bool) -> None:
    for curves in (False, True, None):
        stage, picture = drawn(log, 20.0, size=size, side_by_side=side_by_side, curves=curves)
        width, height = map(int, size.split("x"))
        assert picture.shape == (height, width, 3)
        for box in [*stage.boxes, *([stage._side] if stage._side else [])]:
            assert 0 <= box.left < box.left + box.width <= width
            assert 0 <= box.top < box.top + box.height <= height


def test_no_more_robots_than_can_be_read_have_names() -> None:
    assert radius_for(MOST_NAMED) > radius_for(MOST_NAMED + 1)


def test_layers_are_a_list_or_changes_to_the_usual_ones() -> None:
    assert parse_layers("robots, Who") == {"robots", "who"}
    assert parse_layers("+who,-links") == parse_layers(
        "robots,names,trails,goals,paths,frontiers,tags,scans,base,people,who"
    )
    assert parse_layers(ALL) == set(LAYERS)
    assert parse_layers("") == frozenset()
