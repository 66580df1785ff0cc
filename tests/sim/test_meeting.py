"""Bodies that meet, and those that pass above and below each other."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.terrain import Door, Person, Rectangle
from tests.sim.robots import drive, fleet, hall, robot

QUICK = {"max_speed": 10.0, "max_acceleration": 10_000.0}


@pytest.mark.parametrize("flies", [0, 1])
@pytest.mark.parametrize("moves", [0, 1])
@pytest.mark.parametrize(("altitude", "passes"), [(0.5, True), (0.45, False)])
def test_a_robot_passes_under_or_over_another_exactly_if_there_is_room(
    flies: int, moves: int, altitude: float, passes: bool
) -> None:
    models = [robot(), robot()]
    models[flies] = robot(body={"altitude": altitude})
    poses = np.array([[5.0, 5.0, 0.0], [5.0, 5.0, 0.0]])
    poses[moves, 0] = 3.0
    command = np.zeros((2, 3))
    command[moves, 0] = 1.0
    simulator = FlatSimulator()
    simulator.reset(hall(), Fleet(tuple(models), poses), seed=0)
    contacts = []
    for _ in range(4):
        simulator.advance(command, 1.0)
        contacts += simulator.truth().contacts
    assert len(contacts) == (0 if passes else 1)
    assert simulator.truth().poses[moves, 0] == pytest.approx(6.5 if passes else 4.6, abs=0.02)


def test_people_do_not_walk_into_what_they_could_not_reach_a_moment_before() -> None:
    person = Person(waypoints=((2.0, 5.0), (8.0, 5.0)), speed=10.0)
    simulator = FlatSimulator()
    simulator.reset(hall(changes=(person,)), fleet((5, 5, 0)), seed=0)
    simulator.advance(drive(), 0.5)
    assert simulator.truth().people[0] == pytest.approx((4.55, 5), abs=1e-3)


def test_a_robot_that_reverses_faster_than_it_drives_stops_at_another() -> None:
    fast = robot(drive={"max_speed": 0.1, "max_reverse_speed": 2.0, "max_acceleration": 10.0})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((8, 5, 0), (4, 5, 0), model=fast), seed=0)
    simulator.advance(np.array([[-2.0, 0, 0], [0, 0, 0]]), 3.0)
    assert simulator.truth().poses[0] == pytest.approx((4.4, 5, 0), abs=1e-3)
    assert [(contact.robot, contact.other) for contact in simulator.truth().contacts] == [(0, 1)]


@pytest.mark.parametrize(
    "touching", [(9.7, 5, 0, 1.0, 0.0), (5, 9.85, 0, 0.0, 1.0)], ids=["with its front", "with its side"]
)
@pytest.mark.parametrize(("steps_back", "contacts"), [(1, 1), (3, 2)])
def test_a_rectangle_touches_anew_once_it_was_farther_than_the_gap_on_any_side(
    touching: tuple[float, float, float, float, float], steps_back: int, contacts: int
) -> None:
    """0.6 m long and 0.3 m wide, a body in touch with a wall backs off in steps of 1 cm and returns."""
    x, y, heading, forward, sideways = touching
    model = robot(
        body={"shape": "rectangle", "length": 0.6, "width": 0.3, "height": 0.5, "mass": 5},
        drive={"kind": "holonomic", "max_acceleration": 10_000.0},
    )
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((x, y, heading), model=model), seed=0)
    found = 0
    for speed in [0.6, *[-0.6] * steps_back, *[0.6] * 5]:
        simulator.advance(drive(forward * speed, sideways=sideways * speed), 1 / 60)
        found += len(simulator.truth().contacts)
    assert found == contacts


def test_the_thing_hit_first_is_the_one_reported() -> None:
    """A thin post stands before the wall, and within one step the robot would reach both."""
    post = robot(body={"radius": 0.05})
    fast = robot(drive=QUICK)
    step = 10.0 / 60
    simulator = FlatSimulator()
    start = 9.8 + 0.02 - 6 * step
    simulator.reset(hall(), Fleet((fast, post), np.array([[start, 5, 0], [9.94, 5, 0]])), seed=0)
    simulator.advance(np.array([[10.0, 0, 0], [0, 0, 0]]), 1.0)
    assert [(contact.robot, contact.other) for contact in simulator.truth().contacts] == [(0, 1)]
    assert simulator.truth().poses[0, 0] == pytest.approx(9.69, abs=1e-3)


def test_a_robot_stops_within_a_tenth_of_a_millimetre_of_a_wall() -> None:
    fast = robot(drive=QUICK)
    poses = [(8.0 + 0.017 * k, 0.5 + 0.6 * k, 0.0) for k in range(15)]
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet(*poses, model=fast), seed=0)
    for _ in range(3):
        simulator.advance(drive(10.0, robots=15), 1 / 6)
    gaps = 9.8 - simulator.truth().poses[:, 0]
    assert (gaps >= -1e-8).all()
    assert (gaps <= 1e-4 + 1e-8).all()


@pytest.mark.parametrize(("mean_leg", "straight"), [(1e6, True), (0.2, False)])
def test_a_wanderer_turns_as_often_as_its_legs_are_short(mean_leg: float, straight: bool) -> None:
    simulator = FlatSimulator()
    person = Person(waypoints=((20.0, 20.0),), speed=1.0, mean_leg=mean_leg)
    simulator.reset(hall(40, 40, changes=(person,)), fleet((1, 1, 0)), seed=0)
    simulator.advance(drive(), 10.0)
    way = float(np.hypot(*(simulator.truth().people[0] - 20.0)))
    assert (way == pytest.approx(10.0)) if straight else (way < 6.0)


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        ([(0.1, 5.0)], r"changes.0.waypoints: the person at \(0.1, 5\) would stand in a wall"),
        ([(5.0, 5.4)], r"changes.0.waypoints: the person at \(5, 5.4\) would stand in robot 0"),
        ([(2.0, 2.0), (2.0, 2.4)], r"changes.0.waypoints: the person at \(2, 2\) would stand in changes.1"),
    ],
)
def test_people_may_not_start_in_a_wall_a_robot_or_one_another(people: list[tuple[float, float]], reason: str) -> None:
    changes = tuple(Person(waypoints=(place,)) for place in people)
    with pytest.raises(ExpeditionError, match=reason):
        FlatSimulator().reset(hall(changes=changes), fleet((5, 5, 0)), seed=0)


def test_people_may_start_at_a_hands_breadth_from_walls_robots_and_one_another() -> None:
    places = [(0.3, 5.0), (5.0, 5.5), (2.0, 2.0), (2.0, 2.55)]
    changes = tuple(Person(waypoints=(place,)) for place in places)
    simulator = FlatSimulator()
    simulator.reset(hall(changes=changes), fleet((5, 5, 0)), seed=0)
    assert simulator.truth().people == pytest.approx(np.array(places))


def test_the_way_back_to_a_persons_first_point_must_be_clear_as_well() -> None:
    person = Person(waypoints=((5.0, 2.0), (5.0, 8.0), (7.0, 8.0), (7.0, 2.0)))
    FlatSimulator().reset(hall(changes=(person,)), fleet((1, 1, 0)), seed=0)
    door = Door(area=Rectangle(left=6, bottom=0, right=6.2, top=5), closed=True)
    with pytest.raises(ExpeditionError, match="a wall stands between point 3 and the next"):
        FlatSimulator().reset(hall(changes=(person, door)), fleet((1, 1, 0)), seed=0)
