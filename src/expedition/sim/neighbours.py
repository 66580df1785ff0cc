"""Which bodies can meet within a control period: found once, used in every physics tick of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel


class Neighbours(NamedTuple):
    """The neighbours of body i are others[first[i] : first[i + 1]], in rising order."""

    first: NDArray[np.int64]
    others: NDArray[np.int64]


@kernel
def find_neighbours(pose: NDArray[np.float64], reach: NDArray[np.float64]) -> Neighbours:
    """Bodies i and j are neighbours if they are nearer than reach[i] + reach[j].

    Bodies are sorted into square buckets as wide as the largest reach allows, so the cost follows the bodies and
    how crowded they are.
    """
    count = len(pose)
    first = np.zeros(count + 1, dtype=np.int64)
    if count < 2:
        return Neighbours(first, np.zeros(0, dtype=np.int64))
    x_low, y_low = pose[:, 0].min(), pose[:, 1].min()
    extent = max(pose[:, 0].max() - x_low, pose[:, 1].max() - y_low)
    width = max(2.0 * reach.max(), extent / 256.0, 1e-6)
    across = np.int64(extent / width) + 1
    start = np.zeros(across * across + 1, dtype=np.int64)
    bucket = np.empty(count, dtype=np.int64)
    for i in range(count):
        bucket[i] = np.int64((pose[i, 1] - y_low) / width) * across + np.int64((pose[i, 0] - x_low) / width)
        start[bucket[i] + 1] += 1
    for k in range(across * across):
        start[k + 1] += start[k]
    members = np.empty(count, dtype=np.int64)
    filled = start[:-1].copy()
    for i in range(count):
        members[filled[bucket[i]]] = i
        filled[bucket[i]] += 1

    others = np.empty(8 * count, dtype=np.int64)
    found = 0
    for i in range(count):
        row, column = bucket[i] // across, bucket[i] % across
        for near_row in range(max(row - 1, 0), min(row + 2, across)):
            for near_column in range(max(column - 1, 0), min(column + 2, across)):
                for k in range(start[near_row * across + near_column], start[near_row * across + near_column + 1]):
                    j = members[k]
                    dx, dy, near = pose[i, 0] - pose[j, 0], pose[i, 1] - pose[j, 1], reach[i] + reach[j]
                    if j != i and dx * dx + dy * dy < near * near:
                        if found == len(others):
                            larger = np.empty(2 * len(others), dtype=np.int64)
                            larger[:found] = others
                            others = larger
                        others[found] = j
                        found += 1
        first[i + 1] = found
        others[first[i] : found].sort()
    return Neighbours(first, others[:found])
