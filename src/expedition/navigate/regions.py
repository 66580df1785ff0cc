"""Regions of open space: one around each end and each fork of its skeleton, and which of them touch.

Regions are what a person would call rooms, crossings and stretches of corridor. Every open cell is in exactly one, each
region hangs together by straight steps, and two of them are neighbours where one straight step leads from
one into the other: so there is a way over regions exactly where there is a way over cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.morphology import skeletonize

from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid
from expedition.navigate.steps import StepTable

AROUND = np.ones((3, 3), dtype=np.uint8)


class Regions(NamedTuple):
    """The regions of a grid and their graph: region r touches `near[first[r] : first[r + 1]]`."""

    region: NDArray[np.int32]
    """Of each cell (row * columns + column); -1 for closed cells."""
    first: NDArray[np.int64]
    near: NDArray[np.int64]
    steps: NDArray[np.int64]
    """From one region's middle to the other's, beside each entry of `near`."""


def find_regions(cost: CostGrid, table: StepTable) -> Regions:
    """The regions of the open cells of a grid, by its skeleton as scikit-image finds it."""
    is_open = (table[0] > 0)[cost]
    skeleton: NDArray[np.bool_] = skeletonize(is_open)  # type: ignore[no-untyped-call]
    around = ndimage.convolve(skeleton.astype(np.uint8), AROUND, mode="constant")
    labels, count = ndimage.label(skeleton & (around != 3), structure=AROUND)
    # Each end or fork is a few cells that touch; the first stands for it.
    _, middles = np.unique(labels, return_index=True)
    region, steps = grow(is_open, middles[labels.ravel()[middles] > 0].astype(np.int64))
    pairs = np.concatenate([_touching(region, steps, cost.shape, axis) for axis in (0, 1)])
    count = int(region.max(initial=-1)) + 1
    key = pairs[:, 0] * count + pairs[:, 1]
    order = np.lexsort((pairs[:, 2], key))
    nearest = order[np.unique(key[order], return_index=True)[1]]
    one, two, length = pairs[nearest].T
    first = np.searchsorted(one, np.arange(count + 1))
    return Regions(region, first.astype(np.int64), np.ascontiguousarray(two), np.ascontiguousarray(length))


def _touching(
    region: NDArray[np.int32], steps: NDArray[np.int32], shape: tuple[int, ...], axis: int
) -> NDArray[np.int64]:
    """Rows of (region, other region, steps between their middles) for all straight steps along an axis, both ways."""
    regions, depths = (np.moveaxis(values.reshape(shape), axis, 0).astype(np.int64) for values in (region, steps))
    here, there = regions[:-1], regions[1:]
    border = (here != there) & (here >= 0) & (there >= 0)
    length = (depths[:-1] + depths[1:] + 1)[border]
    forth = np.stack([here[border], there[border], length], axis=1)
    return np.concatenate([forth, forth[:, [1, 0, 2]]])


@kernel
def grow(is_open: NDArray[np.bool_], middles: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Each open cell's region, and its steps from the region's middle, by growing all regions at once.

    Open cells that no middle reaches by straight steps get regions of their own, begun at the first cell in row order.
    The outermost ring of cells must be closed. Invariant: cells are in the queue in order of their steps, each once.
    Cost: four looks an open cell.
    """
    columns = is_open.shape[1]
    cells = is_open.reshape(-1)
    region = np.full(cells.size, -1, dtype=np.int32)
    steps = np.zeros(cells.size, dtype=np.int32)
    queue = np.empty(cells.size, dtype=np.int64)
    head, tail, count = 0, 0, 0
    for middle in middles:
        region[middle] = count
        count += 1
        queue[tail] = middle
        tail += 1
    for unseen in range(cells.size + 1):
        while head < tail:
            cell = queue[head]
            head += 1
            for offset in (1, columns, -1, -columns):
                near = cell + offset
                if cells[near] and region[near] < 0:
                    region[near] = region[cell]
                    steps[near] = steps[cell] + 1
                    queue[tail] = near
                    tail += 1
        if unseen < cells.size and cells[unseen] and region[unseen] < 0:
            region[unseen] = count
            count += 1
            queue[tail] = unseen
            tail += 1
    return region, steps
