"""Odometry, robot detection and landmark cameras."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.terrain import Collapse, Landmark, Rectangle
from tests.sim.robots import drive, fleet, hall, robot


def integrate(pose: np.ndarray, increments: np.ndarray) -> np.ndarray:
    """Dead reckoning, as a localiser would do it."""
    x, y, heading = pose
    for forward, sideways, turn in increments:
        x += math.cos(heading) * forward - math.sin(heading) * sideways
        y += math.sin(heading) * forward + math.cos(heading) * sideways
        heading += turn
    return np.array([x, y, heading])


@pytest.mark.parametrize(("rate", "period"), [(10, 0.1), (7, 0.1), (60, 0.1), (10, 0.5), (3, 0.1)])
def test_exact_odometry_adds_up_to_the_way_travelled(rate: float, period: float) -> None:
    start = (5.0, 5.0, 0.7)
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet(start, model=robot(odometry={"rate": rate})), seed=0)
    increments, poses = [], {0.0: np.array(start)}
    for _ in range(round(6 / period)):
        observations = simulator.advance(drive(0.5, turn=0.6), period)
        reading = observations.odometry()
        increments.append(reading.increments)
        poses[round(simulator.truth().time, 6)] = simulator.truth().poses[0]
    total = integrate(np.array(start), np.concatenate(increments))
    last = simulator.truth().poses[0]
    slack = 0.5 / rate + 1e-6
    assert total[:2] == pytest.approx(last[:2], abs=slack)
    assert math.remainder(total[2] - last[2], 2 * math.pi) == pytest.approx(0, abs=0.6 / rate + 1e-6)
    assert sum(len(part) for part in increments) == math.floor(6 * rate + 1e-9)


def test_odometry_of_robots_with_other_rates_comes_in_order_of_time() -> None:
    slow, fast = robot(odometry={"rate": 5}), robot(odometry={"rate": 20})
    simulator = FlatSimulator()
    simulator.reset(hall(), Fleet((slow, fast), np.array([[2.0, 2, 0], [8.0, 8, 0]])), seed=0)
    reading = simulator.advance(drive(0.1, robots=2), 1.0).odometry()
    assert (np.diff(reading.times) >= 0).all()
    assert np.bincount(reading.robots).tolist() == [5, 20]


DETECTING = robot(robot_detector={"range": 4, "rate": 10})


def test_robots_detect_those_in_range_and_in_view() -> None:
    robots = fleet((2, 2, 0), (4, 2, 0), (2, 5, 0), (9, 9, 0), model=DETECTING)
    seen = FlatSimulator().reset(hall(), robots, seed=0).detections(robots=[0])
    assert seen.others.tolist() == [1, 2]
    assert seen.ranges == pytest.approx([2, 3])
    assert seen.bearings == pytest.approx([0, math.pi / 2])
    narrow = DETECTING.model_copy(
        update={"robot_detector": DETECTING.robot_detector.model_copy(update={"field_of_view": 1.0})}
    )
    robots = fleet((2, 2, 0), (4, 2, 0), (2, 5, 0), model=narrow)
    assert FlatSimulator().reset(hall(), robots, seed=0).detections(robots=[0]).others.tolist() == [1]


def test_each_detection_tells_where_the_other_was_at_its_own_time() -> None:
    quick = robot(robot_detector={"range": 9, "rate": 10}, drive={"max_acceleration": 1000.0})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((3, 5, math.pi), (5, 5, 0), (3, 7, 0), model=quick), seed=0)
    # Robots 0 and 1 part at 0.5 + 1 m/s; robot 2 stays beside where robot 0 began.
    command = np.array([[0.5, 0, 0], [1.0, 0, 0], [0, 0, 0]])
    seen = simulator.advance(command, 1.0).detections(robots=[0])
    one, two = seen.others == 1, seen.others == 2
    times = np.arange(1, 11) / 10
    assert seen.times[one] == pytest.approx(times)
    assert seen.ranges[one] == pytest.approx(2 + 1.5 * times)
    assert seen.ranges[two] == pytest.approx(np.hypot(0.5 * times, 2))
    assert np.abs(seen.bearings[one]) == pytest.approx(np.full(10, math.pi))
    assert seen.bearings[two] == pytest.approx(np.arctan2(2, 0.5 * times) - math.pi)


@pytest.mark.parametrize("heading", [3.0, -3.0, 0.5])
@pytest.mark.parametrize("off", [0.7, -0.7, 0.9])
def test_bearings_are_wrapped_and_so_is_the_field_of_view(heading: float, off: float) -> None:
    """Seen across the direction of -180 degrees, what is to the left is still to the left."""
    sight = {"range": 9, "rate": 10, "field_of_view": 2.0}
    model = robot(robot_detector=sight, landmark_camera=sight)
    x, y = 5 + 3 * math.cos(heading + off), 5 + 3 * math.sin(heading + off)
    terrain = hall(landmarks=(Landmark(x, y, (1.0,)), Landmark(10 - x, 10 - y, (2.0,))))
    observations = FlatSimulator().reset(terrain, fleet((5, 5, heading), (x, y, 0), model=model), seed=0)
    assert observations.detections(robots=[0]).bearings == pytest.approx([off])
    assert observations.sightings(robots=[0]).bearings == pytest.approx([off])


def test_walls_hide_robots_unless_the_detector_sees_through_them() -> None:
    terrain = hall(changes=(Collapse(area=Rectangle(left=3, bottom=0, right=3.2, top=9.9), time=0.0, height=2.0),))
    through = robot(robot_detector={"range": 4, "rate": 10, "blocked_by_walls": False})
    for model, others in ((DETECTING, []), (through, [1])):
        simulator = FlatSimulator()
        simulator.reset(terrain, fleet((2, 2, 0), (4, 2, 0), model=model), seed=0)
        assert simulator.advance(drive(robots=2), 0.1).detections(robots=[0]).others.tolist() == others


def test_cameras_see_landmarks_with_their_descriptors() -> None:
    landmarks = (Landmark(6.0, 5.0, (1.0, 2.0)), Landmark(0.5, 5.0, (3.0, 4.0)), Landmark(9.9, 9.9, (5.0, 6.0)))
    model = robot(landmark_camera={"range": 5, "rate": 10, "field_of_view": math.pi})
    seen = FlatSimulator().reset(hall(landmarks=landmarks), fleet((3, 5, 0), model=model), seed=0).sightings()
    assert seen.ranges == pytest.approx([3.0])
    assert seen.bearings == pytest.approx([0.0])
    assert seen.descriptors.tolist() == [[1.0, 2.0]]


def test_a_hundred_landmarks_are_all_seen_and_kept_apart() -> None:
    places = [(0.5 + 0.9 * column, 0.5 + 0.9 * row) for row in range(10) for column in range(10)]
    landmarks = tuple(Landmark(x, y, (float(k), -float(k))) for k, (x, y) in enumerate(places))
    model = robot(landmark_camera={"range": 20, "rate": 10})
    simulator = FlatSimulator()
    simulator.reset(hall(landmarks=landmarks), fleet((5, 5.1, 0), model=model), seed=0)
    seen = simulator.advance(drive(), 0.3).sightings()
    away = np.array(places) - [5, 5.1]
    assert seen.times == pytest.approx(np.repeat([0.1, 0.2, 0.3], 100))
    assert seen.descriptors[:, 0].tolist() == [*range(100)] * 3
    assert seen.ranges == pytest.approx(np.tile(np.hypot(*away.T), 3))
    assert seen.bearings == pytest.approx(np.tile(np.arctan2(away[:, 1], away[:, 0]), 3))


def test_a_landmark_on_a_wall_is_seen_from_its_room_only() -> None:
    """Landmarks hang on walls; the wall must not hide them from the front, and must from behind."""
    terrain = hall()
    walls = terrain.wall_height_cm.copy()
    walls[1:-1, 51:54] = 200
    mark = (Landmark(5.0, 5.05, (1.0,)),)
    split = type(terrain)("split", walls, terrain.resolution, terrain.origin, landmarks=mark)
    model = robot(landmark_camera={"range": 9, "rate": 10})
    for x, count in ((3.0, 1), (7.0, 0)):
        seen = FlatSimulator().reset(split, fleet((x, 5, 0), model=model), seed=0).sightings()
        assert len(seen.ranges) == count


def test_a_fleet_without_a_sensor_reads_nothing_from_it() -> None:
    blind = robot().model_copy(update={"lidar": None, "odometry": None, "bumper": False})
    simulator = FlatSimulator()
    observations = simulator.reset(hall(), fleet((5, 5, 0), model=blind), seed=0)
    for _ in range(2):
        assert observations.scans() == []
        assert len(observations.odometry().robots) == 0
        assert len(observations.detections().robots) == 0
        assert len(observations.sightings().robots) == 0
        assert not observations.bumpers().any()
        observations = simulator.advance(drive(1.0), 0.1)
