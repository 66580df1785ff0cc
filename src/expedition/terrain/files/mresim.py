"""MRESim's text maps: the number of rows, the number of columns, then a line of 0 (free) and 1 (wall) for each row.

The first row is the top. MRESim 2.3 writes the digits 0 to 5 for what its robots know of a cell; such a file is no map
of walls, and is refused.
"""

from __future__ import annotations

from pathlib import Path

from expedition.errors import ExpeditionError
from expedition.terrain.files.characters import MAX_BYTES, character_rows, draw, whole_number
from expedition.terrain.files.options import PlainOptions
from expedition.terrain.files.packed import read_map_bytes
from expedition.terrain.terrain import Terrain


def read(path: Path, options: PlainOptions) -> Terrain:
    """The terrain in a MRESim text map."""
    lines = read_map_bytes(path, MAX_BYTES).split(b"\n", 2)
    if len(lines) < 3:
        raise ExpeditionError(f"{path}: a text map begins with the number of rows, the number of columns and the rows")
    rows = whole_number(lines[0].strip(), "number of rows", f"{path}, line 1")
    columns = whole_number(lines[1].strip(), "number of columns", f"{path}, line 2")
    cells = character_rows(lines[2], rows, columns, "01", str(path), first_line=3)
    return options.terrain(path, cells == ord("1"))


def write(terrain: Terrain, path: Path) -> dict[Path, bytes]:
    """The occupancy as a MRESim text map."""
    return {path: b"%d\n%d\n" % terrain.shape + draw(terrain.occupied, wall="1", free="0")}
