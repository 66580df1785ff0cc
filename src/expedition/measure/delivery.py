"""Delivery: whether what robots have brought home is still on its way to the base station."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

LATELY = 10.0
"""Seconds: a robot that has heard the base in this time is near it."""
STALLED = 300.0
"""Seconds without anything new at the base after which nothing more is awaited; a slow channel takes long for a map."""


class Delivery:
    """From the moment when all strategies have ended: what is awaited at the base."""

    def __init__(self, have: Integers, time: float) -> None:
        """`have` (nodes, nodes) are the versions that each has of everybody's evidence; the base is the last node."""
        self._brought = have.copy()
        self._at_base = have[-1].copy()
        self._news_at = time

    def is_under_way(self, have: Integers, base_heard_at: NDArray[np.float64], time: float) -> bool:
        """Whether a robot near the base still has something for it that it had when all strategies had ended.

        `base_heard_at` (robots,) tells when each last heard the base.
        """
        if not np.array_equal(have[-1], self._at_base):
            self._at_base = have[-1].copy()
            self._news_at = time
        brought = self._brought[:-1][time - base_heard_at <= LATELY]
        return bool((brought > self._at_base).any()) and time - self._news_at <= STALLED
