"""Wheel odometry: the motion between two readings, with the noise of the robot's model."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.sim.bodies import Floats, Integers
from expedition.streams import mix, normal

GAUSSIAN, MOTION = 0, 1


@kernel
def measure_motion(
    before: Floats,
    after: Floats,
    robots: Integers,
    keys: NDArray[np.uint64],
    number: np.uint64,
    noise_kind: int,
    noise: Floats,
    increments: Floats,
) -> None:
    """Fill `increments` (robots, 3) for one reading of several robots: forward, sideways, turn, as wheels report it.

    A robot that did not move since its last reading reports exactly that: wheels at rest do not slip.
    """
    for k in range(len(robots)):
        robot = robots[k]
        x, y, heading = before[robot, 0], before[robot, 1], before[robot, 2]
        dx, dy = after[robot, 0] - x, after[robot, 1] - y
        c, s = math.cos(heading), math.sin(heading)
        forward, sideways = c * dx + s * dy, c * dy - s * dx
        turn = after[robot, 2] - heading
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        if forward != 0.0 or sideways != 0.0 or turn != 0.0:
            key = mix(keys[k], number)
            first, second, third = normal(key, np.uint64(0)), normal(key, np.uint64(1)), normal(key, np.uint64(2))
            if noise_kind == GAUSSIAN:
                forward += noise[0] * first
                sideways += noise[0] * second
                turn += noise[1] * third
            else:
                forward, sideways, turn = _slip(forward, sideways, turn, noise, first, second, third)
        increments[k, 0], increments[k, 1], increments[k, 2] = forward, sideways, turn


@kernel
def _slip(
    forward: float, sideways: float, turn: float, alpha: Floats, first: float, second: float, third: float
) -> tuple[float, float, float]:
    """The odometry motion model of Thrun, Burgard and Fox (2005), section 5.4: turn, drive, turn again.

    Each part's standard deviation grows with all three: alpha1 and alpha2 for turns, alpha3 and alpha4 for the drive.
    Driving backwards counts as a drive with the turns taken the short way.
    """
    drive = math.sqrt(forward * forward + sideways * sideways)
    turn1 = math.atan2(sideways, forward) if drive > 1e-9 else 0.0
    reverse = abs(turn1) > 0.5 * math.pi
    if reverse:
        turn1 = math.atan2(-sideways, -forward)
    turn2 = turn - turn1
    noisy_turn1 = turn1 + first * math.sqrt(alpha[0] * turn1 * turn1 + alpha[1] * drive * drive)
    spread = alpha[2] * drive * drive + alpha[3] * (turn1 * turn1 + turn2 * turn2)
    noisy_drive = drive + second * math.sqrt(spread)
    noisy_turn2 = turn2 + third * math.sqrt(alpha[0] * turn2 * turn2 + alpha[1] * drive * drive)
    if reverse:
        noisy_drive = -noisy_drive
    return noisy_drive * math.cos(noisy_turn1), noisy_drive * math.sin(noisy_turn1), noisy_turn1 + noisy_turn2
