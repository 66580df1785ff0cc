"""Motion and contact: every body through all physics ticks of a control period, in one kernel call.

Robots follow their velocity commands as far as acceleration, drive and ground allow. What would overlap a wall or
another body stops at the point of touch. Bodies move in order, robots before people, so that every run is the same.
"""

from __future__ import annotations

import math

import numpy as np

from expedition.fleet.footprint import overlap, touches_cells
from expedition.kernels import kernel
from expedition.sim.bodies import TOUCHED, Floats, Integers, Limits, Shapes, State, Walkers
from expedition.sim.ground import Ground
from expedition.sim.neighbours import Neighbours, find_neighbours
from expedition.streams import uniform
from expedition.terrain.squares import clearance

WALL = -1
NOTHING = -2
TOUCHING = 1e-4
"""How near a body comes to what stops it, in metres."""


@kernel
def advance_bodies(
    ground: Ground,
    shapes: Shapes,
    limits: Limits,
    state: State,
    walkers: Walkers,
    command: Floats,
    reach: Floats,
    start_tick: int,
    ticks: int,
    tick_duration: float,
    contact_gap: float,
    history: Floats,
    contacts: Integers,
) -> int:
    """Move all bodies through `ticks` physics ticks, in which none gets beyond its `reach`.

    Writes the poses after each tick to `history`, and each new contact as (tick, body, other) to `contacts`; returns
    how many there are. Cost: bodies times ticks, plus the neighbours of each and the cells around those near walls.
    """
    robots = len(command)
    near = find_neighbours(state.pose, reach)
    found = 0
    for tick in range(ticks):
        for body in range(len(state.pose)):
            if body < robots:
                row = np.int64((state.pose[body, 1] - ground.origin_y) / ground.resolution)
                column = np.int64((state.pose[body, 0] - ground.origin_x) / ground.resolution)
                # Roughness slows what rolls, not what flies.
                share = 0.01 * ground.speed_percent[row, column] if shapes.low[body] <= 0.0 else 1.0
                accelerate(state.velocity[body], command[body], body, limits, share, tick_duration)
            else:
                now = (start_tick + tick) * tick_duration
                walk(state, walkers, body, body - robots, now, tick_duration)
            release(ground, shapes, state, body, contact_gap)
            if state.velocity[body, 0] == 0.0 and state.velocity[body, 1] == 0.0 and state.velocity[body, 2] == 0.0:
                continue
            turns_on_spot = body < robots and limits.curvature[body] == math.inf
            hit = move(ground, shapes, state, body, near, tick_duration, turns_on_spot)
            if body >= robots:
                if hit != NOTHING:
                    walkers.leg_ends[body - robots] = 0.0
            elif hit == WALL:
                if not state.touches_wall[body]:
                    contacts[found, 0], contacts[found, 1], contacts[found, 2] = start_tick + tick + 1, body, WALL
                    found += 1
                    state.touches_wall[body] = True
            elif hit != NOTHING and note_contact(state, body, hit):
                note_contact(state, hit, body)
                contacts[found, 0], contacts[found, 1], contacts[found, 2] = start_tick + tick + 1, body, hit
                found += 1
        history[tick] = state.pose
    return found


@kernel
def accelerate(velocity: Floats, command: Floats, robot: int, limits: Limits, share: float, duration: float) -> None:
    """Bring a robot's velocity towards its command, within its drive's limits and the share of its speed had here."""
    forward = min(max(command[0], -share * limits.reverse[robot]), share * limits.forward[robot])
    sideways = min(max(command[1], -share * limits.sideways[robot]), share * limits.sideways[robot])
    speed = math.sqrt(forward * forward + sideways * sideways)
    top_speed = share * (limits.forward[robot] if forward >= 0.0 else limits.reverse[robot])
    top_speed = max(top_speed, abs(sideways))
    if speed > top_speed:
        forward *= top_speed / speed
        sideways *= top_speed / speed
    change_x, change_y = forward - velocity[0], sideways - velocity[1]
    change = math.sqrt(change_x * change_x + change_y * change_y)
    most = limits.acceleration[robot] * duration
    if change > most:
        change_x *= most / change
        change_y *= most / change
    velocity[0] += change_x
    velocity[1] += change_y
    most = limits.turn_acceleration[robot] * duration
    turn = min(max(command[2], -limits.turn[robot]), limits.turn[robot])
    turn = min(max(turn, velocity[2] - most), velocity[2] + most)
    if limits.curvature[robot] < math.inf:
        tightest = abs(velocity[0]) * limits.curvature[robot]
        turn = min(max(turn, -tightest), tightest)
    velocity[2] = turn


@kernel
def walk(state: State, walkers: Walkers, body: int, person: int, now: float, duration: float) -> None:
    """Set a person's velocity: towards the next waypoint, or straight on until it is time to turn."""
    pose, velocity = state.pose[body], state.velocity[body]
    start, end = walkers.first[person], walkers.first[person + 1]
    velocity[0] = walkers.speed[person]
    velocity[1] = 0.0
    velocity[2] = 0.0
    if end - start > 1:
        goal = start + (walkers.leg[person] + 1) % (end - start)
        dx, dy = walkers.points[goal, 0] - pose[0], walkers.points[goal, 1] - pose[1]
        distance = math.sqrt(dx * dx + dy * dy)
        if distance <= walkers.speed[person] * duration:
            velocity[0] = distance / duration
            walkers.leg[person] += 1
        if distance > 0.0:
            pose[2] = math.atan2(dy, dx)
    elif now >= walkers.leg_ends[person]:
        turns = np.uint64(walkers.leg[person])
        pose[2] = 2.0 * math.pi * uniform(walkers.key[person], np.uint64(2) * turns)
        leg = -walkers.mean_leg[person] * math.log(uniform(walkers.key[person], np.uint64(2) * turns + np.uint64(1)))
        walkers.leg_ends[person] = now + leg
        walkers.leg[person] += 1


@kernel
def move(
    ground: Ground, shapes: Shapes, state: State, body: int, near: Neighbours, duration: float, turns_on_spot: bool
) -> int:
    """Move one body by its velocity, or up to what stops it. Returns what did: WALL, a body, or NOTHING.

    A long step is looked at in pieces no longer than half the body or half a cell, so that nothing thin is jumped over.
    """
    pose, velocity = state.pose[body], state.velocity[body]
    x, y, heading = pose[0], pose[1], pose[2]
    turn = velocity[2] * duration
    c, s = math.cos(heading + 0.5 * turn), math.sin(heading + 0.5 * turn)
    step_x = (velocity[0] * c - velocity[1] * s) * duration
    step_y = (velocity[0] * s + velocity[1] * c) * duration
    length = math.sqrt(step_x * step_x + step_y * step_y) + abs(turn) * shapes.circumradius[body]
    half_width = shapes.half_width[body] if shapes.half_width[body] >= 0.0 else shapes.half_length[body]
    pieces = math.ceil(length / max(min(half_width, shapes.half_length[body]), 0.5 * ground.resolution))
    free, blocked, hit = 0.0, 1.0, NOTHING
    for piece in range(1, pieces + 1):
        share = piece / pieces
        hit = blocking(
            ground, shapes, state, body, near, x + share * step_x, y + share * step_y, heading + share * turn
        )
        if hit != NOTHING:
            blocked = share
            break
        free = share
    # What pushes on against the thing that it touches already stays where it is.
    searching = hit != NOTHING and not in_contact(state, body, hit)
    while searching and (blocked - free) * length > TOUCHING:
        share = 0.5 * (free + blocked)
        there = blocking(
            ground, shapes, state, body, near, x + share * step_x, y + share * step_y, heading + share * turn
        )
        if there == NOTHING:
            free = share
        else:
            blocked, hit = share, there
    pose[0], pose[1], pose[2] = x + free * step_x, y + free * step_y, _wrapped(heading + free * turn)
    if hit == NOTHING:
        return hit
    velocity[0] = velocity[1] = 0.0
    # What cannot go on may still turn, as a disc against a wall always can.
    may_turn = turns_on_spot and turn != 0.0
    if may_turn and blocking(ground, shapes, state, body, near, pose[0], pose[1], heading + turn) == NOTHING:
        pose[2] = _wrapped(heading + turn)
    else:
        velocity[2] = 0.0
    return hit


@kernel
def blocking(
    ground: Ground,
    shapes: Shapes,
    state: State,
    body: int,
    near: Neighbours,
    x: float,
    y: float,
    heading: float,
) -> int:
    """What a body would overlap if it stood at a pose: WALL, the first such body, or NOTHING."""
    level = shapes.slice[body]
    row = math.floor((y - ground.origin_y) / ground.resolution)
    column = math.floor((x - ground.origin_x) / ground.resolution)
    if not (0 <= row < ground.solid.shape[1] and 0 <= column < ground.solid.shape[2]):
        return WALL
    # The free squares around the cell often hold the whole footprint.
    clear = (clearance(ground.squares[level], row, column) - 1.0) * ground.resolution
    if clear < shapes.circumradius[body] and touches_cells(
        ground.solid[level], ground.resolution, ground.origin_x, ground.origin_y,
        x, y, heading, shapes.half_length[body], shapes.half_width[body],
    ):  # fmt: skip
        return WALL
    for k in range(near.first[body], near.first[body + 1]):
        other = int(near.others[k])
        if shapes.low[other] < shapes.high[body] and shapes.low[body] < shapes.high[other] and overlap(
            x, y, heading, shapes.half_length[body], shapes.half_width[body],
            state.pose[other, 0], state.pose[other, 1], state.pose[other, 2],
            shapes.half_length[other], shapes.half_width[other],
        ):  # fmt: skip
            return other
    return NOTHING


@kernel
def release(
    ground: Ground,
    shapes: Shapes,
    state: State,
    body: int,
    gap: float,
) -> None:
    """End a body's contacts once there is more than `gap` metres between it and what it touched."""
    if not state.touches_wall[body] and state.touches_body[body, 0] < 0:
        return
    x, y, heading = state.pose[body, 0], state.pose[body, 1], state.pose[body, 2]
    length = shapes.half_length[body] + gap
    width = shapes.half_width[body] + gap if shapes.half_width[body] >= 0.0 else -1.0
    if state.touches_wall[body]:
        state.touches_wall[body] = touches_cells(
            ground.solid[shapes.slice[body]], ground.resolution, ground.origin_x, ground.origin_y,
            x, y, heading, length, width,
        )  # fmt: skip
    for slot in range(TOUCHED - 1, -1, -1):
        other = state.touches_body[body, slot]
        if other >= 0 and not overlap(
            x, y, heading, length, width,
            state.pose[other, 0], state.pose[other, 1], state.pose[other, 2],
            shapes.half_length[other], shapes.half_width[other],
        ):  # fmt: skip
            forget_contact(state, body, other)
            forget_contact(state, other, body)


@kernel
def in_contact(state: State, body: int, other: int) -> bool:
    """Whether a body is known to touch another, or a wall."""
    if other == WALL:
        return bool(state.touches_wall[body])
    return bool((state.touches_body[body] == other).any())


@kernel
def note_contact(state: State, body: int, other: int) -> bool:
    """Remember that a body touches another; whether that is news."""
    for slot in range(TOUCHED):
        if state.touches_body[body, slot] == other:
            return False
        if state.touches_body[body, slot] < 0:
            state.touches_body[body, slot] = other
            return True
    return False


@kernel
def forget_contact(state: State, body: int, other: int) -> None:
    """Take a body out of those that another touches, and close the gap."""
    kept = 0
    for slot in range(TOUCHED):
        touched = state.touches_body[body, slot]
        state.touches_body[body, slot] = -1
        if touched >= 0 and touched != other:
            state.touches_body[body, kept] = touched
            kept += 1


@kernel
def _wrapped(angle: float) -> float:
    """The same angle within -pi and pi."""
    if -math.pi <= angle <= math.pi:
        return angle
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)
