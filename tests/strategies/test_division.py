"""Dividing frontiers: from pair to pair is the same as the best pair of all, time after time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.robot import Frontier, Pose, Robot
from expedition.strategies.division import SHORT, Utilities, left_for


class Matrix:
    """Utilities that are all known; gives away no more than is asked for."""

    def __init__(self, utility: np.ndarray) -> None:
        self._utility = utility
        self.shape = utility.shape
        self.asked = np.zeros(utility.shape, dtype=np.bool_)

    def best(self, place: int, among: np.ndarray) -> tuple[int, float] | None:
        row = np.where(among, self._utility[place], 0.0)
        return (int(np.argmax(row)), row.max()) if row.any() else None

    def at_least(self, worth: float, pairs: np.ndarray) -> np.ndarray:
        given_away = pairs & (self._utility >= worth)
        self.asked |= given_away
        return np.where(given_away, self._utility, 0.0)


def by_best_pairs(me: int, utility: np.ndarray) -> int | None:
    """Assign the best pair, then the best of those left, and so on."""
    if not utility[me].any():
        return None
    left = utility.copy()
    while left.any():
        who, what = divmod(int(np.argmax(left)), left.shape[1])
        if who == me:
            return what
        left[who], left[:, what] = 0.0, 0.0
    return int(np.argmax(utility[me]))


@settings(max_examples=500)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 9), st.sampled_from([3, 6, 1000]))
def test_what_is_left_is_what_the_best_pairs_leave(seed: int, robots: int, frontiers: int, values: int) -> None:
    # Few values make many pairs that are worth the same, of which the first goes first; 0 is no way.
    rng = np.random.default_rng(seed)
    utility = rng.integers(0, values, (robots, frontiers)).astype(np.float64)
    me = int(rng.integers(robots))
    assert left_for(me, Matrix(utility)) == by_best_pairs(me, utility)


def test_who_is_nearest_to_what_it_likes_best_asks_for_no_more() -> None:
    matrix = Matrix(np.array([[1.0, 9.0, 2.0], [8.0, 3.0, 1.0]]))
    assert left_for(0, matrix) == 1
    assert np.argwhere(matrix.asked).tolist() == [[0, 1]]


class Cartographer:
    """A robot that knows what all ways cost, and tells no more than it is asked for."""

    def __init__(self, costs: np.ndarray) -> None:
        self.map = SimpleNamespace(frame=SimpleNamespace(resolution=0.1))
        self._costs = costs

    def travel_costs(self, starts: np.ndarray, targets: np.ndarray, within: np.ndarray) -> np.ndarray:
        return np.where(self._costs <= within, self._costs, np.inf)


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 9), st.sampled_from([0.0, 1.0, 4.0]))
def test_utilities_worked_out_as_asked_for_give_what_all_of_them_give(
    seed: int, robots: int, frontiers: int, power: float
) -> None:
    rng = np.random.default_rng(seed)
    places, targets = rng.uniform(0.0, 20.0, (robots, 2)), rng.uniform(0.0, 20.0, (frontiers, 2))
    straight = np.linalg.norm(targets - places[:, None], axis=2)
    costs = np.maximum(straight * rng.uniform(1.0, 4.0, straight.shape) - rng.uniform(0.0, SHORT), 0.0)
    costs[rng.random(costs.shape) < 0.2] = np.inf
    gains = rng.uniform(0.0, 50.0, frontiers)
    utility = np.where(np.isfinite(costs), (gains + 0.1**2) / np.maximum(costs, 0.1) ** power, 0.0)
    utilities = Utilities(
        cast(Robot, Cartographer(costs)),
        [Pose(x, y, 0.0) for x, y in places.tolist()],
        [cast(Frontier, SimpleNamespace(x=x, y=y, gain=gain)) for (x, y), gain in zip(targets, gains, strict=True)],
        power,
    )
    me = int(rng.integers(robots))
    assert left_for(me, utilities) == by_best_pairs(me, utility)
    np.testing.assert_array_equal(utilities.of(me), utility[me])
