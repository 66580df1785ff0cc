"""From a stretch of path to a velocity: turn on the spot, choose a gear, or search the dynamic window."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.dwa import choose_escape, choose_velocity, nearest_gap, nearness
from expedition.navigate.local_records import CAR, DIFFERENTIAL, DRIVING, Record
from expedition.navigate.progress import BACK, ESCAPE, turn_wanted, wrapped

Floats = NDArray[np.float64]

TOO_NEAR = 0.04
"""A robot that wants to drive and cannot gets away from what is nearer than this, in metres."""
REVERSING = 0.4
"""The top speed of a robot that drives backwards where it cannot turn: few lidars look there, in m/s."""
TURNING = 1.0
"""The rate, in rad/s, at which it is tried whether a robot can turn all the way."""
LOOKING, LOOKS_AHEAD = 0.8, 0.5
"""The rate, in rad/s, at which a robot looks around, and for how many seconds there must be room for that."""
NARROW = 0.25
"""With less room than this, to both sides together, a robot keeps to the middle, in metres, ..."""
NARROW_SPEED, NARROW_TURN, TANGENT = 0.3, 0.6, 0.3
"""... at most so fast, in m/s and rad/s, along the direction of the path over so many metres, ..."""
STRAIGHTEN, RETURN = 2.0, 4.0
"""... turning by so much for each radian that it is off that, and each metre beside: it swings but once."""
ROOM_ENOUGH = 0.12
"""With this much room around it a robot need not get away from anything, in metres."""


@kernel
def steer(
    body: Record,
    memory: Record,
    numbers: Record,
    pose: Floats,
    velocity: Floats,
    count: int,
    top_speed: float,
    gear: int,
    room: float,
    local: Floats,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    candidates: Floats,
    command: Floats,
) -> None:
    """Turn on the spot where the way leads off too far, keep to the middle where it is narrow, else search the window.

    Gear 0: as the path asks. `room` is that to both sides of the body ahead.
    """
    if count == 0:
        bearing = 0.0
        if memory.recovery == ESCAPE:
            if nearest_gap(points, obstacles, discs, teammates) > ROOM_ENOUGH:
                memory.recovery = BACK
            choose_escape(body, numbers, velocity, points, obstacles, discs, teammates, candidates, command)
            return
        if not math.isnan(turn_wanted(memory, pose)) and memory.status == DRIVING:
            bearing = turn_wanted(memory, pose)
        command[0] = command[1] = command[2] = 0.0
        if memory.looks_around == 1:
            arc = candidates[0]
            arc[0], arc[1], arc[2], arc[4] = 0.0, 0.0, LOOKING, LOOKS_AHEAD
            if nearness(body, numbers, arc, points, obstacles, discs, teammates) <= numbers.comfort:
                _turn_on_spot(
                    body,
                    numbers,
                    velocity,
                    LOOKING * body.period,
                    points,
                    obstacles,
                    discs,
                    teammates,
                    candidates,
                    command,
                )
            else:
                choose_escape(body, numbers, velocity, points, obstacles, discs, teammates, candidates, command)
            return
        if bearing != 0.0 and body.drive != CAR:
            _turn_on_spot(body, numbers, velocity, bearing, points, obstacles, discs, teammates, candidates, command)
        return
    speed = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2)
    steer_x, steer_y = _point_ahead(local, count, numbers.lookahead + 0.4 * speed)
    top_speed = min(top_speed, body.forward)
    bearing = math.atan2(steer_y, steer_x)
    if body.drive == CAR and gear == 0:
        if memory.gear > 0 and abs(bearing) > 2.0 and body.reverse > 0.0 and speed < 0.1:
            memory.gear = -1
        elif memory.gear < 0 and abs(bearing) < 1.2:
            memory.gear = 1
        gear = memory.gear
    elif gear == 0:
        gear = 1
        if body.drive == DIFFERENTIAL:
            gear, bearing = _way_round(
                body, memory, numbers, velocity, bearing, points, obstacles, discs, teammates, candidates
            )
            if gear < 0:
                top_speed = min(top_speed, REVERSING)
    if gear < 0:
        bearing = wrapped(bearing + math.pi)
    if room < NARROW and body.drive == DIFFERENTIAL:
        _keep_to_middle(body, velocity, gear, local, count, candidates[0])
        if nearness(body, numbers, candidates[0], points, obstacles, discs, teammates) <= numbers.comfort:
            command[0], command[1], command[2] = candidates[0, 0], 0.0, candidates[0, 2]
            return
    if body.drive == DIFFERENTIAL:
        memory.turning = 1 if abs(bearing) > (0.4 if memory.turning == 1 else 1.0) * numbers.turn_on_spot else 0
        if memory.turning == 1:
            command[0] = command[1] = 0.0
            if _turn_on_spot(
                body, numbers, velocity, bearing, points, obstacles, discs, teammates, candidates, command
            ):
                return
        else:
            top_speed *= max(1.0 - abs(bearing) / numbers.turn_on_spot, 0.15)
    elif body.drive == CAR:
        top_speed *= max(1.0 - 0.5 * abs(bearing), 0.3)
    top_speed = max(top_speed, numbers.min_speed)
    choose_velocity(
        body, numbers, velocity, top_speed, gear, steer_x, steer_y, local, count,
        points, obstacles, discs, teammates, candidates, command,
    )  # fmt: skip
    stands = command[0] == 0.0 and command[1] == 0.0 and abs(command[2]) < 0.05
    if stands and nearest_gap(points, obstacles, discs, teammates) < TOO_NEAR:
        choose_escape(body, numbers, velocity, points, obstacles, discs, teammates, candidates, command)


@kernel
def _keep_to_middle(body: Record, velocity: Floats, gear: int, local: Floats, count: int, arc: Floats) -> None:
    """The motion back to a path and along it, for places where an arc that is good enough elsewhere ends at a wall."""
    x, y = _point_ahead(local, count, TANGENT)
    off = math.atan2(y - local[0, 1], x - local[0, 0])
    if gear < 0:
        off = wrapped(off + math.pi)
    change, turn_change = body.acceleration * body.period, body.turn_acceleration * body.period
    speed = gear * min(NARROW_SPEED, body.forward if gear > 0 else body.reverse) * max(1.0 - abs(off), 0.0)
    turn = min(max(STRAIGHTEN * off + gear * RETURN * local[0, 1], -NARROW_TURN), NARROW_TURN)
    arc[0] = min(max(speed, velocity[0] - change), velocity[0] + change)
    arc[1] = 0.0
    arc[2] = min(max(turn, velocity[2] - turn_change), velocity[2] + turn_change)
    arc[4] = LOOKS_AHEAD


@kernel
def _way_round(
    body: Record,
    memory: Record,
    numbers: Record,
    velocity: Floats,
    bearing: float,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    candidates: Floats,
) -> tuple[int, float]:
    """The gear for a path that leads off by a bearing, and that bearing the way round that the robot can turn.

    Where it can turn neither way, and the path leads back, it drives backwards until it can.
    """
    if abs(bearing) <= numbers.turn_on_spot:
        memory.gear = 1
        return 1, bearing
    other = bearing - math.copysign(2.0 * math.pi, bearing)
    for turn in (bearing, other):
        arc = candidates[0]
        arc[0], arc[1], arc[2], arc[4] = 0.0, 0.0, math.copysign(TURNING, turn), abs(turn) / TURNING
        if nearness(body, numbers, arc, points, obstacles, discs, teammates) <= numbers.comfort:
            memory.gear = 1
            return 1, turn
    if body.reverse > 0.0 and abs(bearing) > (1.2 if memory.gear < 0 else 0.5 * math.pi):
        memory.gear = -1
    else:
        memory.gear = 1
    return int(memory.gear), bearing


@kernel
def _point_ahead(local: Floats, count: int, distance: float) -> tuple[float, float]:
    """The point of the local path `distance` metres on."""
    k = 0
    while k < count - 2 and local[k + 1, 2] < distance:
        k += 1
    share = min(max((distance - local[k, 2]) / max(local[k + 1, 2] - local[k, 2], 1e-9), 0.0), 1.0)
    x = local[k, 0] + share * (local[k + 1, 0] - local[k, 0])
    return x, local[k, 1] + share * (local[k + 1, 1] - local[k, 1])


@kernel
def _turn_on_spot(
    body: Record,
    numbers: Record,
    velocity: Floats,
    bearing: float,
    points: Floats,
    obstacles: int,
    discs: Floats,
    teammates: int,
    candidates: Floats,
    command: Floats,
) -> bool:
    """Turn by a bearing as fast as the robot can still stop there; the other way round if something is in the way."""
    fastest = min(math.sqrt(1.4 * body.turn_acceleration * abs(bearing)), body.turn, abs(bearing) / body.period)
    change = body.turn_acceleration * body.period
    arc = candidates[0]
    for attempt in range(2):
        turn = math.copysign(fastest, bearing) * (1.0 if attempt == 0 else -1.0)
        turn = min(max(turn, velocity[2] - change), velocity[2] + change)
        arc[0], arc[1], arc[2], arc[4] = 0.0, 0.0, turn, body.period
        if nearness(body, numbers, arc, points, obstacles, discs, teammates) < math.inf:
            command[2] = turn
            return True
    return False
