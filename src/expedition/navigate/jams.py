"""Jams: a robot whose commands do not move it pushes against something that it does not see.

Most lidars look ahead only, and maps are a little wrong: a corner of the body may touch a wall behind. Whatever blocks
a motion does not block its opposite, so for a moment the robot drives back what it tried, a little turned.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.local_records import CAR, Record
from expedition.navigate.progress import wrapped
from expedition.streams import uniform

Floats = NDArray[np.float64]

AFTER = 1.5
"""Seconds without any motion after which a robot that is told to move is jammed."""
MOVED, TURNED = 0.03, 0.05
"""What counts as motion, in metres and radians."""
SLOWEST, SLOWEST_TURN = 0.05, 0.2
"""Commands below these, in m/s and rad/s, need not move a robot soon."""
BACK, BACK_TURN, SECONDS = 0.15, 0.5, 0.8
"""How fast and for how long it drives back."""


@kernel
def note_motion(time: float, memory: Record, pose: Floats, command: Floats) -> None:
    """Keep when the robot's commands last moved it, or told it to stand."""
    dx, dy = pose[0] - memory.jammed_x, pose[1] - memory.jammed_y
    turned = abs(wrapped(pose[2] - memory.jammed_heading))
    is_told = math.hypot(command[0], command[1]) > SLOWEST or abs(command[2]) > SLOWEST_TURN
    if not is_told or dx * dx + dy * dy > MOVED * MOVED or turned > TURNED:
        memory.jammed_x, memory.jammed_y, memory.jammed_heading = pose[0], pose[1], pose[2]
        memory.moved_by_command_at = time


@kernel
def free_if_jammed(time: float, body: Record, memory: Record, pose: Floats, command: Floats) -> None:
    """Replace the command of a robot that is jammed, and keep when its commands last moved it."""
    if time < memory.unjams_until:
        command[0], command[1], command[2] = memory.unjam_forward, 0.0, memory.unjam_turn
        return
    note_motion(time, memory, pose, command)
    if time - memory.moved_by_command_at > AFTER:
        chance = uniform(body.key, memory.draws)
        memory.draws += np.uint64(1)
        forward = 0.0 if abs(command[0]) <= SLOWEST else -math.copysign(BACK, command[0])
        turn = (2.0 * chance - 1.0) * BACK_TURN if forward != 0.0 else -math.copysign(BACK_TURN, command[2])
        if forward < 0.0 and body.reverse == 0.0:
            forward = 0.0
        if body.drive == CAR:
            turn = min(max(turn, -abs(forward) * body.curvature), abs(forward) * body.curvature)
        memory.unjam_forward, memory.unjam_turn, memory.unjams_until = forward, turn, time + SECONDS
        memory.moved_by_command_at = time
