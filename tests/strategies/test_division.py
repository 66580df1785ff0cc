"""Dividing frontiers: from pair to pair is the same as the best pair of all, time after time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.strategies.division import left_for


class Matrix:
    """Utilities that are all known; gives away no more than is asked for."""

    def __init__(self, utility: np.ndarray) -> None:
        self._utility = utility
        self.shape = utility.shape
        self.asked = np.zeros(utility.shape, dtype=np.bool_)

    def of(self, place: int) -> np.ndarray:
        return self._utility[place]

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


@settings(max_examples=500, deadline=None)
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
