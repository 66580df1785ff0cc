"""What stands between radios: walls of any height, by material, from the terrain or from a robot's map."""

from __future__ import annotations

import weakref
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.belief.grid import OCCUPIED, UNKNOWN, Frame
from expedition.network.material_rectangles import (
    Booleans,
    Bytes,
    MaterialRectangles,
    Window,
    material_rectangles,
    with_changed_cells,
)
from expedition.network.walls import ANY_NUMBER, LATTICE, Bearable, Crossed, Floats, Integers, cross_lines
from expedition.terrain import Terrain
from expedition.terrain.material import MATERIALS

THICKEST = 1.0
"""Metres between two faces that are taken for one wall."""
BASE_RADIUS = 0.3
"""Metres around a base station in which no wall of a map counts."""
DB_PER_M = np.array([material.attenuation_db_per_m for material in MATERIALS])


class Obstacles:
    """A grid of walls. It costs nothing until a line is followed, and never changes."""

    _latest: ClassVar[tuple[weakref.ref[Terrain] | None, Obstacles | None]] = None, None

    def __init__(
        self,
        wall: Booleans,
        material: Bytes,
        db_per_m: Floats,
        origin: tuple[float, float],
        resolution: float,
        before: Obstacles | None = None,
    ) -> None:
        """`material` counts in `db_per_m`; `before` is how things stood when little was different."""
        self.wall = wall
        self.db_per_m = db_per_m
        self.origin = origin
        self.resolution = resolution
        self.corner: Floats = np.array(origin, dtype=np.float64)
        self._material = material
        self._before = before

    @classmethod
    def of(cls, terrain: Terrain) -> Obstacles:
        """Those of a terrain as it stands; the same object as long as nobody asks for another terrain's."""
        seen, latest = cls._latest
        if latest is None or seen is None or seen() is not terrain:
            before = latest if latest is not None and latest._is_surveyed else None
            latest = cls(terrain.occupied, terrain.material, DB_PER_M, terrain.origin, terrain.resolution, before)
            cls._latest = weakref.ref(terrain), latest
        return latest

    @classmethod
    def believed(
        cls,
        state: NDArray[np.uint8],
        frame: Frame,
        attenuation_db_per_m: float = MATERIALS[0].attenuation_db_per_m,
        base: tuple[float, float] | None = None,
    ) -> Obstacles:
        """Those of a robot's map, on which all walls are alike; what it does not know counts as free.

        A wall is seen from outside: what is unknown between faces no farther apart than `THICKEST` is its inside. What
        the map has where the `base` is was a robot that stood there.
        """
        wall = state == OCCUPIED
        cells = round(0.5 * THICKEST / frame.resolution)
        if cells > 0:
            wall |= (state == UNKNOWN) & ndimage.binary_closing(wall, np.ones((3, 3), dtype=np.bool_), iterations=cells)
        if base is not None:
            row, column = frame.cell(*base)
            around = round(BASE_RADIUS / frame.resolution)
            wall[max(row - around, 0) : row + around + 1, max(column - around, 0) : column + around + 1] = False
        material = np.zeros(1, dtype=np.uint8)
        db_per_m = np.array([attenuation_db_per_m], dtype=np.float64)
        return cls(wall, np.broadcast_to(material, state.shape), db_per_m, frame.origin, frame.resolution)

    def crossed(
        self,
        starts: Floats,
        ends: Floats,
        first: Integers | None = None,
        second: Integers | None = None,
        bearable: Bearable | None = None,
    ) -> Crossed:
        """What lies on the lines from `starts[first]` to `ends[second]`, in metres; of all in order if not given.

        Lines of which no wall is `bearable` are not followed and cross nothing; others end where that is exceeded.
        """
        first = np.arange(len(starts)) if first is None else first
        second = np.arange(len(ends)) if second is None else second
        lines = len(first)
        if bearable is None:
            bearable = Bearable(np.full(lines, ANY_NUMBER), np.full(lines, np.inf))
        crossed = Crossed(np.zeros(lines, dtype=np.int64), np.zeros(lines), np.zeros(lines))
        cross_lines(
            self.rectangles, self.material, self.db_per_m, self.resolution, self.places(starts), self.places(ends),
            first, second, np.flatnonzero(bearable.walls >= 0), bearable, crossed,
        )  # fmt: skip
        return crossed

    @cached_property
    def material(self) -> Bytes:
        """(rows, columns): what walls are made of, as numbers that count in `db_per_m`."""
        # One writable-looking, contiguous type for every grid: kernels compile once.
        return np.array(self._material, order="C")

    @cached_property
    def rectangles(self) -> MaterialRectangles:
        """The rectangles of one material that lines jump over."""
        before, self._before = self._before, None
        wall = np.array(self.wall, order="C")
        if before is None or before.wall.shape != wall.shape:
            return material_rectangles(wall, self.material)
        window = self._changed(before)
        return (
            before.rectangles if window is None else with_changed_cells(before.rectangles, wall, self.material, window)
        )

    @property
    def _is_surveyed(self) -> bool:
        return "rectangles" in self.__dict__

    def _changed(self, before: Obstacles) -> Window | None:
        """The smallest window with all cells that are not what they were."""
        changed = (self.wall != before.wall) | (self.wall & (self.material != before.material))
        rows, columns = (np.flatnonzero(changed.any(axis=axis)).tolist() for axis in (1, 0))
        return (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)) if rows else None

    def places(self, points: Floats) -> Floats:
        """Points in cells, on the lattice."""
        places: Floats = np.round((points - self.corner) * (LATTICE / self.resolution))
        places /= LATTICE
        return places
