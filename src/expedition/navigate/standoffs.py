"""Standoffs: something that a robot does not hear has come to stand on its path, and may be waiting for it in turn.

That may be a teammate which is silent or broken down. By chance the robot waits where it is, or steps back to where the
other can pass it, and then takes the place for free again and looks. Two that do so sooner or later choose differently.
What is still there after some tries has come to stay, for a while at least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED, Frame
from expedition.streams import stream_key, uniform

Floats = NDArray[np.float64]

NEAR, AHEAD = 1.0, 2.5
"""A path that begins no farther than this from a robot is the one it was on; what is so far along it is in its way."""
SAME = 1.5
"""Things no farther than this from each other are the same, in metres."""
TRIES = 8
"""After so many tries what stands in the way has come to stay ..."""
RESTS = 240.0
"""... for so many seconds."""
WAITS, WAITS_LONGER = 3.0, 6.0
"""The least time that a robot stands aside or still, and the most by which chance makes that longer, in seconds."""
SLOWLY = 0.3
"""How fast it steps back, in m/s."""


@dataclass
class Standoff:
    """Where something stands in the way, how often a robot has tried to get past, and until when it waits or rests."""

    x: float
    y: float
    tries: int = 0
    waits_until: float = -math.inf
    has_waited: bool = True
    rests_until: float = -math.inf


class Standoffs:
    """Those of the robots of a fleet; a robot has one at a time."""

    def __init__(self, robots: int, seed: int) -> None:
        self._keys = [stream_key(seed, f"robot/{robot}/standoff") for robot in range(robots)]
        self._draws = [0] * robots
        self._now: list[Standoff | None] = [None] * robots

    def is_waiting(self, robot: int, time: float) -> bool:
        """Whether a robot stands aside or still now, for what may pass it."""
        standoff = self._now[robot]
        return standoff is not None and time < standoff.waits_until

    def are_waiting(self, time: float) -> NDArray[np.bool_]:
        """(robots,): the same of all."""
        return np.array([self.is_waiting(robot, time) for robot in range(len(self._now))], dtype=np.bool_)

    def ends(self, robot: int, time: float) -> bool:
        """Whether a robot has just waited long enough; said once."""
        standoff = self._now[robot]
        if standoff is None or standoff.has_waited or time < standoff.waits_until:
            return False
        standoff.has_waited = True
        return True

    def may_try(self, robot: int, x: float, y: float, time: float) -> bool:
        """Whether what stands at a point may go yet."""
        standoff = self._at(robot, x, y)
        return standoff is None or time >= standoff.rests_until

    def begin(self, robot: int, x: float, y: float, time: float) -> bool:
        """Try once more; whether the robot is to step back."""
        standoff = self._at(robot, x, y)
        if standoff is None or standoff.tries >= TRIES:
            standoff = self._now[robot] = Standoff(x, y)
        standoff.tries += 1
        if standoff.tries >= TRIES:
            standoff.rests_until = time + RESTS
        standoff.waits_until = time + WAITS + WAITS_LONGER * self._chance(robot)
        standoff.has_waited = False
        return self._chance(robot) < 0.5

    def step_back(self, robot: int, metres: float) -> None:
        """The robot has so far to go to where it waits."""
        standoff = self._now[robot]
        if standoff is not None:
            standoff.waits_until += metres / SLOWLY

    def _at(self, robot: int, x: float, y: float) -> Standoff | None:
        standoff = self._now[robot]
        is_same = standoff is not None and math.hypot(standoff.x - x, standoff.y - y) <= SAME
        return standoff if is_same else None

    def _chance(self, robot: int) -> float:
        self._draws[robot] += 1
        return float(uniform(self._keys[robot], np.uint64(self._draws[robot])))


def walls_on(
    path: Floats, state: NDArray[np.uint8], frame: Frame, radius: float, place: Sequence[float] | None = None
) -> NDArray[np.int64]:
    """The occupied cells (row * columns + column) on a path that was open when it was planned.

    A body of that radius would touch them. If a `place` is given, those on the next stretch from there; none where the
    path is elsewhere.
    """
    step = 0.5 * frame.resolution
    pieces = np.diff(path, axis=0)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(pieces[:, 0], pieces[:, 1]))])
    at = np.arange(0.0, along[-1] + step, step)
    points = np.column_stack([np.interp(at, along, path[:, k]) for k in (0, 1)])
    if place is not None:
        away = np.hypot(points[:, 0] - place[0], points[:, 1] - place[1])
        nearest = int(np.argmin(away))
        points = points[nearest : nearest + math.ceil(AHEAD / step)] if away[nearest] <= NEAR else points[:0]
    column, row = np.floor((points - frame.origin) / frame.resolution).astype(np.int64).T
    reach = math.ceil(radius / frame.resolution)
    around = np.arange(-reach, reach + 1)
    rows = (row[:, None, None] + around[:, None] + 0 * around).ravel()
    columns = (column[:, None, None] + 0 * around[:, None] + around).ravel()
    inside = (rows >= 0) & (rows < frame.rows) & (columns >= 0) & (columns < frame.columns)
    cells: NDArray[np.int64] = np.unique(rows[inside] * frame.columns + columns[inside])
    cells = cells[state.reshape(-1)[cells] == OCCUPIED]
    if len(cells) == 0:
        return cells
    centres = frame.centres(np.column_stack(np.divmod(cells, frame.columns)))
    away = np.hypot(centres[:, None, 0] - points[None, :, 0], centres[:, None, 1] - points[None, :, 1])
    found: NDArray[np.int64] = cells[away.min(axis=1) < radius]
    return found
