"""The four terrains of Yan et al. 2015 and 2017: loop, cross, zigzag and maze.

All are 80 x 80 m between the middles of the outer walls, centred on the origin, with walls 0.4 m thick and 2 m high.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.terrain.lengths import whole
from expedition.terrain.library import terrain
from expedition.terrain.terrain import RESOLUTION, Terrain

HALF_SIDE = 40.0
HALF_THICKNESS = 0.2

Resolution = Annotated[float, Field(ge=0.02, le=0.2, description="cell size in metres; 0.2 or a part of it")]

Spans = dict[float, list[tuple[float, float]]]

# Unit walls of the maze: at x (or y), from one y (or x) to another.
MAZE_VERTICAL: Spans = {
    -32: [(-8, 0), (16, 32)],
    -24: [(-32, -24), (-16, 0), (8, 16)],
    -16: [(-24, -16), (-8, 8)],
    -8: [(-24, -8), (16, 24)],
    0: [(-32, -24), (-16, 0), (8, 16), (24, 32)],
    8: [(-32, -24), (0, 16)],
    16: [(-40, -32), (-16, -8), (8, 24), (32, 40)],
    24: [(-40, -32), (-24, -16), (-8, 0), (16, 32)],
    32: [(-32, -24), (0, 8), (16, 24), (32, 40)],
}
MAZE_HORIZONTAL: Spans = {
    -32: [(-32, -24), (-16, 0)],
    -24: [(-32, -16), (0, 8), (16, 24), (32, 40)],
    -16: [(-32, -16), (0, 8), (16, 24), (32, 40)],
    -8: [(-24, -16), (8, 16), (32, 40)],
    0: [(-32, -24), (-8, 0), (8, 16), (24, 40)],
    8: [(-32, -24), (-8, 0), (24, 32)],
    16: [(-32, -24), (-16, -8), (0, 8), (16, 32)],
    24: [(-24, 0), (8, 16)],
    32: [(-32, -8), (8, 16), (24, 32)],
}
ZIGZAG_VERTICAL: Spans = {
    **{x: [(-40.0, 32.0)] for x in (-32, -16, 0, 16, 32)},
    **{x: [(-32.0, 40.0)] for x in (-24, -8, 8, 24)},
}


class _Drawing:
    """Walls on a grid whose outer walls are drawn already."""

    def __init__(self, name: str, resolution: float) -> None:
        # Every edge lies on a multiple of half a wall's thickness, and so on the edge of a cell.
        whole(name, "half a wall's thickness", HALF_THICKNESS, resolution, "cells")
        self.name = name
        self.resolution = resolution
        self.low = -HALF_SIDE - HALF_THICKNESS
        side = round(2 * -self.low / resolution)
        self.occupied: NDArray[np.bool_] = np.ones((side, side), dtype=bool)
        inner = HALF_SIDE - HALF_THICKNESS
        self.block(-inner, inner, -inner, inner, wall=False)

    def block(self, left: float, right: float, bottom: float, top: float, wall: bool = True) -> None:
        column, end_column, row, end_row = (
            round((edge - self.low) / self.resolution) for edge in (left, right, bottom, top)
        )
        self.occupied[row:end_row, column:end_column] = wall

    def walls(self, vertical: Spans, horizontal: Spans) -> None:
        """Walls end where their spans end; where two ends meet, a post closes the corner."""
        half = HALF_THICKNESS
        for x, spans in vertical.items():
            for start, end in spans:
                self.block(x - half, x + half, start, end)
        for y, spans in horizontal.items():
            for start, end in spans:
                self.block(start, end, y - half, y + half)
        ends = {(x, y) for x, spans in vertical.items() for span in spans for y in span}
        for x, y in ends & {(x, y) for y, spans in horizontal.items() for span in spans for x in span}:
            self.block(x - half, x + half, y - half, y + half)

    def terrain(self) -> Terrain:
        return Terrain.from_occupied(self.name, self.occupied, self.resolution, (self.low, self.low))


@terrain("loop")
def loop(*, resolution: Resolution = RESOLUTION) -> Terrain:
    """One road, 8 m wide, around a solid block (Yan et al.)."""
    drawing = _Drawing("loop", resolution)
    drawing.block(-32, 32, -32, 32)
    return drawing.terrain()


@terrain("cross")
def cross(*, resolution: Resolution = RESOLUTION) -> Terrain:
    """Two crossing roads and one around them, between four solid blocks (Yan et al.)."""
    drawing = _Drawing("cross", resolution)
    for left, right in ((-32, -4), (4, 32)):
        for bottom, top in ((-32, -4), (4, 32)):
            drawing.block(left, right, bottom, top)
    return drawing.terrain()


@terrain("zigzag")
def zigzag(*, resolution: Resolution = RESOLUTION) -> Terrain:
    """One long road that goes up and down nine walls (Yan et al.)."""
    drawing = _Drawing("zigzag", resolution)
    drawing.walls(ZIGZAG_VERTICAL, {})
    return drawing.terrain()


@terrain("maze")
def maze(*, resolution: Resolution = RESOLUTION) -> Terrain:
    """Ten by ten cells of 8 m with 22 dead ends (Yan et al.)."""
    drawing = _Drawing("maze", resolution)
    drawing.walls(MAZE_VERTICAL, MAZE_HORIZONTAL)
    return drawing.terrain()
