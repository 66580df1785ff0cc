"""One control tick of local navigation for the whole fleet, in one kernel call.

Each robot finds its place on its path, asks whether it has the right of way, and takes the best velocity of its
dynamic window; robots that get no farther free themselves, and say that they are blocked if they cannot.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.along import point_along
from expedition.navigate.centring import centre
from expedition.navigate.jams import free_if_jammed
from expedition.navigate.lanes import choose_lane
from expedition.navigate.local_records import AHEAD, BLOCKED, NOBODY, Record, Records
from expedition.navigate.manoeuvre import manoeuvre
from expedition.navigate.nearby import MOST_POINTS, gather_points, gather_teammates
from expedition.navigate.progress import MANOEUVRE, NONE, decide, find_place, turn_wanted
from expedition.navigate.steering import steer
from expedition.navigate.stretch import LOCAL_POINTS, LOOKS_AHEAD, local_path

Floats = NDArray[np.float64]

SEES_TEAMMATES = 2.0
"""Teammates are reckoned with this much farther away than walls, for they come along."""
DEPTH = 0.15
"""How far behind its beginning the place of a passage is, in metres."""
SURE_AFTER = 0.4
"""Seconds that the lidar must have seen so."""


@kernel
def follow_paths(
    time: float,
    fresh: bool,
    poses: Floats,
    velocities: Floats,
    platforms: Records,
    memories: Records,
    paths: Floats,
    lengths: Floats,
    ranges: NDArray[Any],
    beams: Floats,
    kept: NDArray[np.float32],
    states: NDArray[np.uint8],
    frame: Floats,
    heard: Records,
    heard_at: Floats,
    numbers: Records,
    commands: Floats,
    beacons: Records,
) -> None:
    """Write every robot's command and beacon, and keep its memory. `fresh`: every robot has a new scan in its row.

    Costs a few microseconds for a robot with nothing near, and more for each obstacle and teammate within reach.
    """
    robots = len(poses)
    points = np.empty((MOST_POINTS, 3))
    discs = np.empty((robots, 7))
    local = np.empty((LOCAL_POINTS, 3))
    shifted = np.empty((LOCAL_POINTS, 3))
    centred = np.empty((LOCAL_POINTS, 4))
    offsets = np.empty(LOCAL_POINTS)
    velocity = np.empty(3)
    settings = numbers[0]
    samples = int(settings.speed_samples) * (int(settings.turn_samples) + 1) + 2
    candidates = np.empty((samples, 5))
    for robot in range(robots):
        body, memory, pose = platforms[robot], memories[robot], poses[robot]
        velocity[:] = velocities[robot]  # They may be the last commands, which are overwritten here.
        command, path, length = commands[robot], paths[robot], lengths[robot]
        # Who tries to get free creeps.
        settings = numbers[1 if memory.attempts > 0 else 0]
        state = states[robot if len(states) > 1 else 0]
        x, y, resolution = frame[0], frame[1], frame[2]
        if fresh:
            memory.scan_row = robot
            memory.scan_x, memory.scan_y, memory.scan_heading = pose[0], pose[1], pose[2]
        fits = True
        if memory.points > 0:
            find_place(memory, pose, path, length)
        speed = math.sqrt(velocity[0] ** 2 + velocity[1] ** 2)
        decide(robot, time, body, memory, settings, pose, path, length, heard[robot], heard_at[robot])
        count, top_speed, gear = local_path(
            robot, time, body, memory, settings, pose, speed, path, length, heard[robot], heard_at[robot], local
        )  # fmt: skip
        if (
            count == 0
            and speed == 0.0
            and velocity[2] == 0.0
            and math.isnan(turn_wanted(memory, pose))
            and memory.recovery == NONE
            and memory.looks_around == 0
        ):
            command[0] = command[1] = command[2] = 0.0
        else:
            reach = (
                body.radius + settings.comfort + (max(speed, 0.3) + body.acceleration * body.period) * settings.horizon
            )
            teammates = gather_teammates(
                body, pose, heard[robot], heard_at[robot], time, settings.beacon_timeout, reach + SEES_TEAMMATES, discs
            )
            far = reach + LOOKS_AHEAD * speed if gear == 0 else 0.0
            obstacles, every = gather_points(
                body,
                memory,
                pose,
                ranges,
                beams,
                state,
                x,
                y,
                resolution,
                discs,
                teammates,
                reach,
                far,
                time,
                kept[robot],
                points,
            )
            if memory.recovery == MANOEUVRE and manoeuvre(
                time, body, memory, settings, pose, velocity, local, count,
                points, obstacles, discs, teammates, candidates[0], command,
            ):  # fmt: skip
                _measure(memory, fits, time)
                _tell(time, body, memory, pose, velocity, path, length, beacons[robot])
                continue
            room = math.inf
            if count > 0 and gear == 0:
                count, room, narrow_at = centre(
                    body, local, count, points, obstacles, discs, teammates, centred, offsets
                )
                fits = narrow_at == math.inf
                if not fits:
                    ahead, aside, _ = point_along(
                        local, local[:, 2], count, min(narrow_at + DEPTH, local[count - 1, 2])
                    )
                    c, s = math.cos(pose[2]), math.sin(pose[2])
                    memory.narrow_x, memory.narrow_y = pose[0] + ahead * c - aside * s, pose[1] + ahead * s + aside * c
                if room < math.inf and teammates == 0:
                    memory.lane = 0.0  # There is no room beside.
                else:
                    count = choose_lane(body, memory, local, count, points, every, discs, teammates, shifted)
            steer(
                body, memory, settings, pose, velocity, count, top_speed, gear, room, local,
                points, obstacles, discs, teammates, candidates, command,
            )  # fmt: skip
        _measure(memory, fits, time)
        free_if_jammed(time, body, memory, pose, command)
        _tell(time, body, memory, pose, velocity, path, length, beacons[robot])


@kernel
def _measure(memory: Record, fits: bool, time: float) -> None:
    """A path counts as blocked where the lidar sees for a while that the body does not fit through."""
    if fits:
        memory.fits_at = max(memory.fits_at, time)
    elif time - memory.fits_at > SURE_AFTER:
        memory.status = BLOCKED
        memory.too_narrow = 1


@kernel
def _tell(
    time: float,
    body: Record,
    memory: Record,
    pose: Floats,
    velocity: Floats,
    path: Floats,
    lengths: Floats,
    beacon: Record,
) -> None:
    """Write what teammates are to know."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    beacon.x, beacon.y, beacon.heading, beacon.radius = pose[0], pose[1], pose[2], body.radius
    beacon.velocity_x, beacon.velocity_y = velocity[0] * c - velocity[1] * s, velocity[0] * s + velocity[1] * c
    beacon.status, beacon.held_by, beacon.yields_to = memory.status, memory.held_by, memory.yields_to
    known = memory.way_out_for == memory.held_by and memory.held_by != NOBODY
    beacon.way_out = memory.way_out if known else -1.0
    for k in range(len(AHEAD)):
        x, y = pose[0], pose[1]
        if memory.points > 0:
            x, y, _ = point_along(path, lengths, memory.points, min(memory.along + AHEAD[k], memory.length))
        beacon.ahead[k, 0], beacon.ahead[k, 1] = x, y
