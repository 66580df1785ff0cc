"""Scan matching: the pose that agrees best with odometry and with the walls seen before.

The maximum a posteriori estimate by Gauss-Newton. Odometry's prediction and its covariance are the prior; each end
point adds the residual n . (p - m), its distance from the nearest mean m of the hit map across the wall's normal n. A
wall says nothing along itself: in a corridor without a visible end odometry alone decides there, and the covariance,
the inverse of all information, grows in that direction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from expedition.belief.slam.hits import HitMap, is_charted, nearest_hit
from expedition.belief.slam.points import NORMAL_X, NORMAL_Y, WEIGHT, X, Y
from expedition.belief.slam.relocate import agreement
from expedition.belief.slam.track import Floats, wrap
from expedition.kernels import kernel


class Rules(NamedTuple):
    """The numbers that matching and learning go by; see the parameters of the localiser."""

    sigma: float
    gate: float
    iterations: int
    max_shift: float
    max_turn: float
    least_share: float
    patience: int
    search_shift: float
    search_turn: float
    learn_distance: float
    learn_turn: float
    wear: int


SAMPLE = 36
TURN_STEP = 0.02
MOST_TURNS = 8
TINY_STEP = 5e-4
"""Metres; of the heading a tenth of it in radians. A smaller Gauss-Newton step ends the iteration."""
TINY_VARIANCE = 1e-10
"""Added to the prior, which is singular at the start, where the pose is known exactly."""
LEAST_SPREAD = 1e-6
"""Square metres; of the heading as many square radians. No prediction is better than a millimetre."""


@kernel
def match(
    hits: HitMap, rules: Rules, robot: int, points: Floats, number: int, pose: Floats, covariance: Floats, work: Floats
) -> tuple[int, int]:
    """Improve `pose` and `covariance` by the first `number` surface points of a scan.

    Returns how many points met a known wall and how many should have, being where the map has walls. The pose moves by
    no more than the rules allow. `work` is (3, 3). Invariant: the covariance never exceeds the prior's. Cost:
    iterations times points times the nine cells around each.
    """
    prior_x, prior_y, prior_heading = pose[0], pose[1], pose[2]
    prior = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            work[i, j] = covariance[i, j] + (TINY_VARIANCE if i == j else 0.0)
    invert(work, prior)
    posterior = np.empty((3, 3))
    x, y = prior_x, prior_y
    heading = prior_heading + first_turn(hits, robot, points, number, pose, math.sqrt(covariance[2, 2]))
    per_cell = 1.0 / hits.resolution
    gate = rules.gate * per_cell
    cells = hits.cells[robot]
    met = charted = 0
    for iteration in range(rules.iterations):
        c, s = math.cos(heading), math.sin(heading)
        ax, ay, at = x - prior_x, y - prior_y, wrap(heading - prior_heading)
        h00, h01, h02, h11, h12, h22 = prior[0, 0], prior[0, 1], prior[0, 2], prior[1, 1], prior[1, 2], prior[2, 2]
        g0 = h00 * ax + h01 * ay + h02 * at
        g1 = h01 * ax + h11 * ay + h12 * at
        g2 = h02 * ax + h12 * ay + h22 * at
        met = charted = 0
        # Residuals beyond the scale count less and less (Geman and McClure); the scale shrinks as the pose settles.
        scale = max(rules.gate * 0.5**iteration, 1.5 * rules.sigma) ** 2
        if iteration == 2:
            gate *= 0.5
        for k in range(number):
            px, py = c * points[k, X] - s * points[k, Y], s * points[k, X] + c * points[k, Y]
            column, row = (x + px - hits.origin_x) * per_cell, (y + py - hits.origin_y) * per_cell
            nx = c * points[k, NORMAL_X] - s * points[k, NORMAL_Y]
            ny = s * points[k, NORMAL_X] + c * points[k, NORMAL_Y]
            dx, dy, found, behind = nearest_hit(cells, column, row, gate, nx, ny)
            if not found:
                charted += not behind and is_charted(hits, robot, column, row)
                continue
            met += 1
            residual = -(nx * dx + ny * dy) * hits.resolution
            robust = scale / (scale + residual * residual)
            weight = robust * robust * points[k, WEIGHT]
            lever = ny * px - nx * py
            h00 += weight * nx * nx
            h01 += weight * nx * ny
            h02 += weight * nx * lever
            h11 += weight * ny * ny
            h12 += weight * ny * lever
            h22 += weight * lever * lever
            g0 += weight * nx * residual
            g1 += weight * ny * residual
            g2 += weight * lever * residual
        work[0, 0], work[0, 1], work[0, 2] = h00, h01, h02
        work[1, 0], work[1, 1], work[1, 2] = h01, h11, h12
        work[2, 0], work[2, 1], work[2, 2] = h02, h12, h22
        invert(work, posterior)
        step_x = -(posterior[0, 0] * g0 + posterior[0, 1] * g1 + posterior[0, 2] * g2)
        step_y = -(posterior[1, 0] * g0 + posterior[1, 1] * g1 + posterior[1, 2] * g2)
        step_t = -(posterior[2, 0] * g0 + posterior[2, 1] * g1 + posterior[2, 2] * g2)
        x, y, heading = x + step_x, y + step_y, heading + step_t
        shift = math.sqrt((x - prior_x) ** 2 + (y - prior_y) ** 2)
        if shift > rules.max_shift:
            x = prior_x + (x - prior_x) * rules.max_shift / shift
            y = prior_y + (y - prior_y) * rules.max_shift / shift
        turn = wrap(heading - prior_heading)
        heading = prior_heading + min(max(turn, -rules.max_turn), rules.max_turn)
        if iteration >= 2 and max(abs(step_x), abs(step_y), 10.0 * abs(step_t)) < TINY_STEP:
            break
    if met > 0:
        pose[0], pose[1], pose[2] = x, y, wrap(heading)
        covariance[:] = posterior
    return met, met + charted


@kernel
def first_turn(hits: HitMap, robot: int, points: Floats, number: int, pose: Floats, sigma: float) -> float:
    """The turn, within three standard deviations of the heading, with which a part of the points agrees best.

    A small error of the heading moves far points past the gate, where Gauss-Newton cannot see them. Cost: a few
    headings times `SAMPLE` points.
    """
    if sigma < TURN_STEP:
        return 0.0
    steps = min(int(3.0 * sigma / TURN_STEP), MOST_TURNS)
    stride = max(number // SAMPLE, 1)
    best, best_turn = 0.0, 0.0
    for k in range(-steps, steps + 1):
        turn = k * TURN_STEP
        unlikely = 0.5 * (turn / sigma) ** 2
        found = agreement(hits, robot, points, number, stride, pose[0], pose[1], pose[2] + turn) - unlikely
        if found > best:
            best, best_turn = found, turn
    return best_turn


@kernel
def make_definite(covariance: Floats) -> None:
    """Make a symmetric matrix the covariance of something: no variance too small, and correlations weakened as needed.

    What is left of a covariance when a part of its diagonal is taken away need not be one.
    """
    for i in range(3):
        covariance[i, i] = max(covariance[i, i], LEAST_SPREAD)
    for attempt in range(12):
        a, b, c = covariance[0, 0], covariance[0, 1], covariance[0, 2]
        d, e, f = covariance[1, 1], covariance[1, 2], covariance[2, 2]
        minor = a * d - b * b
        whole = f * minor + c * (b * e - c * d) + e * (b * c - a * e)
        if minor > 0.01 * a * d and whole > 0.001 * a * d * f:
            return
        for i in range(3):
            for j in range(3):
                if i != j:
                    covariance[i, j] *= 0.8 if attempt < 10 else 0.0


@kernel
def invert(matrix: Floats, inverse: Floats) -> None:
    """The inverse of a symmetric positive definite 3 x 3 matrix, by its cofactors."""
    a, b, c = matrix[0, 0], matrix[0, 1], matrix[0, 2]
    d, e, f = matrix[1, 1], matrix[1, 2], matrix[2, 2]
    c00, c01, c02 = d * f - e * e, c * e - b * f, b * e - c * d
    scale = 1.0 / (a * c00 + b * c01 + c * c02)
    inverse[0, 0], inverse[0, 1], inverse[0, 2] = c00 * scale, c01 * scale, c02 * scale
    inverse[1, 0], inverse[1, 1], inverse[1, 2] = inverse[0, 1], (a * f - c * c) * scale, (b * c - a * e) * scale
    inverse[2, 0], inverse[2, 1], inverse[2, 2] = inverse[0, 2], inverse[1, 2], (a * d - b * b) * scale
