"""A map that its YAML turns: its walls drawn anew on a grid along the axes of the world."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from expedition.terrain.files.options import check_size

Cells = NDArray[np.bool_]

STRIP_CELLS = 1 << 20


def turn(walls: Cells, yaw: float, outside: bool, place: str) -> tuple[Cells, tuple[float, float]]:
    """Walls, the lowest row first, turned counter-clockwise about the lower left corner by `yaw`; and where the lower
    left corner of the new grid then lies from there, in cells. What the old grid does not cover is `outside`.

    A new cell is what the old map has at its middle. Where walls do not only meet at corners, free cells on both sides
    of one are at least a cell apart, and so are no two middles of neighbouring new cells: no wall gets a hole. A pole
    that falls between all middles is put back. Right angles keep every cell.
    """
    rows, columns = walls.shape
    quarters = quarter_turns(walls, yaw)
    if quarters is not None:
        corner = ((0.0, 0.0), (-rows, 0.0), (-columns, -rows), (0.0, -columns))[quarters]
        return np.rot90(walls, -quarters), corner
    c, s = math.cos(yaw), math.sin(yaw)
    corners_x = [0.0, columns * c, -rows * s, columns * c - rows * s]
    corners_y = [0.0, columns * s, rows * c, columns * s + rows * c]
    left, bottom = min(corners_x), min(corners_y)
    wide, high = math.ceil(max(corners_x) - left), math.ceil(max(corners_y) - bottom)
    check_size(wide, high, f"{place}: turned by {yaw:g} rad")
    solid = joined_at_corners(walls)
    made = np.empty((high, wide), dtype=bool)
    x = left + np.arange(wide) + 0.5
    step = max(1, STRIP_CELLS // wide)
    for first in range(0, high, step):
        y = (bottom + np.arange(first, min(first + step, high)) + 0.5)[:, None]
        column, row = np.floor(c * x + s * y).astype(np.int64), np.floor(c * y - s * x).astype(np.int64)
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        there = solid[row.clip(0, rows - 1), column.clip(0, columns - 1)]
        made[first : first + step] = np.where(inside, there, outside)
    _put_back(made, walls, (c, s), (left, bottom))
    return made, (left, bottom)


def quarter_turns(walls: Cells, yaw: float) -> int | None:
    """0 to 3 for a yaw that is so many right angles but for less than half a cell; None for any other."""
    turns = round(yaw / (math.pi / 2))
    off = abs(yaw - turns * math.pi / 2) * math.hypot(*walls.shape)
    return turns % 4 if off < 0.5 else None


def joined_at_corners(walls: Cells) -> Cells:
    """The walls, and one more cell wherever two of their cells meet at a corner only."""
    joined = walls.copy()
    lines = joined if joined.shape[0] <= joined.shape[1] else joined.T
    for above, below in pairwise(lines):
        # A cell that is added has a wall on its side in the line before, so it meets none at a corner only there.
        falling = above[:-1] & below[1:] & ~above[1:] & ~below[:-1]
        rising = above[1:] & below[:-1] & ~above[:-1] & ~below[1:]
        below[:-1] |= falling
        below[1:] |= rising
    return joined


def _put_back(made: Cells, walls: Cells, turn: tuple[float, float], corner: tuple[float, float]) -> None:
    """Draw those cells of wall of which nothing is left anywhere near."""
    (c, s), (high, wide) = turn, made.shape
    for row, line in enumerate(walls):
        across = np.flatnonzero(line) + 0.5
        column = np.floor(c * across - s * (row + 0.5) - corner[0]).astype(np.int64).clip(0, wide - 1)
        up = np.floor(s * across + c * (row + 0.5) - corner[1]).astype(np.int64).clip(0, high - 1)
        near = np.zeros(len(across), dtype=bool)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                near |= made[(up + dy).clip(0, high - 1), (column + dx).clip(0, wide - 1)]
        made[up[~near], column[~near]] = True
