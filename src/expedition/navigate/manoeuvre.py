"""Manoeuvres: how a robot that is stuck gets into a narrow place, as a driver parks a car.

The Dynamic Window looks at one arc at a time. Into an opening of little more than the body's width leads none from most
places: the robot has to step back, turn and come straight. Such a sequence is searched here, over positions and
headings, for the body as it is and what its lidar sees: A* over turns on the spot and short straight drives.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.dwa import nearest_gap, nearness
from expedition.navigate.jams import note_motion
from expedition.navigate.local_records import MOST_STEPS, Record
from expedition.navigate.nearby import gap_to_point
from expedition.navigate.progress import ESCAPE, ESCAPE_TIME, wrapped

Floats = NDArray[np.float64]

AHEAD = 0.9
"""A manoeuvre ends so far along the path, in metres: inside of what is narrow, where only straight on is left."""
MARGINS = (0.03, 0.012)
"""What is kept between body and obstacles, in metres; less if it cannot be done otherwise."""
ROOMY = 0.1
"""Metres between body and obstacles that cost nothing more."""
STEP, CELL, HALF = 0.05, 0.04, 1.4
"""The length of a drive, the side of the cells in which positions are the same, and half that of the area searched."""
HEADINGS = 36
TURN = 2.0 * math.pi / HEADINGS
CENTIMETRE = 100.0
FORWARD_COST, BACK_COST, TURN_COST, NEAR_COST = 5, 9, 2, 8
"""In centimetres of driving forward: of a drive, a turn, and of either at no room at all."""
NEAR_GOAL, SAME_HEADING = 0.1, 2
"""A manoeuvre ends within so many metres and steps of heading of the point and direction of the path."""
NODES = 24000
MOST_COST = 700
SPEED, TURN_RATE = 0.2, 0.8
"""How fast it is driven, in m/s and rad/s."""
TURNED, DRIVEN = 0.03, 0.015
"""When a turn or a drive is done, in radians and metres."""
JAMMED = 1.0
"""A manoeuvre that has not moved the robot for so many seconds does not work out."""


@kernel
def plan_manoeuvre(
    body: Record,
    local: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    steps: Floats,
) -> int:
    """Write the manoeuvre along the path `local`, in the robot's frame, to `steps`; how many there are, 0 for none.

    A step is where it ends, x, y and heading, and 1 to drive there, -1 to drive back there, 0 to turn on the spot.
    Cost: at most `NODES` positions with a heading, each against every obstacle, for two margins.
    """
    length = local[count - 1, 2]
    along = min(AHEAD, length)
    x, y, segment = point_along(local, local[:, 2], count, along)
    heading = math.atan2(local[segment + 1, 1] - local[segment, 1], local[segment + 1, 0] - local[segment, 0])
    for margin in MARGINS:
        found = _search(body, x, y, heading, length <= AHEAD, margin, points, obstacles, discs, teammates, steps)
        if found > 0:
            return found
    return 0


@kernel
def _search(
    body: Record,
    goal_x: float,
    goal_y: float,
    goal_heading: float,
    any_heading: bool,
    margin: float,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    steps: Floats,
) -> int:
    """A* from the origin. Headings are those of the goal and whole turns from it, but for the one at the start."""
    side = int(2.0 * HALF / CELL) + 1
    best = np.full((side, side, HEADINGS + 1), MOST_COST, dtype=np.int32)
    nodes = np.empty((NODES, 3))  # x, y, heading
    turns = np.empty(NODES, dtype=np.int64)  # the heading as a number; HEADINGS: that of the start
    costs = np.empty(NODES, dtype=np.int64)
    parents = np.empty(NODES, dtype=np.int64)
    below = np.empty(NODES, dtype=np.int64)
    tops = np.full(MOST_COST, -1, dtype=np.int64)
    start_gap = nearest_gap(points, obstacles, discs, teammates)
    nodes[0, 0] = nodes[0, 1] = nodes[0, 2] = 0.0
    turns[0], costs[0], parents[0], below[0] = HEADINGS, 0, -1, -1
    used = 1
    level = min(int(CENTIMETRE * math.hypot(goal_x, goal_y)), MOST_COST - 1)
    tops[level] = 0
    while level < MOST_COST:
        node = tops[level]
        if node < 0:
            level += 1
            continue
        tops[level] = below[node]
        x, y, heading, turn, cost = nodes[node, 0], nodes[node, 1], nodes[node, 2], turns[node], costs[node]
        row, column = int((y + HALF) / CELL), int((x + HALF) / CELL)
        if node > 0 and cost > best[row, column, turn]:
            continue
        off = abs(wrapped(heading - goal_heading))
        if math.hypot(x - goal_x, y - goal_y) < NEAR_GOAL and (any_heading or off < (SAME_HEADING + 0.5) * TURN):
            return _write(node, nodes, parents, steps)
        for move in range(4):  # forward, back, left, right
            next_x, next_y, next_heading, next_turn = x, y, heading, turn
            if move < 2:
                gear = 1.0 if move == 0 else -1.0
                if gear < 0.0 and body.reverse == 0.0:
                    continue
                next_x += gear * STEP * math.cos(heading)
                next_y += gear * STEP * math.sin(heading)
                price = FORWARD_COST if move == 0 else BACK_COST
            else:
                if turn == HEADINGS:
                    part = (heading - goal_heading) / TURN
                    whole = math.floor(part) + 1 if move == 2 else math.ceil(part) - 1
                else:
                    whole = turn + 1 if move == 2 else turn - 1
                next_turn = int(whole) % HEADINGS
                next_heading = goal_heading + next_turn * TURN
                price = TURN_COST
            if abs(next_x) >= HALF or abs(next_y) >= HALF:
                continue
            row, column = int((next_y + HALF) / CELL), int((next_x + HALF) / CELL)
            if cost + price >= best[row, column, next_turn]:
                continue
            # Who stands too near to something may begin there.
            need = margin
            if next_x * next_x + next_y * next_y < 0.0144:
                need = min(margin, start_gap - 0.003)
            room = _room(body, next_x, next_y, next_heading, need, points, obstacles, discs, teammates)
            if room < need:
                best[row, column, next_turn] = -1
                continue
            offer = cost + price + int(NEAR_COST * max(ROOMY - room, 0.0) / ROOMY)
            if offer >= best[row, column, next_turn]:
                continue
            if used == NODES:
                return 0
            best[row, column, next_turn] = offer
            nodes[used, 0], nodes[used, 1], nodes[used, 2] = next_x, next_y, next_heading
            turns[used], costs[used], parents[used] = next_turn, offer, node
            ahead = max(math.hypot(next_x - goal_x, next_y - goal_y) - NEAR_GOAL, 0.0)
            slot = max(offer + int(CENTIMETRE * ahead), level)
            if slot < MOST_COST:
                below[used] = tops[slot]
                tops[slot] = used
                used += 1
    return 0


@kernel
def _room(
    body: Record,
    x: float,
    y: float,
    heading: float,
    need: float,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
) -> float:
    """The room around the body at a place, as far as it is below `ROOMY`; less than needed as soon as any is."""
    c, s = math.cos(heading), math.sin(heading)
    room = ROOMY
    for k in range(obstacles):
        dx, dy = points[k, 0] - x, points[k, 1] - y
        room = min(room, gap_to_point(body, dx * c + dy * s, dy * c - dx * s))
        if room < need:
            return room
    for k in range(teammates):
        dx, dy = discs[k, 0] - x, discs[k, 1] - y
        room = min(room, gap_to_point(body, dx * c + dy * s, dy * c - dx * s) - discs[k, 4])
    return room


@kernel
def _write(node: int, nodes: Floats, parents: NDArray[np.int64], steps: Floats) -> int:
    """The path to a node, turns and drives joined to as few as possible; 0 if there are more than fit into `steps`."""
    length = 0
    at = node
    while parents[at] >= 0:
        length += 1
        at = parents[at]
    way = np.empty(length, dtype=np.int64)
    at = node
    for k in range(length - 1, -1, -1):
        way[k] = at
        at = parents[at]
    count = 0
    for k in range(length):
        to, before = nodes[way[k]], nodes[parents[way[k]]]
        dx, dy = to[0] - before[0], to[1] - before[1]
        kind = 0.0
        if abs(dx) + abs(dy) > 1e-9:
            kind = 1.0 if dx * math.cos(to[2]) + dy * math.sin(to[2]) > 0.0 else -1.0
        if count == 0 or steps[count - 1, 3] != kind:
            if count == len(steps):
                return 0
            count += 1
        steps[count - 1, 0], steps[count - 1, 1], steps[count - 1, 2], steps[count - 1, 3] = to[0], to[1], to[2], kind
    return count


@kernel
def manoeuvre(
    time: float,
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    velocity: Floats,
    local: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    arc: Floats,
    command: Floats,
) -> bool:
    """Begin a manoeuvre or drive it on. False, and no more of it, if there is none, it is over or does not work out."""
    if memory.last_step == 0:
        if count == 0 or not _begin(body, memory, pose, local, count, points, obstacles, discs, teammates):
            memory.recovery, memory.recovery_until = ESCAPE, time + 2.0 * ESCAPE_TIME
            return False
        memory.moved_by_command_at = time
    moves = time - memory.moved_by_command_at < JAMMED
    if moves and _follow(body, memory, numbers, pose, velocity, points, obstacles, discs, teammates, arc, command):
        note_motion(time, memory, pose, command)
        return True
    memory.recovery_until = time
    return False


@kernel
def _begin(
    body: Record,
    memory: Record,
    pose: Floats,
    local: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
) -> bool:
    """Plan a manoeuvre and keep it, in the frame of the map; False if there is none."""
    steps = np.empty((MOST_STEPS, 4))
    found = plan_manoeuvre(body, local, count, points, obstacles, discs, teammates, steps)
    c, s = math.cos(pose[2]), math.sin(pose[2])
    for k in range(found):
        memory.steps[k, 0] = pose[0] + steps[k, 0] * c - steps[k, 1] * s
        memory.steps[k, 1] = pose[1] + steps[k, 0] * s + steps[k, 1] * c
        memory.steps[k, 2] = pose[2] + steps[k, 2]
        memory.steps[k, 3] = steps[k, 3]
    memory.step, memory.last_step = 0, found
    return found > 0


@kernel
def _follow(
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    velocity: Floats,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    arc: Floats,
    command: Floats,
) -> bool:
    """Drive the manoeuvre on; False if it is over or something has come in its way."""
    while memory.step < memory.last_step:
        step = memory.steps[memory.step]
        gear = step[3]
        error = wrapped(step[2] - pose[2])
        dx, dy = step[0] - pose[0], step[1] - pose[1]
        c, s = math.cos(step[2]), math.sin(step[2])
        left = gear * (dx * c + dy * s)
        if (gear == 0.0 and abs(error) < TURNED) or (gear != 0.0 and left < DRIVEN):
            memory.step += 1
            continue
        speed, turn = 0.0, 0.0
        if gear == 0.0:
            fastest = min(math.sqrt(1.4 * body.turn_acceleration * abs(error)), TURN_RATE, abs(error) / body.period)
            turn = math.copysign(min(fastest, body.turn), error)
        else:
            speed = gear * min(SPEED, math.sqrt(1.4 * body.acceleration * left), left / body.period)
            aside = dy * c - dx * s
            turn = min(max(1.5 * error + 3.0 * gear * aside, -0.4), 0.4)
        change, turn_change = body.acceleration * body.period, body.turn_acceleration * body.period
        speed = min(max(speed, velocity[0] - change), velocity[0] + change)
        turn = min(max(turn, velocity[2] - turn_change), velocity[2] + turn_change)
        arc[0], arc[1], arc[2], arc[4] = speed, 0.0, turn, body.period
        if nearness(body, numbers, arc, points, obstacles, discs, teammates) == math.inf:
            return False
        command[0], command[1], command[2] = speed, 0.0, turn
        return True
    return False
