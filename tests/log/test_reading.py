"""What a log tells of a mission is what the mission was like."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.log.markers import MapFrontiers
from expedition.log.paths import SAME
from expedition.log.reader import LogReader, ahead_of
from tests.log.eventful import SECONDS, Witnessed, mission, witness

SECOND_BY_SECOND = [0.0, 1.0, 7.0, 11.0, 14.0, 22.0, 29.0, 30.0, 31.0, 44.0, SECONDS]


def test_the_header_has_all_that_holds_for_the_mission(log: LogReader, eventful: Witnessed) -> None:
    what, header = eventful.result.mission, log.header
    assert header.terrain == what.terrain
    assert header.terrain.name == what.terrain.name
    assert header.frame == eventful.result.monitor.frame
    assert (header.explorable == eventful.result.monitor.truth.explorable).all()
    assert (header.starts == what.fleet.poses).all()
    assert (header.strategy, header.seed) == (what.strategy_name, what.seed)
    assert header.names == ("robot_0", "robot_1", "robot_2", "robot_3")
    assert (header.robots, header.nodes) == (4, 5)
    assert what.fleet.base is not None
    assert header.base == (what.fleet.base.x, what.fleet.base.y)
    assert header.radio_ranges.shape == (5,)
    body = what.fleet.models[0].body
    assert np.hypot(*header.footprints[0].T).max() == pytest.approx(body.circumradius)
    assert (log.start, log.end, log.is_growing) == (0.0, SECONDS, False)


@pytest.mark.parametrize("time", SECOND_BY_SECOND)
def test_maps_of_any_moment_are_those_that_robots_had(log: LogReader, eventful: Witnessed, time: float) -> None:
    for node in range(5):
        assert (log.map("base" if node == 4 else node, time) == eventful.maps[time][node]).all()
    assert (log.map("truth", time) == eventful.moments[time]["truth"]).all()


def test_the_door_is_seen_to_open_and_close(log: LogReader) -> None:
    row, column = log.header.frame.cell(10.05, 9.0)
    doors = [int(log.map("truth", time)[row, column]) for time in (5.0, 15.0, 30.0)]
    assert doors == [1, 2, 1]


def test_the_union_knows_what_any_robot_knows(log: LogReader, eventful: Witnessed) -> None:
    for time in SECOND_BY_SECOND:
        union, states = log.map("union", time), eventful.maps[time][:4]
        # What speaks for and against a wall may come to balance: then a cell is unknown again, and the union keeps it.
        assert ((union > 0) != (states > 0).any(axis=0)).sum() <= 3
        assert (union > 0)[(states > 0).any(axis=0)].all()
        agreed = (states > 0).any(axis=0) & (states.max(axis=0) == np.where(states > 0, states, 9).min(axis=0))
        assert (union == states.max(axis=0))[agreed].mean() > 0.999


def test_maps_asked_for_in_any_order_are_the_same(log: LogReader, eventful: Witnessed) -> None:
    for time in np.random.default_rng(1).permutation(SECOND_BY_SECOND).tolist():
        assert (log.map(3, time) == eventful.maps[time][3]).all()


@pytest.mark.parametrize("which", ["union", "base", "truth", 0, 3])
def test_updates_lead_from_one_moment_to_another(log: LogReader, which: int | str) -> None:
    for after, until in ((-1.0, 3.0), (3.0, 28.5), (28.5, 33.0), (0.0, SECONDS)):
        state = np.zeros(log.header.frame.shape, dtype=np.uint8) if after < 0 else log.map(which, after)
        if which == "truth" and after < 0:
            state = log.map(which, 0.0)
        for row, column, cells in log.map_updates(which, after, until):
            state[row : row + cells.shape[0], column : column + cells.shape[1]] = cells
        assert (state == log.map(which, until)).all()


@pytest.mark.parametrize("time", SECOND_BY_SECOND)
def test_a_scene_is_what_was_there(log: LogReader, eventful: Witnessed, time: float) -> None:
    scene, was = log.scene(time), eventful.moments[time]
    assert scene.time == time
    np.testing.assert_allclose(scene.poses, was["poses"], atol=1e-5)
    np.testing.assert_allclose(scene.believed, was["believed"], atol=1e-5)
    np.testing.assert_allclose(scene.goals, was["goals"], atol=1e-5)
    np.testing.assert_allclose(scene.people, was["people"], atol=1e-5)
    np.testing.assert_allclose(scene.batteries, was["battery"], atol=1e-5)
    np.testing.assert_allclose(scene.explored, was["sample"].explored, atol=1e-6)
    np.testing.assert_allclose(scene.travelled, was["sample"].travelled, atol=1e-3)
    assert (scene.sent == was["sample"].sent).all()
    assert (scene.received == was["sample"].received).all()
    assert (scene.links == was["links"]).all()
    assert scene.union == pytest.approx(was["sample"].union)
    assert scene.at_base == pytest.approx(was["sample"].at_base)
    assert scene.connected == pytest.approx(was["sample"].connected)
    assert (scene.roles, scene.activities) == (was["roles"], was["activities"])
    assert [(tag.x, tag.y, tag.text, tag.robot) for tag in scene.tags] == [
        (tag.x, tag.y, tag.text, tag.robot) for tag in was["tags"]
    ]


def test_paths_lead_from_robots_to_where_they_are_going(log: LogReader, eventful: Witnessed) -> None:
    shown = 0
    for time, was in eventful.moments.items():
        for robot, path in enumerate(log.scene(time).paths):
            driven = was["paths"][robot]
            assert (len(path) == 0) == (len(driven) == 0)
            if len(path):
                shown += 1
                assert math.dist(path[-1], driven[-1]) < SAME
                assert math.dist(path[0], was["believed"][robot, :2]) < 2.0
    assert shown > 50


def test_scans_are_where_robots_believe_that_beams_ended(log: LogReader, eventful: Witnessed) -> None:
    apart = []
    for time in (1.0, 5.0, 24.0, 40.0):
        (scan,) = eventful.moments[time]["scans"]
        for robot, ranges in zip(scan.robots.tolist(), scan.ranges, strict=True):
            x, y, heading = eventful.moments[time]["scan_pose"][robot]
            met = ranges < scan.lidar.range
            angles = heading + scan.lidar.angles[met]
            points = np.column_stack([x + ranges[met] * np.cos(angles), y + ranges[met] * np.sin(angles)])
            found = log.scene(time).scans[robot]
            assert found is not None
            assert found.shape == points.shape
            apart.append(np.hypot(*(found - points).T))
    # Robots do not look at every scan, and so may believe to have been elsewhere at the last one.
    assert np.quantile(np.concatenate(apart), 0.25) < 0.03
    assert np.concatenate(apart).max() < 0.5


def test_a_robot_that_is_broken_says_so_and_has_no_recent_scan(log: LogReader) -> None:
    scene = log.scene(15.0)
    assert scene.failed == ["", "radio", "", ""]
    assert not scene.links[1].any()
    scene = log.scene(30.0)
    assert scene.failed == ["", "", "robot", ""]
    assert scene.scans[2] is None
    assert scene.scans[3] is not None


def test_what_strategies_say_is_in_the_scene(log: LogReader) -> None:
    scene = log.scene(18.0)
    decision = scene.decisions[3]
    assert decision is not None
    assert decision.about == "travel cost, m"
    assert decision.chosen == int(np.argmin(decision.values))
    assert len(decision.places) == len(decision.values)
    assert scene.notes[3][-1].text.startswith("goes to ")
    x, y = decision.places[decision.chosen]
    assert scene.notes[3][-1].text == f"goes to {x:.1f}, {y:.1f}"
    (marked,) = [points for robot, points in scene.marks["frontiers"] if robot == 3]
    np.testing.assert_allclose(marked, decision.places, atol=1e-4)
    last = scene.inbox[3][-1]
    assert last.topic == "plans"
    assert last.text.startswith('{"to":')
    assert last.time <= 18.0
    assert scene.landmarks
    for seen in scene.landmarks:
        mark = log.header.terrain.landmarks[seen.landmark]
        assert math.dist((seen.x, seen.y), (mark.x, mark.y)) < 1.0
        assert seen.covariance[0] > 0.0


def test_frontiers_are_those_of_the_map(log: LogReader) -> None:
    frontiers, union = log.scene(10.0).frontiers, log.map("union", 10.0)
    again = MapFrontiers(log.header.frame).find(union, np.zeros(log.header.frame.tiles, dtype=np.int64), 0)
    np.testing.assert_allclose(frontiers, again, atol=1e-4)
    np.testing.assert_allclose(log.frontiers("union", 10.0), again)
    assert len(log.frontiers(2, 10.0))


def test_events_are_those_of_the_mission(log: LogReader, eventful: Witnessed) -> None:
    assert log.events == [dict(event) for event in eventful.result.measurements.events]
    assert {"note", "role", "role swap", "activity", "breakdown", "recovery", "end"} <= {
        event["event"] for event in log.events
    }


def test_curves_are_the_series_of_the_mission(log: LogReader, eventful: Witnessed) -> None:
    series, measured = log.series, eventful.result.measurements
    rows = np.searchsorted(series.times, measured.times)
    np.testing.assert_allclose(series.times[rows], measured.times)
    np.testing.assert_allclose(series.union[rows], measured.union, atol=1e-6)
    np.testing.assert_allclose(series.explored[rows], measured.explored, atol=1e-6)
    np.testing.assert_allclose(series.travelled[rows], measured.travelled, atol=1e-3)
    np.testing.assert_allclose(series.connected[rows], measured.connected, atol=1e-6)
    assert (series.sent[rows] == measured.sent).all()


@pytest.mark.parametrize("time", [0.0, 13.0, 31.0, SECONDS])
def test_who_saw_and_covered_what_first(log: LogReader, eventful: Witnessed, time: float) -> None:
    was = eventful.moments[time]
    who, when = log.first_seen(time)
    assert (who == was["first_seen"]).all()
    assert (np.isnan(when) == (who < 0)).all()
    covered = log.covered_at(time)
    both = ~np.isnan(covered) & ~np.isnan(was["covered_at"])
    assert both.sum() > 0.95 * (~np.isnan(was["covered_at"])).sum()
    assert np.median(np.abs(covered - was["covered_at"])[both]) < 0.2


def test_trajectories_are_the_poses_so_far(log: LogReader, eventful: Witnessed) -> None:
    way = log.trajectory(0, 20.0)
    assert len(way) == 101
    np.testing.assert_allclose(way[-1], eventful.moments[20.0]["poses"][0], atol=1e-5)
    np.testing.assert_allclose(log.believed_trajectory(0, 20.0)[-1], eventful.moments[20.0]["believed"][0], atol=1e-5)


def test_between_recordings_robots_move_on(log: LogReader) -> None:
    before, between, after = (log.scene(time).poses for time in (7.0, 7.1, 7.2))
    np.testing.assert_allclose(between[:, :2], 0.5 * (before + after)[:, :2])


def test_moments_before_and_after_the_mission_are_its_first_and_last(log: LogReader) -> None:
    assert (log.scene(-5.0).poses == log.scene(0.0).poses).all()
    assert log.scene(1e6).time == SECONDS
    assert log.scene(math.inf).scans[0] is not None


def test_a_map_that_is_not_there_is_refused(log: LogReader) -> None:
    for which in ("unoin", 4, -1, True):
        with pytest.raises(ExpeditionError, match=r"no map .* in this log; there are union, truth, base, 0 to 3"):
            log.map(which, 0.0)


def test_maps_that_lie_askew_are_read_in_the_frame_of_the_world(tmp_path) -> None:
    seen = witness(tmp_path / "log.mcap", mission(base=None, settings={"merge": "aligned"}, stop={"time": 12}))
    log, monitor = LogReader(seen.path), seen.result.monitor
    for time in (3.0, 12.0):
        for robot in range(4):
            expected = monitor.in_world(robot, seen.maps[time][robot])
            found = log.map(robot, time)
            assert np.mean(found == expected) > 0.999
        np.testing.assert_allclose(log.scene(time).believed, seen.moments[time]["believed"], atol=1e-4)
    state = log.map(1, 3.0)
    for row, column, cells in log.map_updates(1, 3.0, 12.0):
        state[row : row + cells.shape[0], column : column + cells.shape[1]] = cells
    assert (state == log.map(1, 12.0)).all()
    assert (log.map("union", 12.0) > 0).sum() > 0.5 * (log.map(0, 12.0) > 0).sum()


def test_of_a_way_only_what_lies_ahead_is_shown() -> None:
    way = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)])
    np.testing.assert_allclose(ahead_of(way, np.array([3.0, 0.2])), [(3.0, 0.0), (4.0, 0.0), (4.0, 4.0)])
    np.testing.assert_allclose(ahead_of(way, np.array([4.1, 1.0])), [(4.0, 1.0), (4.0, 4.0)])
    assert len(ahead_of(way[:1], np.zeros(2))) == 1
