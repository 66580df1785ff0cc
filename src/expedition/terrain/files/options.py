"""What a user may say about a map that says nothing but where the walls are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.spec import Spec
from expedition.terrain.changes import Point
from expedition.terrain.material import MaterialName
from expedition.terrain.terrain import MAX_CELLS, RESOLUTION, WALL_HEIGHT, Terrain

CellSize = Annotated[float, Field(ge=1e-4, le=1e4)]


class PlainOptions(Spec):
    """Options of every map that keeps the occupancy only."""

    name: str | None = None
    """The terrain's name; without one, the file's name without its suffix."""
    resolution: CellSize = RESOLUTION
    """The side of a cell in metres."""
    origin: Point = (0.0, 0.0)
    """The lower left corner of the map in metres."""
    wall_height: Annotated[float, Field(ge=0.01, le=655)] = WALL_HEIGHT
    """The height of all walls in metres."""
    material: MaterialName = "concrete"
    """What all walls are made of."""

    def terrain(self, path: Path, occupied: NDArray[np.bool_]) -> Terrain:
        """The terrain of a map whose first row is the top, as in every image and text map."""
        name = "".join(c if c.isprintable() else "?" for c in path.stem[:200]) if self.name is None else self.name
        walls = (self.wall_height, self.material)
        return Terrain.from_occupied(name, occupied[::-1], self.resolution, self.origin, *walls)


def check_size(columns: int, rows: int, place: str, limit: int = MAX_CELLS) -> None:
    """Refuse a size that a header claims before anything of that size is allocated."""
    if columns < 1 or rows < 1:
        raise ExpeditionError(f"{place}: a map needs at least one cell, found {columns} x {rows}")
    if columns * rows > limit:
        raise ExpeditionError(f"{place}: {columns} x {rows} cells; at most {limit:,} are allowed")
