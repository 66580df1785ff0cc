"""The Dynamic Window (Fox, Burgard and Thrun, The dynamic window approach to collision avoidance, 1997).

Velocities within reach of the drive's accelerations are tried as arcs driven for the horizon. Each costs

    path_weight * distance from the path + goal_weight * rest of the path + occlusion_weight * nearness of obstacles

at its end, and is admissible if the robot could still stop before it runs into anything. Distances to the goal are
measured along the path, so that no wall lies between.

Nearness costs are never negative, so arcs are looked at in order of the rest of their cost, and the search ends at
the first that beats all still unseen: in open space one or two of them are checked for collisions.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.local_records import CAR, HOLONOMIC, Record
from expedition.navigate.nearby import gap_to_point

Floats = NDArray[np.float64]

FRONT = 0.3
"""Half of the path's cost is taken this far ahead of the body's middle, so that headings matter, in metres."""
SINKING = 0.002
"""What is nearer than the margin already may come this much nearer in one motion, in metres."""
FORESIGHT = 0.6
"""Teammates are taken to keep their velocity for this long, in seconds."""
COLLIDES = 2.0
"""The nearness of an arc that ends in an obstacle, though the robot could stop before, in metres."""
ESCAPE_SPEED, ESCAPE_TURN = 0.25, 0.3
"""The fastest that a robot gets away from what is too near, in m/s and rad/s ..."""
ESCAPE_SHARES = (1.0, 0.4, 0.12, 0.0)
"""... and the shares of it that are tried, ..."""
ESCAPE_HORIZON = 0.5
"""... each for so many seconds."""
FARTHEST = 1.0
"""Room beyond this is as good as any, in metres."""
KEEP_RIGHT = 0.15
"""Cost of each rad/s to the left while a teammate comes towards the robot."""


@kernel
def turned(turn: float, time: float) -> tuple[float, float, float, float]:
    """How far a speed of 1 leads ahead and aside in a time while turning, and cosine and sine of the heading then."""
    angle = turn * time
    c, s = math.cos(angle), math.sin(angle)
    if abs(angle) < 1e-6:
        return time, 0.5 * angle * time, c, s
    return s / turn, (1.0 - c) / turn, c, s


@kernel
def end_of_arc(forward: float, sideways: float, turn: float, time: float) -> tuple[float, float, float, float]:
    """Position, and cosine and sine of the heading, after a time at a constant velocity from the origin."""
    ahead, aside, c, s = turned(turn, time)
    return forward * ahead - sideways * aside, forward * aside + sideways * ahead, c, s


@kernel
def to_path(path: Floats, count: int, x: float, y: float) -> tuple[float, float]:
    """Distance of a point from a path (x, y, length so far), and how far along the path its nearest point is."""
    best, along = 1e18, 0.0
    for k in range(count - 1):
        ax, ay = path[k, 0], path[k, 1]
        bx, by = path[k + 1, 0] - ax, path[k + 1, 1] - ay
        length = path[k + 1, 2] - path[k, 2]
        share = ((x - ax) * bx + (y - ay) * by) / max(length * length, 1e-12)
        share = min(max(share, 0.0), 1.0)
        away = (ax + share * bx - x) ** 2 + (ay + share * by - y) ** 2
        if away < best:
            best, along = away, path[k, 2] + share * length
    return math.sqrt(best), along


@kernel
def choose_velocity(
    body: Record,
    numbers: Record,
    velocity: Floats,
    top_speed: float,
    gear: int,
    steer_x: float,
    steer_y: float,
    path: Floats,
    count: int,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    candidates: Floats,
    command: Floats,
) -> bool:
    """Write the best admissible velocity of the window to `command`; False, and a full brake, if there is none.

    `path` is in the robot's frame; (steer_x, steer_y) is the point on it to steer for. Cost: samples times the path's
    segments, and for each arc looked at, its steps times obstacles and teammates.
    """
    tried = _candidates(body, numbers, velocity, top_speed, gear, steer_x, steer_y, candidates)
    length = path[count - 1, 2]
    front = FRONT * gear if body.drive != HOLONOMIC else 0.0
    oncoming = _is_oncoming(discs, teammates)
    if obstacles == 0 and teammates == 0:
        # With nothing to avoid, the last velocity tried at top speed is the one straight for the point ahead.
        fastest = int(numbers.turn_samples) if body.drive != HOLONOMIC else 0
        command[0], command[1], command[2] = candidates[fastest, 0], candidates[fastest, 1], candidates[fastest, 2]
        return True
    last_turn = last_time = math.nan
    straight = side = c = s = 0.0
    for k in range(tried):
        forward, sideways, turn = candidates[k, 0], candidates[k, 1], candidates[k, 2]
        speed = math.sqrt(forward * forward + sideways * sideways)
        time = numbers.horizon if speed * numbers.horizon <= length else length / speed
        if turn != last_turn or time != last_time:  # Who drives in all directions tries one turn with all of them.
            straight, side, c, s = turned(turn, time)
            last_turn, last_time = turn, time
        x, y = forward * straight - sideways * side, forward * side + sideways * straight
        away, along = to_path(path, count, x, y)
        cost = numbers.goal_weight * (length - along)
        if front != 0.0:
            ahead, _ = to_path(path, count, x + front * c, y + front * s)
            away = 0.5 * (away + max(ahead - max(FRONT - (length - along), 0.0), 0.0))
        candidates[k, 3] = cost + numbers.path_weight * away
        if oncoming:
            candidates[k, 3] += KEEP_RIGHT * max(turn * gear, 0.0)
        candidates[k, 4] = time
    best_cost, best = 1e18, -1
    while True:
        k = -1
        least = best_cost
        for other in range(tried):
            if candidates[other, 3] < least:
                least, k = candidates[other, 3], other
        if k < 0:
            break
        cost = least + numbers.occlusion_weight * nearness(
            body, numbers, candidates[k], points, obstacles, discs, teammates
        )
        candidates[k, 3] = 1e18
        if cost < best_cost:
            best_cost, best = cost, k
    if best < 0:
        command[0] = command[1] = command[2] = 0.0
        return False
    command[0], command[1], command[2] = candidates[best, 0], candidates[best, 1], candidates[best, 2]
    return True


@kernel
def nearness(
    body: Record, numbers: Record, arc: Floats, points: Floats, obstacles: int, discs: Floats, teammates: int
) -> float:
    """How many metres an arc (forward, sideways, turn, -, seconds) comes too near to obstacles; infinite if it is not
    admissible.

    What is nearer than the margin at the start only may not come nearer: so a robot in contact gets away from it.
    """
    forward, sideways, turn = arc[0], arc[1], arc[2]
    speed = math.sqrt(forward * forward + sideways * sideways)
    if obstacles + teammates == 0 or (speed == 0.0 and turn == 0.0):
        return 0.0
    must = body.period + 0.5 * max(speed / body.acceleration, abs(turn) / body.turn_acceleration)
    time = max(arc[4], must)
    swing = body.radius if body.half_width >= 0.0 else 0.0
    rate = max(speed / 0.1, abs(turn) * swing / 0.06)
    braking = min(max(math.ceil(must * rate), 1), 16)
    steps = braking + min(math.ceil((time - must) * rate), 16)
    margin = numbers.margin + numbers.margin_time * speed
    closest = numbers.comfort
    for step in range(1, steps + 1):
        # One look falls on the moment until which the way has to be free.
        now = must * step / braking if step <= braking else must + (time - must) * (step - braking) / (steps - braking)
        x, y, c, s = end_of_arc(forward, sideways, turn, now)
        # No point of the body has come farther than this, so what was farther away than that is not near yet.
        moved = (speed + abs(turn) * swing) * now + 1e-9
        for k in range(obstacles):
            if points[k, 2] - moved > closest:
                continue
            dx, dy = points[k, 0] - x, points[k, 1] - y
            gap = gap_to_point(body, dx * c + dy * s, dy * c - dx * s)
            if gap < closest:
                if gap < min(margin, _allowed(points[k, 2])):
                    return math.inf if step <= braking else COLLIDES - now / time
                closest = gap
        ahead = min(now, FORESIGHT)
        for k in range(teammates):
            dx, dy = discs[k, 0] + ahead * discs[k, 2] - x, discs[k, 1] + ahead * discs[k, 3] - y
            gap = gap_to_point(body, dx * c + dy * s, dy * c - dx * s) - discs[k, 4]
            if gap < closest:
                if gap < min(margin, _allowed(discs[k, 5])):
                    return math.inf if step <= braking else COLLIDES - now / time
                closest = gap
    return float(numbers.comfort - max(closest, 0.0))


@kernel
def _allowed(gap: float) -> float:
    """How near a motion may bring what is `gap` metres away now."""
    return max(gap - SINKING, min(gap, 0.01) - 0.0003)


@kernel
def nearest_gap(points: Floats, obstacles: int, discs: Floats, teammates: int) -> float:
    """The room around the body now."""
    gap = FARTHEST
    for k in range(obstacles):
        gap = min(gap, points[k, 2])
    for k in range(teammates):
        gap = min(gap, discs[k, 5])
    return gap


@kernel
def choose_escape(
    body: Record,
    numbers: Record,
    velocity: Floats,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    candidates: Floats,
    command: Floats,
) -> bool:
    """The admissible velocity, forward or back, after which the body is farthest from everything; False if none is.

    Slow ones are tried as well: who is wedged in with a few millimetres to spare gets out by small motions.
    """
    best = -math.inf
    forward = turn = 0.0
    arc = candidates[0]
    change, turn_change = body.acceleration * body.period, body.turn_acceleration * body.period
    for gear in (1.0, -1.0):
        for share in ESCAPE_SHARES:
            speed = gear * share * min(ESCAPE_SPEED, body.forward if gear > 0.0 else body.reverse)
            for side in (1.0, -1.0):
                for turn_share in ESCAPE_SHARES:
                    most = abs(speed) * body.curvature if body.drive == CAR else body.turn
                    rate = side * min(turn_share * ESCAPE_TURN, most)
                    arc[0] = min(max(speed, velocity[0] - change), velocity[0] + change)
                    arc[1] = 0.0
                    arc[2] = min(max(rate, velocity[2] - turn_change), velocity[2] + turn_change)
                    arc[4] = ESCAPE_HORIZON
                    if arc[0] == 0.0 and arc[2] == 0.0:
                        continue
                    near = nearness(body, numbers, arc, points, obstacles, discs, teammates)
                    if near == math.inf:
                        continue
                    x, y, c, s = end_of_arc(arc[0], 0.0, arc[2], ESCAPE_HORIZON)
                    room = FARTHEST
                    for i in range(obstacles):
                        dx, dy = points[i, 0] - x, points[i, 1] - y
                        room = min(room, gap_to_point(body, dx * c + dy * s, dy * c - dx * s))
                    for i in range(teammates):
                        dx, dy = discs[i, 0] - x, discs[i, 1] - y
                        room = min(room, gap_to_point(body, dx * c + dy * s, dy * c - dx * s) - discs[i, 4])
                    if near > numbers.comfort:
                        room -= FARTHEST
                    if room > best:
                        best, forward, turn = room, arc[0], arc[2]
    command[0], command[1], command[2] = forward, 0.0, turn
    return best > -math.inf


@kernel
def _is_oncoming(discs: Floats, teammates: int) -> bool:
    """Whether a teammate ahead drives towards the robot."""
    near = False
    for k in range(teammates):
        near = near or (discs[k, 0] > 0.0 and discs[k, 2] < -0.1 and abs(discs[k, 1]) < 1.5)
    return near


@kernel
def _candidates(
    body: Record,
    numbers: Record,
    velocity: Floats,
    top_speed: float,
    gear: int,
    steer_x: float,
    steer_y: float,
    candidates: Floats,
) -> int:
    """The velocities of the window that are worth trying; standing still is one where the window holds it."""
    if body.drive == HOLONOMIC:
        return _candidates_every_way(body, numbers, velocity, top_speed, steer_x, steer_y, candidates)
    change = body.acceleration * body.period
    now = velocity[0] * gear
    high = min(top_speed, body.forward if gear > 0 else body.reverse, now + change)
    low = max(now - change, 0.0)
    high = max(high, low)
    turn_change = body.turn_acceleration * body.period
    count = 0
    speeds = int(numbers.speed_samples)
    for i in range(speeds):
        speed = high - (high - low) * i / max(speeds - 1, 1)
        if speed < numbers.min_speed:
            speed = 0.0 if low <= 0.0 else speed
        most = body.turn
        if body.drive == CAR:
            most = min(most, speed * body.curvature)
        first = max(velocity[2] - turn_change, -most)
        last = min(velocity[2] + turn_change, most)
        if first > last:
            first = last = min(max(velocity[2], -most), most)
        forward = gear * speed
        turns = int(numbers.turn_samples)
        for j in range(turns + 1):
            if j < turns:
                turn = first + (last - first) * (j + 0.5) / turns
            else:
                # Straight for the point ahead, along the arc that leads through it.
                turn = 2.0 * forward * steer_y / max(steer_x * steer_x + steer_y * steer_y, 0.01)
                turn = min(max(turn, first), last)
            candidates[count, 0], candidates[count, 1], candidates[count, 2] = forward, 0.0, turn
            count += 1
        if speed == 0.0:
            break
    return count


@kernel
def _candidates_every_way(
    body: Record,
    numbers: Record,
    velocity: Floats,
    top_speed: float,
    steer_x: float,
    steer_y: float,
    candidates: Floats,
) -> int:
    """Speeds in directions around that of the point ahead, as near as the accelerations allow, turning towards it."""
    change = body.acceleration * body.period
    bearing = math.atan2(steer_y, steer_x)
    turn_change = body.turn_acceleration * body.period
    wanted = math.copysign(math.sqrt(body.turn_acceleration * abs(bearing)), bearing)
    turn = min(max(wanted, velocity[2] - turn_change, -body.turn), velocity[2] + turn_change, body.turn)
    count = 0
    speeds, directions = int(numbers.speed_samples), int(numbers.turn_samples)
    ways = np.empty((directions, 2))
    for j in range(directions):
        direction = bearing + 2.0 * math.pi * j / directions
        ways[j, 0], ways[j, 1] = math.cos(direction), math.sin(direction)
    for i in range(speeds):
        speed = top_speed * (speeds - i) / speeds
        for j in range(directions):
            dx, dy = speed * ways[j, 0] - velocity[0], speed * ways[j, 1] - velocity[1]
            longest = max(math.sqrt(dx * dx + dy * dy), 1e-9)
            share = min(1.0, change / longest)
            candidates[count, 0] = velocity[0] + share * dx
            candidates[count, 1] = velocity[1] + share * dy
            candidates[count, 2] = turn
            count += 1
    share = min(1.0, change / max(math.sqrt(velocity[0] ** 2 + velocity[1] ** 2), 1e-9))
    candidates[count, 0], candidates[count, 1] = velocity[0] * (1.0 - share), velocity[1] * (1.0 - share)
    candidates[count, 2] = turn
    return count + 1
