"""Beacons arrive: what robots tell each other of their motion, as it is in the frame of who hears it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.local_records import AHEAD

Floats = NDArray[np.float64]
Records = NDArray[Any]


@kernel
def hear(
    time: float,
    links: NDArray[np.bool_],
    beacons: Records,
    goals: Floats,
    heard: Records,
    heard_at: Floats,
    goals_heard: Floats,
) -> None:
    """Let every node remember the beacons and goals of the robots it hears (`links`) now. Cost: the pairs."""
    for robot in range(len(heard)):
        for other in range(len(beacons)):
            if links[robot, other]:
                heard[robot, other] = beacons[other]
                heard_at[robot, other] = time
                goals_heard[robot, other, 0], goals_heard[robot, other, 1] = goals[other, 0], goals[other, 1]


@kernel
def hear_turned(
    time: float,
    links: NDArray[np.bool_],
    known: NDArray[np.bool_],
    transforms: Floats,
    beacons: Records,
    goals: Floats,
    heard: Records,
    heard_at: Floats,
    goals_heard: Floats,
) -> None:
    """Turn what is heard (`links`) from robots whose frame is known (`known`, `transforms`) into the hearers' frames.

    Invariant: who does not know where a teammate's frame lies has never heard of it. Cost: the pairs.
    """
    robots = len(beacons)
    for robot in range(robots):
        for other in range(robots):
            if robot == other:
                continue
            if not known[robot, other]:
                heard_at[robot, other] = -math.inf
                goals_heard[robot, other, 0] = goals_heard[robot, other, 1] = math.nan
                continue
            if not links[robot, other]:
                continue
            turn, x0, y0 = transforms[robot, other, 0], transforms[robot, other, 1], transforms[robot, other, 2]
            c, s = math.cos(turn), math.sin(turn)
            told, mine = beacons[other], heard[robot, other]
            mine.x, mine.y = c * told.x - s * told.y + x0, s * told.x + c * told.y + y0
            heading = told.heading + turn
            mine.heading = heading - 2.0 * math.pi * math.floor(heading / (2.0 * math.pi) + 0.5)
            mine.velocity_x = c * told.velocity_x - s * told.velocity_y
            mine.velocity_y = s * told.velocity_x + c * told.velocity_y
            for k in range(len(AHEAD)):
                mine.ahead[k, 0] = c * told.ahead[k, 0] - s * told.ahead[k, 1] + x0
                mine.ahead[k, 1] = s * told.ahead[k, 0] + c * told.ahead[k, 1] + y0
            mine.radius, mine.way_out, mine.status = told.radius, told.way_out, told.status
            mine.held_by, mine.yields_to = told.held_by, told.yields_to
            heard_at[robot, other] = time
            x, y = goals[other, 0], goals[other, 1]
            goals_heard[robot, other, 0] = c * x - s * y + x0
            goals_heard[robot, other, 1] = s * x + c * y + y0
