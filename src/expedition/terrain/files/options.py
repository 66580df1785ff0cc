"""What a user may say about a map: how it is put right and, if it says nothing but where the walls are, all else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.spec import Spec
from expedition.terrain.changes import Point
from expedition.terrain.files.cleaning import cleaned, closed
from expedition.terrain.files.packed import map_stem
from expedition.terrain.material import MaterialName
from expedition.terrain.terrain import MAX_CELLS, RESOLUTION, WALL_HEIGHT, Terrain

CellSize = Annotated[float, Field(ge=1e-4, le=1e4)]


Edges = Literal["closed", "open"]


class FileOptions(Spec):
    """Options of every map."""

    clean: Annotated[float, Field(ge=0, le=1e6)] = 0.0
    """Connected walls no larger than this, in metres, are removed: specks and words. 0 removes nothing."""

    def put_right(
        self, occupied: NDArray[np.bool_], resolution: float, edges: Edges
    ) -> tuple[NDArray[np.bool_], list[str]]:
        """The walls without specks and with a closed edge, as wished; and notes on what was done."""
        notes: list[str | None] = []
        if self.clean > 0:
            occupied, note = cleaned(occupied, self.clean, resolution)
            notes.append(note)
        if edges == "closed":
            occupied, note = closed(occupied)
            notes.append(note)
        return occupied, [note for note in notes if note is not None]


class PlainOptions(FileOptions):
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
    edges: Edges = "closed"
    """What becomes of free cells at the map's edge: `closed` makes them walls, `open` leaves them."""

    def terrain(self, path: Path, occupied: NDArray[np.bool_], doubts: Sequence[str] = ()) -> Terrain:
        """The terrain of a map whose first row is the top, as in every image and text map."""
        name = "".join(c if c.isprintable() else "?" for c in map_stem(path)[:200]) if self.name is None else self.name
        occupied, notes = self.put_right(occupied, self.resolution, self.edges)
        walls = (self.wall_height, self.material)
        made = Terrain.from_occupied(name, occupied[::-1], self.resolution, self.origin, *walls)
        return replace(made, notes=(*doubts, *notes))


def check_size(columns: int, rows: int, place: str, limit: int = MAX_CELLS) -> None:
    """Refuse a size that a header claims before anything of that size is allocated."""
    if columns < 1 or rows < 1:
        raise ExpeditionError(f"{place}: a map needs at least one cell, found {columns} x {rows}")
    if columns * rows > limit:
        raise ExpeditionError(f"{place}: {columns} x {rows} cells; at most {limit:,} are allowed")
