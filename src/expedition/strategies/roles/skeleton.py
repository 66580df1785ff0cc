"""Places to meet, from the skeleton of known free space: junctions, ends, and what lies between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.morphology import skeletonize

from expedition.belief.grid import FREE, OCCUPIED, Frame

AROUND = np.ones((3, 3), dtype=np.uint8)
SPECK = 0.3
"""Square metres: smaller holes in free space are gaps between beams, around which the skeleton need not go."""

Booleans = NDArray[np.bool_]


class Spot(NamedTuple):
    """A point of the skeleton."""

    x: float
    y: float
    degree: int
    """How many branches meet there: 1 at an end, 2 along the way, 3 and more at a junction."""


def spots(state: NDArray[np.uint8], frame: Frame, apart: float, clearance: float) -> list[Spot]:
    """Points of the skeleton, at least `apart` from each other and more than `clearance` from walls, in metres.

    Those where most branches meet come first; of two that are too near to each other the later is left out.
    """
    free = state == FREE
    skeleton: Booleans = skeletonize(_without_specks(free, frame.resolution))  # type: ignore[no-untyped-call]
    walls = state == OCCUPIED
    from_wall = ndimage.distance_transform_edt(~walls) if walls.any() else np.full(state.shape, np.inf)
    rows, columns = np.nonzero(skeleton & free & (from_wall * frame.resolution > clearance))
    degrees = branches(skeleton)[rows, columns]
    # At an end there is one way on, at a junction there are several: both are easier to find than what lies between.
    rank = np.where(degrees == 1, 2, np.where(degrees == 2, 1, degrees))
    order = np.lexsort((columns, rows, -rank))
    places: NDArray[np.float64] = np.stack([rows, columns], axis=1)[order] * np.float64(frame.resolution)
    return [
        Spot(*frame.centre(int(rows[cell]), int(columns[cell])), int(degrees[cell]))
        for cell in order[_far_apart(places, apart)]
    ]


def branches(skeleton: Booleans) -> NDArray[np.int64]:
    """(rows, columns): on cells of the skeleton how many branches meet there, else 0.

    Junctions are cells with three or more neighbours; those that touch are one, and what is left of the skeleton
    without them are the branches.
    """
    neighbours = ndimage.convolve(skeleton.astype(np.uint8), AROUND, mode="constant") - skeleton
    is_junction = skeleton & (neighbours >= 3)
    junction, count = ndimage.label(is_junction, structure=AROUND)
    branch, _ = ndimage.label(skeleton & ~is_junction, structure=AROUND)
    degrees = np.where(skeleton, np.minimum(neighbours, 2), 0).astype(np.int64)
    padded = np.pad(branch, 1)
    window = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    meeting: list[set[int]] = [set() for _ in range(count + 1)]
    for row, column in np.argwhere(is_junction).tolist():
        meeting[junction[row, column]].update(window[row, column].ravel().tolist())
    sizes = np.array([len(met - {0}) for met in meeting], dtype=np.int64)
    return np.where(is_junction, sizes[junction], degrees)


def _without_specks(free: Booleans, resolution: float) -> Booleans:
    holes, _ = ndimage.label(~free)
    is_small = np.bincount(holes.ravel()) * resolution**2 < SPECK
    is_small[0] = False
    return free | is_small[holes]


def _far_apart(places: NDArray[np.float64], apart: float) -> NDArray[np.int64]:
    """Which places to keep, in order, so that none is nearer than `apart` to one kept before."""
    kept: list[int] = []
    left = np.ones(len(places), dtype=np.bool_)
    while left.any():
        first = int(np.argmax(left))
        kept.append(first)
        left &= np.hypot(*(places - places[first]).T) >= apart
        left[first] = False
    return np.array(kept, dtype=np.int64)
