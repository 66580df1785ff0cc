"""Correction: what scan matching does with the latest scans of all robots with one kind of lidar."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.belief.slam.closing import come_back, inherit
from expedition.belief.slam.hits import HitMap
from expedition.belief.slam.learning import Memory, is_due
from expedition.belief.slam.matching import Rules, make_definite, match
from expedition.belief.slam.points import Beams, surface_points
from expedition.belief.slam.relocate import relocate
from expedition.belief.slam.track import Floats, Integers, Track, carry_over, look_back
from expedition.kernels import kernel

FEWEST_POINTS = 20
"""With fewer end points where the map has walls, nothing can be said about being lost."""
FEWEST_MISSES = 4
"""So many end points that miss walls which should be there may mean that the robot came back with a wrong pose."""
MISFIT, MISFIT_SHARE = 8, 0.2
"""So many end points, and such a share of those expected, that miss walls mean that the match is a wrong one, ..."""
NEAR_SHIFT, NEAR_TURN = 0.8, 0.24
"""... and that the right one is looked for so far around, in metres and radians, ..."""
BETTER = 0.15
"""... where such a share of the points more must meet walls."""
NEAR_SIGMA, NEAR_TURN_SIGMA = 0.1, 0.03
"""The standard deviations of what that search has found, in metres and radians."""
FAR_ASTRAY = 0.3
"""Metres: with a larger standard deviation, walls may be met where the map has none at all ..."""
PAUSE = 4
"""... so that the robot looks whether it came back whenever it has learnt this many scans."""
FOUND_SHARE = 0.7
"""A lost robot knows its place again when this share of its end points meets a known wall."""


@kernel
def correct_poses(
    track: Track,
    hits: HitMap,
    memory: Memory,
    rules: Rules,
    beams: Beams,
    robots: Integers,
    times: Floats,
    ranges: NDArray[np.float32],
) -> int:
    """Match each robot's scan against its own hit map at the time of the scan, and carry the result over to now.

    A robot whose end points miss the walls that should be there, several scans in a row, is lost; it then searches
    around where it thinks it is, in each scan, until the scan agrees again. Returns how many robots should learn their
    scans. Cost: see `match` and `relocate`.
    """
    most = ranges.shape[1]
    ends, sums, points = np.empty((most, 2)), np.empty((most + 1, 5)), np.empty((most, 5))
    work, covariance, prior, whole = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    predicted = np.empty(3)
    due = 0
    for k in range(len(robots)):
        robot, time = robots[k], times[k]
        look_back(track, robot, time)
        if memory.learnt[robot, 3] == 0.0:
            due += 1
            continue
        number = surface_points(beams, ranges[k], ends, sums, points, rules.sigma)
        pose = track.scan_pose[robot]
        if memory.lost[robot]:
            relocate(hits, robot, points, number, pose, rules.search_shift, rules.search_turn)
        variance = memory.variance[robot]
        covariance[:] = track.covariance[robot]
        for i in range(3):
            covariance[i, i] -= variance[i]
        make_definite(covariance)
        prior[:] = covariance
        predicted[:] = pose
        met, expected = match(hits, rules, robot, points, number, pose, covariance, work)
        if expected - met >= max(MISFIT, MISFIT_SHARE * expected) and not memory.lost[robot]:
            met, expected = _look_near(
                hits, rules, robot, points, number, predicted, met, expected, pose, covariance, work
            )
        whole[:] = track.covariance[robot]
        astray = whole[0, 0] + whole[1, 1] > FAR_ASTRAY * FAR_ASTRAY
        doubt = expected - met >= FEWEST_MISSES or (astray and int(memory.learnt[robot, 3]) % PAUSE == 0)
        if doubt and not memory.lost[robot] and come_back(hits, robot, points, number, pose, whole):
            prior[:] = whole
            covariance[:] = whole
            met, expected = match(hits, rules, robot, points, number, pose, covariance, work)
        if memory.lost[robot]:
            if expected < FEWEST_POINTS or met < FOUND_SHARE * number:
                look_back(track, robot, time)
                continue
            memory.lost[robot] = False
            memory.misses[robot] = 0
        elif expected >= FEWEST_POINTS and met < rules.least_share * expected:
            memory.misses[robot] += 1
            memory.lost[robot] = memory.misses[robot] >= rules.patience
        else:
            memory.misses[robot] = 0
        inherit(hits, robot, points, number, pose, prior, rules.sigma, variance)
        track.covariance[robot] = covariance
        for i in range(3):
            track.covariance[robot, i, i] += variance[i]
        carry_over(track, robot, time)
        due += is_due(track, memory, rules, robot)
    return due


@kernel
def _look_near(
    hits: HitMap,
    rules: Rules,
    robot: int,
    points: Floats,
    number: int,
    predicted: Floats,
    met: int,
    expected: int,
    pose: Floats,
    covariance: Floats,
    work: Floats,
) -> tuple[int, int]:
    """Match once more from where the scan agrees best around the predicted pose, and take that if it is clearly better.

    A pose that is off by more than the matcher's gate, which it may be by more than it knows, is matched with parts of
    walls at an angle. Returns how many points meet walls then, and how many should.
    """
    place, spread = predicted.copy(), np.zeros((3, 3))
    relocate(hits, robot, points, number, place, NEAR_SHIFT, NEAR_TURN)
    spread[0, 0] = spread[1, 1] = NEAR_SIGMA * NEAR_SIGMA
    spread[2, 2] = NEAR_TURN_SIGMA * NEAR_TURN_SIGMA
    met_there, expected_there = match(hits, rules, robot, points, number, place, spread, work)
    if met_there < met + max(MISFIT, BETTER * number):
        return met, expected
    pose[:] = place
    covariance[:] = spread
    return met_there, expected_there
