"""Whole missions of robots that do not know how the others started."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.belief.aligned_exchange import AlignedExchange
from expedition.belief.exchange import Exchange
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.errors import ExpeditionError
from expedition.exploring import explore
from expedition.fleet import Fleet
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.monitor_apart import truth_from_start
from expedition.mission import Mission, Result, run
from expedition.record import as_json
from expedition.settings import ControllerSettings
from expedition.starts import frame_from_starts, from_starts, into_world
from expedition.strategies import make_strategy
from expedition.terrain import Terrain, find_terrain

OFFICE = "office:size=30x20"
MERGE = "aligned:interval=5"


def mission(terrain: Terrain | str = OFFICE, robots: int = 2, merge: str = MERGE, time_limit: float = 200.0) -> Result:
    return explore(terrain, robots, seed=1, placement="spread", merge=merge, localiser="perfect", time_limit=time_limit)


def exchange_of(result: Result) -> AlignedExchange:
    assert isinstance(result.controller.exchange, AlignedExchange)
    return result.controller.exchange


def errors_of_known_places(result: Result) -> list[tuple[float, float]]:
    """For each pair that believes to know: metres, at the other's start, and degrees."""
    acquaintance, starts = exchange_of(result).acquaintance, result.mission.fleet.poses
    errors = []
    for robot, other in np.argwhere(acquaintance.known & ~np.eye(len(starts), dtype=bool)).tolist():
        x, y, turn = from_starts(starts[other : other + 1], starts[robot : robot + 1])[0].tolist()
        found = acquaintance.transform(robot, other)
        assert found is not None
        turned = abs(math.degrees(math.remainder(found.rotation - turn, math.tau)))
        errors.append((math.hypot(found.x - x, found.y - y), turned))
    return errors


@pytest.fixture(scope="module")
def office() -> Result:
    return mission()


def test_robots_from_opposite_ends_end_with_one_common_map(office: Result) -> None:
    assert office.ending == "explored"
    assert exchange_of(office).acquaintance.known.all()
    assert all(metres < 0.2 and degrees < 0.5 for metres, degrees in errors_of_known_places(office))
    states = office.controller.grids.state
    for robot in (0, 1):
        truth, own = office.monitor.truth_of(robot), office.controller.grids.evidence[robot] != 0
        known = truth.explorable & (states[robot] != UNKNOWN)
        assert np.count_nonzero(known) > 0.95 * np.count_nonzero(truth.explorable)
        assert np.count_nonzero(own & truth.explorable) < 0.95 * np.count_nonzero(truth.explorable)


def test_the_common_map_agrees_with_the_truth(office: Result) -> None:
    grids = office.controller.grids
    for robot in (0, 1):
        state, truth = grids.state[robot], office.monitor.truth_of(robot)
        told = (grids.evidence[robot] == 0) & (state != UNKNOWN)
        assert np.count_nonzero(told) > 500
        assert np.count_nonzero(told & truth.explorable & (state == OCCUPIED)) < 0.05 * np.count_nonzero(told)
        seen = state[truth.explorable & (state != UNKNOWN)]
        assert np.count_nonzero(seen == FREE) > 0.97 * len(seen)
    assert office.metrics["map_quality"] is not None
    assert office.metrics["map_quality"] > 0.9


def test_robots_believe_to_start_at_the_origin_and_are_judged_in_the_world(office: Result) -> None:
    assert not office.controller.start_poses.any()
    assert office.metrics["trajectory_error_max_m"] == pytest.approx(0.0, abs=1e-6)
    assert np.allclose(office.monitor.series.believed[0][:, :2], office.mission.fleet.poses[:, :2])
    own = from_starts(office.monitor.series.poses[-1], office.mission.fleet.poses)
    assert np.allclose(own[:, :2], office.controller.localiser.pose[:, :2], atol=1e-9)


def test_teammates_are_seen_where_they_are_once_frames_are_known(office: Result) -> None:
    follower = office.controller.follower
    poses = office.controller.localiser.pose
    place = exchange_of(office).acquaintance.transform(0, 1)
    assert place is not None
    beacon = follower.heard[0, 1]
    assert math.dist((beacon["x"], beacon["y"]), place.point(*poses[1, :2].tolist())) < 0.5
    assert follower.heard_at[0, 1] == office.controller.time
    there = office.controller.place_told(0, 1, *poses[1, :2].tolist())
    assert there == place.point(*poses[1, :2].tolist())


def test_the_map_is_drawn_into_the_worlds_frame(office: Result) -> None:
    best = office.best_robot
    shown = office.monitor.in_world(best, office.controller.grids.state[best])
    truth = office.monitor.truth
    assert shown.shape == truth.state.shape
    assert np.count_nonzero((shown == FREE) & truth.explorable) > 0.95 * np.count_nonzero(truth.explorable)


def test_a_mission_gives_the_same_bytes_again(office: Result) -> None:
    again = mission()
    assert as_json(again.to_dict(series=True)) == as_json(office.to_dict(series=True))
    assert np.array_equal(again.controller.grids.fused, office.controller.grids.fused)


def test_robots_whose_maps_never_overlap_never_merge() -> None:
    ground = find_terrain(OFFICE)
    occupied = ground.occupied.copy()
    middle = occupied.shape[1] // 2
    occupied[:, middle - 4 : middle + 4] = True
    halves = Terrain.from_occupied("halves", occupied, ground.resolution, ground.origin)
    fleet = Fleet.of("pioneer-3dx", 2, halves, "at:positions=[[6, 10, 0], [24, 10, 2]]", connected=False)
    name, strategy = make_strategy("nearest-frontier", None)
    settings = ControllerSettings(merge=MERGE, localiser="perfect")
    result = run(Mission(halves, fleet, strategy, name, settings=settings, stop={"time": 90.0}))
    assert result.metrics["received_mb"] is not None
    assert result.metrics["received_mb"] > 0.05
    assert exchange_of(result).acquaintance.known.tolist() == [[True, False], [False, True]]
    own, merged = result.controller.grids.evidence, result.controller.grids.fused
    assert np.array_equal(own, merged)
    assert np.isneginf(result.controller.follower.heard_at[~np.eye(2, dtype=bool)]).all()
    assert result.controller.place_told(0, 1, 0.0, 0.0) is None


def test_nothing_is_merged_wrongly_in_a_place_with_four_equal_sides() -> None:
    result = explore(
        "cross", 2, seed=2, merge="aligned:interval=25", localiser="perfect", placement="spread", time_limit=200.0
    )
    assert min(np.count_nonzero(state) for state in result.controller.grids.evidence) > 10_000
    assert all(metres < 0.5 and degrees < 1.0 for metres, degrees in errors_of_known_places(result))


@pytest.mark.parametrize("merge", ["greedy", "probabilistic"])
def test_robots_that_know_their_starts_share_the_worlds_frame(merge: str) -> None:
    result = mission(merge=merge, time_limit=5.0)
    assert type(result.controller.exchange) is Exchange
    assert result.controller.grids.frame == result.monitor.frame == Frame.around(result.mission.terrain.extent)
    assert np.array_equal(result.monitor.series.believed[0], result.mission.fleet.poses)
    assert result.monitor.truth_of(1) is result.monitor.truth
    assert result.controller.place_told(0, 1, 3.0, 4.0) == (3.0, 4.0)


def test_the_truth_of_a_robot_that_starts_at_the_origin_is_the_worlds() -> None:
    result = mission(time_limit=1.0)
    terrain, fleet = result.mission.terrain, result.mission.fleet
    frame = Frame((-2.0, -2.0), 0.2, 128, 176)
    object.__setattr__(fleet, "poses", np.array([[0.0, 0.0, 0.0], *fleet.poses[1:]]))
    here, there = truth_from_start(terrain, fleet, frame, 0), GroundTruth.of(terrain, fleet, frame)
    assert np.array_equal(here.state, there.state)
    assert np.array_equal(here.explorable, there.explorable)


def test_poses_go_into_the_world_and_back() -> None:
    starts = np.array([[3.0, -2.0, 0.4], [1.0, 5.0, -3.0]])
    poses = np.array([[-4.0, 2.0, 2.9], [0.5, 0.1, -0.2]])
    assert np.allclose(from_starts(into_world(poses, starts), starts), poses)
    assert np.allclose(into_world(np.zeros((2, 3)), starts), starts)


def test_every_corner_of_the_terrain_fits_into_the_map_however_it_is_turned() -> None:
    terrain = find_terrain(OFFICE)
    left, right, bottom, top = terrain.extent
    starts = np.array([[1.0, 1.0, 0.7], [20.0, 5.0, -2.0]])
    frame = frame_from_starts(terrain, starts, 0.2)
    corners = np.array([(x, y, 0.0) for x in (left, right) for y in (bottom, top)])
    for start in starts:
        for x, y, _ in from_starts(corners, np.tile(start, (4, 1))).tolist():
            assert frame.holds(*frame.cell(x, y))


def test_a_bad_parameter_is_refused_with_a_sentence() -> None:
    with pytest.raises(ExpeditionError, match="min_margin"):
        mission(merge="aligned:min_margin=3")
