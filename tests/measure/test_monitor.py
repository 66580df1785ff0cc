"""What a mission is scored by: the truth on the maps' grid, what was really seen, and the metrics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import expedition
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.belief.mapping import Beams
from expedition.fleet import Fleet, robot_model
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.metrics.maps import map_error
from expedition.measure.sight_log import SightLog, sight_log, spread_news, trace_scans
from expedition.terrain import Terrain, find_terrain

FRAME = Frame((0.0, 0.0), 0.2, 48, 48)
EVERYWHERE = np.ones(FRAME.shape, dtype=bool)


def look(log: SightLog, robot: int, x: float, y: float, angles: list[float], ranges: list[float], tick: int) -> None:
    """A scan of one robot at a true place."""
    beams = Beams(np.column_stack([np.cos(angles), np.sin(angles)]), math.inf, 6.0, 0.0, 0.0)
    poses = np.zeros((len(log.length), 3))
    poses[robot] = x, y, 0.0
    trace_scans(
        log, EVERYWHERE, beams, (0.0, 0.0, 0.2), np.array([robot]), np.array([0.0]),
        np.array([ranges], dtype=np.float32), 25.0, poses, poses, 0.0, 0.0, tick,
    )  # fmt: skip


def nobody_told(robots: int) -> np.ndarray:
    return np.full((robots, robots), -1, dtype=np.int64)


def test_cells_that_a_beam_really_crossed_are_seen() -> None:
    log = sight_log(1, FRAME.shape)
    look(log, 0, 1.1, 1.1, [0.0], [2.0], tick=0)
    assert log.known[0, 5, 5:15].all()
    assert log.known_count[0] == np.count_nonzero(log.known[0]) == 11
    look(log, 0, 1.1, 1.1, [0.0], [2.0], tick=1)
    assert log.known_count[0] == 11


def test_beam_without_return_sees_up_to_the_lidars_range_and_a_dropout_nothing() -> None:
    log = sight_log(1, FRAME.shape)
    look(log, 0, 1.1, 1.1, [0.0, math.pi / 2], [math.inf, math.nan], tick=0)
    assert log.known[0, 5, 35]
    assert not log.known[0, 5, 37]
    assert not log.known[0, 7, 5]


def test_robot_knows_what_others_saw_up_to_when_it_was_told() -> None:
    log = sight_log(2, FRAME.shape)
    look(log, 1, 1.1, 1.1, [0.0], [2.0], tick=10)
    look(log, 1, 1.1, 4.1, [0.0], [2.0], tick=20)
    told = nobody_told(2)
    spread_news(log, told, 0)
    assert log.known_count[0] == 0
    told[0, 1] = 10
    spread_news(log, told, 0)
    assert log.known_count[0] == 11
    told[0, 1] = 25
    spread_news(log, told, 0)
    assert log.known_count[0] == 22
    assert (log.first_seen[5, 5:15] == 1).all()


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.floats(0.5, 9.0), st.floats(0.5, 9.0)), max_size=25))
def test_known_is_the_union_of_all_that_one_saw_and_was_told(events: list[tuple[int, int, float, float]]) -> None:
    """Who is told by a robot gets all that this robot knows, by whoever it was seen: as exchange does it."""
    log = sight_log(3, FRAME.shape)
    told = nobody_told(3)
    expected = [set[int](), set[int](), set[int]()]
    for tick, (robot, other, x, y) in enumerate(events):
        if robot == other:
            before = sight_log(3, FRAME.shape)
            look(before, robot, x, y, [0.0, 2.0], [3.0, 3.0], tick)
            expected[robot] |= set(np.flatnonzero(before.known[robot]).tolist())
            look(log, robot, x, y, [0.0, 2.0], [3.0, 3.0], tick)
        else:
            expected[other] |= expected[robot]
            told[other] = np.maximum(told[other], told[robot])
            told[other, robot] = tick
        spread_news(log, told, 0)
    for robot in range(3):
        assert set(np.flatnonzero(log.known[robot]).tolist()) == expected[robot]
        assert log.known_count[robot] == len(expected[robot])


def test_cells_count_as_free_only_in_whole_and_as_explorable_only_if_reachable() -> None:
    occupied = np.zeros((40, 40), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[10, 10] = True  # A quarter of a map cell.
    occupied[20:31, 20] = occupied[20:31, 30] = occupied[20, 20:31] = occupied[30, 20:31] = True
    terrain = Terrain.from_occupied("box", occupied)
    fleet = Fleet((robot_model("pioneer-3dx"),), np.array([[0.9, 0.9, 0.0]]))
    truth = GroundTruth.of(terrain, fleet, Frame((0.0, 0.0), 0.2, 32, 32))
    assert truth.state[5, 5] == OCCUPIED
    assert truth.state[3, 3] == FREE
    assert truth.state[25, 25] == UNKNOWN
    assert truth.explorable[3, 3]
    assert not truth.explorable[5, 5]
    assert not truth.explorable[12, 12]
    assert not truth.explorable[25, 25]


def test_published_terrains_are_explorable_all_over() -> None:
    maze = find_terrain("maze")
    frame = Frame.around(maze.extent)
    truth = GroundTruth.of(maze, Fleet.of("pioneer-3dx", 8, maze), frame)
    assert math.isclose(np.count_nonzero(truth.explorable) * 0.04, maze.free_area, rel_tol=0.001)


def test_error_counts_known_cells_that_are_wrong() -> None:
    truth = GroundTruth(np.full((4, 4), FREE, dtype=np.uint8), np.ones((4, 4), dtype=bool))
    state = np.zeros((4, 4), dtype=np.uint8)
    assert map_error(state, truth) == 0
    state[0] = FREE
    state[1, :3] = OCCUPIED
    assert map_error(state, truth) == 3


@pytest.fixture(scope="module")
def result() -> expedition.Result:
    return expedition.explore("cross", 3, "nearest-frontier", seed=2, localiser="perfect", explored=0.6)


def test_metrics_follow_the_papers_equations(result: expedition.Result) -> None:
    metrics, monitor = result.metrics, result.monitor
    cost = float(monitor.travelled.sum())
    explored = float(monitor.series.explored[-1].max())
    ground = np.count_nonzero(monitor.truth.explorable) * 0.04
    assert result.ending == "explored"
    assert metrics["cost_m"] == pytest.approx(cost)
    assert metrics["completeness"] == pytest.approx(explored)
    assert metrics["efficiency_m2_per_m"] == pytest.approx(explored * ground / cost)
    error = metrics["map_error_cells"]
    assert error is not None
    assert metrics["map_quality"] == pytest.approx(explored - error * 0.04 / ground)
    assert metrics["trajectory_error_mean_m"] == pytest.approx(0.0, abs=1e-9)
    assert metrics["t99_s"] is None


def test_way_driven_is_no_longer_than_top_speed_allows(result: expedition.Result) -> None:
    time = result.metrics["time_s"]
    assert time is not None
    assert 0.3 * 1.2 * time < result.monitor.travelled.max() <= 1.2 * time


def test_mission_is_the_same_to_the_last_bit_when_run_again(result: expedition.Result) -> None:
    again = expedition.explore("cross", 3, "nearest-frontier", seed=2, localiser="perfect", explored=0.6)
    assert again.metrics == result.metrics
    assert np.array_equal(np.array(again.monitor.series.poses), np.array(result.monitor.series.poses))
    assert np.array_equal(again.controller.grids.fused, result.controller.grids.fused)


def test_other_seed_gives_another_mission() -> None:
    ways = [
        np.array(expedition.explore("cross", 2, "nearest-frontier", seed, explored=0.3).monitor.series.poses)
        for seed in (1, 2)
    ]
    assert ways[0].shape != ways[1].shape or not np.array_equal(ways[0], ways[1])
