"""A teammate's evidence drawn into the own map, when the two maps have frames of their own.

Each cell of the own map takes the value of the teammate's cell that holds its middle (nearest cell): pulled from the
own side, so that rotation leaves no holes, and values stay evidence that can be compared, added and taken away.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import TILE, Frame
from expedition.belief.transform import Transform
from expedition.errors import ExpeditionError
from expedition.kernels import kernel

Tiles = NDArray[np.int64]
"""(n, 2): row and column of tiles."""


def transform_tiles(
    evidence: NDArray[np.int16], changed: Tiles, frame: Frame, alignment: Transform, target: Frame
) -> tuple[Tiles, NDArray[np.int16]]:
    """The tiles of `target` that the `changed` tiles of a teammate's `evidence` touch, and their new content.

    `evidence` lies in `frame` and is all that the teammate told so far: a tile of the own map draws from several of
    its tiles, some of which are not news. Returns tile rows and columns in rising order, and the cells (n, TILE, TILE),
    0 where the teammate knows nothing.
    """
    if evidence.shape != frame.shape:
        raise ExpeditionError(
            f"a teammate's evidence: must have the frame's shape {frame.shape}, found {evidence.shape}"
        )
    tiles = np.asarray(changed, dtype=np.int64).reshape(-1, 2)
    if len(tiles) and not (tiles.min() >= 0 and (tiles < frame.tiles).all()):
        raise ExpeditionError(f"a teammate's changed tiles: must lie within the {frame.tiles} tiles of its map")
    pull = np.array(_pull(frame, alignment, target))
    news = np.zeros(frame.tiles, dtype=np.bool_)
    news[tiles[:, 0], tiles[:, 1]] = True
    return _draw(evidence, news, _touched(tiles, pull, target.tiles), pull)


def _pull(frame: Frame, alignment: Transform, target: Frame) -> tuple[float, float, float, float]:
    """Cosine, sine (each times the ratio of cell sizes) and offset, in cells, from the target's cells to the source's.

    A point p of the target lies at R^T (p - t) in the teammate's frame.
    """
    c, s = math.cos(alignment.rotation), math.sin(alignment.rotation)
    x, y = target.origin[0] - alignment.x, target.origin[1] - alignment.y
    scale = target.resolution / frame.resolution
    return (
        scale * c,
        scale * s,
        (c * x + s * y - frame.origin[0]) / frame.resolution,
        (c * y - s * x - frame.origin[1]) / frame.resolution,
    )


@kernel
def _touched(tiles: Tiles, pull: NDArray[np.float64], shape: tuple[int, int]) -> Tiles:
    """The tiles of a target of `shape` tiles that the upright boxes around the turned `tiles` touch, in rising order.

    Invariant: no target tile with a cell that draws from one of `tiles` is missing. Cost: the tiles in the boxes, and
    one flag for each tile of the target.
    """
    c, s, x0, y0 = pull[0], pull[1], pull[2], pull[3]
    square = c * c + s * s
    half = 0.5 * TILE * (abs(c) + abs(s)) / square
    touched = np.zeros(shape, dtype=np.bool_)
    count = 0
    for k in range(len(tiles)):
        x, y = (tiles[k, 1] + 0.5) * TILE - x0, (tiles[k, 0] + 0.5) * TILE - y0
        x, y = (c * x - s * y) / square, (s * x + c * y) / square
        for row in range(max(math.floor((y - half) / TILE), 0), min(math.floor((y + half) / TILE) + 1, shape[0])):
            left, right = math.floor((x - half) / TILE), math.floor((x + half) / TILE)
            for column in range(max(left, 0), min(right + 1, shape[1])):
                count += not touched[row, column]
                touched[row, column] = True
    found = np.empty((count, 2), dtype=np.int64)
    k = 0
    for row in range(shape[0]):
        for column in range(shape[1]):
            if touched[row, column]:
                found[k, 0], found[k, 1] = row, column
                k += 1
    return found


@kernel
def _draw(
    evidence: NDArray[np.int16], news: NDArray[np.bool_], tiles: Tiles, pull: NDArray[np.float64]
) -> tuple[Tiles, NDArray[np.int16]]:
    """The content of those `tiles` in which a cell draws from a tile that is `news`. Cost: one look-up a cell."""
    c, s, x0, y0 = pull[0], pull[1], pull[2], pull[3]
    rows, columns = evidence.shape
    values = np.zeros((len(tiles), TILE, TILE), dtype=np.int16)
    kept = np.empty((len(tiles), 2), dtype=np.int64)
    count = 0
    for k in range(len(tiles)):
        is_news = False
        for i in range(TILE):
            for j in range(TILE):
                x, y = tiles[k, 1] * TILE + j + 0.5, tiles[k, 0] * TILE + i + 0.5
                column, row = math.floor(c * x + s * y + x0), math.floor(c * y - s * x + y0)
                if 0 <= row < rows and 0 <= column < columns:
                    values[count, i, j] = evidence[row, column]
                    is_news = is_news or news[row // TILE, column // TILE]
                else:
                    values[count, i, j] = 0
        if is_news:
            kept[count, 0], kept[count, 1] = tiles[k, 0], tiles[k, 1]
            count += 1
    return kept[:count].copy(), values[:count].copy()
