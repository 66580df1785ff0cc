"""Records scans as `sensor_msgs/LaserScan`, with ranges rounded to about a millimetre."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from expedition.log.cdr import NANOSECONDS
from expedition.log.form import Form, Slots, put
from expedition.log.moment import Moment

if TYPE_CHECKING:
    from expedition.fleet import Fleet
    from expedition.fleet.sensors import Lidar
    from expedition.log.file import Lane

STEPS_PER_METRE = 1024.0
"""Ranges are whole multiples of a power of two: the last bits are zero, which packs well."""


class ScanRecorder:
    """The latest scan of each robot, now and then."""

    def __init__(self, channels: list[int], names: tuple[str, ...], fleet: Fleet) -> None:
        """`channels` are those of the robots."""
        self._owed = np.zeros(len(fleet), dtype=np.bool_)
        self._waits = False
        self._has_lidar = np.array([model.lidar is not None for model in fleet.models])
        self._row = np.zeros(len(fleet), dtype=np.int64)
        self._forms: dict[Lidar, tuple[Form, Slots, Slots]] = {}
        for lidar in dict.fromkeys(model.lidar for model in fleet.models):
            if lidar is not None:
                robots = [robot for robot, model in enumerate(fleet.models) if model.lidar == lidar]
                self._row[robots] = np.arange(len(robots))
                form = Form()
                for robot in robots:
                    form.add(channels[robot], "sensor_msgs/LaserScan", _scan_of(lidar, f"{names[robot]}/laser"))
                form.finish()
                self._forms[lidar] = form, form.slots(["header.stamp.sec"]), form.slots(["ranges"])

    def ask(self) -> None:
        """It is time for another scan of each robot; one that scans seldom may take a while."""
        self._owed[:] = self._has_lidar
        self._waits = True

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record the scans of this moment that were asked for."""
        if not self._waits:
            return
        for scan in moment.controller.scans:
            wanted = self._owed[scan.robots]
            if not wanted.any():
                continue
            self._owed[scan.robots] = False
            form, stamps, ranges = self._forms[scan.lidar]
            rows = self._row[scan.robots[wanted]]
            times = np.rint(scan.times[wanted] * NANOSECONDS).astype(np.int64)
            data = form.begin(moment.nanoseconds)
            put(data, stamps[rows], np.column_stack(np.divmod(times, NANOSECONDS)).astype(np.uint32))
            rounded = np.rint(scan.ranges[wanted] * np.float32(STEPS_PER_METRE)) / np.float32(STEPS_PER_METRE)
            put(data, ranges[rows], rounded.astype(np.float32))
            form.hand_in(data, lane, moment.nanoseconds, None if len(rows) == len(form) else rows)
        self._waits = bool(self._owed.any())


def _scan_of(lidar: Lidar, frame: str) -> dict[str, object]:
    angles = lidar.angles
    step = float(angles[1] - angles[0]) if lidar.beams > 1 else 0.0
    return {
        "header": {"frame_id": frame}, "angle_min": angles[0], "angle_max": angles[-1], "angle_increment": step,
        "scan_time": 1.0 / lidar.rate, "range_min": lidar.min_range, "range_max": lidar.range,
        "ranges": np.zeros(lidar.beams),
    }  # fmt: skip
