"""A slow caster in rational arithmetic: the exact range of a ray, for the fast one to be measured against."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def exact_range(
    solid: NDArray[np.bool_], x: float, y: float, dx: float, dy: float, grow: Fraction = Fraction(0)
) -> float:
    """The distance at which a ray first meets the interior of a solid cell, infinite if never.

    `grow` enlarges every solid cell to all sides (or shrinks it), in cells. The direction need not be a unit vector to
    the last bit; the range counts in its length. Every solid cell is tried, with no rounding anywhere.
    """
    px, py, vx, vy = Fraction(x), Fraction(y), Fraction(dx), Fraction(dy)
    best: Fraction | None = None
    for row, column in np.argwhere(solid).tolist():
        enter, leave = Fraction(0), None
        for position, speed, low in ((px, vx, column), (py, vy, row)):
            near, far = low - grow - position, low + 1 + grow - position
            if speed == 0:
                if not near < 0 < far:
                    break
                continue
            first, last = sorted((near / speed, far / speed))
            enter = max(enter, first)
            leave = last if leave is None else min(leave, last)
        else:
            if (leave is None or enter < leave) and (best is None or enter < best):
                best = enter
    return math.inf if best is None else float(best)
