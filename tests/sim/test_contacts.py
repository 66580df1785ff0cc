"""When robots touch walls and one another: how often that counts, when, and what the bumpers say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.sim import FlatSimulator
from expedition.sim.protocol import Contact
from tests.sim.robots import drive, fleet, hall, robot

QUICK = robot(drive={"max_acceleration": 1000.0, "max_turn_acceleration": 1000.0})
"""Drives at its command from the first tick on."""


def forward(*speeds: float) -> np.ndarray:
    """A speed for each robot, straight ahead."""
    return np.array([[speed, 0.0, 0.0] for speed in speeds])


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


@pytest.mark.parametrize(("striker", "struck"), [(0, 1), (1, 0)])
def test_robots_that_part_and_meet_again_count_two_contacts_and_both_feel_each(striker: int, struck: int) -> None:
    places = [(3.0, 5.0, 0.0), (3.5, 5.0, 0.0)]
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet(places[striker], places[struck], model=QUICK), seed=0)
    told = []
    for speed in (0.5, -0.1, 0.5):
        command = np.zeros((2, 3))
        command[striker, 0] = speed
        observations = simulator.advance(command, 0.5)
        told += [(observations.bumpers().tolist(), simulator.truth().contacts)]
    pressed, contacts = zip(*told, strict=True)
    assert list(pressed) == [[True, True], [False, False], [True, True]]
    assert [[(contact.robot, contact.other) for contact in met] for met in contacts] == [
        [(striker, struck)],
        [],
        [(striker, struck)],
    ]


def test_robots_that_part_by_less_than_the_gap_are_still_in_contact() -> None:
    simulator = FlatSimulator(contact_gap=0.1)
    simulator.reset(hall(), fleet((3, 5, 0), (3.5, 5, 0), model=QUICK), seed=0)
    contacts = 0
    for speed in (0.5, -0.1, 0.5):
        pressed = simulator.advance(forward(speed, 0), 0.5).bumpers().tolist()
        assert pressed == [True, True]
        contacts += len(simulator.truth().contacts)
    assert contacts == 1


def test_a_robot_shuttling_between_two_others_within_the_gap_touches_each_once() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((3, 5, 0), (3.405, 5, 0), (3.81, 5, 0), model=QUICK), seed=0)
    contacts = []
    for period in range(20):
        speed = 0.2 if period % 2 == 0 else -0.2
        observations = simulator.advance(forward(0, speed, 0), 0.1)
        contacts += simulator.truth().contacts
    assert [(contact.robot, contact.other) for contact in contacts] == [(1, 2), (1, 0)]
    assert observations.bumpers().tolist() == [True, True, True]


def test_leaving_one_of_two_neighbours_keeps_the_contact_with_the_other() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((3, 5, 0), (3.405, 5, 0), (3.81, 5, 0), model=QUICK), seed=0)
    for speed in (0.2, -0.2):
        simulator.advance(forward(0, speed, 0), 0.1)
    observations = simulator.advance(forward(0, 0, 1), 0.2)
    assert observations.bumpers().tolist() == [True, True, False]
    simulator.advance(forward(0, 1, 0), 0.4)
    assert [(contact.robot, contact.other) for contact in simulator.truth().contacts] == [(1, 2)]


def test_a_contact_bears_the_tick_in_which_it_began() -> None:
    """At 1 m/s and 60 Hz, 0.79 m to go are used up in the 48th tick, which ends 0.8 s after the start."""
    simulator = FlatSimulator()
    places = ((9.01, 2, 0), (3.01, 5, 0), (4.2, 5, 0))
    simulator.reset(hall(), fleet(*places, model=QUICK), seed=0)
    simulator.advance(forward(0, 0, 0), 0.5)
    before = simulator.advance(forward(1, 1, 0), 47 / 60)
    assert simulator.truth().contacts == ()
    assert not before.bumpers().any()
    after = simulator.advance(forward(1, 1, 0), 1.0)
    assert after.bumpers().tolist() == [True, True, True]
    when = 0.5 + 48 / 60
    assert simulator.truth().contacts == (
        Contact(pytest.approx(when), 0, None),
        Contact(pytest.approx(when), 1, 2),
    )


def test_a_robot_without_a_bumper_feels_nothing() -> None:
    simulator = FlatSimulator()
    numb = QUICK.model_copy(update={"bumper": False})
    simulator.reset(hall(), fleet((3, 5, 0), (3.5, 5, 0), model=numb), seed=0)
    observations = simulator.advance(forward(1, 0), 1.0)
    assert len(simulator.truth().contacts) == 1
    assert not observations.bumpers().any()
