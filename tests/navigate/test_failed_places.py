"""Places that robots failed to get to rest, longer each time, and are forgotten when the map around them changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.belief.grid import FREE, OCCUPIED, Frame
from expedition.navigate.failed_places import AROUND, FAILURES, GIVEN_UP_AFTER, SAME_PLACE, FailedPlaces

FRAME = Frame((-2.0, -2.0), 0.2, 64, 64)
REST = 30.0


def places_on_open_ground() -> tuple[FailedPlaces, np.ndarray]:
    state = np.full(FRAME.shape, FREE, dtype=np.uint8)
    return FailedPlaces(FRAME, state, REST), state


def is_open(places: FailedPlaces, x: float, y: float, time: float) -> bool:
    return bool(places.are_open(np.array([[x, y]]), time)[0])


def is_possible(places: FailedPlaces, x: float, y: float) -> bool:
    return bool(places.are_possible(np.array([[x, y]]))[0])


def test_a_place_rests_for_twice_as_long_after_each_failure() -> None:
    places, _ = places_on_open_ground()
    time = 100.0
    for failures in range(3):
        places.fail(3.0, 3.0, time)
        rest = REST * 2.0**failures
        assert not is_open(places, 3.0, 3.0, time + rest - 0.1)
        assert is_open(places, 3.0, 3.0, time + rest + 0.1)
        time += rest + 1.0
    assert len(places.places) == 1


def test_what_lies_near_is_the_same_place_and_what_lies_farther_another() -> None:
    places, _ = places_on_open_ground()
    places.fail(3.0, 3.0, 0.0)
    places.fail(3.0 + 0.9 * SAME_PLACE, 3.0, 1.0)
    assert [place.failures for place in places.places] == [2]
    assert is_open(places, 3.0 + 1.1 * SAME_PLACE, 3.0, 2.0)
    places.fail(3.0 + 1.1 * SAME_PLACE, 3.0, 2.0)
    assert [place.failures for place in places.places] == [2, 1]


def test_a_place_is_given_up_after_enough_failures_over_long_enough() -> None:
    places, _ = places_on_open_ground()
    time = 0.0
    for _ in range(FAILURES - 1):
        time = places.fail(3.0, 3.0, time).until
        assert is_possible(places, 3.0, 3.0)
    places.fail(3.0, 3.0, time)
    assert not is_possible(places, 3.0, 3.0)
    assert not is_open(places, 3.0, 3.0, 1e9)
    assert is_possible(places, 6.0, 3.0)


def test_failures_in_quick_succession_do_not_give_a_place_up() -> None:
    places, _ = places_on_open_ground()
    for k in range(FAILURES + 2):
        places.fail(3.0, 3.0, 1.0 * k)
    assert is_possible(places, 3.0, 3.0)
    places.fail(3.0, 3.0, GIVEN_UP_AFTER)
    assert not is_possible(places, 3.0, 3.0)


def test_how_often_a_place_failed_is_told_by_place() -> None:
    places, _ = places_on_open_ground()
    for x, y in ((3.0, 3.0), (3.1, 3.0), (6.0, 3.0)):
        places.fail(x, y, 0.0)
    assert places.failures_at(np.array([(3.0, 3.2), (6.0, 3.0), (4.5, 3.0)])).tolist() == [2, 1, 0]


def test_a_place_that_failed_for_good_is_given_up_at_once() -> None:
    places, _ = places_on_open_ground()
    places.fail(3.0, 3.0, 0.0, for_good=True)
    assert not is_possible(places, 3.0, 3.0)


@pytest.mark.parametrize(("off", "changes"), [(0.5, True), (AROUND + 1.5, False)])
def test_a_place_is_forgotten_when_the_map_around_it_changes_and_not_when_it_does_elsewhere(
    off: float, changes: bool
) -> None:
    places, state = places_on_open_ground()
    place = places.fail(3.0, 3.0, 0.0, for_good=True)
    row, column = FRAME.cell(3.0 + off, 3.0)
    state[row - 3 : row + 4, column] = OCCUPIED
    places.forget_changed()
    assert places.places == [place]
    state[row - 3 : row + 4, column - 1 : column + 2] = OCCUPIED
    places.forget_changed()
    assert places.places == ([] if changes else [place])
    assert is_open(places, 3.0, 3.0, 1.0) == changes
    if changes:
        assert places.fail(3.0, 3.0, 1.0).failures == 1


def test_places_at_and_beyond_the_edge_of_the_map_rest_too() -> None:
    places, _ = places_on_open_ground()
    for x, y in ((-2.0, -2.0), (-50.0, 3.0), (1e4, 1e4)):
        places.fail(x, y, 0.0)
        assert not is_open(places, x, y, 1.0)
        assert math.isfinite(places.places[-1].until)
    places.forget_changed()
    assert len(places.places) == 3
