"""A terrain in words and in characters, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.terrain.material import MATERIALS
from expedition.terrain.terrain import Terrain

# Two halves above one another share a character.
BLOCKS = np.array([[" ", "▄"], ["▀", "█"]])
ASCII_BLOCKS = np.array([[" ", "."], ["'", "#"]])
MUCH, LITTLE = 0.5, 0.08  # shares of a half character


def facts(terrain: Terrain) -> list[tuple[str, str]]:
    """What there is to say about a terrain, as label and value."""
    rows, columns = terrain.shape
    left, right, bottom, top = terrain.extent
    walls = terrain.wall_height_cm[terrain.occupied]
    share = terrain.free_cells / terrain.occupied.size
    told = [
        ("terrain", terrain.name),
        ("size", f"{right - left:g} x {top - bottom:g} m, {columns} x {rows} cells of {terrain.resolution:g} m"),
        ("extent", f"x {left:g} to {right:g} m, y {bottom:g} to {top:g} m"),
        ("free", f"{terrain.free_area:,.2f} m², {terrain.free_cells:,} cells, {share:.2%}"),
    ]
    if walls.size:
        heights = sorted({float(height) / 100 for height in (walls.min(), walls.max())})
        materials = sorted({MATERIALS[index].name for index in np.unique(terrain.material[terrain.occupied])})
        told.append(("walls", f"{', '.join(materials)}; {' to '.join(f'{height:g}' for height in heights)} m high"))
    if terrain.speed_percent.min() < 100:
        rough = np.count_nonzero(terrain.speed_percent[~terrain.occupied] < 100) / max(terrain.free_cells, 1)
        told.append(("rough", f"{rough:.1%} of the free area, down to {terrain.speed_percent.min()} % of the speed"))
    if terrain.landmarks:
        told.append(("landmarks", str(len(terrain.landmarks))))
    if terrain.starts:
        told.append(("starts", f"{len(terrain.starts)} marked"))
    for kind, label in (("door", "doors"), ("person", "people"), ("collapse", "collapses")):
        count = sum(change.kind == kind for change in terrain.changes)
        if count:
            told.append((label, str(count)))
    told.append(("digest", terrain.digest[:16]))
    return told


def reachable_fact(terrain: Terrain, starts: Sequence[tuple[float, float]], radius: float) -> str:
    """How much of a terrain robots can reach, in words."""
    for x, y in starts:
        if not terrain.reachable([(x, y)], radius).any():
            raise ExpeditionError(
                f"a robot of {radius:g} m radius cannot stand at ({x:g}, {y:g}) in terrain {terrain.name!r}"
            )
    area = terrain.reachable_area(starts, radius)
    share = area / terrain.free_area
    return f"{area:,.2f} m², {share:.2%} of the free area, by a robot of {radius:g} m radius"


def sketch(terrain: Terrain, width: int, height: int, blocks: NDArray[np.str_] = BLOCKS) -> str:
    """The walls in characters, at most `width` wide and `height` high."""
    dark = dark_halves(terrain.occupied[::-1], *halves_in(terrain.shape, width, height))
    top, bottom = dark[0::2].astype(int), dark[1::2].astype(int)
    return "\n".join("".join(characters) for characters in blocks[top, bottom])


def halves_in(shape: tuple[int, int], width: int, height: int) -> tuple[int, int]:
    """How many half characters high and wide a grid is drawn in that many characters, in its own proportions."""
    rows, columns = shape
    step = max(1.0, columns / width, rows / (2 * height))
    return 2 * max(1, int(rows / step / 2)), max(1, int(columns / step))


def dark_halves(occupied: NDArray[np.bool_], tall: int, wide: int) -> NDArray[np.bool_]:
    """(tall, wide): which half characters show a wall.

    A half is dark if much of it is wall, or if it has more wall than its neighbours on two opposite sides: so a thin
    wall shows as one line wherever it falls. A wall that runs on between two dark neighbours has no gap.
    """
    rows, columns = occupied.shape
    walls = np.zeros((max(rows, tall), max(columns, wide)))
    walls[:rows, :columns] = occupied
    down, across = edges(walls.shape[0], tall), edges(walls.shape[1], wide)
    filled = np.add.reduceat(np.add.reduceat(walls, down[:-1], axis=0), across[:-1], axis=1)
    share = np.pad(filled / np.outer(np.diff(down), np.diff(across)), 1)
    here = share[1:-1, 1:-1]
    line = (here >= share[1:-1, :-2]) & (here > share[1:-1, 2:]) | (here >= share[:-2, 1:-1]) & (here > share[2:, 1:-1])
    dark: NDArray[np.bool_] = (here > MUCH) | (line & (here > LITTLE))
    runs_across = np.minimum.reduceat(np.maximum.reduceat(walls, down[:-1], axis=0), across[:-1], axis=1) > 0
    runs_down = np.minimum.reduceat(np.maximum.reduceat(walls, across[:-1], axis=1), down[:-1], axis=0) > 0
    around = np.pad(dark, 1)
    dark |= runs_across & around[1:-1, :-2] & around[1:-1, 2:] | runs_down & around[:-2, 1:-1] & around[2:, 1:-1]
    return dark


def edges(cells: int, parts: int) -> NDArray[np.int64]:
    """Where the parts of a row of cells begin, and where the last one ends."""
    return np.linspace(0, cells, parts + 1).astype(np.int64)
