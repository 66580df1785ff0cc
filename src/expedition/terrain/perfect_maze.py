"""Mazes by seed: a perfect maze, one path between any two cells, with as many loops added as wanted.

The maze is a random depth-first spanning tree, which has long winding corridors. Opening a wall of a perfect maze
adds exactly one loop.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.streams import generator, mix, stream_key
from expedition.terrain.lengths import Resolution, Seed, Size, WallHeight, check_size, whole
from expedition.terrain.library import terrain
from expedition.terrain.terrain import RESOLUTION, WALL_HEIGHT, Terrain


@terrain("perfect-maze")
def perfect_maze(
    *,
    seed: Seed = 1,
    size: Size = 40.0,
    resolution: Resolution = RESOLUTION,
    cell: Annotated[float, Field(gt=0, le=100, description="from the middle of a wall to that of the next, m")] = 4.0,
    wall_thickness: Annotated[float, Field(gt=0, le=50, description="thickness of the walls, m")] = 0.4,
    loops: Annotated[float, Field(ge=0, le=1, description="share of the inner walls that is opened again")] = 0.0,
    wall_height: WallHeight = WALL_HEIGHT,
) -> Terrain:
    """A perfect maze with loops added; its size is between the middles of the outer walls, as in Yan's maze."""
    width, height = check_size("perfect-maze", size, resolution)
    columns = whole("perfect-maze", "width", width, cell, "maze cells")
    rows = whole("perfect-maze", "height", height, cell, "maze cells")
    pitch = whole("perfect-maze", "cell", cell, resolution, "cells")
    wall = whole("perfect-maze", "wall_thickness", wall_thickness, resolution, "cells")
    if wall >= pitch:
        raise ExpeditionError(
            f"perfect-maze: walls of {wall_thickness:g} m leave no corridor in maze cells of {cell:g} m"
        )
    if min(rows, columns) < 2:
        raise ExpeditionError(f"perfect-maze: size {width:g} x {height:g} m is less than two maze cells of {cell:g} m")
    east, north = _spanning_tree(stream_key(seed, "terrain/perfect-maze"), rows, columns)
    _open_loops(east, north, loops, generator(seed, "terrain/perfect-maze/loops"))
    occupied = np.ones((rows * pitch + wall, columns * pitch + wall), dtype=bool)
    blocks = occupied[wall:, wall:].reshape(rows, pitch, columns, pitch)
    gap = pitch - wall
    blocks[:, :gap, :, :gap] = False
    blocks[:, :gap, :, gap:] = ~east[:, None, :, None]
    blocks[:, gap:, :, :gap] = ~north[:, None, :, None]
    # A post where no wall is left goes too.
    right, above = np.roll(east, -1, axis=0), np.roll(north, -1, axis=1)
    blocks[:, gap:, :, gap:] = ~(east & right & north & above)[:, None, :, None]
    corner = -wall * resolution / 2
    return Terrain.from_occupied("perfect-maze", occupied, resolution, (corner, corner), wall_height=wall_height)


@kernel
def _spanning_tree(key: np.uint64, rows: int, columns: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells are open to the east and to the north after a random depth-first walk; linear in the cells."""
    east = np.zeros((rows, columns), dtype=np.bool_)
    north = np.zeros((rows, columns), dtype=np.bool_)
    seen = np.zeros(rows * columns, dtype=np.bool_)
    stack = np.empty(rows * columns, dtype=np.int64)
    choices = np.empty(4, dtype=np.int64)
    depth, draws = 1, 0
    stack[0] = np.int64(mix(key, np.uint64(0)) % np.uint64(rows * columns))
    seen[stack[0]] = True
    while depth > 0:
        here = stack[depth - 1]
        row, column = here // columns, here % columns
        count = 0
        if column + 1 < columns and not seen[here + 1]:
            choices[count] = here + 1
            count += 1
        if column > 0 and not seen[here - 1]:
            choices[count] = here - 1
            count += 1
        if row + 1 < rows and not seen[here + columns]:
            choices[count] = here + columns
            count += 1
        if row > 0 and not seen[here - columns]:
            choices[count] = here - columns
            count += 1
        if count == 0:
            depth -= 1
            continue
        draws += 1
        following = choices[np.int64(mix(key, np.uint64(draws)) % np.uint64(count))]
        lower = min(here, following)
        if row == following // columns:
            east[lower // columns, lower % columns] = True
        else:
            north[lower // columns, lower % columns] = True
        seen[following] = True
        stack[depth] = following
        depth += 1
    return east, north


def _open_loops(east: NDArray[np.bool_], north: NDArray[np.bool_], share: float, rng: np.random.Generator) -> None:
    """Open that share of the closed inner walls."""
    closed = np.concatenate((np.flatnonzero(~east[:, :-1]), east.size + np.flatnonzero(~north[:-1, :])))
    opened = rng.permutation(closed)[: round(share * len(closed))]
    inner_east, inner_north = east[:, :-1], north[:-1, :]
    row, column = np.divmod(opened[opened < east.size], inner_east.shape[1])
    inner_east[row, column] = True
    row, column = np.divmod(opened[opened >= east.size] - east.size, inner_north.shape[1])
    inner_north[row, column] = True
