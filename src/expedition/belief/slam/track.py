"""Dead reckoning: believed poses moved on by odometry, with the uncertainty that its noise brings."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, GaussianNoise
from expedition.kernels import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EXACT, GAUSSIAN, MOTION = 0, 1, 2
MOST_READINGS = 5.0
"""How many odometry readings may lie between a scan and the pose it is carried over to."""


class Track(NamedTuple):
    """Where each robot is believed to be, and its last odometry reading, which tells how fast it moves."""

    pose: Floats  # (robots, 3)
    covariance: Floats  # (robots, 3, 3)
    scan_pose: Floats  # (robots, 3)
    reading: Floats  # (robots, 5): forward, sideways, turn, seconds since the reading before, time
    noise: Floats  # (robots, 5): kind, then sigmas of position and heading, or alpha1 to alpha4


def track_of(fleet: Fleet, localiser: str) -> Track:
    """The track of a fleet at its starts, which are known exactly."""
    robots = len(fleet)
    noise = np.zeros((robots, 5))
    for robot, model in enumerate(fleet.models):
        if model.odometry is None:
            raise ExpeditionError(
                f"robot {robot} ({model.name}): has no odometry, which the localiser {localiser!r} needs; "
                "add one to the robot model, or choose the localiser 'perfect'"
            )
        sort = model.odometry.noise
        if isinstance(sort, GaussianNoise):
            noise[robot, :3] = GAUSSIAN, sort.sigma_position, sort.sigma_heading
        elif sort is not None:
            noise[robot] = MOTION, sort.alpha1, sort.alpha2, sort.alpha3, sort.alpha4
    return Track(fleet.poses.copy(), np.zeros((robots, 3, 3)), fleet.poses.copy(), np.zeros((robots, 5)), noise)


@kernel
def move_on(track: Track, robots: Integers, times: Floats, increments: Floats) -> None:
    """Append odometry readings to the poses, and grow their covariance: P <- F P F' + G Q G'.

    Invariant: covariances stay symmetric. Cost: the number of readings.
    """
    motion_noise = np.zeros((3, 3))
    for k in range(len(robots)):
        robot = robots[k]
        pose, covariance, reading = track.pose[robot], track.covariance[robot], track.reading[robot]
        forward, sideways, turn = increments[k, 0], increments[k, 1], increments[k, 2]
        reading[0], reading[1], reading[2] = forward, sideways, turn
        reading[3], reading[4] = times[k] - reading[4], times[k]
        if forward == 0.0 and sideways == 0.0 and turn == 0.0:
            continue
        c, s = math.cos(pose[2]), math.sin(pose[2])
        dx, dy = c * forward - s * sideways, s * forward + c * sideways
        _noise_of(track.noise[robot], forward, sideways, turn, motion_noise)
        # F differs from the identity only in how the heading bends the way: (-dy, dx).
        xt, yt, tt = covariance[0, 2], covariance[1, 2], covariance[2, 2]
        xx = covariance[0, 0] - 2.0 * dy * xt + dy * dy * tt
        xy = covariance[0, 1] - dy * yt + dx * xt - dx * dy * tt
        yy = covariance[1, 1] + 2.0 * dx * yt + dx * dx * tt
        q = motion_noise
        covariance[0, 0] = xx + c * c * q[0, 0] - 2.0 * c * s * q[0, 1] + s * s * q[1, 1]
        covariance[0, 1] = xy + c * s * (q[0, 0] - q[1, 1]) + (c * c - s * s) * q[0, 1]
        covariance[1, 1] = yy + s * s * q[0, 0] + 2.0 * c * s * q[0, 1] + c * c * q[1, 1]
        covariance[0, 2] = xt - dy * tt + c * q[0, 2] - s * q[1, 2]
        covariance[1, 2] = yt + dx * tt + s * q[0, 2] + c * q[1, 2]
        covariance[2, 2] = tt + q[2, 2]
        covariance[1, 0], covariance[2, 0], covariance[2, 1] = covariance[0, 1], covariance[0, 2], covariance[1, 2]
        pose[0] += dx
        pose[1] += dy
        pose[2] = wrap(pose[2] + turn)


@kernel
def _noise_of(noise: Floats, forward: float, sideways: float, turn: float, covariance: Floats) -> None:
    """Fill the covariance of a reading in the robot's frame: forward, sideways, turn."""
    covariance[:] = 0.0
    if noise[0] == GAUSSIAN:
        covariance[0, 0] = covariance[1, 1] = noise[1] * noise[1]
        covariance[2, 2] = noise[2] * noise[2]
    elif noise[0] == MOTION:
        # Thrun, Burgard and Fox 2005, section 5.4: turn, drive, turn again; linearised in these three.
        drive = math.sqrt(forward * forward + sideways * sideways)
        turn1 = math.atan2(sideways, forward) if drive > 1e-9 else 0.0
        if abs(turn1) > 0.5 * math.pi:
            turn1 = math.atan2(-sideways, -forward)
            drive = -drive
        turn2 = turn - turn1
        variance1 = noise[1] * turn1 * turn1 + noise[2] * drive * drive
        variance2 = noise[1] * turn2 * turn2 + noise[2] * drive * drive
        along = noise[3] * drive * drive + noise[4] * (turn1 * turn1 + turn2 * turn2)
        c, s = math.cos(turn1), math.sin(turn1)
        covariance[0, 0] = c * c * along + drive * drive * s * s * variance1
        covariance[0, 1] = c * s * (along - drive * drive * variance1)
        covariance[1, 1] = s * s * along + drive * drive * c * c * variance1
        covariance[0, 2] = -drive * s * variance1
        covariance[1, 2] = drive * c * variance1
        covariance[2, 2] = variance1 + variance2


@kernel
def wrap(angle: float) -> float:
    """The same direction within -pi and pi."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@kernel
def look_back(track: Track, robot: int, time: float) -> None:
    """Set a robot's scan pose: where it was at `time`, if it moved as steadily as the last odometry reading says."""
    pose, before, reading = track.pose[robot], track.scan_pose[robot], track.reading[robot]
    share = _share(reading, time)
    heading = pose[2] - reading[2]
    c, s = math.cos(heading), math.sin(heading)
    before[0] = pose[0] - share * (c * reading[0] - s * reading[1])
    before[1] = pose[1] - share * (s * reading[0] + c * reading[1])
    before[2] = wrap(pose[2] - share * reading[2])


@kernel
def carry_over(track: Track, robot: int, time: float) -> None:
    """Set a robot's pose from its scan pose: the inverse of `look_back`."""
    pose, before, reading = track.pose[robot], track.scan_pose[robot], track.reading[robot]
    share = _share(reading, time)
    pose[2] = wrap(before[2] + share * reading[2])
    heading = pose[2] - reading[2]
    c, s = math.cos(heading), math.sin(heading)
    pose[0] = before[0] + share * (c * reading[0] - s * reading[1])
    pose[1] = before[1] + share * (s * reading[0] + c * reading[1])


@kernel
def _share(reading: Floats, time: float) -> float:
    """How many times the last odometry reading was travelled since `time`; negative if the scan is newer."""
    if reading[3] <= 0.0:
        return 0.0
    return min(max(float((reading[4] - time) / reading[3]), -1.0), MOST_READINGS)


@kernel
def look_back_all(track: Track, robots: Integers, times: Floats) -> None:
    """Set the scan poses of several robots. Cost: their number."""
    for k in range(len(robots)):
        look_back(track, robots[k], times[k])
