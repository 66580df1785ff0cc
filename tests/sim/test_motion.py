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


def test_robot_drives_a_circle_and_comes_back() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 3, 0)), seed=0)
    model = robot()
    radius, rate = 0.5, 1.0
    # Turning and driving are up to speed together, so the curvature is right from the start.
    quick = robot(drive={"max_acceleration": 1000.0, "max_turn_acceleration": 1000.0})
    assert model.drive.max_turn_rate >= rate
    simulator.reset(hall(), fleet((5, 3, 0), model=quick), seed=0)
    period = 2 * math.pi / rate
    ticks = round(period * 60)
    simulator.advance(drive(radius * rate, rate * period / (ticks / 60)), ticks / 60)
    assert simulator.truth().poses[0, :2] == pytest.approx([5, 3], abs=0.01)


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


def test_pushing_against_a_wall_is_one_contact() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((9, 5, 0)), seed=0)
    contacts = []
    for _ in range(60):
        observations = simulator.advance(drive(1.0), 0.1)
        contacts += simulator.truth().contacts
    assert [(contact.robot, contact.other) for contact in contacts] == [(0, None)]
    assert observations.bumpers().tolist() == [True]


def test_coming_back_to_a_wall_is_another_contact() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((9, 5, 0)), seed=0)
    contacts = 0
    for speed in (1.0, -0.5, 1.0):
        for _ in range(30):
            observations = simulator.advance(drive(speed), 0.1)
            contacts += len(simulator.truth().contacts)
        if speed < 0:
            assert not observations.bumpers().any()
    assert contacts == 2


def test_two_robots_that_meet_count_one_contact_and_never_overlap() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((3, 5, 0), (7, 5, math.pi)), seed=0)
    contacts = []
    for _ in range(60):
        simulator.advance(drive(1.0, robots=2), 0.1)
        contacts += simulator.truth().contacts
        poses = simulator.truth().poses
        assert math.hypot(*(poses[0, :2] - poses[1, :2])) >= 0.4 - 1e-6
    assert len(contacts) == 1
    assert {contacts[0].robot, contacts[0].other} == {0, 1}


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


def test_a_flying_robot_passes_over_low_walls_and_other_robots() -> None:
    terrain = hall()
    walls = terrain.wall_height_cm.copy()
    walls[1:-1, 50] = 100
    low_wall = type(terrain)("low wall", walls, terrain.resolution, terrain.origin)
    flying = robot(body={"altitude": 1.5})
    both = Fleet((flying, robot()), np.array([[2.0, 5.0, 0.0], [3.0, 5.0, 0.0]]))
    simulator = FlatSimulator()
    simulator.reset(low_wall, both, seed=0)
    for _ in range(70):
        simulator.advance(drive(1.0, robots=2), 0.1)
    poses = simulator.truth().poses
    assert poses[0, 0] > 8.0
    assert poses[1, 0] == pytest.approx(4.7, abs=1e-3)


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


def test_a_holonomic_robot_is_no_faster_along_a_diagonal() -> None:
    holonomic = robot(drive={"kind": "holonomic"})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 2, 0), model=holonomic), seed=0)
    for _ in range(20):
        simulator.advance(drive(5.0, sideways=5.0), 0.1)
    assert math.hypot(*simulator.truth().velocities[0, :2]) == pytest.approx(1.0)


def test_a_car_does_not_turn_on_the_spot_nor_tighter_than_it_steers() -> None:
    car = robot(drive={"kind": "car", "wheelbase": 0.5, "max_steering_angle": 0.5})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0), model=car), seed=0)
    simulator.advance(drive(turn=2.0), 1.0)
    assert simulator.truth().poses[0].tolist() == [5, 5, 0]
    for _ in range(20):
        simulator.advance(drive(1.0, turn=2.0), 0.1)
    forward, _, turn = simulator.truth().velocities[0]
    assert turn / forward == pytest.approx(math.tan(0.5) / 0.5)


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


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=15, deadline=None)
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
