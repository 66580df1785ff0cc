"""Footprints: does a body overlap a wall, or another body?

Seen from above, a body is a rectangle with (half length, half width), or a disc with (radius, -1.0). These kernels take
scalars and allocate nothing, so that placement and the simulator's inner loop share them. Two shapes overlap when they
reach more than `TOUCH` metres into each other: bodies that merely touch do not.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from expedition.kernels import kernel

TOUCH = 1e-9


@kernel
def touches_cells(
    solid: NDArray[Any],
    resolution: float,
    origin_x: float,
    origin_y: float,
    x: float,
    y: float,
    heading: float,
    half_length: float,
    half_width: float,
) -> bool:
    """Whether the footprint overlaps a cell that is not zero in `solid`, or leaves the grid.

    Costs one look at each cell of the footprint's bounding box, and some arithmetic for the solid ones.
    """
    x -= origin_x
    y -= origin_y
    if half_width < 0.0:
        c, s = 1.0, 0.0
        reach_x = reach_y = half_length
    else:
        c, s = math.cos(heading), math.sin(heading)
        reach_x = half_length * abs(c) + half_width * abs(s)
        reach_y = half_length * abs(s) + half_width * abs(c)
    rows, columns = solid.shape
    left, right = x - reach_x + TOUCH, x + reach_x - TOUCH
    bottom, top = y - reach_y + TOUCH, y + reach_y - TOUCH
    # Written so that a NaN pose counts as outside.
    if not (left >= 0.0 and bottom >= 0.0 and right <= columns * resolution and top <= rows * resolution):
        return True
    last_row = min(int(top / resolution), rows - 1)
    last_column = min(int(right / resolution), columns - 1)
    # What a cell adds to the rectangle's half sides when both are projected on the rectangle's axes.
    cell_reach = 0.5 * resolution * (abs(c) + abs(s))
    for row in range(int(bottom / resolution), last_row + 1):
        dy = (row + 0.5) * resolution - y
        for column in range(int(left / resolution), last_column + 1):
            if solid[row, column]:
                dx = (column + 0.5) * resolution - x
                if half_width < 0.0:
                    gap_x = max(abs(dx) - 0.5 * resolution, 0.0)
                    gap_y = max(abs(dy) - 0.5 * resolution, 0.0)
                    if _within(gap_x, gap_y, half_length):
                        return True
                elif (
                    abs(dx * c + dy * s) < half_length + cell_reach - TOUCH
                    and abs(dy * c - dx * s) < half_width + cell_reach - TOUCH
                ):
                    return True
    return False


@kernel
def overlap(
    x1: float,
    y1: float,
    heading1: float,
    half_length1: float,
    half_width1: float,
    x2: float,
    y2: float,
    heading2: float,
    half_length2: float,
    half_width2: float,
) -> bool:
    """Whether two footprints overlap. Bodies far apart cost two square roots and no trigonometry."""
    dx, dy = x2 - x1, y2 - y1
    if not _within(dx, dy, _circumradius(half_length1, half_width1) + _circumradius(half_length2, half_width2)):
        return False
    if half_width1 < 0.0 and half_width2 < 0.0:
        return True
    if half_width1 < 0.0:
        return _disc_meets_rectangle(-dx, -dy, half_length1, heading2, half_length2, half_width2)
    if half_width2 < 0.0:
        return _disc_meets_rectangle(dx, dy, half_length2, heading1, half_length1, half_width1)
    return _rectangles_meet(dx, dy, heading1, half_length1, half_width1, heading2, half_length2, half_width2)


@kernel
def _circumradius(half_length: float, half_width: float) -> float:
    return half_length if half_width < 0.0 else math.sqrt(half_length * half_length + half_width * half_width)


@kernel
def _within(dx: float, dy: float, radius: float) -> bool:
    """Whether (dx, dy) is more than a touch shorter than `radius`."""
    inner = radius - TOUCH
    return inner > 0.0 and dx * dx + dy * dy < inner * inner


@kernel
def _disc_meets_rectangle(
    dx: float, dy: float, radius: float, heading: float, half_length: float, half_width: float
) -> bool:
    """A disc whose middle lies at (dx, dy) from that of the rectangle: the nearest point decides."""
    c, s = math.cos(heading), math.sin(heading)
    ahead, aside = abs(dx * c + dy * s), abs(dy * c - dx * s)
    return _within(max(ahead - half_length, 0.0), max(aside - half_width, 0.0), radius)


@kernel
def _rectangles_meet(
    dx: float,
    dy: float,
    heading1: float,
    half_length1: float,
    half_width1: float,
    heading2: float,
    half_length2: float,
    half_width2: float,
) -> bool:
    """Two rectangles are apart exactly if one of their four sides' directions separates them."""
    c1, s1 = math.cos(heading1), math.sin(heading1)
    c2, s2 = math.cos(heading2), math.sin(heading2)
    # Cosine and sine of the angle between the rectangles, to project each on the other's axes.
    c, s = abs(c1 * c2 + s1 * s2), abs(c1 * s2 - s1 * c2)
    return (
        abs(dx * c1 + dy * s1) < half_length1 + half_length2 * c + half_width2 * s - TOUCH
        and abs(dy * c1 - dx * s1) < half_width1 + half_length2 * s + half_width2 * c - TOUCH
        and abs(dx * c2 + dy * s2) < half_length2 + half_length1 * c + half_width1 * s - TOUCH
        and abs(dy * c2 - dx * s2) < half_width2 + half_length1 * s + half_width1 * c - TOUCH
    )
