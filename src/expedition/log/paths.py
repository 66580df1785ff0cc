"""Records the ways that robots are about to drive, when they have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.log.cdr import encode, stamp
from expedition.log.moment import WORLD, Moment

if TYPE_CHECKING:
    from expedition.log.file import Lane

Floats = NDArray[np.float64]

SAME = 0.3
"""Metres by which way points may move before it is another way."""
POSE_STAMPED = np.dtype(
    [("sec", "<i4"), ("nanosec", "<u4"), ("length", "<u4"), ("frame", "S6"), ("gap", "V6"), ("pose", "<f8", 7)]
)
"""`geometry_msgs/PoseStamped` in the frame `world` as it stands in CDR."""


class PathRecorder:
    """The paths of all robots."""

    def __init__(self, channels: list[int]) -> None:
        self._channels = channels
        self._last: Floats = np.zeros((len(channels), 1, 2))
        self._lengths = np.zeros(len(channels), dtype=np.int64)

    def take(self, moment: Moment, lane: Lane, all_of_them: bool = False) -> None:
        """Record the paths that are others than before, or all of them."""
        paths, lengths = moment.controller.follower.paths
        if paths.shape[1] > self._last.shape[1]:
            more = paths.shape[1] - self._last.shape[1]
            self._last = np.pad(self._last, ((0, 0), (0, more), (0, 0)))
        changed = changed_paths(paths, lengths, self._last, self._lengths)
        for robot in range(len(changed)) if all_of_them else np.flatnonzero(changed).tolist():
            points = self._last[robot, : self._lengths[robot]]
            message = path_message(moment.in_world(robot, points), moment.time)
            lane.add(self._channels[robot], moment.nanoseconds, message)


def path_message(points: Floats, time: float) -> bytes:
    """A `nav_msgs/Path` along points (n, 2) of the world."""
    now = stamp(time)
    poses: NDArray[Any] = np.zeros(len(points), dtype=POSE_STAMPED)
    poses["sec"], poses["nanosec"] = now["sec"], now["nanosec"]
    poses["length"], poses["frame"] = len(WORLD) + 1, WORLD.encode()
    poses["pose"][:, :2] = points
    poses["pose"][:, 6] = 1.0
    return encode("nav_msgs/Path", {"header": {"stamp": now, "frame_id": WORLD}, "poses": poses})


@kernel
def changed_paths(
    paths: Floats, lengths: NDArray[np.int64], last: Floats, last_lengths: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which robots have another way than in `last`, which is brought up to date for these.

    What is left of the same way is the same, and so is one whose first point has moved with the robot.
    """
    changed = np.zeros(len(paths), dtype=np.bool_)
    for robot in range(len(paths)):
        count, before = lengths[robot], last_lengths[robot]
        same = (count == 0) == (before == 0) and count <= before
        for k in range(1, count):
            if not same:
                break
            dx = paths[robot, count - k, 0] - last[robot, before - k, 0]
            dy = paths[robot, count - k, 1] - last[robot, before - k, 1]
            same = dx * dx + dy * dy <= SAME * SAME
        if not same:
            changed[robot] = True
            last_lengths[robot] = count
            for k in range(count):
                last[robot, k, 0], last[robot, k, 1] = paths[robot, k, 0], paths[robot, k, 1]
    return changed
