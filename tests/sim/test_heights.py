"""What flies, what drives, and what they see over: heights of bodies, walls, lidars and eyes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.fleet import Fleet, RobotModel
from expedition.sim import FlatSimulator
from expedition.sim.protocol import Observations
from expedition.terrain import Landmark, Terrain
from tests.sim.robots import drive, hall, robot

SENSES = {"robot_detector": {"range": 9, "rate": 10}, "landmark_camera": {"range": 9, "rate": 10}}
GROUND = robot(**SENSES)
"""Drives; its lidar is at 0.2 m and its top, where its eyes are, at 0.5 m."""
QUADROTOR = robot(body={"altitude": 1.2}, **SENSES)
"""The same robot in the air: lidar at 1.4 m, eyes at 1.7 m."""


def low_wall(landmarks: tuple[Landmark, ...] = ()) -> Terrain:
    """A hall with a wall of 1 m height and 0.1 m depth at x = 5."""
    terrain = hall()
    walls = terrain.wall_height_cm.copy()
    walls[1:-1, 51] = 100
    return Terrain("low wall", walls, terrain.resolution, terrain.origin, landmarks=landmarks)


def ahead(observations: Observations, number: int) -> float:
    """What the beam along a robot's heading reads."""
    (ranges,) = [scan.ranges[scan.robots == number, 18] for scan in observations.scans() if number in scan.robots]
    return float(ranges[0])


def test_a_flying_robot_passes_over_low_walls_and_other_robots() -> None:
    flying = robot(body={"altitude": 1.5})
    both = Fleet((flying, robot()), np.array([[2.0, 5.0, 0.0], [3.0, 5.0, 0.0]]))
    simulator = FlatSimulator()
    simulator.reset(low_wall(), both, seed=0)
    for _ in range(70):
        simulator.advance(drive(1.0, robots=2), 0.1)
    poses = simulator.truth().poses
    assert poses[0, 0] > 8.0
    assert poses[1, 0] == pytest.approx(4.8, abs=1e-3)


def test_lidar_looks_over_low_robots() -> None:
    low = robot(body={"height": 0.2}, lidar={"height": 0.1})
    high = robot(lidar={"height": 0.4})
    both = Fleet((high, low), np.array([[3.0, 5.0, 0.0], [5.0, 5.0, math.pi]]))
    observations = FlatSimulator().reset(hall(), both, seed=0)
    assert [ahead(observations, number) for number in (0, 1)] == pytest.approx([7.0, 1.8], abs=1e-5)


@pytest.fixture(params=[(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def order(request: pytest.FixtureRequest) -> tuple[int, ...]:
    """Where in the fleet each robot of a test stands: none may live by another's height."""
    return tuple(request.param)


def in_order(robots: list[RobotModel], poses: list[tuple[float, float, float]], order: tuple[int, ...]) -> Fleet:
    """A fleet in which robot k of a list has the number order[k]."""
    listed = sorted(range(len(robots)), key=lambda k: order[k])
    return Fleet(tuple(robots[k] for k in listed), np.array([poses[k] for k in listed]))


WEST, EAST = (3.0, 3.0, 0.0), (7.0, 3.0, math.pi)
WEST_NORTH, EAST_NORTH = (3.0, 7.0, 0.0), (7.0, 7.0, math.pi)


def test_each_lidar_sees_the_walls_at_its_height_above_the_ground(order: tuple[int, ...]) -> None:
    robots = [GROUND, QUADROTOR, GROUND, QUADROTOR]
    apart = [WEST, (3.0, 4.0, 0.0), (7.0, 6.0, math.pi), (7.0, 7.0, math.pi)]
    observations = FlatSimulator().reset(low_wall(), in_order(robots, apart, order), seed=0)
    assert [ahead(observations, number) for number in order] == pytest.approx([2.0, 7.0, 1.9, 7.0], abs=1e-5)


def test_each_lidar_sees_the_robots_at_its_height_above_the_ground(order: tuple[int, ...]) -> None:
    robots = [GROUND, QUADROTOR, GROUND, QUADROTOR]
    in_line = [(1.0, 5.0, 0.0), (2.0, 5.0, 0.0), (4.0, 5.0, math.pi), (5.0, 5.0, math.pi)]
    observations = FlatSimulator().reset(hall(), in_order(robots, in_line, order), seed=0)
    assert [ahead(observations, number) for number in order] == pytest.approx([2.8, 2.8, 2.8, 2.8], abs=1e-5)


def test_low_walls_hide_robots_from_those_who_drive_only(order: tuple[int, ...]) -> None:
    robots = [GROUND, QUADROTOR, GROUND, QUADROTOR]
    fleet = in_order(robots, [WEST, WEST_NORTH, EAST, EAST_NORTH], order)
    seen = FlatSimulator().reset(low_wall(), fleet, seed=0).detections()
    pairs = set(zip(seen.robots.tolist(), seen.others.tolist(), strict=True))
    west, west_high, east, east_high = order
    from_the_ground = {(west, west_high), (east, east_high)}
    from_above = {(one, other) for one in (west_high, east_high) for other in order if one != other}
    assert pairs == from_the_ground | from_above


def test_low_walls_hide_landmarks_from_those_who_drive_only(order: tuple[int, ...]) -> None:
    landmarks = (Landmark(2.0, 5.0, (1.0,)), Landmark(8.0, 5.0, (2.0,)))
    robots = [GROUND, QUADROTOR, GROUND, QUADROTOR]
    fleet = in_order(robots, [WEST, WEST_NORTH, EAST, EAST_NORTH], order)
    seen = FlatSimulator().reset(low_wall(landmarks), fleet, seed=0).sightings()
    pairs = set(zip(seen.robots.tolist(), seen.descriptors[:, 0].tolist(), strict=True))
    west, west_high, east, east_high = order
    assert pairs == {(west, 1), (east, 2), (west_high, 1), (west_high, 2), (east_high, 1), (east_high, 2)}


@pytest.mark.parametrize("detects", [GROUND, QUADROTOR], ids=["ground", "quadrotor"])
def test_detectors_and_cameras_look_from_the_top_of_their_own_robot(detects: RobotModel) -> None:
    """One robot has only a detector and the other only a camera, so that neither height can stand in for the other."""
    sees = QUADROTOR if detects is GROUND else GROUND
    detects = detects.model_copy(update={"landmark_camera": None})
    sees = sees.model_copy(update={"robot_detector": None})
    fleet = Fleet((detects, sees), np.array([WEST, EAST]))
    observations = FlatSimulator().reset(low_wall((Landmark(2.0, 5.0, (1.0,)),)), fleet, seed=0)
    is_high = detects.body.altitude > 0
    assert observations.detections().others.tolist() == ([1] if is_high else [])
    assert observations.sightings().robots.tolist() == ([] if is_high else [1])
