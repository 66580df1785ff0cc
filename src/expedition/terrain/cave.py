"""Caves by cellular automaton, after the generator of MAES (Andreasen et al. 2022).

Random tiles are smoothed by the majority of their eight neighbours; narrow corridors are closed and small regions
dropped; the rooms that remain are joined by passages along a shortest spanning tree, so that all is one region.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy import ndimage, sparse

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain.lengths import Resolution, Seed, Size, Tile, WallHeight, check_size, whole
from expedition.terrain.library import terrain
from expedition.terrain.roughness import RoughPatch, RoughShare, RoughSpeed, with_rough_ground
from expedition.terrain.terrain import RESOLUTION, WALL_HEIGHT, Terrain

MAX_TILES = 4_000_000

Tiles = NDArray[np.bool_]


@terrain("cave")
def cave(
    *,
    seed: Seed = 1,
    size: Size = 75.0,
    resolution: Resolution = RESOLUTION,
    tile: Tile = 1.0,
    fill: Annotated[float, Field(ge=0, le=1, description="share of tiles that are rock at first")] = 0.45,
    smoothing_runs: Annotated[int, Field(ge=0, le=50, description="runs of the 8-neighbour majority rule")] = 4,
    min_corridor: Annotated[float, Field(gt=0, le=20, description="corridors narrower than this are closed, m")] = 2.0,
    min_region: Annotated[int, Field(ge=0, le=100_000, description="smaller rooms and rocks are dropped, tiles")] = 10,
    passage_width: Annotated[float, Field(gt=0, le=50, description="width of the passages that join rooms, m")] = 4.0,
    border: Annotated[float, Field(gt=0, le=50, description="solid rock along the edge, within the size, m")] = 2.0,
    smooth_edges: Annotated[bool, Field(description="cut tile corners by marching squares, as MAES does")] = True,
    wall_height: WallHeight = WALL_HEIGHT,
    rough: RoughShare = 0.0,
    rough_speed: RoughSpeed = 40,
    rough_patch: RoughPatch = 6.0,
) -> Terrain:
    """A cave of rooms and passages grown by a cellular automaton (MAES)."""
    width, height = check_size("cave", size, resolution)
    check_size("cave", size, tile, MAX_TILES)
    cells_per_tile = whole("cave", "tile", tile, resolution, "cells")
    columns, rows, corridor, passage, edge = (
        whole("cave", name, length, tile, "tiles")
        for name, length in (
            ("width", width),
            ("height", height),
            ("min_corridor", min_corridor),
            ("passage_width", passage_width),
            ("border", border),
        )
    )
    if passage < corridor:
        raise ExpeditionError(f"cave: passage_width {passage_width:g} m is narrower than min_corridor {min_corridor:g}")
    if min(rows, columns) - 2 * edge < corridor:
        raise ExpeditionError(
            f"cave: size {width:g} x {height:g} m leaves no room for a corridor of {min_corridor:g} m "
            f"inside a border of {border:g} m"
        )
    inside = np.zeros((rows, columns), dtype=bool)
    inside[edge : rows - edge, edge : columns - edge] = True
    rock = (generator(seed, "terrain/cave").random((rows, columns)) < fill) | ~inside
    for _ in range(smoothing_runs):
        rock = _majority(rock) | ~inside
    rock = _drop_rocks(rock, min_region) | ~inside
    rooms, count = _rooms(~rock, corridor, min_region)
    if count == 0:
        raise ExpeditionError(
            f"cave: with fill {fill:g} and seed {seed} no room of {min_region} tiles and {min_corridor:g} m width "
            "is left; lower fill, min_corridor or min_region"
        )
    free = _blocks(rooms > 0, corridor)
    if count > 1:
        path = _spanning_path(rooms)
        free |= _blocks(path, corridor) | ndimage.binary_dilation(path, structure=_round_brush(passage))
    solid = ~(free & inside)
    occupied = _marching_squares(solid, cells_per_tile) if smooth_edges else _enlarge(solid, cells_per_tile)
    made = Terrain.from_occupied("cave", occupied, resolution, wall_height=wall_height, material="rock")
    return with_rough_ground(made, seed, rough, rough_speed, rough_patch)


def _majority(rock: Tiles) -> Tiles:
    """A tile becomes rock with more than four rock neighbours, free with fewer; beyond the map all is rock."""
    around = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=np.uint8)
    neighbours = ndimage.convolve(rock.astype(np.uint8), around, mode="constant", cval=1)
    result: Tiles = (neighbours > 4) | (rock & (neighbours == 4))
    return result


def _drop_rocks(rock: Tiles, smallest: int) -> Tiles:
    regions, _ = ndimage.label(rock, structure=np.ones((3, 3)))
    kept: Tiles = np.bincount(regions.ravel())[regions] >= smallest
    return rock & kept


def _rooms(free: Tiles, corridor: int, smallest: int) -> tuple[NDArray[np.int32], int]:
    """Number the rooms. A room is where a square of `corridor` tiles slides about: the tiles of its lower left corner.

    Working with these corners instead of all free tiles keeps every connection as wide as the square.
    """
    regions, _ = ndimage.label(~_blocks(~free[::-1, ::-1], corridor)[::-1, ::-1])
    covered = _blocks(regions, corridor)
    large = np.bincount(covered.ravel(), minlength=regions.max() + 1) >= max(1, smallest)
    large[0] = False
    rooms, count = ndimage.label(large[regions])
    return rooms.astype(np.int32), int(count)


def _blocks(corners: NDArray[Any], side: int) -> NDArray[Any]:
    """The largest of the `side` x `side` values whose block covers a tile: from lower left corners to covered tiles."""
    for _ in range(2):
        grown = corners.copy()
        for step in range(1, min(side, len(corners))):
            np.maximum(grown[step:], corners[:-step], out=grown[step:])
        corners = grown.T
    return corners


def _spanning_path(rooms: NDArray[np.int32]) -> Tiles:
    """Tiles along straight lines that join all rooms, each line between two rooms that face each other."""
    distance, (nearest_row, nearest_column) = ndimage.distance_transform_edt(rooms == 0, return_indices=True)
    owner = rooms[nearest_row, nearest_column]
    index = np.arange(rooms.size).reshape(rooms.shape)
    sides = [
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
    ]
    here = np.concatenate([index[one].ravel() for one, _ in sides])
    there = np.concatenate([index[other].ravel() for _, other in sides])
    meeting = owner.ravel()[here] != owner.ravel()[there]
    here, there = here[meeting], there[meeting]
    length = distance.ravel()[here] + distance.ravel()[there]
    order = np.lexsort((there, here, length))
    here, there = here[order], there[order]
    # Ranks as weights: no two are equal, so the tree does not depend on how ties are broken.
    first, second = owner.ravel()[here], owner.ravel()[there]
    pairs = np.minimum(first, second).astype(np.int64) * (int(rooms.max()) + 1) + np.maximum(first, second)
    _, best = np.unique(pairs, return_index=True)
    shape = (int(rooms.max()) + 1,) * 2
    graph = sparse.coo_array((best + 1.0, (first[best], second[best])), shape=shape)
    path: Tiles = np.zeros(rooms.shape, dtype=bool)
    for rank in sparse.csgraph.minimum_spanning_tree(graph.tocsr()).data.astype(np.int64) - 1:
        ends = [(int(nearest_row.flat[tile]), int(nearest_column.flat[tile])) for tile in (here[rank], there[rank])]
        path[_line(*ends)] = True
    return path


def _line(start: tuple[int, int], end: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of a straight line in steps to a side, never across a corner."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = abs(down) + abs(right)
    step = np.arange(steps + 1)
    rows = (2 * abs(down) * step + steps) // max(1, 2 * steps)
    return start[0] + np.sign(down) * rows, start[1] + np.sign(right) * (step - rows)


def _round_brush(width: int) -> Tiles:
    offset = np.arange(width) - (width - 1) / 2
    brush: Tiles = np.hypot(offset[:, None], offset[None, :]) <= width / 2
    return brush


def _enlarge(tiles: Tiles, cells_per_tile: int) -> Tiles:
    return tiles.repeat(cells_per_tile, axis=0).repeat(cells_per_tile, axis=1)


def _marching_squares(solid: Tiles, cells_per_tile: int) -> Tiles:
    """Enlarge tiles and cut their corners where the contour between tile middles crosses them.

    The contour joins the midpoints between a solid and a free tile by straight lines; two solid tiles that meet at
    a corner stay joined, so free tiles that do not touch by a side stay apart. A cell belongs to the quarter of
    its tile that it lies in, and to the tile itself when its middle lies on the contour: all in whole numbers.
    """
    n = cells_per_tile
    padded = np.pad(solid, 1, constant_values=True)
    rows, columns = solid.shape
    occupied = _enlarge(solid, n)
    for down in (-1, 1):
        vertical = padded[1 + down : 1 + down + rows, 1:-1]
        for right in (-1, 1):
            horizontal = padded[1:-1, 1 + right : 1 + right + columns]
            diagonal = padded[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
            turned = np.where(solid, vertical | horizontal | diagonal, vertical & horizontal)
            for i in range(n):
                for j in range(n):
                    above, beside = (2 * i + 1 - n) * down, (2 * j + 1 - n) * right
                    if above > 0 and beside > 0 and above + beside > n:
                        occupied[i::n, j::n] = turned
    return occupied
