"""What changed in maps, as few rectangles that hold all of it and little else. Kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import FREE, TILE, UNKNOWN
from expedition.kernels import kernel

States = NDArray[np.uint8]
Bounds = NDArray[np.int32]
Rectangles = NDArray[np.int64]

LEAST_SAVED = 6
"""Tiles that must be left out for a rectangle to be split in two; each message more has its price, too."""
MOST_PARTS = 256
"""Rectangles of one map at most."""
NOTHING = 1 << 30


@kernel
def find_changes(
    state: States, last: States, stamp: NDArray[np.int64], since: int, bounds: Bounds, union: States, joint: Bounds
) -> bool:
    """Bring `last` up to `state`, and keep where they differed.

    `bounds` (tile rows, tile columns, 4) are the lowest and highest row and column that changed in each tile; `joint`
    is the same for `union`, in which a cell is what the robot believes that came to know it, or changed its mind, last.
    An empty `union` is left alone. Cost: the cells of tiles stamped after `since`. Returns whether anything changed.
    """
    changed = False
    for i in range(stamp.shape[0]):
        for j in range(stamp.shape[1]):
            if stamp[i, j] <= since:
                continue
            for row in range(i * TILE, (i + 1) * TILE):
                for column in range(j * TILE, (j + 1) * TILE):
                    now = state[row, column]
                    if now == last[row, column]:
                        continue
                    last[row, column] = now
                    changed = True
                    _widen(bounds[i, j], row, column)
                    if union.size > 0 and now != UNKNOWN and union[row, column] != now:
                        union[row, column] = now
                        _widen(joint[i, j], row, column)
    return changed


@kernel
def find_all_changes(
    state: States,
    last: States,
    stamp: NDArray[np.int64],
    since: int,
    bounds: Bounds,
    changed: NDArray[np.bool_],
    union: States,
    joint: Bounds,
) -> None:
    """`find_changes` of many maps; `changed` becomes true for those in which anything did."""
    for node in range(len(state)):
        if find_changes(state[node], last[node], stamp[node], since, bounds[node], union, joint):
            changed[node] = True


@kernel
def join(now: States, before: States, union: States, joint: Bounds) -> None:
    """As `find_changes`, for a map without stamps: cells that are news go into `union`. Cost: all cells."""
    for row in range(now.shape[0]):
        for column in range(now.shape[1]):
            state = now[row, column]
            if state != before[row, column]:
                before[row, column] = state
                if state != UNKNOWN and union[row, column] != state:
                    union[row, column] = state
                    _widen(joint[row // TILE, column // TILE], row, column)


@kernel
def _widen(bound: Bounds, row: int, column: int) -> None:
    bound[0], bound[1] = min(bound[0], row), max(bound[1], row)
    bound[2], bound[3] = min(bound[2], column), max(bound[3], column)


@kernel
def forget(bounds: Bounds) -> None:
    """Nothing has changed."""
    bounds[:, :, 0] = NOTHING
    bounds[:, :, 1] = -1
    bounds[:, :, 2] = NOTHING
    bounds[:, :, 3] = -1


@kernel
def cover_all_changes(bounds: Bounds, changed: NDArray[np.bool_], rectangles: Rectangles) -> int:
    """`cover_changes` of many maps: rectangles (n, 5) begin with the number of the map. All is forgotten then."""
    parts = np.empty((MOST_PARTS + 2, 4), dtype=np.int64)
    found = 0
    for node in range(len(bounds)):
        if changed[node]:
            changed[node] = False
            count = cover_changes(bounds[node], parts)
            forget(bounds[node])
            for k in range(count):
                rectangles[found, 0] = node
                rectangles[found, 1:] = parts[k]
                found += 1
    return found


@kernel
def cover_changes(bounds: Bounds, rectangles: Rectangles) -> int:
    """Rectangles (n, 4: row, column, rows, columns) of cells that cover all that changed; returns how many.

    A box of tiles is split in two, again and again, as long as that leaves out enough. Cost: the tiles, a few times.
    """
    boxes = np.empty((MOST_PARTS + 2, 4), dtype=np.int64)
    boxes[0] = 0, bounds.shape[0], 0, bounds.shape[1]
    waiting, found = 1, 0
    longest = max(bounds.shape[0], bounds.shape[1])
    low, high, before = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    while waiting > 0:
        waiting -= 1
        box = boxes[waiting].copy()
        _shrink(bounds, box)
        top, bottom, left, right = box
        if bottom <= top:
            continue
        area = (bottom - top) * (right - left)
        best, axis, at = area - LEAST_SAVED, -1, 0
        if area > 1 and found + waiting < MOST_PARTS - 2:
            for way in range(2):
                cut, size = _best_cut(bounds, box, way, low, high, before)
                if size <= best:
                    best, axis, at = size, way, cut
        if axis < 0:
            _cells_of(bounds, box, rectangles[found])
            found += 1
            continue
        boxes[waiting] = box
        boxes[waiting + 1] = box
        boxes[waiting, 2 * axis + 1] = at
        boxes[waiting + 1, 2 * axis] = at
        waiting += 2
    return found


@kernel
def _shrink(bounds: Bounds, box: NDArray[np.int64]) -> None:
    """Make a box of tiles (rows from and before, columns from and before) as small as what changed in it."""
    top, bottom, left, right = box
    box[0], box[1], box[2], box[3] = NOTHING, 0, NOTHING, 0
    for i in range(top, bottom):
        for j in range(left, right):
            if bounds[i, j, 1] >= 0:
                box[0], box[1] = min(box[0], i), max(box[1], i + 1)
                box[2], box[3] = min(box[2], j), max(box[3], j + 1)


@kernel
def _best_cut(
    bounds: Bounds,
    box: NDArray[np.int64],
    axis: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    before: NDArray[np.int64],
) -> tuple[int, int]:
    """Where to cut a box across an axis so that the two boxes around what changed are smallest; how large they are.

    `low`, `high` and `before` are room to work in.
    """
    begin, end = box[2 * axis], box[2 * axis + 1]
    start, stop = box[2 - 2 * axis], box[3 - 2 * axis]
    for i in range(begin, end):
        low[i - begin], high[i - begin] = NOTHING, -1
        for j in range(start, stop):
            changed = bounds[i, j, 1] >= 0 if axis == 0 else bounds[j, i, 1] >= 0
            if changed:
                low[i - begin], high[i - begin] = min(low[i - begin], j), j
    size = end - begin
    lowest, highest, last = NOTHING, -1, -1
    for i in range(size):
        if high[i] >= 0:
            lowest, highest, last = min(lowest, low[i]), max(highest, high[i]), i
        before[i] = (highest + 1 - lowest) * (last + 1)
    best, at = NOTHING, -1
    lowest, highest, last = NOTHING, -1, size
    for i in range(size - 1, 0, -1):
        if high[i] >= 0:
            lowest, highest, last = min(lowest, low[i]), max(highest, high[i]), i
        both = before[i - 1] + (highest + 1 - lowest) * (size - last)
        if both < best:
            best, at = both, i + begin
    return at, best


@kernel
def _cells_of(bounds: Bounds, box: NDArray[np.int64], rectangle: NDArray[np.int64]) -> None:
    """The rectangle of cells around all that changed in a box of tiles."""
    cells = np.array([NOTHING, -1, NOTHING, -1], dtype=np.int32)
    for i in range(box[0], box[1]):
        for j in range(box[2], box[3]):
            if bounds[i, j, 1] >= 0:
                _widen(cells, bounds[i, j, 0], bounds[i, j, 2])
                _widen(cells, bounds[i, j, 1], bounds[i, j, 3])
    rectangle[0], rectangle[1] = cells[0], cells[2]
    rectangle[2], rectangle[3] = cells[1] + 1 - cells[0], cells[3] + 1 - cells[2]


@kernel
def pack_updates(
    states: States,
    rectangles: Rectangles,
    front: NDArray[np.uint8],
    channels: NDArray[np.uint16],
    starts: NDArray[np.uint64],
) -> NDArray[np.uint8]:
    """Records of messages `map_msgs/OccupancyGridUpdate`, one a rectangle (map, row, column, rows, columns).

    `front` is such a record of no cells, with all that does not depend on the rectangle; `channels` are those of the
    maps; `starts` is filled with where each record begins. Cost: the cells.
    """
    fixed = len(front)
    size = 0
    for k in range(len(rectangles)):
        starts[k] = size
        size += fixed + rectangles[k, 3] * rectangles[k, 4]
    data = np.empty(size, dtype=np.uint8)
    at = 0
    for k in range(len(rectangles)):
        node, row, column, rows, columns = rectangles[k]
        cells = rows * columns
        data[at : at + fixed] = front
        _put_number(data, at + 1, fixed - 9 + cells, 8)
        _put_number(data, at + 9, channels[node], 2)
        _put_number(data, at + fixed - 20, column, 4)
        _put_number(data, at + fixed - 16, row, 4)
        _put_number(data, at + fixed - 12, columns, 4)
        _put_number(data, at + fixed - 8, rows, 4)
        _put_number(data, at + fixed - 4, cells, 4)
        at += fixed
        for i in range(row, row + rows):
            for j in range(column, column + columns):
                data[at] = occupancy(states[node, i, j])
                at += 1
    return data


@kernel
def _put_number(data: NDArray[np.uint8], at: int, number: int, size: int) -> None:
    for k in range(size):
        data[at + k] = (number >> (8 * k)) & 255


@kernel
def occupancy(state: int) -> int:
    """The byte of ROS's occupancy: -1 unknown, 0 free, 100 occupied."""
    return 255 if state == UNKNOWN else 0 if state == FREE else 100
