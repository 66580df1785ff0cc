"""What is near a robot and may be run into: ends of beams, walls where no beam looks, teammates.

Most lidars look ahead only. Where a wall stands beside or behind the robot is known to the centimetre from when it was
ahead, and by the cells of the map where that is too long ago.

All in the robot's own frame, so that the search for a velocity starts at the origin. In open space the cost is one
comparison a beam, one look at each map cell within reach, and one distance a teammate.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED
from expedition.kernels import kernel
from expedition.navigate.local_records import Record, Records

Floats = NDArray[np.float64]

MOST_POINTS = 384
DISBELIEVES_AFTER = 4
"""Attempts to get free after which a robot reckons with nothing but what its lidar sees now."""
INSIDE = 0.06
"""What was seen before and would lie so deep within the body is not there, in metres."""
SPACING = 0.03
"""Beam ends nearer to the one before than this add nothing, in metres and for each metre from the robot."""
TEAMMATE_SKIN = 0.12
"""Beam ends this near to a teammate's body are taken to lie on it, in metres."""
MOVES_ON = 0.5
"""Beam ends this near to a teammate are not kept: it may lie on its body where poses are a little off, in metres."""
STRIP = 1.5
"""Half the width of the strip ahead that is watched farther than the robot's reach, in metres."""
WALL_DEPTH = 0.05
"""A wall reaches this far around the middle of the cell that holds it, in metres: coarse cells are mostly free."""
FRESH = 0.6
"""A teammate heard within this many seconds is where it says; its own beam ends are left out then."""


SIDE, SLOT = 48, 0.08
"""Beam ends are kept around each robot in so many slots to each side, one in each of so many metres ..."""
KEPT_FOR = 30.0
"""... and for so many seconds."""


def slots(robots: int) -> NDArray[np.float32]:
    """(robots, SIDE, SIDE, 3): room for the beam ends around robots: x, y in the map's frame, and when it was seen.

    A place has one slot: that of its cell in a grid of `SLOT` metres, modulo `SIDE`.
    """
    return np.full((robots, SIDE, SIDE, 3), -np.inf, dtype=np.float32)


@kernel
def gap_to_point(body: Record, x: float, y: float) -> float:
    """The distance from the body at the origin to a point, negative inside."""
    if body.half_width < 0.0:
        return float(math.sqrt(x * x + y * y) - body.half_length)
    ahead, aside = abs(x) - body.half_length, abs(y) - body.half_width
    if ahead > 0.0 and aside > 0.0:
        return math.sqrt(ahead * ahead + aside * aside)
    return float(max(ahead, aside))


@kernel
def gather_teammates(
    body: Record,
    pose: Floats,
    heard: Records,
    heard_at: Floats,
    time: float,
    timeout: float,
    reach: float,
    discs: Floats,
) -> int:
    """Write teammates within reach to `discs`: x, y, velocity x, y, radius, gap now, age. Returns how many."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    count = 0
    for other in range(len(heard)):
        age = time - heard_at[other]
        if not age < timeout:
            continue
        beacon = heard[other]
        passed = min(age, FRESH)
        dx = beacon.x + passed * beacon.velocity_x - pose[0]
        dy = beacon.y + passed * beacon.velocity_y - pose[1]
        far = reach + beacon.radius + FRESH * (abs(beacon.velocity_x) + abs(beacon.velocity_y))
        if dx * dx + dy * dy > far * far:
            continue
        x, y = dx * c + dy * s, dy * c - dx * s
        discs[count, 0], discs[count, 1] = x, y
        discs[count, 2] = beacon.velocity_x * c + beacon.velocity_y * s
        discs[count, 3] = beacon.velocity_y * c - beacon.velocity_x * s
        discs[count, 4] = beacon.radius
        discs[count, 5] = gap_to_point(body, x, y) - beacon.radius
        discs[count, 6] = age
        count += 1
    return count


@kernel
def gather_points(
    body: Record,
    memory: Record,
    pose: Floats,
    ranges: NDArray[Any],
    beams: Floats,
    state: NDArray[np.uint8],
    origin_x: float,
    origin_y: float,
    resolution: float,
    discs: Floats,
    teammates: int,
    reach: float,
    far: float,
    time: float,
    kept: NDArray[np.float32],
    points: Floats,
) -> tuple[int, int]:
    """Write obstacles within reach to `points`: x, y, gap to the body now. Returns how many, MOST_POINTS at most.

    After them come beam ends straight ahead within `far`, for the choice of a lane; the second number counts both.

    Where the lidar does not look, the beam ends in `kept` count, a robot's row of `slots`, and around none of them the
    cells of the map: the point of each that is nearest to the robot, at most `WALL_DEPTH` from the middle. Poses may be
    off: what would lie within the body is not there, and a robot that is stuck in the end believes the lidar alone.
    """
    count = 0
    if memory.scan_row >= 0:
        count = _beam_ends(
            body, memory, pose, ranges[memory.scan_row], beams, discs, teammates, reach, time, kept, points
        )
        if memory.attempts < DISBELIEVES_AFTER:
            count = _kept_ends(body, pose, reach, time, kept, points, count)
    rows, columns = state.shape
    c, s = math.cos(pose[2]), math.sin(pose[2])
    low_row = max(math.floor((pose[1] - reach - origin_y) / resolution), 0)
    high_row = min(math.floor((pose[1] + reach - origin_y) / resolution), rows - 1)
    low_column = max(math.floor((pose[0] - reach - origin_x) / resolution), 0)
    high_column = min(math.floor((pose[0] + reach - origin_x) / resolution), columns - 1)
    half = min(0.5 * resolution, WALL_DEPTH)
    if memory.attempts >= DISBELIEVES_AFTER and memory.scan_row >= 0:
        high_row = low_row - 1
    for row in range(low_row, high_row + 1):
        for column in range(low_column, high_column + 1):
            if state[row, column] != OCCUPIED or count >= MOST_POINTS:
                continue
            dx = origin_x + (column + 0.5) * resolution - pose[0]
            dy = origin_y + (row + 0.5) * resolution - pose[1]
            dx -= min(max(dx, -half), half)
            dy -= min(max(dy, -half), half)
            x, y = dx * c + dy * s, dy * c - dx * s
            if dx * dx + dy * dy > reach * reach or (memory.scan_row >= 0 and _in_view(body, x, y)):
                continue
            middle_x, middle_y = origin_x + (column + 0.5) * resolution, origin_y + (row + 0.5) * resolution
            if _is_kept(kept, middle_x, middle_y, resolution, time):
                continue
            gap = gap_to_point(body, x, y)
            if gap > -INSIDE:
                points[count, 0], points[count, 1], points[count, 2] = x, y, gap
                count += 1
    every = count
    if memory.scan_row >= 0 and far > reach:
        every = _beam_ends_ahead(body, ranges[memory.scan_row], beams, discs, teammates, reach, far, points, count)
    return count, every


@kernel
def _in_view(body: Record, x: float, y: float) -> bool:
    dx, dy = x - body.lidar_x, y - body.lidar_y
    return bool(dx * body.looks_x + dy * body.looks_y >= body.looks_cosine * math.sqrt(dx * dx + dy * dy) - 1e-9)


@kernel
def _beam_ends(
    body: Record,
    memory: Record,
    pose: Floats,
    ranges: NDArray[Any],
    beams: Floats,
    discs: Floats,
    teammates: int,
    reach: float,
    time: float,
    kept: NDArray[np.float32],
    points: Floats,
) -> int:
    """The ends of beams within reach, seen from where the robot is now, thinned out; all of them are kept."""
    turn = memory.scan_heading - pose[2]
    turn_c, turn_s = math.cos(turn), math.sin(turn)
    c, s = math.cos(pose[2]), math.sin(pose[2])
    dx, dy = memory.scan_x - pose[0], memory.scan_y - pose[1]
    move_x, move_y = dx * c + dy * s, dy * c - dx * s
    farthest = reach + math.sqrt(dx * dx + dy * dy) + math.sqrt(body.lidar_x**2 + body.lidar_y**2)
    count = 0
    last_x = last_y = 1e9
    for beam in range(body.beams):
        distance = ranges[beam]
        # Written so that NaN, of a beam that dropped out, fails.
        if not (distance < farthest and distance < body.lidar_range):
            continue
        there_x = body.lidar_x + distance * beams[body.first_beam + beam, 0]
        there_y = body.lidar_y + distance * beams[body.first_beam + beam, 1]
        x = move_x + there_x * turn_c - there_y * turn_s
        y = move_y + there_x * turn_s + there_y * turn_c
        away = x * x + y * y
        if away > reach * reach:
            continue
        if (x - last_x) ** 2 + (y - last_y) ** 2 < SPACING * SPACING * (1.0 + away):
            continue
        last_x, last_y = x, y
        if _on_teammate(discs, teammates, x, y, TEAMMATE_SKIN):
            continue
        points[count, 0], points[count, 1], points[count, 2] = x, y, gap_to_point(body, x, y)
        count += 1
        if not _on_teammate(discs, teammates, x, y, MOVES_ON):
            there_x, there_y = pose[0] + x * c - y * s, pose[1] + x * s + y * c
            slot = kept[_slot(there_y), _slot(there_x)]
            slot[0], slot[1], slot[2] = there_x, there_y, time
        if count == MOST_POINTS:
            break
    return count


@kernel
def _slot(metres: float) -> int:
    return math.floor(metres / SLOT) % SIDE


@kernel
def _kept_ends(
    body: Record, pose: Floats, reach: float, time: float, kept: NDArray[np.float32], points: Floats, count: int
) -> int:
    """Add the beam ends that were kept and are out of view now. Cost: one look at each slot within reach."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    reach = min(reach, (0.5 * SIDE - 1.0) * SLOT)
    looks = 2 * math.ceil(reach / SLOT) + 1
    first_row, first_column = _slot(pose[1] - reach), _slot(pose[0] - reach)
    for i in range(looks):
        row = (first_row + i) % SIDE
        for j in range(looks):
            slot = kept[row, (first_column + j) % SIDE]
            if time - slot[2] > KEPT_FOR or count >= MOST_POINTS:
                continue
            dx, dy = slot[0] - pose[0], slot[1] - pose[1]
            x, y = dx * c + dy * s, dy * c - dx * s
            if dx * dx + dy * dy > reach * reach or _in_view(body, x, y):
                continue
            gap = gap_to_point(body, x, y)
            if gap > -INSIDE:
                points[count, 0], points[count, 1], points[count, 2] = x, y, gap
                count += 1
    return count


@kernel
def _is_kept(kept: NDArray[np.float32], x: float, y: float, near: float, time: float) -> bool:
    """Whether a beam end is kept no farther than `near` from a point, to either side."""
    looks = 2 * math.ceil(near / SLOT) + 1
    first_row, first_column = _slot(y - near), _slot(x - near)
    for i in range(looks):
        for j in range(looks):
            slot = kept[(first_row + i) % SIDE, (first_column + j) % SIDE]
            if time - slot[2] <= KEPT_FOR and abs(slot[0] - x) <= near and abs(slot[1] - y) <= near:
                return True
    return False


@kernel
def _beam_ends_ahead(
    body: Record,
    ranges: NDArray[Any],
    beams: Floats,
    discs: Floats,
    teammates: int,
    reach: float,
    far: float,
    points: Floats,
    count: int,
) -> int:
    """Beam ends beyond reach in a strip straight ahead: what moves may be here soon. Good to a few centimetres."""
    for beam in range(body.beams):
        distance = ranges[beam]
        if not (reach < distance < far):
            continue
        x = body.lidar_x + distance * beams[body.first_beam + beam, 0]
        y = body.lidar_y + distance * beams[body.first_beam + beam, 1]
        if (
            abs(y) < STRIP
            and x > 0.0
            and count < MOST_POINTS
            and not _on_teammate(discs, teammates, x, y, TEAMMATE_SKIN)
        ):
            points[count, 0], points[count, 1], points[count, 2] = x, y, gap_to_point(body, x, y)
            count += 1
    return count


@kernel
def _on_teammate(discs: Floats, teammates: int, x: float, y: float, skin: float) -> bool:
    for k in range(teammates):
        reach = discs[k, 4] + skin
        if discs[k, 6] < FRESH and (x - discs[k, 0]) ** 2 + (y - discs[k, 1]) ** 2 < reach * reach:
            return True
    return False
