"""When robots were first above which cells, by their recorded poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.log.scene import Header
from expedition.log.track import FleetTrack
from expedition.measure.monitor import Floats, cover


class Coverage:
    """Goes on from where it was asked last, or from the start."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._radii = np.array([_inscribed_radius(model["body"]) for model in header.models])
        self._covered = np.full(header.frame.shape, np.nan, dtype=np.float32)
        self._until = -1.0
        self._last: Floats | None = None

    def at(self, time: float, track: FleetTrack) -> NDArray[np.float32]:
        """(rows, columns): when a robot was first above a cell up to a time, NaN if none was."""
        if time < self._until:
            self._covered[:] = np.nan
            self._until, self._last = -1.0, None
        times, poses = track.poses("poses", self._until, time)
        if len(times):
            if self._last is not None:
                times, poses = np.append(self._until, times), np.concatenate([self._last, poses])
            frame = self._header.frame
            grid = (frame.origin[0], frame.origin[1], frame.resolution)
            period = self._header.control_period
            cover_along(self._covered, self._header.explorable, grid, times, poses, self._radii, period)
            self._until, self._last = float(times[-1]), poses[-1:]
        return self._covered.copy()


def _inscribed_radius(body: dict[str, float]) -> float:
    return body["radius"] if "radius" in body else 0.5 * min(body["length"], body["width"])


@kernel
def cover_along(
    covered_at: NDArray[np.float32],
    explorable: NDArray[np.bool_],
    frame: tuple[float, float, float],
    times: Floats,
    poses: Floats,
    radii: Floats,
    period: float,
) -> None:
    """`cover` at all poses (samples, robots, 3), and between them once a control period."""
    cover(covered_at, explorable, frame, poses[0], radii, times[0])
    for k in range(1, len(times)):
        steps = max(1, round((times[k] - times[k - 1]) / period))
        for step in range(1, steps + 1):
            between = poses[k - 1] + step / steps * (poses[k] - poses[k - 1])
            cover(
                covered_at, explorable, frame, between, radii, times[k - 1] + step / steps * (times[k] - times[k - 1])
            )
