"""Frames that begin where robots start: what each goes by when it is not told where it is.

A robot's own frame has its start in (0, 0), heading 0. Only physics, the monitor and pictures know how these frames lie
in the world.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.terrain import Terrain

Floats = NDArray[np.float64]


def frame_from_starts(terrain: Terrain, starts: Floats, resolution: float) -> Frame:
    """One frame that holds the terrain for every robot, however it is turned: a square around the start."""
    left, right, bottom, top = terrain.extent
    x, y = np.maximum(np.abs(starts[:, :2] - (left, bottom)), np.abs(starts[:, :2] - (right, top))).T
    reach = float(np.hypot(x, y).max())
    return Frame.around((-reach, reach, -reach, reach), resolution)


def from_starts(poses: Floats, starts: Floats) -> Floats:
    """Poses (robots, 3) in the world, each in the frame of its robot's start."""
    c, s = np.cos(starts[:, 2]), np.sin(starts[:, 2])
    dx, dy = poses[:, 0] - starts[:, 0], poses[:, 1] - starts[:, 1]
    return np.stack([c * dx + s * dy, c * dy - s * dx, _wrapped(poses[:, 2] - starts[:, 2])], axis=1)


def into_world(poses: Floats, starts: Floats) -> Floats:
    """Poses (robots, 3) in the frames of the robots' starts, in the world."""
    c, s = np.cos(starts[:, 2]), np.sin(starts[:, 2])
    x, y = poses[:, 0], poses[:, 1]
    return np.stack(
        [starts[:, 0] + c * x - s * y, starts[:, 1] + s * x + c * y, _wrapped(poses[:, 2] + starts[:, 2])], axis=1
    )


def _wrapped(angles: Floats) -> Floats:
    """The same directions within -pi and pi."""
    return np.asarray(angles - 2.0 * math.pi * np.floor(angles / (2.0 * math.pi) + 0.5))
