"""Driving by velocity: whether there is room to go on."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.mapping import Beams
from expedition.kernels import kernel

STEPS = 8


@kernel
def has_room(
    beams: Beams,
    ranges: NDArray[np.float32],
    forward: float,
    sideways: float,
    turn: float,
    seconds: float,
    reach: float,
) -> bool:
    """Whether a robot that keeps a velocity for some seconds stays `reach` metres clear of what its scan shows.

    Only what it comes nearer to counts, so that it may drive away from a wall. Cost: the beams times `STEPS`.
    """
    for beam in range(len(ranges)):
        distance = ranges[beam]
        if not distance < beams.range:
            continue
        px = beams.x + beams.directions[beam, 0] * distance
        py = beams.y + beams.directions[beam, 1] * distance
        before = math.hypot(px, py)
        x, y, heading = 0.0, 0.0, 0.0
        for _ in range(STEPS):
            step = seconds / STEPS
            middle = heading + 0.5 * turn * step
            x += (forward * math.cos(middle) - sideways * math.sin(middle)) * step
            y += (forward * math.sin(middle) + sideways * math.cos(middle)) * step
            heading += turn * step
            away = math.hypot(px - x, py - y)
            if away < reach and away < before - 1e-3:
                return False
    return True
