"""Moving AI's octile maps, the benchmark maps of grid path planning (Sturtevant 2012).

| character | in the benchmark | here |
| --- | --- | --- |
| `.` `G` | passable ground | free |
| `S` | swamp, passable from ground | free, but slow |
| `T` | trees | wall of foliage |
| `W` | water, not passable from ground | wall |
| `@` `O` | out of bounds | wall |

The first row is the top. A terrain is written with `.` and `@`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from expedition.errors import ExpeditionError, unknown
from expedition.terrain.files.characters import MAX_BYTES, character_rows, draw, whole_number
from expedition.terrain.files.options import PlainOptions
from expedition.terrain.files.packed import read_map_bytes
from expedition.terrain.material import material_index
from expedition.terrain.terrain import Terrain

HEADER = (b"type", b"height", b"width", b"map")
TYPES = ("octile", "octile_unicost", "tile")
FREE, SWAMP, TREES, WALLS = ".G", "S", "T", "W@O"


class OctileOptions(PlainOptions):
    """Options of Moving AI maps."""

    swamp_speed_percent: Annotated[int, Field(ge=1, le=100)] = 50
    """The share of its speed that a robot reaches in a swamp."""


def read(path: Path, options: OctileOptions) -> Terrain:
    """The terrain in a Moving AI map."""
    lines = read_map_bytes(path, MAX_BYTES).split(b"\n", len(HEADER))
    header = [line.split() for line in lines[: len(HEADER)]]
    if [words[:1] for words in header] != [[word] for word in HEADER] or len(lines) == len(HEADER):
        raise ExpeditionError(
            f"{path}: a Moving AI map begins with the lines 'type octile', 'height', 'width' and 'map'"
        )
    kind = b" ".join(header[0][1:]).decode("latin-1")
    if kind not in TYPES:
        raise unknown("map type", kind, TYPES, place=f"{path}, line 1")
    rows = whole_number(b" ".join(header[1][1:]), "height", f"{path}, line 2")
    columns = whole_number(b" ".join(header[2][1:]), "width", f"{path}, line 3")
    cells = character_rows(lines[-1], rows, columns, FREE + SWAMP + TREES + WALLS, str(path), first_line=5)

    is_wall = np.zeros(256, dtype=bool)
    is_wall[list((TREES + WALLS).encode())] = True
    terrain = options.terrain(path, is_wall[cells])
    trees, swamp = cells[::-1] == ord(TREES), cells[::-1] == ord(SWAMP)
    if trees.any():
        material = np.where(trees, np.uint8(material_index("foliage")), terrain.material)
        terrain = replace(terrain, material=material)
    if swamp.any():
        speed = np.where(swamp, np.uint8(options.swamp_speed_percent), np.uint8(100))
        terrain = replace(terrain, speed_percent=speed)
    return terrain


def write(terrain: Terrain, path: Path) -> dict[Path, bytes]:
    """The occupancy as a Moving AI map."""
    header = b"type octile\nheight %d\nwidth %d\nmap\n" % terrain.shape
    return {path: header + draw(terrain.occupied, wall="@", free=".")}
