"""An area in sectors, one a robot in the order of their numbers: whose a place is, and where two of them meet."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from expedition.robot import Frontier, Robot

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Place = tuple[float, float]
Division = Literal["wedges", "strips"]

SAMPLES = 200
"""Points along each side of the area by which wedges are made equally large."""
SMALLEST = 3
"""Cells of the smallest part of a frontier that counts."""
STEP = 1.0
"""Metres between the points of a border."""


class Sectors:
    """Wedges of equal area around the base, or around the middle without one, or strips across the longer side."""

    def __init__(
        self, extent: tuple[float, float, float, float], centre: Place, number: int, division: Division = "wedges"
    ) -> None:
        """`extent` is left, right, bottom and top."""
        self._division = division
        self._extent = left, right, bottom, top = extent
        self._centre = centre
        self._begin = 0.0
        self._axis = 0 if right - left >= top - bottom else 1
        if division == "strips":
            low, high = extent[2 * self._axis : 2 * self._axis + 2]
            self._cuts = np.linspace(low, high, number + 1)[1:-1]
        else:
            x, y = np.meshgrid(np.linspace(left, right, SAMPLES), np.linspace(bottom, top, SAMPLES))
            angles = np.sort(self._angles(x.ravel(), y.ravel()))
            # Seen from a corner, the area is no full circle: the first wedge begins where it does.
            gaps = np.diff(angles, append=angles[0] + math.tau)
            self._begin = float(angles[(int(np.argmax(gaps)) + 1) % len(angles)])
            self._cuts = np.quantile((angles - self._begin) % math.tau, np.arange(1, number) / number)

    @classmethod
    def of(cls, robot: Robot, division: Division) -> Sectors:
        """Those of a robot's team. All of it follows from what robots are told beforehand, so all have the same."""
        left, right, bottom, top = extent = robot.map.frame.extent
        middle = (left + right) / 2, (bottom + top) / 2
        return cls(extent, middle if robot.base_id is None else robot.base, robot.fleet_size, division)

    def owner(self, x: float, y: float) -> int:
        """The number of the robot in whose sector a place lies."""
        return int(self.owners(np.array([[x, y]]))[0])

    def owners(self, places: Floats) -> Integers:
        """`owner` of many places (n, 2)."""
        if self._division == "strips":
            along = places[:, self._axis]
        else:
            along = (self._angles(places[:, 0], places[:, 1]) - self._begin) % math.tau
        return np.searchsorted(self._cuts, along, side="right")

    def parts(self, robot: Robot, frontiers: Sequence[Frontier], owners: Collection[int]) -> list[Frontier]:
        """What lies of frontiers in the sectors of some robots; in the open a frontier may run through them all."""
        frame = robot.map.frame
        found = []
        for frontier in frontiers:
            places = frame.centres(frontier.cells)
            inside = np.isin(self.owners(places), list(owners))
            if inside.all():
                found.append(frontier)
            elif np.count_nonzero(inside) >= SMALLEST:
                place = _middle(robot, places[inside])
                if place is not None:
                    found.append(_part(robot, frontier, inside, place))
        return found

    def border(self, robot: int, other: int) -> list[Place]:
        """Points along the border between two sectors; if they do not touch, of the lower one towards the other."""
        left, right, bottom, top = self._extent
        cut = float(self._cuts[min(robot, other)])
        if self._division == "strips":
            low, high = self._extent[2 - 2 * self._axis : 4 - 2 * self._axis]
            along = np.arange(low + STEP / 2, high, STEP).tolist()
            return [(cut, at) if self._axis == 0 else (at, cut) for at in along]
        angle = cut + self._begin
        away = np.arange(STEP, math.hypot(right - left, top - bottom), STEP)
        x, y = self._centre[0] + away * math.cos(angle), self._centre[1] + away * math.sin(angle)
        inside = (x > left) & (x < right) & (y > bottom) & (y < top)
        return list(zip(x[inside].tolist(), y[inside].tolist(), strict=True))

    def _angles(self, x: Floats, y: Floats) -> Floats:
        angles: Floats = np.arctan2(y - self._centre[1], x - self._centre[0])
        return angles


def _middle(robot: Robot, places: Floats) -> Place | None:
    """The place nearest to the middle of some to which there is a way."""
    away = np.hypot(*(places - places.mean(axis=0)).T)
    for x, y in places[np.argsort(away, kind="stable")].tolist():
        if math.isfinite(robot.travel_cost((x, y))):
            return x, y
    return None


def _part(robot: Robot, frontier: Frontier, inside: NDArray[np.bool_], place: Place) -> Frontier:
    return replace(
        frontier,
        x=place[0],
        y=place[1],
        centroid=place,
        size=frontier.size * float(np.mean(inside)),
        cells=frontier.cells[inside],
        _gain=lambda: robot.expected_gain(place),
    )
