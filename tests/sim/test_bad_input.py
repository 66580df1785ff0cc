"""Input that makes no sense gets one sentence; input that is merely large gets what the robot can do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from tests.sim.robots import drive, fleet, hall, robot


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([[math.nan, 0, 0], [0, 0, 0]], "robot 0: a command must be finite"),
        ([[0, 0, 0], [0, 0, math.inf]], "robot 1: a command must be finite"),
        ([[0, -math.inf, 0], [0, 0, 0]], "robot 0: a command must be finite"),
        ([["fast", 0, 0], [0, 0, 0]], "an array of numbers"),
        ("forward", "an array of numbers"),
        ([[1, 0, 0], [1, 0]], "an array of numbers"),
        ([[{}, 0, 0], [0, 0, 0]], "an array of numbers"),
        ([[10**400, 0, 0], [0, 0, 0]], "an array of numbers"),
        ([[1j, 0, 0], [0, 0, 0]], "an array of numbers"),
        ([[1, 0, 0]], r"shape \(2, 3\), found \(1, 3\)"),
        ([1, 0, 0], r"shape \(2, 3\), found \(3,\)"),
        ([[[1, 0, 0], [1, 0, 0]]], r"shape \(2, 3\), found \(1, 2, 3\)"),
    ],
)
def test_commands_that_are_none_are_refused_and_move_nothing(commands: Any, reason: str) -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0), (2, 7, 0)), seed=0)
    with pytest.raises(ExpeditionError, match=reason):
        simulator.advance(commands, 0.1)
    assert simulator.truth().time == 0.0
    assert simulator.truth().poses[:, 0].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("kind", ["differential", "holonomic"])
def test_a_command_beyond_all_bounds_is_followed_as_far_as_the_drive_can(kind: str) -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0), model=robot(drive={"kind": kind})), seed=0)
    simulator.advance(drive(1e300, turn=-1e300, sideways=1e300), 1.0)
    speed = math.sqrt(0.5) if kind == "holonomic" else 1.0
    sideways = speed if kind == "holonomic" else 0.0
    assert simulator.truth().velocities[0] == pytest.approx([speed, sideways, -2.0])


@pytest.mark.parametrize(
    "duration", [math.nan, math.inf, -math.inf, 1e300, 1.7e308, 0.0, -0.1, 1e-300, 0.01, 1e6, "1", None]
)
def test_a_duration_that_is_no_number_of_ticks_is_refused(duration: Any) -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0)), seed=0)
    with pytest.raises(ExpeditionError, match="whole number of physics ticks"):
        simulator.advance(drive(), duration)


def test_a_simulator_that_was_not_reset_says_so() -> None:
    with pytest.raises(ExpeditionError, match="call reset first"):
        FlatSimulator().advance(drive(), 0.1)
    with pytest.raises(ExpeditionError, match="call reset first"):
        FlatSimulator().truth()


def test_headings_stay_within_half_a_turn_however_fast_the_robot_spins() -> None:
    spinner = robot(drive={"max_turn_rate": 1000.0, "max_turn_acceleration": 10_000.0})
    for turn in (1000.0, -1000.0):
        simulator = FlatSimulator()
        simulator.reset(hall(), fleet((5, 5, 0), model=spinner), seed=0)
        for _ in range(20):
            simulator.advance(drive(turn=turn), 1 / 60)
            assert abs(simulator.truth().poses[0, 2]) <= math.pi


def test_a_start_heading_of_many_turns_is_the_same_within_one() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 1000.0), (5, 7, -1000.0)), seed=0)
    # 159 full turns are 999.0264... rad.
    within = 1000.0 - 159 * math.tau
    assert simulator.truth().poses[:, 2] == pytest.approx([within, -within])
    simulator.advance(drive(turn=0.5, robots=2), 0.1)
    assert (np.abs(simulator.truth().poses[:, 2]) <= math.pi).all()


def test_a_door_wider_than_any_room_is_refused_as_the_bound_of_a_room() -> None:
    with pytest.raises(ExpeditionError, match="nothing in terrain 'hall' is as wide as 1000 m"):
        Fleet.of(robot(), 1, hall(), "biggest-room:door=1000")


def test_a_simulator_whose_reset_was_refused_has_to_be_reset_again() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0)), seed=0)
    with pytest.raises(ExpeditionError, match="is in a wall"):
        simulator.reset(hall(), fleet((0.1, 5, 0)), seed=0)
    with pytest.raises(ExpeditionError, match="call reset first"):
        simulator.advance(drive(), 0.1)
