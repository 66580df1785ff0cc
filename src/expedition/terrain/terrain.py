"""The ground truth: one type for every terrain, wherever it came from.

A terrain is a grid of square cells. Row 0 is the lowest y, column 0 the lowest x; `origin` is the lower left corner
of cell (0, 0) in metres. Layers are integers, so that every file format stores them exactly.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError, shorten
from expedition.terrain.area import reachable
from expedition.terrain.changes import Change, Rectangle
from expedition.terrain.material import MATERIALS, MaterialName, material_index

MAX_CELLS = 64_000_000
WALL_HEIGHT = 2.0
RESOLUTION = 0.1


@dataclass(frozen=True)
class Landmark:
    """A point that a camera recognises, with a descriptor that tells it from the others."""

    x: float
    y: float
    descriptor: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        # Plain floats: whatever number type they came as, equal landmarks have one digest and one spelling in files.
        x, y, *descriptor = (float(value) for value in (self.x, self.y, *self.descriptor))
        if not (abs(x) <= 1e7 and abs(y) <= 1e7 and all(map(math.isfinite, descriptor))):
            raise ExpeditionError(f"landmark at ({x}, {y}): needs finite numbers and a place within 10,000 km")
        for name, value in (("x", x), ("y", y), ("descriptor", tuple(descriptor))):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Start:
    """A place marked for a robot to start from: x and y in metres, the heading in radians."""

    x: float
    y: float
    heading: float = 0.0

    def __post_init__(self) -> None:
        x, y, heading = (float(value) for value in (self.x, self.y, self.heading))
        if not (abs(x) <= 1e7 and abs(y) <= 1e7 and abs(heading) <= 1e3):
            raise ExpeditionError(f"start at ({x}, {y}): needs finite numbers and a place within 10,000 km")
        for name, value in (("x", x), ("y", y), ("heading", heading)):
            object.__setattr__(self, name, value)


def _full(value: int) -> NDArray[np.uint8]:
    return np.asarray(value, dtype=np.uint8)


def _layer(
    given: Any, dtype: type[np.unsignedinteger], bounds: tuple[int, int], shape: tuple[int, ...], place: str
) -> NDArray[Any]:
    """A layer of a terrain's own, which nobody else can change; single values hold everywhere."""
    values = np.asarray(given)
    if np.ndim(values) > 2 or any(
        side not in (1, full) for side, full in zip(values.shape[::-1], shape[::-1], strict=False)
    ):
        raise ExpeditionError(f"{place}: must have the shape {shape} of the grid, found {values.shape}")
    if values.dtype.kind not in "iub" or not (bounds[0] <= values.min() and values.max() <= bounds[1]):
        raise ExpeditionError(f"{place}: must hold whole numbers from {bounds[0]} to {bounds[1]}")
    owned = np.array(values, dtype=dtype, copy=values.flags.writeable or None)
    layer = np.broadcast_to(owned, shape)
    layer.flags.writeable = False
    return layer


@dataclass(frozen=True, eq=False)
class Terrain:
    """Occupancy, wall heights, materials, roughness, landmarks, changes over time and marked starts of one place.

    Layers are (rows, columns) arrays, or single values that hold everywhere:
    `wall_height_cm` is 0 on free cells; `material` counts in `MATERIALS` and matters on walls;
    `speed_percent` is the share of its speed that a robot reaches there, 100 on smooth ground.
    `starts` are for the placement `marked`; robot 0 takes the first.
    `notes` are sentences on what reading a map file changed or found doubtful; they are no part of the place itself, so
    neither the digest nor a saved file has them.
    """

    name: str
    wall_height_cm: NDArray[np.uint16]
    resolution: float = RESOLUTION
    origin: tuple[float, float] = (0.0, 0.0)
    material: NDArray[np.uint8] = field(default_factory=lambda: _full(0))
    speed_percent: NDArray[np.uint8] = field(default_factory=lambda: _full(100))
    landmarks: tuple[Landmark, ...] = ()
    changes: tuple[Change, ...] = ()
    starts: tuple[Start, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_occupied(
        cls,
        name: str,
        occupied: NDArray[np.bool_],
        resolution: float = RESOLUTION,
        origin: tuple[float, float] = (0.0, 0.0),
        wall_height: float = WALL_HEIGHT,
        material: MaterialName = "concrete",
        landmarks: Sequence[Landmark] = (),
        changes: Sequence[Change] = (),
    ) -> Terrain:
        """A terrain whose walls all have one height (metres) and one material."""
        if not 0.01 <= wall_height <= 655.0:
            raise ExpeditionError(f"{name}: wall height must be within 0.01 and 655 m, found {wall_height}")
        height_cm = np.asarray(occupied, dtype=bool) * np.uint16(round(100 * wall_height))
        layer = _full(material_index(material))
        return cls(name, height_cm, resolution, origin, layer, landmarks=tuple(landmarks), changes=tuple(changes))

    def __post_init__(self) -> None:
        place = f"terrain {shorten(self.name)}"
        if not (self.name.isprintable() and 1 <= len(self.name) <= 200):
            raise ExpeditionError(f"{place}: a name has 1 to 200 characters that can be printed")
        shape = np.shape(self.wall_height_cm)
        if len(shape) != 2 or 0 in shape:
            raise ExpeditionError(f"{place}: needs rows and columns of cells, found shape {shape}")
        if shape[0] * shape[1] > MAX_CELLS:
            raise ExpeditionError(f"{place}: {shape[1]} x {shape[0]} cells; at most {MAX_CELLS:,} are allowed")
        if not (math.isfinite(self.resolution) and 1e-4 <= self.resolution <= 1e4):
            raise ExpeditionError(f"{place}: resolution must be within 0.0001 and 10000 m, found {self.resolution}")
        if len(self.origin) != 2 or not all(math.isfinite(value) and abs(value) <= 1e7 for value in self.origin):
            raise ExpeditionError(f"{place}: origin must be two numbers within 10,000 km, found {self.origin}")
        object.__setattr__(self, "resolution", float(self.resolution))
        object.__setattr__(self, "origin", tuple(float(value) for value in self.origin))
        for layer, dtype, low, high in (
            ("wall_height_cm", np.uint16, 0, 65535),
            ("material", np.uint8, 0, len(MATERIALS) - 1),
            ("speed_percent", np.uint8, 1, 100),
        ):
            values = _layer(getattr(self, layer), dtype, (low, high), shape, f"{place}: {layer}")
            object.__setattr__(self, layer, values)
        for index, change in enumerate(self.changes):
            self._check_change(change, f"{place}: changes.{index}")

    def _check_change(self, change: Change, place: str) -> None:
        """Refuse what happens beyond the grid, and people who stand in a wall."""
        if change.kind == "person":
            for x, y in change.waypoints:
                if not self.is_free(x, y):
                    raise ExpeditionError(f"{place}.waypoints: ({x:g}, {y:g}) is not on free ground")
        elif 0 in self.wall_height_cm[self.cells_in(change.area)].shape:
            raise ExpeditionError(
                f"{place}.area: covers no cell; the terrain spans x {{:g}} to {{:g}} and y {{:g}} to {{:g}} m".format(
                    *self.extent
                )
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.wall_height_cm.shape
        return rows, columns

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top in metres."""
        rows, columns = self.shape
        left, bottom = self.origin
        return left, left + columns * self.resolution, bottom, bottom + rows * self.resolution

    @cached_property
    def occupied(self) -> NDArray[np.bool_]:
        """Where there is a wall of any height."""
        occupied: NDArray[np.bool_] = self.wall_height_cm > 0
        occupied.flags.writeable = False
        return occupied

    def solid_at(self, height: float) -> NDArray[np.bool_]:
        """Where a wall rises above `height` metres: what stops or hides something at that height."""
        # A height such as 0.29 m is a little less than 29 cm as a float.
        return self.wall_height_cm > max(0.0, 100.0 * height + 1e-6)

    @cached_property
    def free_cells(self) -> int:
        """How many cells have no wall."""
        return int(self.occupied.size - np.count_nonzero(self.occupied))

    @property
    def free_area(self) -> float:
        """The area without walls in square metres; doors count as open."""
        return self.free_cells * self.resolution**2

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Row and column of the cell that holds the point (x, y); it may lie outside the grid."""
        return (
            math.floor((y - self.origin[1]) / self.resolution),
            math.floor((x - self.origin[0]) / self.resolution),
        )

    def centre(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell in metres."""
        return (
            self.origin[0] + (column + 0.5) * self.resolution,
            self.origin[1] + (row + 0.5) * self.resolution,
        )

    def cells_in(self, area: Rectangle) -> tuple[slice, slice]:
        """Rows and columns of the cells whose middles lie in a rectangle."""
        rows, columns = self.shape
        left, bottom = self.origin
        low_row, high_row = (round((y - bottom) / self.resolution) for y in (area.bottom, area.top))
        low_column, high_column = (round((x - left) / self.resolution) for x in (area.left, area.right))
        return (
            slice(min(max(low_row, 0), rows), min(max(high_row, 0), rows)),
            slice(min(max(low_column, 0), columns), min(max(high_column, 0), columns)),
        )

    def is_free(self, x: float, y: float) -> bool:
        """Whether the point lies inside the grid and not in a wall."""
        row, column = self.cell(x, y)
        return 0 <= row < self.shape[0] and 0 <= column < self.shape[1] and not self.occupied[row, column]

    def reachable(
        self, starts: Sequence[tuple[float, float]], radius: float, opening: float | None = None
    ) -> NDArray[np.bool_]:
        """The free cells that a disc of `radius` metres can touch when it drives from any of `starts`.

        Passages narrower than `opening` metres do not count; if not given, all that the disc fits through do.
        """
        if not (math.isfinite(radius) and radius >= 0.0 and np.isfinite(starts).all()):
            raise ExpeditionError(f"a start and a radius must be finite, found {shorten(starts)} and {radius}")
        cells = [self.cell(x, y) for x, y in starts]
        wide = None if opening is None else opening / self.resolution
        return reachable(self.occupied, cells, radius / self.resolution, wide)

    def reachable_area(self, starts: Sequence[tuple[float, float]], radius: float) -> float:
        """The area of `reachable` in square metres."""
        return int(np.count_nonzero(self.reachable(starts, radius))) * self.resolution**2

    @cached_property
    def digest(self) -> str:
        """A hash of everything but the name and the notes: equal for equal terrains, on any machine."""
        hasher = hashlib.sha256()
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, np.ndarray):
                hasher.update(str(value.shape).encode() + np.ascontiguousarray(value).tobytes())
            # A terrain without marked starts has the hash that it had before terrains could have any.
            elif item.name not in ("name", "notes") and (item.name != "starts" or value):
                hasher.update(repr(value).encode())
        return hasher.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terrain) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def renamed(self, name: str) -> Terrain:
        """The same terrain under another name."""
        return replace(self, name=name)
