"""Where robots can stand, and how to put many of them there without overlap.

Robots of a fleet are of a few sizes: pairs of circumradius and altitude. For each size, the standing room is the set
of cells on whose middle such a robot is clear of walls whatever its heading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.errors import ExpeditionError
from expedition.fleet.model import RobotModel
from expedition.kernels import kernel
from expedition.terrain import Terrain
from expedition.terrain.area import standing_room

# More places than this to choose from make no placement better, only slower.
MAX_PLACES = 500_000

Points = NDArray[np.float64]
Cells = NDArray[np.bool_]


@dataclass(frozen=True)
class Standing:
    """The standing room of each size of robot in a fleet."""

    terrain: Terrain
    radius: NDArray[np.float64]
    """The circumradius of each robot."""
    size: NDArray[np.int64]
    """Which size each robot has."""
    rooms: tuple[Cells, ...]
    """The standing room of each size."""
    starts: tuple[Cells | None, ...]
    """For each size the cells where robots are to start, or None for all: places drawn elsewhere are left out."""

    @classmethod
    def of(cls, terrain: Terrain, models: Sequence[RobotModel], starts: Cells | None = None) -> Standing:
        """All the standing room that a terrain has for these robots.

        They are to start on `starts`, those apart that fly over some of the walls.
        """
        bodies = [(model.body.circumradius, model.body.altitude) for model in models]
        sizes = sorted(set(bodies))
        rooms = []
        for radius, altitude in sizes:
            room = standing_room(terrain.solid_at(altitude), radius / terrain.resolution)
            if not room.any():
                raise ExpeditionError(
                    f"terrain {terrain.name!r} has no place where robot {bodies.index((radius, altitude))} could "
                    f"stand and turn: it needs {2 * radius:g} m"
                )
            rooms.append(room)
        size = np.array([sizes.index(body) for body in bodies], dtype=np.int64)
        is_bound = [
            starts is not None and bool((room & starts).any()) and _meets_all_walls(terrain, altitude)
            for (_, altitude), room in zip(sizes, rooms, strict=True)
        ]
        where = tuple(starts if bound else None for bound in is_bound)
        return cls(terrain, np.array([body[0] for body in bodies]), size, tuple(rooms), where)

    @property
    def tightest(self) -> int:
        """The size with the least room: where it can go, the others mostly can as well."""
        return int(np.argmin([np.count_nonzero(room) for room in self.rooms]))

    def within(self, cells: Cells) -> Standing:
        """Only the room inside `cells`."""
        return replace(self, rooms=tuple(room & cells for room in self.rooms))

    def anywhere(self) -> Standing:
        """The same room, all of it to start in."""
        return replace(self, starts=(None,) * len(self.rooms))

    def joint(self, near: tuple[float, float] | None = None) -> Standing:
        """Only one connected region, the same for all sizes: the largest, or the one nearest to a point.

        The largest is the one with most places to start on.
        """
        tightest = self.tightest
        labels, count = ndimage.label(self.rooms[tightest])
        if count == 0:
            return self
        if near is None:
            starts = self.starts[tightest]
            among = labels.ravel() if starts is None or not labels[starts].any() else labels[starts]
            chosen = int(np.argmax(np.bincount(among, minlength=2)[1:])) + 1
        else:
            cells = np.argwhere(labels)
            distance = np.hypot(*(self.middles(cells) - near).T)
            chosen = int(labels[tuple(cells[np.argmin(distance)])])
        region = labels == chosen
        rooms = [region if size == tightest else _region_over(room, region) for size, room in enumerate(self.rooms)]
        return replace(self, rooms=tuple(rooms))

    def middles(self, cells: NDArray[np.integer]) -> Points:
        """The middles of cells (row, column) in metres."""
        points: Points = np.asarray(self.terrain.origin) + (cells[:, ::-1] + 0.5) * self.terrain.resolution
        return points

    def places(self, rng: np.random.Generator, limit: int = MAX_PLACES) -> list[Points]:
        """For each size, the middles of its standing room in random order, or as many of them as `limit`."""
        found = []
        for room, starts in zip(self.rooms, self.starts, strict=True):
            cells = np.flatnonzero(room)
            cells = cells[rng.permutation(len(cells))]
            if starts is not None:
                cells = cells[starts.ravel()[cells]]
            found.append(self.middles(np.column_stack(np.unravel_index(cells[:limit], room.shape))))
        return found

    def settle(self, places: Sequence[Points], gap: float, robots: Sequence[int], taken: Taken) -> int:
        """Put each of `robots` on the first of its size's places that is clear; returns how many found one."""
        following = [0] * len(places)
        for count, robot in enumerate(robots):
            size = self.size[robot]
            index = _next_clear(places[size], following[size], self.radius[robot] + gap, *taken.rows())
            if index < 0:
                return count
            following[size] = index + 1
            taken.add(places[size][index], self.radius[robot], robot)
        return len(robots)

    def fill(self, rng: np.random.Generator, gap: float) -> tuple[Points | None, int]:
        """A place for every robot, at random or, where that is too loose, row by row; and how many found one."""
        robots = range(len(self.size))
        found = 0
        rules: list[Callable[[Points], Points]] = [lambda points: points, _row_by_row]
        for rule in rules:
            taken = Taken(len(robots))
            found = self.settle([rule(points) for points in self.places(rng)], gap, robots, taken)
            if found == len(robots):
                return taken.points, found
        return None, found


class Taken:
    """The places taken so far, in the order in which they were."""

    def __init__(self, robots: int) -> None:
        self.points: Points = np.zeros((robots, 2))
        self._order: Points = np.zeros((robots, 2))
        self._radius = np.zeros(robots)
        self._count = 0

    def add(self, point: Points, radius: float, robot: int) -> None:
        self.points[robot] = self._order[self._count] = point
        self._radius[self._count] = radius
        self._count += 1

    def rows(self) -> tuple[Points, NDArray[np.float64], int]:
        return self._order, self._radius, self._count


def _meets_all_walls(terrain: Terrain, altitude: float) -> bool:
    return bool((terrain.solid_at(altitude) == terrain.occupied).all())


def _row_by_row(points: Points) -> Points:
    return points[np.lexsort((points[:, 0], points[:, 1]))]


def _region_over(room: Cells, region: Cells) -> Cells:
    """The region of `room` that shares most cells with `region`; its largest one if none does."""
    labels, _ = ndimage.label(room)
    shared = np.bincount(labels[region], minlength=2)[1:]
    sizes = shared if shared.any() else np.bincount(labels.ravel(), minlength=2)[1:]
    chosen: Cells = labels == int(np.argmax(sizes)) + 1
    return chosen


@kernel
def _next_clear(
    points: Points, start: int, reach: float, taken: Points, radius: NDArray[np.float64], count: int
) -> int:
    """The first point from `start` on that is at least `reach` plus its radius away from all that is taken, or -1."""
    for index in range(start, len(points)):
        clear = True
        for other in range(count):
            dx, dy = points[index, 0] - taken[other, 0], points[index, 1] - taken[other, 1]
            if dx * dx + dy * dy < (reach + radius[other]) ** 2:
                clear = False
                break
        if clear:
            return index
    return -1
