"""Which beams of a scan ended on a teammate: neither maps nor localisers should take it for a wall.

Teammates say where they are, but their maps and mine may have drifted apart by metres. So there are two ways to tell:
a beam that ends where a teammate says it is, and a thing of a robot's size that stands free, nearer than what is on
both sides of it, somewhere around there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.mapping import Beams
from expedition.kernels import kernel

Floats = NDArray[np.float64]
Records = NDArray[Any]

MAX_AGE = 2.0
"""Seconds after which a teammate may be anywhere."""
TOP_SPEED = 1.5
SLACK, SLACK_RATE, MOST_SLACK = 0.15, 0.005, 0.25
"""Metres by which a teammate may be off at the start, how much more with every second, and at most, besides its own
size and the way it may have gone since its beacon. Near the start robots stand close together and know their places
well: a wall beside a teammate is what they need most to keep it so."""
DRIFT, DRIFT_RATE, MOST_DRIFT = 0.3, 0.02, 4.0
"""Metres within which a thing that stands free and has a robot's size is taken for the teammate, likewise."""
SPREADS = 10.0
"""Standard deviations of the robot's own position by which the two may have drifted apart at most: who knows well where
it is takes nothing for a teammate that is elsewhere."""
APART = 0.3
"""Metres between neighbouring end points from which they belong to different things."""


@kernel
def beams_on_teammates(
    beams: Beams,
    robots: NDArray[np.int64],
    ranges: NDArray[np.float32],
    poses: Floats,
    known: Records,
    age: Floats,
    radius: Floats,
    spread: Floats,
    time: float,
    ignore: NDArray[np.uint8],
) -> None:
    """Fill `ignore` (readings, beams): 1 where the beam ended on a teammate, else 0.

    `known` (robots, robots) holds for each robot the others' last beacons, of which x and y matter, `age` how long ago
    that was in seconds, `radius` the bodies' sizes, `spread` the standard deviations of the robots' positions, `time`
    how long ago all knew where they started. Cost: the beams, and for each thing that they met the teammates.
    """
    count = len(beams.directions)
    points = np.empty((count, 2))
    mates = np.empty((len(radius), 3))
    largest = 2.0 * radius.max() + APART
    slack = min(SLACK + SLACK_RATE * time, MOST_SLACK)
    for k in range(len(robots)):
        robot = robots[k]
        ignore[k] = 0
        drift = min(DRIFT + min(DRIFT_RATE * time, SPREADS * spread[robot]), MOST_DRIFT)
        near = _mates_in_view(beams, poses[robot], known[robot], age[robot], radius + slack, drift, robot, mates)
        if near == 0:
            continue
        for beam in range(count):
            points[beam, 0] = beams.directions[beam, 0] * ranges[k, beam]
            points[beam, 1] = beams.directions[beam, 1] * ranges[k, beam]
        first = 0
        while first < count:
            last = first
            while last + 1 < count and _together(points, last):
                last += 1
            _judge(ranges[k], points, first, last, largest, mates[:near], drift, beams.range, ignore[k])
            first = last + 1


@kernel
def _mates_in_view(
    beams: Beams, pose: Floats, known: Records, age: Floats, sizes: Floats, drift: float, robot: int, mates: Floats
) -> int:
    """Where, seen from the lidar, the teammates are that were heard lately and may be in range, and how far around.

    Returns how many.
    """
    c, s = math.cos(pose[2]), math.sin(pose[2])
    near = 0
    for other in range(len(sizes)):
        if other == robot or not age[other] <= MAX_AGE:
            continue
        size = sizes[other] + TOP_SPEED * age[other]
        dx, dy = known[other].x - pose[0], known[other].y - pose[1]
        if dx * dx + dy * dy <= (beams.range + drift) ** 2:
            mates[near, 0], mates[near, 1] = c * dx + s * dy - beams.x, c * dy - s * dx - beams.y
            mates[near, 2] = size
            near += 1
    return near


@kernel
def _together(points: Floats, beam: int) -> bool:
    """Whether a beam and the next ended on the same thing; never where one of them met nothing."""
    dx, dy = points[beam + 1, 0] - points[beam, 0], points[beam + 1, 1] - points[beam, 1]
    return bool(dx * dx + dy * dy <= APART * APART)


@kernel
def _judge(
    ranges: NDArray[np.float32],
    points: Floats,
    first: int,
    last: int,
    largest: float,
    mates: Floats,
    drift: float,
    reach: float,
    ignore: NDArray[np.uint8],
) -> None:
    """Mark the beams first to last, which ended on one thing, as far as it is a teammate."""
    if not ranges[first] < reach:
        return
    width = math.hypot(points[last, 0] - points[first, 0], points[last, 1] - points[first, 1])
    stands_free = (
        width <= largest
        and (first == 0 or ignore[first - 1] != 0 or not ranges[first - 1] <= ranges[first] + APART)
        and (last + 1 == len(ranges) or not ranges[last + 1] <= ranges[last] + APART)
    )
    middle_x, middle_y = 0.5 * (points[first, 0] + points[last, 0]), 0.5 * (points[first, 1] + points[last, 1])
    extent = 0.0
    for beam in range(first, last + 1):
        extent = max(extent, math.hypot(points[beam, 0] - middle_x, points[beam, 1] - middle_y))
    for mate in range(len(mates)):
        dx, dy, size = mates[mate, 0] - middle_x, mates[mate, 1] - middle_y, mates[mate, 2]
        away = math.hypot(dx, dy)
        if stands_free and away <= size + drift:
            ignore[first : last + 1] = 1
            return
        if away <= extent + size:
            for beam in range(first, last + 1):
                if math.hypot(points[beam, 0] - mates[mate, 0], points[beam, 1] - mates[mate, 1]) <= size:
                    ignore[beam] = 1
