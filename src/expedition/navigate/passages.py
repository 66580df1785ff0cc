"""Passages too narrow for two robots, found in a robot's map along its path and along the way it came."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED
from expedition.kernels import kernel
from expedition.navigate.local_records import NO_CLAIM, Record

Floats = NDArray[np.float64]

STEP = 0.3
"""The path is looked at every so many metres."""
VIEW = 5.0
"""Passages that begin nearer ahead than this are known, with all their length, in metres."""
JOIN = 1.2
"""Two passages with less room than this between them are one: a robot could not wait there, in metres."""
TRAIL = 128
"""How many points of its way so far a robot remembers, STEP metres apart."""
SLANT = 0.75
"""What lies within this sine of straight across narrows the way; what lies farther ahead or behind does not."""


@kernel
def is_narrow(
    state: NDArray[np.uint8],
    origin_x: float,
    origin_y: float,
    resolution: float,
    x: float,
    y: float,
    along_x: float,
    along_y: float,
    width: float,
) -> bool:
    """Whether occupied cells to both sides of a point leave less than `width` across the direction (along_x, along_y).

    A wall straight ahead or behind is one to stand before, or where a passage turns, and none to pass between.
    Costs one look at each cell within `width` of the point.
    """
    rows, columns = state.shape
    left = right = width
    low_row = max(math.floor((y - width - origin_y) / resolution), 0)
    high_row = min(math.floor((y + width - origin_y) / resolution), rows - 1)
    low_column = max(math.floor((x - width - origin_x) / resolution), 0)
    high_column = min(math.floor((x + width - origin_x) / resolution), columns - 1)
    for row in range(low_row, high_row + 1):
        for column in range(low_column, high_column + 1):
            if state[row, column] != OCCUPIED:
                continue
            dx = origin_x + (column + 0.5) * resolution - x
            dy = origin_y + (row + 0.5) * resolution - y
            across = along_x * dy - along_y * dx
            ahead = along_x * dx + along_y * dy
            distance = math.sqrt(dx * dx + dy * dy)
            if abs(ahead) > SLANT * distance:
                if abs(across) < resolution and distance < 0.6 * width:
                    return False
                continue
            distance = max(distance - 0.5 * resolution, 0.0)
            if across > 0.0:
                left = min(left, distance)
            else:
                right = min(right, distance)
    return left + right < width


@kernel
def point_along(path: Floats, lengths: Floats, count: int, along: float) -> tuple[float, float, int]:
    """The point `along` metres from the path's start, straight on beyond its ends, and its segment."""
    k = 0
    while k < count - 2 and lengths[k + 1] < along:
        k += 1
    if count < 2:
        return path[0, 0], path[0, 1], 0
    share = (along - lengths[k]) / max(lengths[k + 1] - lengths[k], 1e-9)
    share = min(max(share, 0.0), 1.0)
    x = path[k, 0] + share * (path[k + 1, 0] - path[k, 0])
    return x, path[k, 1] + share * (path[k + 1, 1] - path[k, 1]), k


@kernel
def look_for_passage(
    memory: Record,
    path: Floats,
    lengths: Floats,
    state: NDArray[np.uint8],
    origin_x: float,
    origin_y: float,
    resolution: float,
    width: float,
) -> None:
    """Keep the next passage of the path in `memory`: looks at each stretch of the path once, as the robot nears it."""
    if memory.along > memory.passage_to + 0.2:
        memory.passage_from = memory.passage_to = math.inf
        memory.claim = NO_CLAIM
        memory.inside = 0
    count = memory.points
    while memory.scanned < memory.length:
        found = memory.passage_from < math.inf
        if found and memory.scanned > memory.passage_to + JOIN:
            return
        if not found and memory.scanned > memory.along + VIEW:
            return
        x, y, k = point_along(path, lengths, count, memory.scanned)
        length = max(lengths[k + 1] - lengths[k], 1e-9)
        along_x, along_y = (path[k + 1, 0] - path[k, 0]) / length, (path[k + 1, 1] - path[k, 1]) / length
        if is_narrow(state, origin_x, origin_y, resolution, x, y, along_x, along_y, width):
            if not found:
                memory.passage_from = memory.scanned
            memory.passage_to = memory.scanned
        memory.scanned += STEP


@kernel
def keep_trail(
    memory: Record,
    trail: Floats,
    pose: Floats,
    state: NDArray[Any],
    origin_x: float,
    origin_y: float,
    resolution: float,
    width: float,
    retreats: bool,
) -> None:
    """Remember the way so far, and whether it is narrow here; a robot that retreats takes its way back instead."""
    last = memory.trail - 1
    if last < 0:
        trail[0, 0], trail[0, 1] = pose[0], pose[1]
        memory.trail = 1
        return
    dx, dy = pose[0] - trail[last, 0], pose[1] - trail[last, 1]
    moved = math.sqrt(dx * dx + dy * dy)
    if retreats:
        if moved < STEP and last > 0:
            memory.trail = last
            memory.depth = max(memory.depth - STEP, 0.0)
            dx, dy = trail[last, 0] - trail[last - 1, 0], trail[last, 1] - trail[last - 1, 1]
            moved = max(math.sqrt(dx * dx + dy * dy), 1e-9)
        else:
            return
    elif moved < STEP:
        return
    else:
        if memory.trail == TRAIL:
            for k in range(TRAIL - 1):
                trail[k, 0], trail[k, 1] = trail[k + 1, 0], trail[k + 1, 1]
            memory.trail -= 1
        trail[memory.trail, 0], trail[memory.trail, 1] = pose[0], pose[1]
        memory.trail += 1
    narrow = is_narrow(
        state, origin_x, origin_y, resolution, pose[0], pose[1], dx / moved, dy / moved, width
    )  # fmt: skip
    if narrow and memory.inside == 0:
        memory.entry_x, memory.entry_y = pose[0], pose[1]
        memory.depth = 0.0
    elif narrow and not retreats:
        memory.depth += moved
    within = memory.passage_from <= memory.along <= memory.passage_to
    memory.inside = 1 if narrow or (memory.inside == 1 and within) else 0
