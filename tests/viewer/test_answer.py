"""Every question and every part of a moment, against the reader of the log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet.body import RectangleBody
from expedition.fleet.clearance import passing_radius
from expedition.log.reader import LogReader
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, UNKNOWN_COST, Inflation
from expedition.viewer.watch.answers import QUESTIONS, answer, hello
from expedition.viewer.watch.moments import PARTS


def test_the_hello_has_the_ground_and_what_stands_on_it(log: LogReader) -> None:
    told, arrays = hello(log)
    assert told["frame"]["shape"] == log.header.frame.shape
    assert told["terrain"]["landmarks"] == [[mark.x, mark.y] for mark in log.header.terrain.landmarks]
    assert told["terrain"]["doors"] == [[10.0, 10.1, 7.0, 11.0, "#a9793f"]]
    assert told["terrain"]["people"] == [0.25]
    assert told["materials"][2][0] == "wood"
    assert (arrays["speed_percent"] == log.header.terrain.speed_percent).all()
    assert (arrays["explorable"] == log.header.explorable).all()


def test_a_track_says_that_it_lasts_and_goes_on_after_a_time(log: LogReader) -> None:
    whole = answer(log, "track", {"number": 2})
    assert whole.lasts
    assert whole.told["lasts"]
    times = whole.arrays["times"]
    rest = answer(log, "track", {"number": 2, "after": float(times[7])})
    assert rest.arrays["times"].tolist() == times[8:].tolist()
    assert (rest.arrays["poses"] == whole.arrays["poses"][8:]).all()


def test_a_track_of_a_log_that_grows_does_not_last_at_its_end(recorded: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.mcap"
    path.write_bytes(recorded.read_bytes()[: recorded.stat().st_size // 2])
    log = LogReader(path)
    last = int(log.end / 4.0)
    assert not answer(log, "track", {"number": last}).told["lasts"]
    assert answer(log, "track", {"number": last - 1}).told["lasts"]
    assert not answer(log, "heat", {}).lasts


def test_trails_go_where_robots_went(log: LogReader) -> None:
    found = answer(log, "trails", {})
    times, places = found.arrays["times"], found.arrays["poses"]
    assert np.diff(times).mean() == pytest.approx(0.5, abs=0.02)
    for k in (3, 20, len(times) - 1):
        assert places[k] == pytest.approx(log.scene(float(times[k])).poses[:, :2], abs=1e-5)
        assert found.arrays["believed"][k] == pytest.approx(log.scene(float(times[k])).believed[:, :2], abs=1e-5)
    more = answer(log, "trails", {"after": float(times[10]), "every": found.told["every"]})
    assert more.arrays["times"].tolist() == times[11:].tolist()


def test_heat_is_who_saw_first_and_when(log: LogReader) -> None:
    found = answer(log, "heat", {}).arrays
    who, when = log.first_seen(log.end)
    assert (found["who"] == who).all()
    assert np.array_equal(found["seen"], when, equal_nan=True)
    assert np.array_equal(found["covered"], log.covered_at(log.end), equal_nan=True)


def test_curves_are_those_of_the_log(log: LogReader) -> None:
    found = answer(log, "curves", {}).arrays
    at = np.searchsorted(log.series.times, found["times"] - 1e-3)
    assert found["union"] == pytest.approx(log.series.union[at])
    assert found["travelled"] == pytest.approx(log.series.travelled[at], abs=1e-4)
    assert found["times"][-1] == pytest.approx(log.end)


@pytest.mark.parametrize("which", ["union", "truth", "base", 1])
def test_the_costmap_is_the_inflation_of_the_map(log: LogReader, which: str | int) -> None:
    cost = answer(log, "costmap", {"which": which, "time": 20.0}).arrays["cost"]
    cells = log.map(which, 20.0)  # type: ignore[arg-type]
    inner = np.zeros(cells.shape, dtype=bool)
    inner[1:-1, 1:-1] = True
    assert ((cost == OCCUPIED_COST) == ((cells == 2) | ~inner)).all()
    model = log.header.models[1]["body"]
    radius = np.hypot(model["length"], model["width"]) / 2
    inflation = Inflation.model_validate(log.header.mission["settings"]["inflation"])
    passing = passing_radius(RectangleBody.model_validate(model), log.header.frame.resolution)
    walls = np.argwhere(cells == 2)
    for row, column in np.argwhere((cells == 1) & inner)[::37]:
        distance = np.hypot(*(walls - (row, column)).T).min() * log.header.frame.resolution
        assert cost[row, column] == inflation.cost(float(distance), float(radius), passing)
    assert SQUEEZE_COST in cost
    assert (UNKNOWN_COST in cost) == bool((cells[1:-1, 1:-1] == 0).any())


def test_doors_are_closed_while_they_are(log: LogReader) -> None:
    closed = [
        answer(log, "moment", {"time": time, "parts": ["doors"]}).told["doors"] for time in (9.0, 11.5, 24.0, 27.0)
    ]
    assert closed == [[False], [True], [True], [False]]


def test_parts_of_a_moment_are_those_of_the_scene(log: LogReader) -> None:
    scene = log.scene(18.3)
    found = answer(log, "moment", {"time": 18.3, "parts": sorted(PARTS), "robots": [0, 3]})
    told, arrays = found.told, found.arrays
    assert not found.lasts
    ends = arrays["path_ends"].tolist()
    for robot, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        assert arrays["path_points"][begin:end] == pytest.approx(scene.paths[robot], abs=1e-5)
    scans = [scene.scans[0], scene.scans[3]]
    assert told["scan_robots"] == [0, 3]
    assert arrays["scan_points"] == pytest.approx(
        np.concatenate([scan for scan in scans if scan is not None]), abs=1e-5
    )
    assert arrays["frontiers"] == pytest.approx(scene.frontiers, abs=1e-5)
    assert [tag[2] for tag in told["tags"]] == [tag.text for tag in scene.tags]
    assert [mark[:2] for mark in told["landmarks"]] == [[mark.robot, mark.landmark] for mark in scene.landmarks]
    assert [mark[4:] for mark in told["landmarks"]] == [list(mark.covariance) for mark in scene.landmarks]
    assert told["roles"] == scene.roles
    assert told["activities"] == scene.activities
    assert told["doors"] == [True]
    for kind, marks in scene.marks.items():
        for (robot, points), (told_robot, told_points) in zip(marks, told["marks"][kind], strict=True):
            assert robot == told_robot
            assert np.asarray(told_points) == pytest.approx(points, abs=1e-3)
    assert sorted(told["minds"]) == [0, 3]
    decision, shown = scene.decisions[3], told["minds"][3]["decision"]
    assert decision is not None
    assert shown["chosen"] == decision.chosen
    assert np.asarray(shown["places"]) == pytest.approx(decision.places, abs=1e-3)
    assert [note[1] for note in told["minds"][0]["notes"]] == [note.text for note in scene.notes[0]]
    assert len(told["minds"][0]["inbox"]) == len(scene.inbox[0])


def test_frontiers_are_those_of_the_map_asked_for(log: LogReader) -> None:
    found = answer(log, "moment", {"time": 12.0, "parts": ["frontiers"], "which": 1}).arrays["frontiers"]
    assert found == pytest.approx(log.frontiers(1, 12.0), abs=1e-5)
    assert len(found)


def test_a_question_that_is_none_is_told(log: LogReader) -> None:
    with pytest.raises(ExpeditionError, match="costmap"):
        answer(log, "costmaps", {})
    assert {"track", "map", "patches", "moment", "trails", "heat", "curves", "costmap"} == set(QUESTIONS)
