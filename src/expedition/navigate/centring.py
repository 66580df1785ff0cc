"""Narrow places: the stretch of path ahead moved to the middle between what is to its left and to its right.

Paths lead over the middles of map cells, up to half a cell beside the middle of a door. Where the body fits through
with a few centimetres to spare that is too far off; what the lidar sees is exact.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.local_records import Record

Floats = NDArray[np.float64]

STEP = 0.12
"""Metres between the points that are moved."""
BESIDE = 0.15
"""What lies no farther than this before or behind a point counts as beside it, in metres."""
ROOM = 0.2
"""With more than this to both sides of the body there is no need to be in the middle, in metres."""
MEASURED = 1.0
"""How far ahead the lidar measures the width of a place, in metres."""
NO_ROOM = 0.03
"""With less room than this to both sides together the body does not fit through, in metres."""
BESIDE_PATH = 0.5
"""What is nearer to the path than this share of half the body stands on it, and makes no passage narrow."""
INSIDE, LOOKS_AHEAD = 0.1, 1.6
"""From where to where passages that are too narrow are looked for, in metres: in a nearer one the robot is already."""
AROUND = 0.3
"""The width of a passage is that between walls no farther than this before or behind a point of it, in metres."""
OFF = 0.25
"""What is no farther than this from a teammate's body, as it was heard, may be that teammate, in metres."""
FARTHEST = 0.2
"""Metres by which a point is moved at most."""


@kernel
def centre(
    body: Record,
    local: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    centred: Floats,
    offsets: Floats,
) -> tuple[int, float, float]:
    """Move `local`, in the robot's frame, to the middle of narrow places.

    Returns its number of points, and the least room for the body, in metres to both sides together, of the places that
    are narrow within `MEASURED`; infinite if none is. Third, how far along a passage begins that is narrower than those
    which the body is sure to pass, or than the body; infinite if none does. Teammates make nothing narrow.

    Cost: the points of the path times the obstacles, where any obstacle is so near to the path that it matters.
    """
    half = body.half_width if body.half_width >= 0.0 else body.half_length
    length = local[count - 1, 2]
    steps = min(math.ceil(length / STEP), len(centred) - 1)
    if steps < 2 or obstacles == 0:
        return count, math.inf, math.inf
    moved, room = False, math.inf
    narrow_from, narrow_at = math.inf, math.inf
    for k in range(steps + 1):
        x, y, segment = point_along(local, local[:, 2], count, length * k / steps)
        dx, dy = local[segment + 1, 0] - local[segment, 0], local[segment + 1, 1] - local[segment, 1]
        long = max(math.sqrt(dx * dx + dy * dy), 1e-9)
        dx, dy = dx / long, dy / long
        left = right = half + ROOM
        for i in range(obstacles):
            px, py = points[i, 0] - x, points[i, 1] - y
            across = dx * py - dy * px
            if abs(across) >= half + ROOM or abs(dx * px + dy * py) > BESIDE:
                continue
            if _is_teammate(points[i, 0], points[i, 1], discs, teammates):
                continue
            if across > 0.0:
                left = min(left, across)
            else:
                right = min(right, -across)
        offsets[k] = min(max(0.5 * (left - right), -FARTHEST), FARTHEST)
        moved = moved or offsets[k] != 0.0
        along, spare = length * k / steps, left + right - 2.0 * half
        if max(left, right) < half + ROOM and along < MEASURED:
            room = min(room, spare)
            if spare < NO_ROOM and min(left, right) > BESIDE_PATH * half:
                narrow_at = min(narrow_at, along)
        if spare >= body.spare:
            narrow_from = math.inf
        elif along <= LOOKS_AHEAD:
            narrow_from = min(narrow_from, along)
            width = body.spare + 2.0 * half
            if (
                min(left, right) > BESIDE_PATH * half
                and narrow_from > INSIDE
                and along < narrow_at
                and _is_narrower(width, x, y, dx, dy, points, obstacles, discs, teammates)
            ):
                narrow_at = along
        centred[k, 0], centred[k, 1] = x, y
        centred[k, 2], centred[k, 3] = -dy, dx
    if not moved:
        return count, room, narrow_at
    for k in range(steps + 1):
        before, after = offsets[max(k - 1, 0)], offsets[min(k + 1, steps)]
        offset = 0.25 * before + 0.5 * offsets[k] + 0.25 * after
        x, y = centred[k, 0] + offset * centred[k, 2], centred[k, 1] + offset * centred[k, 3]
        local[k, 0], local[k, 1] = x, y
        local[k, 2] = 0.0 if k == 0 else local[k - 1, 2] + math.hypot(x - local[k - 1, 0], y - local[k - 1, 1])
    return steps + 1, room, narrow_at


@kernel
def _is_narrower(
    width: float,
    x: float,
    y: float,
    dx: float,
    dy: float,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
) -> bool:
    """Whether what is to the left of a point and what is to its right are nearer to each other than a width.

    Paths may lead through a door at an angle: across them it is narrower than it is. Cost: pairs of obstacles.
    """
    for i in range(obstacles):
        ax, ay = points[i, 0] - x, points[i, 1] - y
        across = dx * ay - dy * ax
        if not 0.0 < across < width or abs(dx * ax + dy * ay) > AROUND:
            continue
        if _is_teammate(points[i, 0], points[i, 1], discs, teammates):
            continue
        for j in range(obstacles):
            bx, by = points[j, 0] - x, points[j, 1] - y
            if dx * by - dy * bx > 0.0 or abs(dx * bx + dy * by) > AROUND:
                continue
            if math.hypot(ax - bx, ay - by) < width and not _is_teammate(points[j, 0], points[j, 1], discs, teammates):
                return True
    return False


@kernel
def _is_teammate(x: float, y: float, discs: Floats, teammates: int) -> bool:
    """Whether what stands at a point may be a teammate, which may have moved or be a little off."""
    found = False
    for k in range(teammates):
        found = found or math.hypot(x - discs[k, 0], y - discs[k, 1]) < discs[k, 4] + OFF
    return found
