"""What is put right in the walls of an imported map: specks that are no walls, and an edge that is open.

Nothing is put right in silence: each function also says, in a note, what it did.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Cells = NDArray[np.bool_]

TOUCHING = np.ones((3, 3), dtype=bool)
"""Walls that meet at a corner belong together: a thin line at a slant is one wall."""


def cleaned(occupied: Cells, largest: float, resolution: float) -> tuple[Cells, str | None]:
    """The walls without those whose extent, the longer side of the bounding box, is at most `largest` metres."""
    labels, number = ndimage.label(occupied, structure=TOUCHING)
    # A map at a resolution such as 0.1 has pieces of exactly 0.6 m, whatever floats make of it.
    is_small = _extents(labels, number) <= largest / resolution + 1e-6
    is_small[0] = False
    if not is_small.any():
        return occupied, None
    removed = is_small[labels]
    cells, pieces = int(np.count_nonzero(removed)), int(np.count_nonzero(is_small))
    note = (
        f"removed {pieces:,} piece{'s' if pieces != 1 else ''} of wall no larger than {largest:g} m, "
        f"{cells:,} cell{'s' if cells != 1 else ''}"
    )
    return occupied & ~removed, note


def closed(occupied: Cells) -> tuple[Cells, str | None]:
    """The walls with a ring of wall around them, if the outermost cells are free.

    Robots can drive up to a free edge, but their lidars get no return from it, so it is never seen.
    """
    ring = np.ones_like(occupied)
    ring[1:-1, 1:-1] = False
    opening = int(np.count_nonzero(ring & ~occupied))
    if opening == 0:
        return occupied, None
    enclosed = occupied | ring
    cells = f"{opening:,} open cell{'s' if opening != 1 else ''} at the map's edge"
    if enclosed.all():
        return occupied, f"left {cells}: without {'it' if opening == 1 else 'them'} the map has no free cell"
    return enclosed, f"closed {cells}: lidars see nothing beyond; edges=open leaves them"


def _extents(labels: NDArray[np.signedinteger], number: int) -> NDArray[np.int64]:
    """The longer side of the bounding box of each label, in cells; row by row, as label lists of noise are long."""
    far = max(labels.shape)
    first_row, first = np.full(number + 1, far), np.full(number + 1, far)
    last_row, last = np.full(number + 1, -1), np.full(number + 1, -1)
    if labels.shape[0] > labels.shape[1]:
        labels = labels.T
    for row, line in enumerate(labels):
        columns = np.flatnonzero(line)
        found = line[columns]
        first_row[found] = np.minimum(first_row[found], row)
        last_row[found] = row
        np.minimum.at(first, found, columns)
        np.maximum.at(last, found, columns)
    extents: NDArray[np.int64] = np.maximum(last_row - first_row, last - first) + 1
    return extents
