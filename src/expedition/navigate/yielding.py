"""Giving way: who drives through a passage too narrow for two robots, and who stands aside meanwhile.

Every robot decides for itself, by the same rules, from the beacons it heard:

- Only one direction at a time is in a passage. Who is inside, or about to enter, has it.
- Others of that direction follow, unless one at the far end has waited `turn_wait` seconds longer than they have.
- If nobody is inside, the one who came first enters; of two who came at about the same time, the lower number.
- Two who meet inside all the same: the one who is less deep in goes back the way it came.
- Robots of one direction line up: the one nearest to the entry goes first.
- Whoever waits, or has nothing to do, keeps away from the ends of passages in use and out of the way of others.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.local_records import APPROACHES, COMMITTED, DRIVING, NO_CLAIM, Record, Records
from expedition.navigate.passages import point_along

Floats = NDArray[np.float64]

APPROACH = 4.0
"""A robot nearer than this to a passage claims it, in metres."""
COMMIT = 0.8
"""A robot nearer than this to a passage enters it, unless it has to wait, in metres."""
STANDOFF = 1.2
"""Those who wait keep at least this far from a passage's ends, in metres."""
WAIT_AT = 2.5
"""And do not come nearer than this of their own accord, in metres."""
ABREAST = 0.8
"""Claims are of the same passage where they lie no farther than this from the own path, in metres."""
TIE = 0.5
"""Claims made within so many seconds of each other count as made together."""
ROOM = 0.3
"""What a robot that stands aside leaves between bodies, in metres."""

APART = 1.2
"""How far the middles of those who wait are from each other, in metres."""

SAME, OPPOSITE, UNRELATED = range(3)
GO, HOLD, RETREAT = range(3)


@kernel
def right_of_way(
    robot: int,
    memory: Record,
    numbers: Record,
    path: Floats,
    lengths: Floats,
    heard: Records,
    heard_at: Floats,
    time: float,
) -> int:
    """Whether a robot may GO on, has to HOLD before the passage ahead, or to RETREAT out of it.

    Also keeps the robot's claim. Costs nothing where the path has no narrow passage ahead; there, for each teammate
    with a claim, the segments of the path within the passage.
    """
    to_entry = memory.passage_from - memory.along
    inside = memory.inside == 1
    if not inside and to_entry > APPROACH:
        memory.claim = NO_CLAIM
        return GO
    if memory.claim == NO_CLAIM:
        memory.claim = COMMITTED if inside else APPROACHES
        memory.claimed_at = time
    waited = time - memory.claimed_at
    leads, queues, stopped, overtaken, rivals, longest = False, False, False, False, False, 0.0
    for other in range(len(heard)):
        if other == robot or not time - heard_at[other] < numbers.beacon_timeout:
            continue
        beacon = heard[other]
        if beacon.claim == NO_CLAIM:
            continue
        way, place, place_depth = _relation(memory, path, lengths, beacon)
        if way == SAME:
            leads = leads or beacon.claim == COMMITTED
            if not inside and memory.claim != COMMITTED and beacon.status == DRIVING:
                nearer = to_entry - _distance(beacon.x, beacon.y, beacon.entry_x, beacon.entry_y)
                # Whoever is past the entry is farther along than anybody before it.
                if place < memory.passage_from and (nearer > 0.1 or (nearer > -0.1 and other < robot)):
                    queues = True
        elif way == OPPOSITE:
            if beacon.claim == COMMITTED:
                if place < memory.along:
                    continue
                stopped = True
                deeper = place_depth - memory.depth
                overtaken = overtaken or deeper > TIE or (deeper > -TIE and other < robot)
            else:
                longer = beacon.waited - waited
                if longer > TIE or (longer > -TIE and other < robot):
                    rivals = True
                    longest = max(longest, longer)
    if rivals and (not leads or longest >= numbers.turn_wait):
        stopped = True
    if memory.claim == COMMITTED:
        if not overtaken:
            return GO
        memory.claim = APPROACHES
        return RETREAT
    if inside:
        # It was sent back, and comes again once nobody is coming any more.
        if stopped:
            return RETREAT
        memory.claim = COMMITTED
        return GO
    if stopped:
        return RETREAT if to_entry < STANDOFF else HOLD
    if queues:
        return HOLD
    if to_entry < COMMIT:
        memory.claim = COMMITTED
    return GO


@kernel
def _relation(memory: Record, path: Floats, lengths: Floats, beacon: Record) -> tuple[int, float, float]:
    """How a teammate's claim lies to the own passage, where on the own path it is, and how deep in."""
    low = max(memory.passage_from, 0.0) if memory.passage_from < math.inf else memory.along
    high = memory.passage_to if memory.passage_to < math.inf else memory.along
    if memory.inside == 1:
        low = min(low, memory.along)
    low, high = low - 1.0, high + 1.0
    entry_away, entry = _onto(memory, path, lengths, low, high, beacon.entry_x, beacon.entry_y)
    exit_away, leave = _onto(memory, path, lengths, low, high, beacon.exit_x, beacon.exit_y)
    away, place = _onto(memory, path, lengths, low, high, beacon.x, beacon.y)
    if memory.inside == 1 and exit_away > ABREAST:
        # Its way out may be where this robot came in, which its path no longer shows.
        dx, dy = beacon.exit_x - memory.entry_x, beacon.exit_y - memory.entry_y
        if dx * dx + dy * dy < 4.0 * ABREAST * ABREAST:
            exit_away, leave = 0.0, low - memory.depth
    depth = _distance(beacon.x, beacon.y, beacon.entry_x, beacon.entry_y)
    if away > ABREAST:
        place = entry if beacon.claim != COMMITTED else math.inf
    elif entry_away <= ABREAST:
        depth = abs(entry - place)
    if entry_away <= ABREAST and exit_away <= ABREAST:
        return (OPPOSITE if entry > leave else SAME), place, depth
    if min(entry_away, exit_away, away) > ABREAST:
        return UNRELATED, place, depth
    # Only part of its way lies on the own path: where it drives there decides.
    along = place if away <= ABREAST else (entry if entry_away <= ABREAST else leave)
    _, _, k = point_along(path, lengths, memory.points, along)
    step_x, step_y = path[k + 1, 0] - path[k, 0], path[k + 1, 1] - path[k, 1]
    turn = step_x * (beacon.exit_x - beacon.entry_x) + step_y * (beacon.exit_y - beacon.entry_y)
    return (OPPOSITE if turn < 0.0 else SAME), place, depth


@kernel
def _distance(ax: float, ay: float, bx: float, by: float) -> float:
    return math.sqrt((ax - bx) ** 2 + (ay - by) ** 2)


@kernel
def _onto(
    memory: Record, path: Floats, lengths: Floats, low: float, high: float, x: float, y: float
) -> tuple[float, float]:
    """Distance of a point from the stretch of the path between two lengths, and the length of its nearest point."""
    best, along = math.inf, 0.0
    for k in range(memory.points - 1):
        if lengths[k + 1] < low:
            continue
        if lengths[k] > high:
            break
        length = max(lengths[k + 1] - lengths[k], 1e-9)
        bx, by = (path[k + 1, 0] - path[k, 0]) / length, (path[k + 1, 1] - path[k, 1]) / length
        share = (x - path[k, 0]) * bx + (y - path[k, 1]) * by
        share = min(max(share, max(low - lengths[k], 0.0)), min(high - lengths[k], length))
        away = math.sqrt((path[k, 0] + share * bx - x) ** 2 + (path[k, 1] + share * by - y) ** 2)
        if away < best:
            best, along = away, lengths[k] + share
    return best, along


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
    """Whether a robot without right of way stands in another's, and the direction and distance to get out of it."""
    push_x = push_y = 0.0
    for other in range(len(heard)):
        if other == robot or not time - heard_at[other] < numbers.beacon_timeout:
            continue
        beacon = heard[other]
        dx, dy = pose[0] - beacon.x, pose[1] - beacon.y
        need = body.radius + beacon.radius + ROOM
        if beacon.status == DRIVING and dx * dx + dy * dy < 9.0:
            x, y = _out_of(pose, beacon.x, beacon.y, beacon.ahead_x, beacon.ahead_y, need, robot)
            push_x += x
            push_y += y
        elif waits and dx * dx + dy * dy < APART * APART:
            # Those who wait leave room for others to pass between them.
            distance = max(math.sqrt(dx * dx + dy * dy), 1e-6)
            push_x += 0.5 * (APART - distance) * dx / distance
            push_y += 0.5 * (APART - distance) * dy / distance
        if beacon.claim == COMMITTED:
            # Out of a passage they come straight on.
            ex, ey = beacon.exit_x - beacon.entry_x, beacon.exit_y - beacon.entry_y
            length = max(math.sqrt(ex * ex + ey * ey), 1e-6)
            ex, ey = ex / length, ey / length
            x, y = _out_of(
                pose, beacon.exit_x, beacon.exit_y, beacon.exit_x + 2.5 * ex, beacon.exit_y + 2.5 * ey, need, robot
            )
            push_x += x
            push_y += y
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
