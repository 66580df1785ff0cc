"""The open list of a search: cells that wait by what the whole way through them would cost at least.

Buckets in a circle, 16 cost units wide, the newest cell first: in open ground a search runs straight to its goal.
Within a bucket a cell may come too early; if a cheaper way to it turns up, it waits again, so that what is found is
still the cheapest. Arrays are made once for a size of grid and serve every search: costs are kept below all those of
searches before, which therefore count as never reached, and nothing has to be cleared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.steps import DIAGONAL, LONGEST_STEP, STRAIGHT, U

BUCKET_BITS = 4
BUCKETS = 128
# A step, and the change of the estimate over it, must not come round the circle.
assert 2 * LONGEST_STEP < (BUCKETS - 1) << BUCKET_BITS
HIGHEST = 2**31 - 1
DONE = 8
"""The bit of a heading that says that the cell's neighbours have been looked at."""


FREE, USED = BUCKETS, BUCKETS + 1
"""Where `tops` keeps the newest place that is free again, and how many places were ever used."""
ROOM = 16
"""Places for each cell of the grid: a cell waits again for each cheaper way that leads into another bucket."""


class OpenList(NamedTuple):
    """The arrays of a search over a grid, by cell but for the places and `base`."""

    best: NDArray[np.int32]
    """What it costs to reach each cell, above the base of the search that reached it."""
    heading: NDArray[np.uint8]
    """The direction of the step into each cell reached, and `DONE`."""
    cell: NDArray[np.int32]
    """By place: who waits there ..."""
    below: NDArray[np.int32]
    """... and the place below it in the same bucket, -1 at the bottom."""
    base: NDArray[np.int64]
    """One number: the cost at the start of the latest search."""


@lru_cache(maxsize=4)
def open_list(cells: int) -> OpenList:
    """The one open list for grids of so many cells; memory is taken only as far as cells wait."""
    return OpenList(
        np.full(cells, HIGHEST, dtype=np.int32),
        np.empty(cells, dtype=np.uint8),
        np.empty(ROOM * cells, dtype=np.int32),
        np.empty(ROOM * cells, dtype=np.int32),
        np.full(1, HIGHEST, dtype=np.int64),
    )


@kernel
def span_of(cells: int) -> int:
    """More than any way over so many cells costs."""
    return min(LONGEST_STEP * cells, 2**30) + 1


@kernel
def begin(waiting: OpenList) -> int:
    """Start a search: its base, below every cost that is in `best` from earlier ones.

    Once the numbers are used up everything is cleared; in between there is room for the dearest way over all cells.
    """
    span = span_of(waiting.best.size)
    if waiting.base[0] - span < -HIGHEST:
        waiting.best[:] = HIGHEST
        waiting.base[0] = HIGHEST
    waiting.base[0] -= span
    return int(waiting.base[0])


@kernel
def empty_buckets() -> NDArray[np.int64]:
    """`tops`: for each bucket the place of its newest cell, -1 if it is empty."""
    tops = np.full(BUCKETS + 2, -1, dtype=np.int64)
    tops[USED] = 0
    return tops


@kernel
def push(waiting: OpenList, tops: NDArray[np.int64], slot: np.uint64, cell: np.uint64) -> None:
    """Let a cell wait on top of a bucket."""
    place = tops[FREE]
    if place >= 0:
        tops[FREE] = waiting.below[place]
    else:
        place = tops[USED]
        tops[USED] += 1
    waiting.cell[place] = cell
    waiting.below[place] = tops[slot]
    tops[slot] = place


@kernel
def pop(waiting: OpenList, tops: NDArray[np.int64], slot: np.uint64) -> np.uint64:
    """Take the newest cell out of a bucket that is not empty."""
    place = tops[slot]
    tops[slot] = waiting.below[place]
    waiting.below[place] = tops[FREE]
    tops[FREE] = place
    return U(waiting.cell[place])


@kernel
def reached_cost(waiting: OpenList, cell: int) -> int:
    """What it costs to reach a cell as far as the latest search knows; -1 if it did not reach it."""
    above = waiting.best[cell] - waiting.base[0]
    return above if above < span_of(waiting.best.size) else -1


@kernel
def enter(waiting: OpenList, tops: NDArray[np.int64], cell: np.uint64, turn: np.uint64, offer: int, ahead: int) -> int:
    """Reach a cell by a cheaper way; how many more cells wait now.

    `ahead` is what the rest of the way costs at least, less that of the whole search. Invariant: a cell waits at most
    once in a bucket, and in the lowest one by its best cost.
    """
    before = np.int64(waiting.best[cell])
    done = waiting.heading[cell] & DONE
    waiting.best[cell] = offer
    waiting.heading[cell] = turn
    level = (offer + ahead) >> BUCKET_BITS
    if done == 0 and (before + ahead) >> BUCKET_BITS == level:
        return 0
    push(waiting, tops, U(level & (BUCKETS - 1)), cell)
    return 1


@kernel
def octile(rows: int, columns: int) -> int:
    """What a way over so many rows and columns costs at least: diagonal steps, then straight ones."""
    rows, columns = abs(rows), abs(columns)
    return STRAIGHT * max(rows, columns) + (DIAGONAL - STRAIGHT) * min(rows, columns)
