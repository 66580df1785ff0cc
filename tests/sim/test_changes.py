"""Doors, people and collapses during a run."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.sim import FlatSimulator
from expedition.terrain import Collapse, Door, Person, Rectangle
from expedition.terrain.material import material_index
from tests.sim.robots import drive, fleet, hall

ACROSS = Rectangle(left=6, bottom=0, right=6.2, top=10)


def ahead(observations) -> float:
    """What the beam along the heading of robot 0 reads last."""
    return float(observations.scans(robots=[0], latest=True)[0].ranges[0, 18])


def test_a_door_follows_its_schedule() -> None:
    simulator = FlatSimulator()
    terrain = hall(changes=(Door(area=ACROSS, switches=(1.0, 2.0)),))
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    seen = [ahead(simulator.advance(drive(), 0.1)) for _ in range(30)]
    assert seen[:10] == pytest.approx([8.0] * 10, abs=1e-5)
    assert seen[10:20] == pytest.approx([4.0] * 10, abs=1e-5)
    assert seen[20:] == pytest.approx([8.0] * 10, abs=1e-5)


def test_a_closed_door_stops_robots_and_is_in_the_terrain_of_now() -> None:
    terrain = hall(changes=(Door(area=ACROSS, closed=True, material="brick"),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    for _ in range(60):
        simulator.advance(drive(1.0), 0.1)
    truth = simulator.truth()
    assert truth.poses[0, 0] == pytest.approx(5.8, abs=1e-3)
    row, column = truth.terrain.cell(6.1, 5)
    assert truth.terrain.occupied[row, column]
    assert truth.terrain.material[row, column] == material_index("brick")
    assert not terrain.occupied[row, column]


def test_a_door_waits_for_a_robot_in_its_way() -> None:
    terrain = hall(changes=(Door(area=ACROSS, switches=(0.5,)),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((6.1, 5, 0), (2, 3, 0)), seed=0)
    for _ in range(10):
        simulator.advance(drive(robots=2), 0.1)
    assert simulator.truth().terrain.is_free(6.1, 3)
    for _ in range(20):
        simulator.advance(np.array([[1.0, 0, 0], [0, 0, 0]]), 0.1)
    assert not simulator.truth().terrain.is_free(6.1, 3)


def test_random_doors_open_and_close_by_their_own_seed() -> None:
    terrain = hall(changes=(Door(area=ACROSS, mean_open=0.5, mean_closed=0.25),))

    def states(seed: int) -> list[bool]:
        simulator = FlatSimulator()
        simulator.reset(terrain, fleet((2, 5, 0)), seed)
        states = []
        for _ in range(400):
            simulator.advance(drive(), 0.1)
            states.append(not simulator.truth().terrain.is_free(6.1, 5))
        return states

    one, same, other = states(1), states(1), states(2)
    assert one == same
    assert one != other
    assert np.mean(one) == pytest.approx(1 / 3, abs=0.12)


def test_a_collapse_leaves_rubble_for_good() -> None:
    terrain = hall(changes=(Collapse(area=Rectangle(left=6, bottom=4, right=8, top=6), time=0.5, fill=0.5),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    before = simulator.truth().terrain.free_cells
    for _ in range(10):
        simulator.advance(drive(), 0.1)
    fallen = before - simulator.truth().terrain.free_cells
    assert fallen == pytest.approx(200, abs=40)


def test_a_robot_beneath_a_collapse_is_buried() -> None:
    terrain = hall(changes=(Collapse(area=Rectangle(left=4, bottom=4, right=6, top=6), time=0.5),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((5, 5, 0)), seed=0)
    for _ in range(30):
        simulator.advance(drive(1.0), 0.1)
    assert simulator.truth().poses[0, 0] < 5.3


def test_people_walk_their_waypoints_at_their_speed() -> None:
    terrain = hall(changes=(Person(waypoints=((2.0, 2.0), (8.0, 2.0), (8.0, 8.0)), speed=1.0),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((1, 9, 0)), seed=0)
    for second, place in ((3, (5, 2)), (6, (8, 2)), (9, (8, 5)), (12, (8, 8))):
        while simulator.truth().time < second - 1e-9:
            simulator.advance(drive(), 0.1)
        assert simulator.truth().people[0] == pytest.approx(place, abs=0.05)


def test_people_stop_for_robots_and_are_not_counted_as_contacts() -> None:
    terrain = hall(changes=(Person(waypoints=((2.0, 5.0), (8.0, 5.0)), speed=1.0),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((5, 5, 0)), seed=0)
    for _ in range(60):
        simulator.advance(drive(), 0.1)
        assert not simulator.truth().contacts
    assert simulator.truth().people[0, 0] == pytest.approx(5 - 0.45, abs=0.01)


def test_wanderers_stay_inside_and_get_around() -> None:
    terrain = hall(changes=(Person(waypoints=((5.0, 5.0),), speed=1.5),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((0.5, 0.5, 0)), seed=3)
    places = []
    for _ in range(600):
        simulator.advance(drive(), 0.1)
        places.append(simulator.truth().people[0])
    spread = np.array(places)
    assert (spread >= 0.25 - 1e-6).all()
    assert (spread <= 9.75 + 1e-6).all()
    assert spread.std(axis=0).min() > 1.0


def test_driving_into_a_person_is_a_contact() -> None:
    terrain = hall(changes=(Person(waypoints=((8.0, 5.0), (8.0, 5.001))),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((6, 5, 0)), seed=0)
    contacts = []
    for _ in range(40):
        simulator.advance(drive(1.0), 0.1)
        contacts += simulator.truth().contacts
    assert [(contact.robot, contact.other) for contact in contacts] == [(0, 1)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (Door(area=Rectangle(left=50, bottom=50, right=51, top=51)), "covers no cell"),
        (Person(waypoints=((-3.0, 1.0),)), "not on free ground"),
        (Person(waypoints=((-0.05, 5.0),)), "not on free ground"),
    ],
)
def test_changes_that_do_not_fit_the_terrain_are_refused(change, reason: str) -> None:
    with pytest.raises(ExpeditionError, match=reason):
        FlatSimulator().reset(hall(changes=(change,)), fleet((5, 5, 0)), seed=0)


def test_people_who_would_walk_through_a_wall_are_refused() -> None:
    door = Door(area=ACROSS, closed=True)
    person = Person(waypoints=((2.0, 5.0), (8.0, 5.0)))
    with pytest.raises(ExpeditionError, match="wall stands between"):
        FlatSimulator().reset(hall(changes=(door, person)), fleet((5, math.pi, 0)), seed=0)
