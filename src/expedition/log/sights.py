"""Records who was the first to see which cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.log.cdr import encode, stamp
from expedition.log.moment import WORLD, Moment
from expedition.measure.sight_log import SightLog

if TYPE_CHECKING:
    from expedition.log.file import Lane


class SightRecorder:
    """Messages `expedition_msgs/Seen`."""

    def __init__(self, channel: int, moment: Moment) -> None:
        self._channel = channel
        self._since = np.zeros_like(moment.monitor.sight_log.length)

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record the cells that were seen since the last time, after the monitor has looked."""
        cells, robots = first_sights(moment.monitor.sight_log, self._since)
        if len(cells):
            header = {"stamp": stamp(moment.time), "frame_id": WORLD}
            data = encode("expedition_msgs/Seen", {"header": header, "cells": cells, "robots": robots})
            lane.add(self._channel, moment.nanoseconds, data)


@kernel
def first_sights(log: SightLog, since: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """The cells that were first seen since entry `since` of each robot's list, which is brought up to date.

    Cost: the entries that are new.
    """
    columns = log.first_seen.shape[1]
    size = 0
    for robot in range(len(since)):
        size += log.length[robot] - since[robot]
    cells, robots = np.empty(size, np.uint32), np.empty(size, np.uint16)
    found = 0
    for robot in range(len(since)):
        for entry in range(since[robot], log.length[robot]):
            cell = log.cells[robot, entry]
            row, column = cell // columns, cell % columns
            if log.first_seen[row, column] == robot and log.first_tick[row, column] == log.ticks[robot, entry]:
                cells[found], robots[found] = cell, robot
                found += 1
        since[robot] = log.length[robot]
    return cells[:found], robots[:found]
