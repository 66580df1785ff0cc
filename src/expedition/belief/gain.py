"""Expected gain: how much unknown ground a robot would see from a place.

The expected safe zone of a place (MRXT) is what rays from it reach within a radius; occupied cells stop them, unknown
ones do not, but where a prior map has a wall. The gain is the unknown part of that zone.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED, UNKNOWN
from expedition.kernels import kernel

NO_PRIOR = np.zeros((0, 0), dtype=np.uint8)
U = np.uint64  # An index that cannot be negative needs no check.


@lru_cache(maxsize=64)
def beams_within(radius: float) -> NDArray[np.float64]:
    """(beams, 2): rows and columns that a beam goes in a step of one cell, for beams that meet every cell in reach."""
    return _directions(max(16, math.ceil(2.0 * math.pi * radius)))


@kernel
def _directions(beams: int) -> NDArray[np.float64]:
    steps = np.empty((beams, 2))
    for beam in range(beams):
        angle = 2.0 * math.pi * beam / beams
        steps[beam, 0], steps[beam, 1] = math.sin(angle), math.cos(angle)
    return steps


@kernel
def unknown_in_view(
    state: NDArray[np.uint8],
    prior: NDArray[np.uint8],
    row: int,
    column: int,
    radius: float,
    beams: NDArray[np.float64],
    marks: NDArray[np.int32],
    mark: int,
) -> int:
    """How many unknown cells lie in the expected safe zone of a cell, radius in cells, `beams` those within it.

    Walls of a `prior` map, if that is not empty, stop rays where the robot has sensed nothing itself. `marks` (rows,
    columns) is a work array in which no cell holds `mark` yet. Cost: the cells of the zone, about twice.
    """
    rows, columns = state.shape
    has_prior = prior.size > 0
    reach = math.ceil(radius) + 1
    within = reach <= row < rows - reach and reach <= column < columns - reach
    unknown = 0
    for beam in range(len(beams)):
        step_row, step_column = beams[beam, 0], beams[beam, 1]
        for step in range(math.floor(radius) + 1):
            i = math.floor(row + 0.5 + step_row * step)
            j = math.floor(column + 0.5 + step_column * step)
            if not within and (i < 0 or i >= rows or j < 0 or j >= columns):
                break
            here = state[U(i), U(j)]
            if here == OCCUPIED or (has_prior and here == UNKNOWN and prior[U(i), U(j)] == OCCUPIED):
                break
            if here == UNKNOWN and marks[U(i), U(j)] != mark:
                marks[U(i), U(j)] = mark
                unknown += 1
    return unknown
