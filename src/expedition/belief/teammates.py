"""Which beams of a scan ended on a teammate, by what the teammates last said of where they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.mapping import Beams
from expedition.kernels import kernel

Floats = NDArray[np.float64]
Records = NDArray[Any]

MAX_AGE = 1.0
"""Seconds after which a teammate may be anywhere."""
TOP_SPEED = 1.5
SLACK = 0.25
"""Metres by which a teammate may be off, besides its own size and the way it may have gone since."""


@kernel
def beams_on_teammates(
    beams: Beams,
    robots: NDArray[np.int64],
    ranges: NDArray[np.float32],
    poses: Floats,
    known: Records,
    age: Floats,
    radius: Floats,
    ignore: NDArray[np.uint8],
) -> None:
    """Fill `ignore` (readings, beams): 1 where the beam's end lies on a teammate, else 0.

    `known` (robots, robots) holds for each robot the others' last beacons, of which x and y matter, `age` how long ago
    that was in seconds, `radius` the bodies' sizes. Cost: the teammates, and the beams towards those in range.
    """
    ignore[:] = 0
    first = beams.angles[0]
    count = len(beams.angles)
    spacing = (beams.angles[count - 1] - first) / max(count - 1, 1)
    for k in range(len(robots)):
        robot = robots[k]
        x, y, heading = poses[robot, 0], poses[robot, 1], poses[robot, 2]
        c, s = math.cos(heading), math.sin(heading)
        x += c * beams.x - s * beams.y
        y += s * beams.x + c * beams.y
        for other in range(len(radius)):
            if other == robot or not age[robot, other] <= MAX_AGE:
                continue
            dx, dy = known[robot, other].x - x, known[robot, other].y - y
            distance = math.hypot(dx, dy)
            size = radius[other] + SLACK + TOP_SPEED * age[robot, other]
            if distance > beams.range + size:
                continue
            half = math.pi if distance <= size else math.asin(size / distance)
            bearing = math.atan2(dy, dx) - heading - first
            bearing -= 2.0 * math.pi * math.floor(bearing / (2.0 * math.pi))
            for turn in range(2):
                middle = bearing - 2.0 * math.pi * turn
                if spacing > 0.0:
                    low, high = max(math.ceil((middle - half) / spacing), 0), math.floor((middle + half) / spacing)
                else:
                    low, high = 0, 0
                for beam in range(low, min(high, count - 1) + 1):
                    length = ranges[k, beam]
                    angle = heading + beams.angles[beam]
                    ex, ey = math.cos(angle) * length - dx, math.sin(angle) * length - dy
                    if ex * ex + ey * ey <= size * size:
                        ignore[k, beam] = 1
