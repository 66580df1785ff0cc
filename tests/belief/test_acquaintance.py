"""Who knows where whose frame lies: what follows from facts, how they travel, and beacons turned by them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.acquaintance import FACT_BYTES, HEADER_BYTES, Acquaintance
from expedition.belief.transform import Transform
from expedition.navigate.hearing import hear_turned
from expedition.navigate.local_records import BEACON
from expedition.streams import generator

angles = st.floats(-math.pi, math.pi)
metres = st.floats(-200.0, 200.0)
transforms = st.builds(Transform, angles, metres, metres)
ALL = ~np.eye(3, dtype=bool)
A_B, B_C = Transform(0.5, 1.0, 2.0), Transform(-1.2, 3.0, -4.0)


def chain() -> Acquaintance:
    """Robot 0 has found 1, and 1 has found 2; nobody has told anybody."""
    acquaintance = Acquaintance(3)
    acquaintance.find(0, 1, A_B)
    acquaintance.find(1, 2, B_C)
    return acquaintance


@given(transforms, metres, metres)
def test_an_inverse_leads_back(transform: Transform, x: float, y: float) -> None:
    assert transform.inverse().point(*transform.point(x, y)) == pytest.approx((x, y), abs=1e-9)


@given(transforms, transforms, metres, metres)
def test_a_third_frame_lies_where_two_steps_lead(one: Transform, other: Transform, x: float, y: float) -> None:
    assert one.of(other).point(x, y) == pytest.approx(one.point(*other.point(x, y)), abs=1e-9)


def test_a_robot_knows_only_what_it_found_until_it_is_told() -> None:
    acquaintance = chain()
    assert acquaintance.known.tolist() == [[True, True, False], [False, True, True], [False, False, True]]
    assert acquaintance.transform(0, 1) == A_B
    assert acquaintance.transform(0, 2) is None


def test_robots_in_contact_learn_frames_over_a_third() -> None:
    acquaintance = chain()
    sent, received = acquaintance.tell(ALL)
    assert acquaintance.known.all()
    there, back = acquaintance.transform(0, 2), acquaintance.transform(2, 0)
    assert there is not None
    assert back is not None
    assert there.point(7.0, 8.0) == pytest.approx(A_B.point(*B_C.point(7.0, 8.0)))
    assert back.point(*there.point(7.0, 8.0)) == pytest.approx((7.0, 8.0))
    fact = HEADER_BYTES + FACT_BYTES
    assert sent.tolist() == [2 * fact, 2 * fact, 0]
    assert received.tolist() == [fact, fact, 2 * fact]


def test_what_was_told_is_not_told_again() -> None:
    acquaintance = chain()
    acquaintance.tell(ALL)
    acquaintance.tell(ALL)
    sent, received = acquaintance.tell(ALL)
    assert not sent.any()
    assert not received.any()


def test_news_travels_one_robot_a_round() -> None:
    acquaintance = chain()
    line = np.array([[False, True, False], [True, False, True], [False, True, False]])
    acquaintance.tell(line)
    assert not acquaintance.known[2, 0]
    acquaintance.tell(line)
    assert acquaintance.known.all()


def test_who_hears_nobody_learns_nothing() -> None:
    acquaintance = chain()
    acquaintance.tell(np.zeros((3, 3), dtype=bool))
    assert not acquaintance.known[2, 1]


def test_what_is_taken_back_is_forgotten_by_all() -> None:
    acquaintance = chain()
    acquaintance.tell(ALL)
    acquaintance.find(0, 1, None)
    acquaintance.tell(ALL)
    assert acquaintance.known.tolist() == [[True, False, False], [False, True, True], [False, True, True]]
    assert acquaintance.found_by(0) == {}


def test_a_correction_replaces_what_was_told_before() -> None:
    acquaintance = chain()
    acquaintance.tell(ALL)
    better = Transform(0.51, 1.1, 2.1)
    acquaintance.find(0, 1, better)
    acquaintance.tell(ALL)
    assert acquaintance.transform(0, 1) == better
    back = acquaintance.transform(1, 0)
    assert back is not None
    assert back.point(*better.point(5.0, 5.0)) == pytest.approx((5.0, 5.0))


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_beacons_are_heard_in_the_hearers_frame_and_only_from_known_robots(seed: int) -> None:
    random = generator(seed, "beacons")
    robots = 3
    beacons = np.zeros(robots, dtype=BEACON)
    for name in BEACON.names or ():
        beacons[name] = random.uniform(-3.0, 3.0, beacons[name].shape)
    goals = random.uniform(-50.0, 50.0, (robots, 2))
    links, known = random.random((2, robots, robots)) < 0.6
    places = random.uniform(-3.0, 3.0, (robots, robots, 3))
    heard = np.zeros((robots, robots), dtype=BEACON)
    heard_at = np.full((robots, robots), 1.0)
    goals_heard = np.zeros((robots, robots, 2))
    hear_turned(9.0, links, known, places, beacons, goals, heard, heard_at, goals_heard)
    for robot in range(robots):
        for other in range(robots):
            if robot == other:
                continue
            if not known[robot, other]:
                assert heard_at[robot, other] == -math.inf
                assert np.isnan(goals_heard[robot, other]).all()
                continue
            assert heard_at[robot, other] == (9.0 if links[robot, other] else 1.0)
            if not links[robot, other]:
                continue
            told, got, place = beacons[other], heard[robot, other], Transform(*places[robot, other].tolist())
            ahead = zip(told["ahead"].tolist(), got["ahead"].tolist(), strict=True)
            for (x, y), mine in [((told["x"], told["y"]), (got["x"], got["y"])), *ahead]:
                assert tuple(mine) == pytest.approx(place.point(float(x), float(y)), abs=1e-4)
            turn = Transform(place.rotation, 0.0, 0.0)
            velocity = turn.point(float(told["velocity_x"]), float(told["velocity_y"]))
            assert (got["velocity_x"], got["velocity_y"]) == pytest.approx(velocity, abs=1e-4)
            assert math.remainder(got["heading"] - told["heading"] - place.rotation, math.tau) == pytest.approx(
                0.0, abs=1e-5
            )
            for name in ("radius", "way_out", "held_by", "yields_to", "status"):
                assert got[name] == told[name]
            assert tuple(goals_heard[robot, other]) == pytest.approx(place.point(*goals[other].tolist()))
