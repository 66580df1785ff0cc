"""A terrain in words and in characters, for the terminal."""

from __future__ import annotations

import numpy as np

from expedition.terrain.material import MATERIALS
from expedition.terrain.terrain import Terrain

# Two cells above one another share a character: upper half block, lower half block, full block.
BLOCKS = np.array([[" ", "▄"], ["▀", "█"]])
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
        ("free", f"{terrain.free_area:,.2f} m2, {terrain.free_cells:,} cells, {share:.2%}"),
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
    for kind in ("door", "person", "collapse"):
        count = sum(change.kind == kind for change in terrain.changes)
        if count:
            told.append((kind, str(count)))
    told.append(("digest", terrain.digest[:16]))
    return told


def reachable_fact(terrain: Terrain, start: tuple[float, float], radius: float) -> str:
    """How much of a terrain a robot can reach, in words."""
    area = terrain.reachable_area([start], radius)
    share = area / terrain.free_area if terrain.free_cells else 0.0
    return (
        f"{area:,.2f} m2, {share:.2%} of the free area, for a radius of {radius:g} m from ({start[0]:g}, {start[1]:g})"
    )


def sketch(terrain: Terrain, width: int) -> str:
    """The walls in block characters, at most `width` wide and three quarters of that high.

    Half a character is dark if much of it is wall, or if it has more wall than its neighbours on two opposite sides: so
    a thin wall shows as one line wherever it falls.
    """
    rows, columns = terrain.shape
    step = max(1.0, columns / width, rows / (1.5 * width))
    tall, wide = 2 * max(1, round(rows / step / 2)), max(1, round(columns / step))
    walls = np.zeros((max(rows, tall), max(columns, wide)))
    walls[:rows, :columns] = terrain.occupied[::-1]
    row_edges = np.linspace(0, len(walls), tall + 1).astype(int)
    column_edges = np.linspace(0, walls.shape[1], wide + 1).astype(int)
    filled = np.add.reduceat(np.add.reduceat(walls, row_edges[:-1], axis=0), column_edges[:-1], axis=1)
    share = np.pad(filled / np.outer(np.diff(row_edges), np.diff(column_edges)), 1)
    here = share[1:-1, 1:-1]
    line = (here >= share[1:-1, :-2]) & (here > share[1:-1, 2:]) | (here >= share[:-2, 1:-1]) & (here > share[2:, 1:-1])
    dark = ((here > MUCH) | (line & (here > LITTLE))).astype(int)
    return "\n".join("".join(characters) for characters in BLOCKS[dark[0::2], dark[1::2]])
