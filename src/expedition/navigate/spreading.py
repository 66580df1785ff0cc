"""Spreading: the cheapest ways from one cell to all around it, nearest first, and on from there whenever more is asked.

Dial's bucket queue (1969) with Dinitz's observation (1978) that buckets may be as wide as the cheapest step: whatever
lies in the lowest bucket is settled, in any order, because every step leads into a later one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.costs import CostGrid
from expedition.navigate.steps import LONGEST_STEP, STRAIGHT, TURNS, StepTable, U, neighbour_offsets

INFINITE = 2**31 - 1
"""The distance of cells that were not reached; ways of ten million cells stay below."""
BUCKET_BITS = 6
BUCKETS = 16
assert 1 << BUCKET_BITS <= STRAIGHT
assert LONGEST_STEP < (BUCKETS - 1) << BUCKET_BITS

Distances = NDArray[np.int32]
Integers = NDArray[np.int64]


class Front(NamedTuple):
    """How far a spreading has come."""

    buckets: NDArray[np.int32]
    """(BUCKETS, cells): the cells at its front, by distance."""
    heading: NDArray[np.uint8]
    """(cells,): the direction of the step that led to each."""
    sizes: Integers
    """(BUCKETS,): how many cells each bucket holds."""
    level: Integers
    """(1,): all whose distance is below this many buckets are settled."""


def new_front(cells: int) -> Front:
    """Of a grid of so many cells; what is never used of it takes no memory."""
    return Front(
        np.empty((BUCKETS, cells), dtype=np.int32),
        np.empty(cells, dtype=np.uint8),
        np.zeros(BUCKETS, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


shared_front = lru_cache(maxsize=4)(new_front)
"""One for all who spread at once as far as they need."""


@kernel
def begin_spread(best: Distances, front: Front, start: int) -> None:
    """Make ready to spread from a cell: `best` (cells,) holds the distances. Cost: one write a cell."""
    best[:] = INFINITE
    best[start] = 0
    front.sizes[:] = 0
    front.buckets[0, 0] = start
    front.sizes[0] = 1
    front.level[0] = 0


@kernel
def spread(cost: CostGrid, table: StepTable, best: Distances, front: Front, targets: Integers, farthest: int) -> None:
    """Go on until all `targets` are settled, or everything up to `farthest` is, or all that can be reached.

    Then cells below the front's level hold their distances, and others that of some way, or `INFINITE`. The costs must
    have their ring of occupied cells and be the same each time.

    Invariant: a cell is in a bucket at most once, and whatever is in a bucket before the one at work is settled. Cost:
    five looks a settled cell: whatever lies more than 90 degrees off the step that led to a cell has a way no dearer
    from the cell before, because costs are averages over both ends.
    """
    offsets = neighbour_offsets(cost.shape[1])
    cells = cost.reshape(-1)
    straight, diagonal = table[0], table[1]
    buckets, heading, sizes = front.buckets, front.heading, front.sizes
    remaining = targets.copy()
    left = remaining.size
    level = front.level[0]
    waiting = sizes.sum()
    while True:
        index = 0
        while index < left:
            if best[remaining[index]] >> BUCKET_BITS < level:
                left -= 1
                remaining[index] = remaining[left]
            else:
                index += 1
        if left == 0 or waiting == 0 or level > farthest >> BUCKET_BITS:
            break
        slot = U(level & (BUCKETS - 1))
        size = sizes[slot]
        for index in range(size):
            cell = U(buckets[slot, U(index)])
            reached = best[cell]
            if reached >> BUCKET_BITS != level:
                continue
            own = U(cells[cell])
            own_straight, own_diagonal = straight[own], diagonal[own]
            first, looks = (U(0), TURNS) if level == 0 else (U(heading[cell] + TURNS - 2), 5)
            hopeless = reached + np.int32(STRAIGHT)
            for look in range(looks):
                turn = (first + U(look)) & U(TURNS - 1)
                near = cell + offsets[turn]
                before = best[near]
                if before <= hopeless:
                    continue
                if turn & U(1):
                    weight = diagonal[U(cells[near])]
                    if (
                        weight == 0
                        or straight[U(cells[cell + offsets[turn - U(1)]])] == 0
                        or straight[U(cells[cell + offsets[turn + U(1)]])] == 0
                    ):
                        continue
                    offer = reached + ((own_diagonal + weight) >> 1)
                else:
                    weight = straight[U(cells[near])]
                    if weight == 0:
                        continue
                    offer = reached + ((own_straight + weight) >> 1)
                if offer < before:
                    best[near] = offer
                    heading[near] = turn
                    offered = offer >> BUCKET_BITS
                    if before >> BUCKET_BITS != offered:
                        into = U(offered & (BUCKETS - 1))
                        buckets[into, U(sizes[into])] = near
                        sizes[into] += 1
                        waiting += 1
        waiting -= size
        sizes[slot] = 0
        level += 1
    front.level[0] = level


@kernel
def flood(cost: CostGrid, table: StepTable, start: int, reached: NDArray[np.bool_], room: NDArray[np.int32]) -> int:
    """Mark all cells (cells,) to which there is a way from a start, which is open; how many they are.

    Straight steps alone lead to all of them, as no diagonal one cuts a corner. Goes from stretch to stretch of open
    cells within a row, and from each on to the next row, and back where it reaches beyond the one it came from (P. S.
    Heckbert, 1990). `room` (at least 12 a cell) holds the stretches still to look at. Cost: two looks a cell.
    """
    columns = cost.shape[1]
    cells = cost.reshape(-1)
    is_open = table[0] > 0
    reached[:] = False
    waiting = _put(room, 0, start, start, columns)
    waiting = _put(room, waiting, start - columns, start - columns, -columns)
    count = 0
    while waiting > 0:
        waiting -= 3
        first, last = int(room[U(waiting)]), int(room[U(waiting + 1)])
        onward = int(room[U(waiting + 2)])
        cell = first
        if _is_new(cells, is_open, reached, first):
            while _is_new(cells, is_open, reached, cell - 1):
                cell -= 1
            if cell < first:
                waiting = _put(room, waiting, cell - onward, first - 1 - onward, -onward)
        while cell <= last:
            begin = cell
            while _is_new(cells, is_open, reached, cell):
                reached[U(cell)] = True
                cell += 1
            if cell > begin:
                count += cell - begin
                waiting = _put(room, waiting, begin + onward, cell - 1 + onward, onward)
                if cell > last + 1:
                    waiting = _put(room, waiting, last + 1 - onward, cell - 1 - onward, -onward)
            cell += 1
    return count


@kernel
def _is_new(cells: NDArray[np.uint8], is_open: NDArray[np.bool_], reached: NDArray[np.bool_], cell: int) -> bool:
    return bool(is_open[U(cells[U(cell)])] and not reached[U(cell)])


@kernel
def _put(room: NDArray[np.int32], waiting: int, first: int, last: int, onward: int) -> int:
    """Note a stretch to look at, and where it leads on to; how much of the room is taken now."""
    room[U(waiting)], room[U(waiting + 1)], room[U(waiting + 2)] = first, last, onward
    return waiting + 3
