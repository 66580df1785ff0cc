"""Which scans a robot looks at, to localise itself and to map: those from somewhere else than the last.

Avoidance uses every scan. Between the scans looked at, odometry alone moves the believed pose.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.kernels import kernel
from expedition.sim.protocol import Scans
from expedition.spec import Spec

Floats = NDArray[np.float64]


CLOSE = 0.4
"""Nearer than this to what its lidar sees a robot is in close quarters, in metres."""
STANDS = 1e-3
"""A robot whose pose changed by less, in metres and radians, has not moved."""


class AttentionSettings(Spec):
    """A scan is looked at once the robot has moved or turned a little since the last one, or some time has passed."""

    distance: Annotated[float, Field(ge=0, le=100)] = 0.13
    """Metres that the robot moved ..."""
    turn: Annotated[float, Field(ge=0, le=7)] = 0.08
    """... or radians that it turned ..."""
    interval: Annotated[float, Field(ge=0, le=1000)] = 0.5
    """... or seconds that passed, ..."""
    creeping_interval: Annotated[float, Field(ge=0, le=1000)] = 0.2
    """... seconds for a robot that moved at all close to something: odometry may be as noisy when it creeps."""


class Attention:
    """Where and when each robot last looked at a scan."""

    def __init__(self, robots: int, settings: AttentionSettings) -> None:
        self._limits = (settings.distance, settings.turn, settings.interval, settings.creeping_interval)
        self._last = np.full((robots, 4), -math.inf)

    def choose(self, scans: list[Scans], poses: Floats, time: float) -> list[Scans]:
        """Those of the scans that are worth looking at, by where robots believe to be."""
        chosen = []
        for scan in scans:
            if len(scan.robots) == 0:
                continue
            worth = worth_looking(poses, scan.robots, scan.ranges, self._last, self._limits, time)
            if worth.all():
                chosen.append(scan)
            elif worth.any():
                chosen.append(Scans(scan.lidar, scan.robots[worth], scan.times[worth], scan.ranges[worth]))
        return chosen


@kernel
def worth_looking(
    poses: Floats,
    robots: NDArray[np.int64],
    ranges: NDArray[np.float32],
    last: Floats,
    limits: tuple[float, float, float, float],
    time: float,
) -> NDArray[np.bool_]:
    """For each of some robots, whether its scan is to be looked at now; if so, remember pose and time."""
    distance, turn, interval, creeping_interval = limits
    worth = np.zeros(len(robots), dtype=np.bool_)
    for k in range(len(robots)):
        before = last[robots[k]]
        x, y, heading = poses[robots[k], 0], poses[robots[k], 1], poses[robots[k], 2]
        moved = math.hypot(x - before[0], y - before[1])
        turned = abs(heading - before[2]) % (2.0 * math.pi)
        turned = min(turned, 2.0 * math.pi - turned)
        has_moved = moved >= STANDS or turned >= STANDS
        longest = creeping_interval if has_moved and _is_close(ranges[k]) else interval
        # Not "less than" all three: at the start, the last pose is nowhere.
        still = moved < distance and turned < turn and time - before[3] < longest - 1e-6
        if not still:
            worth[k] = True
            before[0], before[1], before[2], before[3] = x, y, heading, time
    return worth


@kernel
def _is_close(ranges: NDArray[np.float32]) -> bool:
    """Whether anything is so near that the robot creeps."""
    found = False
    for beam in range(len(ranges)):
        found = found or ranges[beam] < CLOSE
    return found
