"""Seeing things: which teammates a robot detects, and which landmarks its camera recognises."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from expedition.kernels import kernel
from expedition.sim.bodies import Floats, Integers
from expedition.sim.ground import Ground
from expedition.sim.rays import cast_ray, on_grid
from expedition.sim.readings import Reading
from expedition.streams import mix, normal

FACE = 1e-6
"""How near to the edge of a cell a point counts as on it, in cells."""


class Eye(NamedTuple):
    """A sensor that sees points: how far, how wide, and how well."""

    range: float
    half_view: float
    blocked_by_walls: bool
    range_noise: float
    bearing_noise: float
    slice: int


@kernel
def look(
    ground: Ground, eye: Eye, history: Floats, reading: Reading, targets: Floats, are_robots: bool
) -> tuple[Integers, Floats]:
    """What each reading sees of `targets` (x, y), or of the robots themselves (targets[i] is robot i, now).

    Returns rows (reading, target) and rows (range, bearing) with noise. The noise of a target depends on the reading
    and the target's number only, whatever else is in view. Cost: readings times targets, and a ray for those in range.
    """
    capacity = 64
    seen = np.empty((capacity, 2), dtype=np.int64)
    measured = np.empty((capacity, 2), dtype=np.float64)
    count = 0
    for k in range(len(reading.robot)):
        robot = reading.robot[k]
        poses = history[reading.tick[k]]
        x, y, heading = poses[robot, 0], poses[robot, 1], poses[robot, 2]
        key = mix(reading.key[k], reading.number[k])
        for target in range(len(targets)):
            if are_robots and target == robot:
                continue
            dx = (poses[target, 0] if are_robots else targets[target, 0]) - x
            dy = (poses[target, 1] if are_robots else targets[target, 1]) - y
            distance = math.sqrt(dx * dx + dy * dy)
            if distance > eye.range:
                continue
            bearing = math.atan2(dy, dx) - heading
            bearing -= 2.0 * math.pi * math.floor(bearing / (2.0 * math.pi) + 0.5)
            if abs(bearing) > eye.half_view:
                continue
            if eye.blocked_by_walls and not _sees(ground, eye.slice, x, y, dx, dy, distance):
                continue
            if count == capacity:
                capacity *= 2
                more_seen = np.empty((capacity, 2), dtype=np.int64)
                more_measured = np.empty((capacity, 2), dtype=np.float64)
                more_seen[:count] = seen
                more_measured[:count] = measured
                seen, measured = more_seen, more_measured
            draw = np.uint64(2 * target)
            seen[count, 0], seen[count, 1] = k, target
            measured[count, 0] = max(distance + eye.range_noise * normal(key, draw), 0.0)
            measured[count, 1] = bearing + eye.bearing_noise * normal(key, draw + np.uint64(1))
            count += 1
    return seen[:count], measured[:count]


@kernel
def _sees(ground: Ground, level: int, x: float, y: float, dx: float, dy: float, distance: float) -> bool:
    """Whether no wall lies between. A target on a wall's face is seen from that side; one inside a wall from both."""
    if distance == 0.0:
        return True
    squares = ground.squares[level]
    column, row = (x - ground.origin_x) / ground.resolution, (y - ground.origin_y) / ground.resolution
    if not on_grid(squares, column, row):
        return False
    ray_x, ray_y = dx / distance, dy / distance
    way = distance / ground.resolution
    free = cast_ray(squares, column, row, ray_x, ray_y, way)
    if free >= way - FACE:
        return True
    # The wall that the ray meets may be the very cell that the target lies in.
    at_column, at_row = column + ray_x * way, row + ray_y * way
    inside_x, inside_y = at_column - math.floor(at_column), at_row - math.floor(at_row)
    on_edge = min(min(inside_x, 1.0 - inside_x), min(inside_y, 1.0 - inside_y)) < FACE
    met_column, met_row = math.floor(column + ray_x * (free + FACE)), math.floor(row + ray_y * (free + FACE))
    return not on_edge and met_column == math.floor(at_column) and met_row == math.floor(at_row)


@kernel
def descriptors_seen(
    descriptors: Floats, noise: float, reading: Reading, rows: Integers, landmarks: Integers, noisy: Floats
) -> None:
    """The descriptor of each landmark seen, by the reading in a row of `reading`, with noise on every element."""
    for i in range(len(rows)):
        k, landmark = rows[i], landmarks[i]
        key = mix(mix(reading.key[k], reading.number[k]), np.uint64(landmark))
        for element in range(descriptors.shape[1]):
            noisy[i, element] = descriptors[landmark, element] + noise * normal(key, np.uint64(element))
