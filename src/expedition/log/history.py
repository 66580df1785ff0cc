"""Reads maps at any moment: the last whole one before it, and what changed since."""

from __future__ import annotations

import math
import struct
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.errors import ExpeditionError
from expedition.log.cdr import NANOSECONDS, decode, places
from expedition.log.chunks import ChunkedFile
from expedition.log.markers import MapFrontiers
from expedition.log.moment import WORLD
from expedition.log.scene import Floats
from expedition.measure.monitor_apart import in_world

States = NDArray[np.uint8]
Which = int | Literal["union", "base", "truth"]
"""Whose map: a robot's by its number, that of the base, of all robots together, or how things are."""
Patch = tuple[int, int, NDArray[np.uint8]]
"""Row and column of the lower left cell, and (rows, columns) cells: 0 unknown, 1 free, 2 occupied."""

_STATE: States = np.zeros(256, dtype=np.uint8)
_STATE[0], _STATE[1:101] = 1, 2
"""By ROS's occupancy: -1 is unknown, 0 free, up to 100 occupied."""
_UPDATE = places("map_msgs/OccupancyGridUpdate", {"header": {"frame_id": WORLD}, "data": [0]})
"""Where an update's numbers and cells stand."""


class MapHistory:
    """The maps of a log."""

    def __init__(
        self, file: ChunkedFile, frame: Frame, names: tuple[str, ...], has_base: bool, are_askew: bool
    ) -> None:
        """`are_askew` says that the maps of robots lie in frames of their own."""
        self._file = file
        self._are_askew = are_askew
        self._frame = frame
        self._names = names
        self._has_base = has_base
        self._kept: dict[Which, tuple[int, States]] = {}
        self._frontiers: MapFrontiers | None = None

    def at(self, which: Which, time: float) -> States:
        """(rows, columns) of the world's frame: 0 unknown, 1 free, 2 occupied."""
        topic, moment = self._topic(which), round(time * NANOSECONDS)
        whole = self._file.latest(topic, moment)
        if whole is None:
            return np.zeros(self._frame.shape, dtype=np.uint8)
        began, data = whole
        kept = self._kept.get(which)
        if kept is not None and began <= kept[0] <= moment:
            began, state = kept
        else:
            grid = self._decoded("nav_msgs/OccupancyGrid", data)
            info = grid["info"]
            state = _STATE[grid["data"].view(np.uint8)].reshape(info["height"], info["width"])
        for _, update in self._file.between(f"{topic}_updates", began, moment):
            row, column, cells = self._patch(update, state.shape)
            state[row : row + cells.shape[0], column : column + cells.shape[1]] = cells
        self._kept[which] = moment, state
        return self._placed(state, data) if self._is_askew(which) else state.copy()

    def updates(self, which: Which, after: float, until: float) -> list[Patch]:
        """What changed in after < time <= until."""
        topic, (first, last) = self._topic(which), (round(one * NANOSECONDS) for one in (after, until))
        if self._is_askew(which):
            return _difference(self.at(which, after), self.at(which, until))
        return [
            self._patch(update, self._frame.shape) for _, update in self._file.between(f"{topic}_updates", first, last)
        ]

    def frontiers(self, which: Which, time: float) -> Floats:
        """(n, 3): x, y and length of a map's frontiers."""
        rows, columns = self._frame.tiles
        frontiers = self._frontiers = self._frontiers or MapFrontiers(self._frame)
        frontiers.forget()
        return frontiers.find(self.at(which, time), np.zeros((rows, columns), dtype=np.int64), 0)

    def _topic(self, which: Which) -> str:
        if isinstance(which, int) and not isinstance(which, bool) and 0 <= which < len(self._names):
            return f"/{self._names[which]}/map"
        if which in ("union", "truth") or (which == "base" and self._has_base):
            return f"/{which}/map"
        base = "base, " if self._has_base else ""
        raise ExpeditionError(
            f"no map {which!r} in this log; there are union, truth, {base}0 to {len(self._names) - 1}"
        )

    def _patch(self, data: bytes, shape: tuple[int, ...]) -> Patch:
        """An update as cells; refused if it lies beyond the map."""
        try:
            column, row, columns, rows, length = struct.unpack_from("<iiIII", data, _UPDATE["x"])
            cells = np.frombuffer(data, dtype=np.uint8, count=length, offset=_UPDATE["data"])
        except (struct.error, ValueError) as error:
            raise self._file.damaged(error) from error
        if not (0 <= row <= row + rows <= shape[0] and 0 <= column <= column + columns <= shape[1]):
            raise self._file.damaged("an update beyond its map")
        if length != rows * columns:
            raise self._file.damaged(f"an update of {length} cells for {rows} x {columns}")
        return row, column, _STATE[cells].reshape(rows, columns)

    def _is_askew(self, which: Which) -> bool:
        return self._are_askew and isinstance(which, int)

    def _placed(self, state: States, whole: bytes) -> States:
        """A map that lies askew in the world's frame; `whole` is its message."""
        info = self._decoded("nav_msgs/OccupancyGrid", whole)["info"]
        at, turn = info["origin"]["position"], info["origin"]["orientation"]
        pose = np.array([at["x"], at["y"], 2.0 * math.atan2(turn["z"], turn["w"])])
        grid = np.array([0.0, 0.0, info["resolution"]])
        world = np.array([*self._frame.origin, self._frame.resolution])
        return in_world(state, grid, pose, world, self._frame.shape)

    def _decoded(self, name: str, data: bytes) -> dict[str, Any]:
        try:
            return decode(name, data)
        except ValueError as error:
            raise self._file.damaged(error) from error


def _difference(before: States, after: States) -> list[Patch]:
    """The smallest rectangle in which two maps differ."""
    rows, columns = np.nonzero(before != after)
    if not len(rows):
        return []
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    return [(int(top), int(left), after[top:bottom, left:right].copy())]
