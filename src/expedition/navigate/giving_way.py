"""Giving way: who makes room for whom where two robots cannot pass each other.

Every robot decides for itself, by the same rules, from the beacons it heard. A robot that has not got on for a moment,
and has a teammate on the next stretch of its path, says that this one holds it up. Whoever holds up a teammate makes
way for it

- if it has no path of its own;
- if the teammate is itself making way for somebody: room is handed on, from one robot of a queue to the next;
- if both hold each other up, and its own way to a place where it is in nobody's way is the shorter one, of equal ways
  that of the higher number; robots that go the same way queue, and nobody makes way;
- if it is held up by a third one for a while, as in a ring, and has the higher number.

Who makes way drives to that place, waits until the other is past, and goes on. Robots that are not heard cannot be
asked: they are obstacles, to be driven around.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.local_records import AHEAD, DRIVING, NOBODY, WAITING, Record, Records

Floats = NDArray[np.float64]

HELD_AFTER = 1.5
"""A robot is held up when it did not get on for so many seconds ..."""
STRETCH = (0.0, 0.25, 0.5, 0.75, 1.0, 1.3)
"""... and a teammate is on its path so many metres ahead, ..."""
NEAR = 0.15
"""... no farther from it than this, besides both bodies, in metres."""
BEHIND = 0.5
"""Who is farther from the path so many metres ahead than the robot itself is behind it."""
EQUAL = 0.3
"""Ways out that differ by less than this are equal, in metres."""
RING_AFTER = 4.0
"""Seconds after which a robot that is held up makes way for another one than that which holds it up."""
SAME_WAY = 0.5
"""Two robots go the same way if the cosine between their paths is above this."""
ROOM = 0.1
"""What who makes way leaves between bodies, in metres."""
PAST_FOR = 0.7
"""Seconds that the other must have been past."""
LONGEST = 30.0
"""Seconds after which nobody makes way for the same robot any longer."""
LATER = 3.0
"""Seconds after which a robot that found no place to make way looks again."""

ASIDE = 0.3
"""What a robot that stands aside leaves between bodies, in metres."""
APART = 1.2
"""How far the middles of those who wait are from each other, in metres."""


@kernel
def held_by(
    robot: int,
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    path: Floats,
    lengths: Floats,
    heard: Records,
    heard_at: Floats,
    time: float,
) -> int:
    """The teammate on the next stretch of a robot's path, if the robot does not get on; else `NOBODY`."""
    # A strategy that gives new goals every other second gets a robot no farther that stands before a teammate.
    since = min(memory.least_since, memory.stood_since)
    if memory.points == 0 or memory.status != DRIVING or time - since < HELD_AFTER:
        return NOBODY
    found, nearest = NOBODY, math.inf
    near_x, near_y, _ = point_along(path, lengths, memory.points, min(memory.along + BEHIND, memory.length))
    to_go = math.hypot(pose[0] - near_x, pose[1] - near_y)
    for other in range(len(heard)):
        if other == robot or not time - heard_at[other] < numbers.beacon_timeout:
            continue
        beacon = heard[other]
        if math.hypot(beacon.x - near_x, beacon.y - near_y) > to_go + ROOM and to_go > 0.5 * BEHIND:
            continue
        away = math.hypot(beacon.x - pose[0], beacon.y - pose[1])
        reach = body.radius + beacon.radius + NEAR
        if away >= nearest or away > STRETCH[-1] + reach:
            continue
        for stretch in STRETCH:
            x, y, _ = point_along(path, lengths, memory.points, min(memory.along + stretch, memory.length))
            if math.hypot(beacon.x - x, beacon.y - y) < reach:
                found, nearest = other, away
                break
    return found


@kernel
def asked_by(
    robot: int, memory: Record, numbers: Record, pose: Floats, heard: Records, heard_at: Floats, time: float
) -> tuple[int, bool]:
    """The teammate for which a robot should make way by the rules, or `NOBODY`.

    True with it: by the rules that depends on the robot's own way out, which has to be found first.
    """
    found, unknown = NOBODY, False
    for other in range(len(heard)):
        beacon = heard[other]
        is_heard = other != robot and time - heard_at[other] < numbers.beacon_timeout
        if not is_heard or beacon.held_by != robot or memory.yields_to == other:
            continue
        if memory.points == 0 or (
            beacon.yields_to != NOBODY and beacon.yields_to != robot and not memory.yields_to >= 0
        ):
            return other, False
        if memory.held_by == NOBODY or memory.yields_to >= 0 or _go_the_same_way(memory, pose, beacon):
            continue
        if memory.held_by == other:
            if memory.way_out_for != other or time - memory.way_out_at > LATER:
                found, unknown = other, True
            elif beacon.way_out >= 0.0 and math.isfinite(memory.way_out):
                longer = memory.way_out - beacon.way_out
                if longer < -EQUAL or (longer <= EQUAL and robot > other):
                    return other, False
        elif time - memory.held_since > RING_AFTER and robot > other:
            return other, False
    return found, unknown


@kernel
def _go_the_same_way(memory: Record, pose: Floats, beacon: Record) -> bool:
    ax, ay = memory.ahead_x - pose[0], memory.ahead_y - pose[1]
    bx, by = beacon.ahead[AHEAD_AT, 0] - beacon.x, beacon.ahead[AHEAD_AT, 1] - beacon.y
    return bool(ax * bx + ay * by > SAME_WAY * math.sqrt((ax * ax + ay * ay) * (bx * bx + by * by)))


AHEAD_AT = AHEAD.index(2.0)
"""Which of the points ahead that a beacon holds is looked at for a direction."""


@kernel
def is_past(
    body: Record, memory: Record, numbers: Record, pose: Floats, heard: Records, heard_at: Floats, time: float
) -> bool:
    """Whether a robot need not make way any longer: the other is past, silent, or takes too long."""
    other = memory.yields_to
    if time - memory.yields_since > LONGEST or not time - heard_at[other] < numbers.beacon_timeout:
        return True
    beacon = heard[other]
    reach = body.radius + beacon.radius + ROOM
    near = _to_segment(pose, memory.held_x, memory.held_y, beacon.x, beacon.y) < reach
    if beacon.status == DRIVING or beacon.status == WAITING:
        for k in range(len(AHEAD)):
            x, y = beacon.ahead[k, 0], beacon.ahead[k, 1]
            near = near or _to_segment(pose, memory.held_x, memory.held_y, x, y) < reach
    if near:
        memory.past_since = time
    return bool(time - memory.past_since > PAST_FOR)


@kernel
def _to_segment(pose: Floats, end_x: float, end_y: float, x: float, y: float) -> float:
    """The distance of a point from the straight line between a pose and an end."""
    dx, dy = end_x - pose[0], end_y - pose[1]
    length = dx * dx + dy * dy
    share = 0.0 if length < 1e-9 else min(max(((x - pose[0]) * dx + (y - pose[1]) * dy) / length, 0.0), 1.0)
    return math.hypot(pose[0] + share * dx - x, pose[1] + share * dy - y)


@kernel
def stand_aside(
    robot: int,
    body: Record,
    numbers: Record,
    waits: bool,
    pose: Floats,
    heard: Records,
    heard_at: Floats,
    time: float,
) -> tuple[bool, float, float]:
    """Whether a robot that stands is in the way of others, and the direction and distance to get out of it."""
    push_x = push_y = 0.0
    for other in range(len(heard)):
        if other == robot or not time - heard_at[other] < numbers.beacon_timeout:
            continue
        beacon = heard[other]
        dx, dy = pose[0] - beacon.x, pose[1] - beacon.y
        need = body.radius + beacon.radius + ASIDE
        if beacon.status == DRIVING and dx * dx + dy * dy < 9.0:
            x, y = _out_of(pose, beacon.x, beacon.y, beacon.ahead[AHEAD_AT, 0], beacon.ahead[AHEAD_AT, 1], need, robot)
            push_x += x
            push_y += y
        elif waits and dx * dx + dy * dy < APART * APART:
            # Those who wait leave room for others to pass between them.
            distance = max(math.sqrt(dx * dx + dy * dy), 1e-6)
            push_x += 0.5 * (APART - distance) * dx / distance
            push_y += 0.5 * (APART - distance) * dy / distance
    distance = math.sqrt(push_x * push_x + push_y * push_y)
    if distance < 0.1:
        return False, 0.0, 0.0
    scale = min(max(distance, 0.3), 1.0) / distance
    return True, push_x * scale, push_y * scale


@kernel
def _out_of(pose: Floats, ax: float, ay: float, bx: float, by: float, need: float, robot: int) -> tuple[float, float]:
    """The way out of a lane from a to b of `need` metres to either side; none if outside."""
    lx, ly = bx - ax, by - ay
    length = math.sqrt(lx * lx + ly * ly)
    if length < 0.05:
        return 0.0, 0.0
    lx, ly = lx / length, ly / length
    dx, dy = pose[0] - ax, pose[1] - ay
    ahead, across = dx * lx + dy * ly, lx * dy - ly * dx
    if ahead < -0.2 or ahead > length + need or abs(across) > need:
        return 0.0, 0.0
    side = 1.0 if across > 0.0 else -1.0
    if abs(across) < 0.05:
        side = 1.0 if robot % 2 == 0 else -1.0
    out = side * (need - abs(across) + 0.05)
    return -ly * out, lx * out
