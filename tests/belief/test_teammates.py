"""Beams that ended on a teammate are told from those that ended on walls."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED
from expedition.belief.mapping import beams_of
from expedition.belief.teammates import beams_on_teammates
from expedition.exploring import explore
from expedition.fleet import Fleet, robot_model
from expedition.navigate.local_records import BEACON
from expedition.robot import Robot
from expedition.sim import FlatSimulator
from expedition.terrain import Person, Terrain

MODEL = robot_model("pioneer-3dx")
assert MODEL.lidar is not None
BEAMS = beams_of(MODEL.lidar)


def hall() -> Terrain:
    occupied = np.ones((100, 300), dtype=bool)
    occupied[10:90, 10:290] = False
    return Terrain.from_occupied("hall", occupied)


def ignored(
    poses: list[tuple[float, float, float]],
    said: list[tuple[float, float]],
    age: float = 0.0,
    time: float = 600.0,
    spread: float = 1.0,
    terrain: Terrain | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Robot 0's ranges, and which of its beams are ignored, when the others say where they are."""
    fleet = Fleet((MODEL,) * len(poses), np.array(poses))
    scan = FlatSimulator().reset(terrain or hall(), fleet, 0).scans(robots=[0])[0]
    known = np.zeros((len(poses), len(poses)), dtype=BEACON)
    for other, (x, y) in enumerate(said, start=1):
        known[0, other]["x"], known[0, other]["y"] = x, y
    ages = np.full((len(poses), len(poses)), age)
    radius = np.full(len(poses), MODEL.body.circumradius)
    ignore = np.zeros(scan.ranges.shape, dtype=np.uint8)
    spreads = np.full(len(poses), spread)
    beams_on_teammates(BEAMS, scan.robots, scan.ranges, fleet.poses, known, ages, radius, spreads, time, ignore)
    return scan.ranges[0], ignore[0] != 0


def on_robots(ranges: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Beams much shorter than in the empty hall."""
    alone, _ = ignored([(5.0, 5.0, 0.0)], [])
    return np.asarray(ranges < alone - 0.05)


def test_beams_on_a_teammate_are_ignored_and_no_others() -> None:
    ranges, ignore = ignored([(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], [(9.0, 5.5)])
    assert on_robots(ranges).any()
    assert (ignore == on_robots(ranges)).all()


def test_teammate_is_recognised_by_its_shape_when_maps_have_drifted_apart() -> None:
    ranges, ignore = ignored([(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], [(11.0, 6.5)])
    assert (ignore == on_robots(ranges)).all()


def test_who_knows_well_where_it_is_takes_nothing_for_a_teammate_that_is_elsewhere() -> None:
    ranges, ignore = ignored([(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], [(11.0, 6.5)], spread=0.0)
    assert on_robots(ranges).any()
    assert not ignore.any()


def test_maps_that_had_no_time_to_drift_apart_leave_no_doubt_where_a_teammate_is() -> None:
    poses, far, near = [(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], (11.0, 6.5), (9.15, 5.5)
    ranges, ignore = ignored(poses, [far], time=0.0)
    assert on_robots(ranges).any()
    assert not ignore.any()
    ranges, ignore = ignored(poses, [near], time=0.0)
    assert (ignore == on_robots(ranges)).all()


def test_wall_beside_a_teammate_is_kept_while_places_are_known_well_and_given_up_later() -> None:
    poses = [(5.0, 1.6, 0.0), (7.0, 1.35, 0.0)]
    kept = [on_wall_beside(*ignored(poses, [(7.0, 1.35)], time=time)) for time in (0.0, 600.0)]
    assert kept[0] > kept[1]


def on_wall_beside(ranges: NDArray[np.float32], ignore: NDArray[np.bool_]) -> int:
    """How many beams that ended on the hall's lower wall, one metre up, are still used within a metre of (7, 1)."""
    assert MODEL.lidar is not None
    x, y = 5.0 + ranges * np.cos(MODEL.lidar.angles), 1.6 + ranges * np.sin(MODEL.lidar.angles)
    return int(np.count_nonzero(~ignore & (np.abs(y - 1.0) < 0.02) & (np.abs(x - 7.0) < 1.0)))


def test_teammates_side_by_side_are_all_recognised() -> None:
    poses = [(5.0, 5.0, 0.0), (8.0, 5.0, 0.0), (9.5, 5.6, 0.3), (8.5, 3.0, 2.0)]
    ranges, ignore = ignored(poses, [(9.0, 5.0), (10.5, 5.6), (9.5, 3.0)])
    assert (ignore == on_robots(ranges)).all()


def test_a_teammate_in_a_corridor_is_told_from_the_walls_that_it_nearly_touches() -> None:
    """Its beams and those on the walls to both sides of the robot end less than the gap between things apart."""
    occupied = np.ones((60, 300), dtype=bool)
    occupied[27:33, 10:290] = False
    corridor = Terrain.from_occupied("corridor", occupied)
    ranges, ignore = ignored([(5.0, 3.0, 0.0), (5.67, 3.0, 0.0)], [(5.67, 3.0)], time=0.0, terrain=corridor)
    ahead = np.abs(BEAMS.directions[:, 1]) < 0.15
    assert (ranges[ahead] < 0.6).all()
    assert ignore[ahead].all()


def test_walls_are_never_ignored_where_no_teammate_is_near() -> None:
    _, ignore = ignored([(5.0, 5.0, 0.0), (25.0, 5.0, 0.0)], [(60.0, 60.0)])
    assert not ignore.any()


def test_teammate_that_was_not_heard_lately_is_not_reckoned_with() -> None:
    ranges, ignore = ignored([(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], [(9.0, 5.5)], age=5.0)
    assert on_robots(ranges).any()
    assert not ignore.any()
    _, ignore = ignored([(5.0, 5.0, 0.0), (9.0, 5.5, 1.0)], [(9.0, 5.5)], age=math.inf)
    assert not ignore.any()


def test_people_who_walk_by_are_not_in_the_map() -> None:
    async def watch(robot: Robot) -> None:
        await robot.wait(30.0)

    people = (Person(waypoints=((10.0, 2.0), (10.0, 8.0))),)
    fleet = {"robot": "pioneer-3dx", "placement": "at:positions=[[5.0, 5.0, 0.0]]", "localiser": "perfect"}
    result = explore(replace(hall(), changes=people), 1, watch, explored=1.0, time_limit=30.0, **fleet)
    walls = (result.controller.grids.state[0] == OCCUPIED) & result.monitor.truth.explorable
    near_people = np.zeros_like(walls)
    for x, y in result.controller.world.truth.people:
        row, column = result.controller.grids.frame.cell(x, y)
        # A robot at rest maps once a second, and what it saw once takes another look or two to go.
        near_people[max(row - 20, 0) : row + 21, max(column - 20, 0) : column + 21] = True
    assert not (walls & ~near_people).any()
