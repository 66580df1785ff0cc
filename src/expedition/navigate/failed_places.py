"""Places that a robot failed to get to: each rests, longer after every failure, until the map around it changes.

A goal that failed is none for a while, and then again for twice as long. What decides is the place, as frontiers change
their numbers and middles with every scan. A place that failed often enough, over long enough, is given up: it is no
goal any more as long as the map there stays as it is, so that a strategy with nothing else left comes to its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame

Floats = NDArray[np.float64]
State = NDArray[np.uint8]

SAME_PLACE = 0.5
"""Goals no farther than this from each other are the same place, in metres."""
AROUND = 1.2
"""The map around a place is that so far to each side, in metres ..."""
CHANGED = 0.1
"""... and has changed when this share of its cells has."""
FAILURES = 4
GIVEN_UP_AFTER = 45.0
"""A place is given up after so many failures, the last of them so many seconds after the first."""


@dataclass(eq=False)
class FailedPlace:
    """A place, how often it failed, from when to when, until when it rests, and what the map around it was."""

    x: float
    y: float
    failures: int
    first: float
    last: float
    until: float
    map_then: State
    for_good: bool = False

    @property
    def is_given_up(self) -> bool:
        """Whether it has failed often enough, over long enough."""
        return self.for_good or (self.failures >= FAILURES and self.last >= self.first + GIVEN_UP_AFTER)


class FailedPlaces:
    """Those of one robot."""

    def __init__(self, frame: Frame, state: State, rest: float) -> None:
        """`state` is the robot's map as it grows, `rest` the seconds that a place rests at first."""
        self._frame = frame
        self._state = state
        self._rest = rest
        self.places: list[FailedPlace] = []

    def fail(self, x: float, y: float, time: float, for_good: bool = False) -> FailedPlace:
        """The robot failed to get to a place, or found out that it cannot ever as long as the map is what it is."""
        self.forget_changed()
        place = next((place for place in self.places if math.hypot(place.x - x, place.y - y) <= SAME_PLACE), None)
        if place is None:
            place = FailedPlace(x, y, 0, time, time, time, self._map_around(x, y).copy())
            self.places.append(place)
        place.failures += 1
        place.last = time
        place.for_good |= for_good
        place.until = time + self._rest * 2.0 ** min(place.failures - 1, 20)
        return place

    def forget_changed(self) -> None:
        """Forget the places around which the map has changed."""
        self.places = [place for place in self.places if not self._has_changed(place)]

    def are_open(self, points: Floats, time: float) -> NDArray[np.bool_]:
        """Which of some points (n, 2) are at no place that rests."""
        return ~self._near(points, [place for place in self.places if place.until > time or place.is_given_up])

    def are_possible(self, points: Floats) -> NDArray[np.bool_]:
        """Which of some points (n, 2) are at no place that was given up."""
        return ~self._near(points, [place for place in self.places if place.is_given_up])

    def failures_at(self, points: Floats) -> NDArray[np.int64]:
        """How often the places at some points (n, 2) failed."""
        failures = np.zeros(len(points), dtype=np.int64)
        for place in self.places:
            near = self._near(points, [place])
            failures[near] = np.maximum(failures[near], place.failures)
        return failures

    def _near(self, points: Floats, places: list[FailedPlace]) -> NDArray[np.bool_]:
        if not places or not len(points):
            return np.zeros(len(points), dtype=np.bool_)
        middles = np.array([(place.x, place.y) for place in places])
        away = np.hypot(points[:, 0, None] - middles[:, 0], points[:, 1, None] - middles[:, 1])
        near: NDArray[np.bool_] = (away <= SAME_PLACE).any(axis=1)
        return near

    def _has_changed(self, place: FailedPlace) -> bool:
        now = self._map_around(place.x, place.y)
        return bool(np.count_nonzero(now != place.map_then) > CHANGED * now.size)

    def _map_around(self, x: float, y: float) -> State:
        row, column = self._frame.cell(x, y)
        reach = math.ceil(AROUND / self._frame.resolution)
        return self._state[
            max(row - reach, 0) : max(row + reach + 1, 0), max(column - reach, 0) : max(column + reach + 1, 0)
        ]
