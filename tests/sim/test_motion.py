"""Robots accelerate, drive, stop and touch as they should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.sim.neighbours import find_neighbours
from tests.sim.robots import drive, fleet, hall, robot


def test_robot_reaches_its_top_speed_no_faster_than_it_can_accelerate() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((1, 5, 0)), seed=0)
    for tenth in range(1, 21):
        simulator.advance(drive(9.0), 0.1)
        assert simulator.truth().velocities[0, 0] == pytest.approx(min(0.1 * tenth, 1.0))


QUICK = robot(drive={"max_acceleration": 1000.0, "max_turn_acceleration": 1000.0})
"""Drives and turns at its command from the first tick on."""


def test_robot_brakes_no_harder_than_it_can_and_never_reverses_faster_than_it_may() -> None:
    simulator = FlatSimulator()
    slow_back = robot(drive={"max_reverse_speed": 0.3})
    simulator.reset(hall(), fleet((3, 5, 0), model=slow_back), seed=0)
    simulator.advance(drive(1.0), 0.5)
    speeds = []
    for _ in range(10):
        simulator.advance(drive(-9.0), 0.1)
        speeds.append(simulator.truth().velocities[0, 0])
    assert speeds == pytest.approx([0.4, 0.3, 0.2, 0.1, 0.0, -0.1, -0.2, -0.3, -0.3, -0.3])


@pytest.mark.parametrize("side", [1, -1])
def test_robot_reaches_its_turn_rate_no_faster_than_its_turning_can_accelerate(side: int) -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0)), seed=0)
    for tenth in range(1, 11):
        simulator.advance(drive(turn=side * 9.0), 0.1)
        assert simulator.truth().velocities[0, 2] == pytest.approx(side * min(0.4 * tenth, 2.0))
    simulator.advance(drive(turn=0.0), 0.1)
    assert simulator.truth().velocities[0, 2] == pytest.approx(side * 1.6)


@pytest.mark.parametrize("side", [1, -1])
def test_robot_drives_along_the_exact_arc(side: int) -> None:
    """A quarter of a circle in 60 ticks: what heads a tick's way as it began, or as it ended, is 6 mm off."""
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 3, 0), model=QUICK), seed=0)
    radius, rate = 0.5 / (math.pi / 2), side * math.pi / 2
    simulator.advance(drive(0.5, rate), 1.0)
    expected = [5 + radius, 3 + side * radius, side * math.pi / 2]
    assert simulator.truth().poses[0] == pytest.approx(expected, abs=1e-4)


def test_robot_stops_before_wall_at_full_speed() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0)), seed=0)
    for _ in range(100):
        simulator.advance(drive(1.0), 0.1)
        assert simulator.truth().poses[0, 0] <= 9.8 + 1e-6
    truth = simulator.truth()
    assert truth.poses[0, 0] == pytest.approx(9.8, abs=1e-3)
    assert truth.velocities[0, 0] == 0.0


@pytest.mark.parametrize("rate", [1.0, 5.0, 60.0])
def test_no_robot_jumps_over_a_thin_wall_or_a_robot_however_coarse_the_physics(rate: float) -> None:
    fast = robot(drive={"max_speed": 20.0, "max_acceleration": 1000.0}, lidar={"rate": 1}, odometry={"rate": 1})
    terrain = hall(40, 10)
    walls = terrain.wall_height_cm.copy()
    walls[1:51, 301] = 200
    thin = type(terrain)("thin", walls, terrain.resolution, terrain.origin)
    simulator = FlatSimulator(physics_rate=rate)
    simulator.reset(thin, fleet((2, 2, 0), (2, 8, 0), (20, 8, 0), model=fast), seed=0)
    for _ in range(5):
        simulator.advance(drive(20.0, robots=3) * [[1], [1], [0]], 1.0)
    poses = simulator.truth().poses
    assert poses[0, 0] == pytest.approx(29.8, abs=1e-3)
    assert poses[1, 0] == pytest.approx(19.6, abs=1e-3)


def test_a_robot_against_a_wall_can_still_turn_away() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((9.5, 5, 0)), seed=0)
    for _ in range(60):
        simulator.advance(drive(1.0, turn=1.0), 0.1)
    assert simulator.truth().poses[0, 0] < 9.0


def test_a_rectangle_does_not_turn_into_a_wall() -> None:
    long = robot(body={"shape": "rectangle", "length": 1.0, "width": 0.2, "height": 0.5, "mass": 5})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 0.15, 0), model=long), seed=0)
    for _ in range(30):
        simulator.advance(drive(turn=1.0), 0.1)
    assert abs(simulator.truth().poses[0, 2]) < 0.25


def test_rough_ground_slows_what_drives_but_not_what_flies() -> None:
    flying = robot(body={"altitude": 1.0})
    for model, speed in ((robot(), 0.4), (flying, 1.0)):
        simulator = FlatSimulator()
        simulator.reset(hall(speed_percent=40), fleet((1, 5, 0), model=model), seed=0)
        for _ in range(20):
            simulator.advance(drive(1.0), 0.1)
        assert simulator.truth().velocities[0, 0] == pytest.approx(speed)


def test_only_the_rough_part_of_the_ground_slows() -> None:
    speed_percent = np.full((62, 122), 100, dtype=np.uint8)
    speed_percent[:, :31] = 40
    simulator = FlatSimulator()
    robots = fleet((1.5, 5, 0), (5, 1, 0), (2.5, 2, 0), model=QUICK)
    simulator.reset(hall(12, 6, speed_percent=speed_percent), robots, seed=0)
    simulator.advance(drive(1.0, robots=3), 0.1)
    assert simulator.truth().velocities[:, 0] == pytest.approx([0.4, 1.0, 0.4])
    # The third robot has 0.5 m to go at 0.4 m/s before the ground is smooth.
    simulator.advance(drive(1.0, robots=3), 1.1)
    assert simulator.truth().velocities[2, 0] == pytest.approx(0.4)
    simulator.advance(drive(1.0, robots=3), 0.1)
    assert simulator.truth().velocities[2, 0] == pytest.approx(1.0)


def test_a_holonomic_robot_moves_sideways_and_a_differential_one_does_not() -> None:
    holonomic = robot(drive={"kind": "holonomic"})
    both = Fleet((holonomic, robot()), np.array([[5.0, 5.0, 0.0], [8.0, 5.0, 0.0]]))
    simulator = FlatSimulator()
    simulator.reset(hall(), both, seed=0)
    for _ in range(20):
        simulator.advance(drive(sideways=1.0, robots=2), 0.1)
    poses = simulator.truth().poses
    assert poses[0, 1] > 6.0
    assert poses[1, 1] == 5.0


@pytest.mark.parametrize("heading", [0.0, math.pi / 2, 2.0, -2.5])
@pytest.mark.parametrize(("ahead", "left"), [(0.0, 0.5), (0.0, -0.5), (0.3, 0.4)])
def test_a_holonomic_robot_moves_where_it_is_told_whatever_its_heading(
    heading: float, ahead: float, left: float
) -> None:
    quick = robot(drive={"kind": "holonomic", "max_acceleration": 1000.0})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, heading), model=quick), seed=0)
    simulator.advance(drive(ahead, sideways=left), 1.0)
    way = 0.5 * np.exp(1j * (heading + math.atan2(left, ahead)))
    assert simulator.truth().poses[0] == pytest.approx([5 + way.real, 5 + way.imag, heading])


def test_a_holonomic_robot_accelerates_no_harder_along_a_diagonal() -> None:
    holonomic = robot(drive={"kind": "holonomic"})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 1), model=holonomic), seed=0)
    before = np.zeros(2)
    for ahead, left in ((0.6, 0.6), (-0.6, 0.3), (0.0, -0.9)):
        for _ in range(20):
            simulator.advance(drive(ahead, sideways=left), 1 / 60)
            after = simulator.truth().velocities[0, :2]
            assert math.hypot(*(after - before)) == pytest.approx(1 / 60)
            before = after


def test_a_holonomic_robot_is_no_faster_along_a_diagonal() -> None:
    holonomic = robot(drive={"kind": "holonomic"})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 2, 0), model=holonomic), seed=0)
    for _ in range(20):
        simulator.advance(drive(5.0, sideways=5.0), 0.1)
    assert math.hypot(*simulator.truth().velocities[0, :2]) == pytest.approx(1.0)


CAR = {"kind": "car", "wheelbase": 0.5, "max_steering_angle": 0.5}


def test_a_car_does_not_turn_on_the_spot_nor_tighter_than_it_steers() -> None:
    car = robot(drive=CAR)
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0), model=car), seed=0)
    simulator.advance(drive(turn=2.0), 1.0)
    assert simulator.truth().poses[0].tolist() == [5, 5, 0]
    for _ in range(20):
        simulator.advance(drive(1.0, turn=2.0), 0.1)
    forward, _, turn = simulator.truth().velocities[0]
    assert turn / forward == pytest.approx(math.tan(0.5) / 0.5)


@pytest.mark.parametrize("speed", [0.5, -0.5])
@pytest.mark.parametrize("turn", [2.0, -2.0, 0.3, -0.3])
def test_a_car_turns_to_the_side_it_is_told_forwards_and_backwards(speed: float, turn: float) -> None:
    car = robot(drive=CAR | {"max_acceleration": 1000.0, "max_turn_acceleration": 1000.0})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0), model=car), seed=0)
    simulator.advance(drive(speed, turn=turn), 0.5)
    tightest = 0.5 * math.tan(0.5) / 0.5
    expected = math.copysign(min(abs(turn), tightest), turn)
    assert simulator.truth().velocities[0].tolist() == pytest.approx([speed, 0.0, expected])
    assert simulator.truth().poses[0, 2] == pytest.approx(0.5 * expected)


def test_a_car_against_a_wall_does_not_turn_in_place() -> None:
    car = robot(drive=CAR | {"max_acceleration": 1000.0, "max_turn_acceleration": 1000.0})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((9.5, 5, 0), model=car), seed=0)
    simulator.advance(drive(1.0), 1.0)
    simulator.advance(drive(1.0, turn=1.0), 1.0)
    assert simulator.truth().poses[0].tolist() == pytest.approx([9.8, 5, 0], abs=0.005)


@pytest.mark.parametrize(
    ("commands", "duration"),
    [
        (np.full((1, 3), np.nan), 0.1),
        (np.full((1, 3), np.inf), 0.1),
        (np.zeros((2, 3)), 0.1),
        (np.zeros(3), 0.1),
        (np.zeros((1, 3)), 0.0),
        (np.zeros((1, 3)), -1.0),
        (np.zeros((1, 3)), 0.01),
    ],
)
def test_impossible_commands_are_refused(commands: np.ndarray, duration: float) -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0)), seed=0)
    with pytest.raises(ExpeditionError):
        simulator.advance(commands, duration)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.floats(0.1, 3.0))
def test_neighbours_are_those_within_reach(seed: int, count: int, reach: float) -> None:
    rng = np.random.default_rng(seed)
    pose = rng.random((count, 3)) * 20
    reaches = rng.random(count) * reach
    first, others = find_neighbours(pose, reaches)
    for i in range(count):
        near = [
            j
            for j in range(count)
            if j != i and math.hypot(*(pose[i, :2] - pose[j, :2])) < reaches[i] + reaches[j] - 1e-12
        ]
        assert others[first[i] : first[i + 1]].tolist() == near


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_a_crowd_under_random_commands_never_overlaps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = [(0.5 + 0.9 * column, 0.5 + 0.9 * row, 0.0) for row in range(4) for column in range(4)]
    simulator = FlatSimulator()
    simulator.reset(hall(4, 4), fleet(*places), seed=0)
    for _ in range(40):
        simulator.advance(rng.uniform(-1, 1, (16, 3)) * [1, 0, 2], 0.1)
        poses = simulator.truth().poses
        apart = np.hypot(*(poses[:, None, :2] - poses[None, :, :2]).transpose(2, 0, 1))
        assert (apart + np.eye(16) >= 0.4 - 1e-6).all()
        assert (poses[:, :2] >= 0.2 - 1e-6).all()
        assert (poses[:, :2] <= 3.8 + 1e-6).all()


def test_a_robot_may_be_faster_backwards_than_forwards() -> None:
    backwards = robot(drive={"max_speed": 0.5, "max_reverse_speed": 0.9})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((8, 5, 0), model=backwards), seed=0)
    for command, speed in ((9.0, 0.5), (-9.0, -0.9)):
        for _ in range(30):
            simulator.advance(drive(command), 0.1)
        assert simulator.truth().velocities[0, 0] == pytest.approx(speed)
