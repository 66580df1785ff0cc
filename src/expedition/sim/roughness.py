"""Seeing rough ground: how fast the ground around a robot can be driven, as far as no wall hides it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.sim.bodies import Floats
from expedition.sim.ground import Ground
from expedition.sim.rays import cast_ray, on_grid
from expedition.sim.readings import Reading
from expedition.streams import mix, normal


class GroundEye(NamedTuple):
    """A ground camera: rays in the robot's frame, the points along each, and how well it sees."""

    directions: Floats  # (rays, 2): cosine and sine
    distances: Floats  # (steps,): rising
    noise_percent: float
    slice: int


@kernel
def look_at_ground(ground: Ground, eye: GroundEye, history: Floats, reading: Reading, seen: NDArray[np.uint8]) -> None:
    """Fill `seen` (readings, rays, steps) with percents of speed, 0 for points behind walls or beyond the terrain.

    A ray is cast as far as its last point; the ground before the first wall is in view. The noise of a point depends on
    the reading and the point only. Cost: a ray for each direction, and the points.
    """
    squares = ground.squares[eye.slice]
    rows, columns = ground.speed_percent.shape
    steps = len(eye.distances)
    farthest = eye.distances[steps - 1] / ground.resolution
    seen[:] = 0
    for k in range(len(reading.robot)):
        pose = history[reading.tick[k], reading.robot[k]]
        c, s = math.cos(pose[2]), math.sin(pose[2])
        column = (pose[0] - ground.origin_x) / ground.resolution
        row = (pose[1] - ground.origin_y) / ground.resolution
        if not on_grid(squares, column, row):
            continue
        key = mix(reading.key[k], reading.number[k])
        for ray in range(len(eye.directions)):
            ahead, left = eye.directions[ray, 0], eye.directions[ray, 1]
            right, up = c * ahead - s * left, s * ahead + c * left
            free = cast_ray(squares, column, row, right, up, farthest)
            for step in range(steps):
                way = eye.distances[step] / ground.resolution
                if way > free:
                    break
                i, j = math.floor(row + up * way), math.floor(column + right * way)
                if i < 0 or i >= rows or j < 0 or j >= columns:
                    break
                percent = float(ground.speed_percent[i, j])
                if eye.noise_percent > 0.0:
                    percent += eye.noise_percent * normal(key, np.uint64(ray * steps + step))
                seen[k, ray, step] = min(max(round(percent), 1), 100)
