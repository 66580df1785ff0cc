"""Where a robot is on its path, whether it gets on, and what it does when it does not.

A robot that gets no farther for the progress timeout tries to free itself: by a manoeuvre if there is one, and every
other time by chance: away from everything near, back, to a random side. After a number of attempts in a row its path
counts as blocked, and whoever set it may plan another.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.giving_way import AHEAD_AT, asked_by, held_by, is_past
from expedition.navigate.local_records import (
    AHEAD,
    ARRIVED,
    BLOCKED,
    CAR,
    DRIVING,
    IDLE,
    NOBODY,
    WAITING,
    Record,
    Records,
)
from expedition.streams import uniform

Floats = NDArray[np.float64]

NONE, ESCAPE, BACK, SIDE, MANOEUVRE = range(5)
RECOVERY_TIME = 1.5
"""The mean of how long an attempt to get free lasts, in seconds."""
ESCAPE_TIME = 1.0
"""How much longer a robot tries to get away from what it touches, in seconds."""
MANOEUVRE_TIME = 20.0
"""The longest that a manoeuvre takes, in seconds."""
PROGRESS = 0.1
"""A robot gets on if it leaves this many metres of its path behind within the progress timeout."""
DITHERS = 2.0
"""Times the progress timeout that a robot may stand longer while its goal changes."""
FREE_AGAIN = 1.2
"""And has freed itself when it gets so far from where it was stuck, in metres: farther than an attempt takes it."""


@kernel
def find_place(memory: Record, pose: Floats, path: Floats, lengths: Floats) -> None:
    """Move a robot's place on its path to the nearest point of it, looking from the last place a little way on."""
    best, along, segment = math.inf, memory.along, memory.segment
    k = max(memory.segment - 1, 0)
    while k < memory.points - 1 and lengths[k] <= memory.along + 2.5:
        ax, ay = path[k, 0], path[k, 1]
        bx, by = path[k + 1, 0] - ax, path[k + 1, 1] - ay
        length = max(lengths[k + 1] - lengths[k], 1e-9)
        share = min(max(((pose[0] - ax) * bx + (pose[1] - ay) * by) / (length * length), 0.0), 1.0)
        away = (ax + share * bx - pose[0]) ** 2 + (ay + share * by - pose[1]) ** 2
        if away < best - 1e-9:
            best, along, segment = away, lengths[k] + share * length, k
        k += 1
    memory.along, memory.segment = along, segment


@kernel
def decide(
    robot: int,
    time: float,
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    path: Floats,
    lengths: Floats,
    heard: Records,
    heard_at: Floats,
) -> None:
    """Keep status, progress and recovery of a robot, who holds it up, and for whom it makes way or should."""
    _keep_company(robot, time, body, memory, numbers, pose, path, lengths, heard, heard_at)
    is_held = memory.held_by != NOBODY and time - memory.held_since < numbers.patience
    # Who is wedged in is, whatever it finds too narrow ahead of goal after goal.
    is_blocked = memory.status == BLOCKED and memory.too_narrow == 0
    if memory.stood_since == time or is_blocked or is_held:
        memory.stuck_since = time
    if math.hypot(pose[0] - memory.tried_x, pose[1] - memory.tried_y) > FREE_AGAIN:
        memory.attempts = 0
    if memory.points == 0 or memory.status == BLOCKED:
        memory.recovery = NONE
        return
    goal_x, goal_y = path[memory.points - 1, 0] - pose[0], path[memory.points - 1, 1] - pose[1]
    left = memory.length - memory.along
    if left < numbers.goal_tolerance and math.sqrt(goal_x**2 + goal_y**2) < numbers.goal_tolerance:
        error = turn_wanted(memory, pose)
        if not abs(error) > numbers.heading_tolerance or body.drive == CAR:
            memory.points = 0
            memory.status = ARRIVED if memory.yields_to == NOBODY else WAITING
            return
    memory.status = DRIVING
    if memory.recovery == NONE:
        if left < memory.least_left - PROGRESS:
            memory.least_left, memory.least_since = left, time
        # A strategy that gives a new goal every other second gets a robot no farther that is stuck.
        since = max(min(memory.least_since, memory.stuck_since + DITHERS * numbers.progress_timeout), memory.free_since)
        if is_held:
            memory.free_since = time
        elif time - since > numbers.progress_timeout:
            _begin_recovery(time, body, memory, numbers, pose)
    elif time > memory.recovery_until:
        memory.recovery = NONE
        memory.least_since = memory.free_since = time


@kernel
def _keep_company(
    robot: int,
    time: float,
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    path: Floats,
    lengths: Floats,
    heard: Records,
    heard_at: Floats,
) -> None:
    """Who holds the robot up, for whom it should make way, and whether those for whom it does are past."""
    moved = math.hypot(pose[0] - memory.stood_x, pose[1] - memory.stood_y) > PROGRESS
    if moved or memory.points == 0:
        memory.stood_x, memory.stood_y, memory.stood_since = pose[0], pose[1], time
    memory.ahead_x, memory.ahead_y = pose[0], pose[1]
    if memory.points > 0:
        along = min(memory.along + AHEAD[AHEAD_AT], memory.length)
        memory.ahead_x, memory.ahead_y, _ = point_along(path, lengths, memory.points, along)
    holder = held_by(robot, body, memory, numbers, pose, path, lengths, heard, heard_at, time)
    if memory.held_by == NOBODY or holder == NOBODY:
        memory.held_since = time
    memory.held_by = holder
    memory.asked_by, asks = asked_by(robot, memory, numbers, pose, heard, heard_at, time)
    memory.asks_way_out = 1 if asks else 0
    if memory.yields_to != NOBODY and is_past(body, memory, numbers, pose, heard, heard_at, time):
        memory.yields_to = NOBODY
        memory.points = 0
        memory.status = IDLE


@kernel
def _begin_recovery(time: float, body: Record, memory: Record, numbers: Record, pose: Floats) -> None:
    """A manoeuvre, or get away from everything near, back up, step to a random side.

    The times are random, so that two robots in each other's way do not do the same for ever.
    """
    if memory.attempts == 0:
        memory.tried_x, memory.tried_y = pose[0], pose[1]
    memory.attempts += 1
    if memory.attempts > numbers.recoveries:
        memory.status = BLOCKED
        return
    first = uniform(body.key, memory.draws)
    second = uniform(body.key, memory.draws + np.uint64(1))
    memory.draws += np.uint64(2)
    kind = (memory.attempts - 1) % 3
    memory.recovery = ESCAPE if kind == 0 else (BACK if kind == 1 else SIDE)
    memory.recovery_until = time + RECOVERY_TIME * (0.5 + first) + (ESCAPE_TIME if memory.recovery == ESCAPE else 0.0)
    distance = 0.4 + 0.6 * first
    angle = pose[2] + math.pi
    if memory.recovery == SIDE:
        angle = pose[2] + (0.5 + 0.3 * (2.0 * second - 1.0)) * math.pi * (1.0 if second < 0.5 else -1.0)
    memory.recovery_x = pose[0] + distance * math.cos(angle)
    memory.recovery_y = pose[1] + distance * math.sin(angle)
    if memory.attempts % 2 == 1 and body.drive != CAR:
        memory.recovery, memory.last_step = MANOEUVRE, 0
        memory.recovery_until = time + MANOEUVRE_TIME


@kernel
def turn_wanted(memory: Record, pose: Floats) -> float:
    """The turn from the heading to the one asked for at the goal; NaN if any will do or there is no goal."""
    if memory.points == 0:
        return math.nan
    return wrapped(memory.final_heading - pose[2])


@kernel
def wrapped(angle: float) -> float:
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)
