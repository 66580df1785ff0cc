"""Lidar: the ranges of one kind of scanner for any number of readings, in one kernel call."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.sim.bodies import Floats, Shapes
from expedition.sim.ground import Ground
from expedition.sim.rays import cast_ray, on_grid
from expedition.sim.readings import Reading
from expedition.streams import mix, normal, uniform

ROUGH = 0.006
"""Radians by which `_rough_angle` may be wrong, and a little more."""


class Scanner(NamedTuple):
    """A lidar as numbers. Beam b points to first_angle + b / per_spacing from where the scanner faces."""

    directions: Floats  # (beams, 2): cosine and sine of each beam's angle
    first_angle: float
    per_spacing: float  # beams a radian
    range: float
    min_range: float
    noise: float
    dropout: float
    mount_x: float
    mount_y: float
    mount_heading: float
    height: float  # above the ground
    slice: int


@kernel
def take_scans(
    ground: Ground, shapes: Shapes, scanner: Scanner, history: Floats, reading: Reading, ranges: NDArray[np.float32]
) -> None:
    """Fill `ranges` (readings, beams): metres, infinite where nothing returns, NaN where a beam dropped out.

    Cost: one ray a beam, plus the bodies in range times the beams that they cover.
    """
    beams = len(scanner.directions)
    clean = np.empty(beams, dtype=np.float64)
    for k in range(len(reading.robot)):
        robot = reading.robot[k]
        poses = history[reading.tick[k]]
        heading = poses[robot, 2]
        c, s = math.cos(heading), math.sin(heading)
        x = poses[robot, 0] + c * scanner.mount_x - s * scanner.mount_y
        y = poses[robot, 1] + s * scanner.mount_x + c * scanner.mount_y
        heading += scanner.mount_heading
        farthest = _scan_walls(ground, scanner, x, y, heading, clean)
        c, s = math.cos(heading), math.sin(heading)
        for body in range(len(poses)):
            dx, dy = poses[body, 0] - x, poses[body, 1] - y
            reach = farthest + shapes.circumradius[body]
            if (
                farthest >= 0.0
                and dx * dx + dy * dy < reach * reach
                and body != robot
                and shapes.low[body] <= scanner.height <= shapes.high[body]
            ):
                turned = poses[body, 2] - heading
                _scan_body(scanner, shapes, body, c * dx + s * dy, c * dy - s * dx, turned, clean)
        _disturb(scanner, mix(reading.key[k], reading.number[k]), clean, ranges[k])


@kernel
def _scan_walls(ground: Ground, scanner: Scanner, x: float, y: float, heading: float, clean: Floats) -> float:
    """Fill `clean` with the distances to walls; returns how far the scanner sees, below 0 if it is off the grid."""
    squares = ground.squares[scanner.slice]
    c, s = math.cos(heading), math.sin(heading)
    column, row = (x - ground.origin_x) / ground.resolution, (y - ground.origin_y) / ground.resolution
    limit = scanner.range / ground.resolution
    if not on_grid(squares, column, row):
        clean[:] = math.inf
        return -1.0
    longest = 0.0
    for beam in range(len(clean)):
        ahead, left = scanner.directions[beam, 0], scanner.directions[beam, 1]
        clean[beam] = ground.resolution * cast_ray(
            squares, column, row, c * ahead - s * left, s * ahead + c * left, limit
        )
        longest = max(longest, clean[beam])
    return min(longest, scanner.range)


@kernel
def _scan_body(scanner: Scanner, shapes: Shapes, body: int, x: float, y: float, heading: float, clean: Floats) -> None:
    """Shorten the beams that meet a body before anything else. Its pose is as seen from the scanner."""
    radius = shapes.circumradius[body]
    half_length, half_width = shapes.half_length[body], shapes.half_width[body]
    distance = math.sqrt(x * x + y * y)
    nearest = distance - radius
    half_angle = math.pi
    if nearest > 0.0:
        # At least the arc sine of the ratio, which is what the circumcircle covers; equal to it at 1.
        ratio = radius / distance
        half_angle = ratio * (1.0 + 0.5708 * ratio * ratio)
    bearing = _rough_angle(x, y) - scanner.first_angle
    if bearing < 0.0:
        bearing += 2.0 * math.pi
    half_angle += ROUGH
    c, s = 0.0, 0.0
    # The bearing is within 0 and 2 pi of the first beam; a body across that beam's direction shows at both ends.
    first_turn = -1 if bearing < half_angle else 0
    last_turn = 1 if bearing > 2.0 * math.pi - half_angle else 0
    for turn in range(first_turn, last_turn + 1):
        middle = (bearing - 2.0 * math.pi * turn) * scanner.per_spacing
        reach = half_angle * scanner.per_spacing
        first, last = max(math.ceil(middle - reach), 0), min(math.floor(middle + reach), len(clean) - 1)
        for beam in range(first, last + 1):
            if clean[beam] <= nearest:
                continue
            if half_width < 0.0:
                met = _ray_meets_disc(scanner.directions[beam], x, y, half_length)
            else:
                if c == 0.0 and s == 0.0:
                    c, s = math.cos(heading), math.sin(heading)
                met = _ray_meets_rectangle(scanner.directions[beam], x, y, c, s, half_length, half_width)
            if met < clean[beam] and met <= scanner.range:
                clean[beam] = met


@kernel
def _rough_angle(x: float, y: float) -> float:
    """The angle of (x, y) within -pi and pi, wrong by less than `ROUGH`: good enough to choose beams, and fast.

    A cubic in the smaller over the larger coordinate, which is off by at most 0.005 within an eighth of a turn.
    """
    wide, tall = abs(x), abs(y)
    larger = max(wide, tall)
    if larger == 0.0:
        return 0.0
    ratio = min(wide, tall) / larger
    angle = ratio * (0.97239411 - 0.19194795 * ratio * ratio)
    if tall > wide:
        angle = 0.5 * math.pi - angle
    if x < 0.0:
        angle = math.pi - angle
    return -angle if y < 0.0 else angle


@kernel
def _ray_meets_disc(ray: Floats, x: float, y: float, radius: float) -> float:
    """How far along a unit ray from the origin a disc around (x, y) begins: 0 inside it, infinite if missed."""
    along = ray[0] * x + ray[1] * y
    across = ray[0] * y - ray[1] * x
    inside = radius * radius - across * across
    if inside < 0.0:
        return math.inf
    half_chord = math.sqrt(inside)
    return max(along - half_chord, 0.0) if along + half_chord >= 0.0 else math.inf


@kernel
def _ray_meets_rectangle(
    ray: Floats, x: float, y: float, c: float, s: float, half_length: float, half_width: float
) -> float:
    """The same for a rectangle whose heading has cosine c and sine s: where the ray is between both pairs of sides."""
    enter, leave = 0.0, math.inf
    for axis in range(2):
        if axis == 0:
            offset, rate, half = c * x + s * y, c * ray[0] + s * ray[1], half_length
        else:
            offset, rate, half = c * y - s * x, c * ray[1] - s * ray[0], half_width
        if abs(rate) < 1e-12:
            if abs(offset) > half:
                return math.inf
        else:
            one, two = (offset - half) / rate, (offset + half) / rate
            enter = max(enter, min(one, two))
            leave = min(leave, max(one, two))
    return enter if enter <= leave else math.inf


@kernel
def _disturb(scanner: Scanner, key: np.uint64, clean: Floats, ranges: NDArray[np.float32]) -> None:
    """Add noise and dropouts. Each beam's draw has its own counter, whatever the other beams do."""
    beams = len(clean)
    for beam in range(beams):
        value = clean[beam]
        if scanner.noise > 0.0 and value < math.inf:
            value = min(value + scanner.noise * normal(key, np.uint64(beam)), scanner.range)
        if scanner.dropout > 0.0 and uniform(key, np.uint64(beams + beam)) < scanner.dropout:
            ranges[beam] = math.nan
        else:
            ranges[beam] = max(value, scanner.min_range)
