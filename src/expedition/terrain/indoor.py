"""An indoor scene of 38 x 26 m: rooms and corridors with visual landmarks on the walls, in the manner of MRXT
(Julia et al. 2013), whose experiments took place in a scene of this size with narrow corridors.

The layout is our own: two long corridors joined by two short ones, so that there are loops to close, with rooms on
both sides, some of them behind others. Each landmark has a descriptor of its own.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.streams import generator
from expedition.terrain.lengths import Seed, whole
from expedition.terrain.library import terrain
from expedition.terrain.terrain import RESOLUTION, Landmark, Terrain

WIDTH, HEIGHT = 38.0, 26.0
WALL = 0.2
IN_FRONT = 0.01
"""Landmarks hang this far in front of a wall, so that a line of sight to one never ends inside it."""
POSTER = 0.4
"""A landmark needs this much wall around it."""

Metres = tuple[float, float, float, float]

# Free rectangles: left, bottom, right, top.
SPACES: tuple[Metres, ...] = (
    # the long corridors and the short ones that join them
    (0.2, 8.0, 37.8, 10.0),
    (0.2, 17.0, 37.8, 19.0),
    (12.0, 10.0, 14.0, 17.0),
    (26.0, 10.0, 28.0, 17.0),
    # rooms in the south
    (0.2, 0.2, 7.8, 7.8),
    (8.0, 0.2, 13.8, 7.8),
    (14.0, 3.4, 21.8, 7.8),
    (14.0, 0.2, 21.8, 3.2),
    (22.0, 0.2, 29.8, 7.8),
    (30.0, 0.2, 37.8, 7.8),
    # rooms between the corridors
    (0.2, 10.2, 5.8, 16.8),
    (6.0, 10.2, 11.8, 16.8),
    (14.2, 10.2, 25.8, 16.8),
    (28.2, 10.2, 37.8, 13.4),
    (28.2, 13.6, 37.8, 16.8),
    # rooms in the north
    (0.2, 19.2, 9.8, 25.8),
    (10.0, 19.2, 15.8, 25.8),
    (16.0, 19.2, 25.8, 25.8),
    (26.0, 19.2, 31.8, 25.8),
    (32.0, 19.2, 37.8, 25.8),
)
DOORS: tuple[Metres, ...] = (
    # from the southern corridor
    (3.4, 7.8, 4.6, 8.0),
    (10.4, 7.8, 11.6, 8.0),
    (15.0, 7.8, 16.2, 8.0),
    (25.2, 7.8, 26.4, 8.0),
    (35.4, 7.8, 36.6, 8.0),
    (2.4, 10.0, 3.6, 10.2),
    (18.0, 10.0, 20.4, 10.2),
    (30.4, 10.0, 31.6, 10.2),
    # from the northern corridor
    (8.4, 16.8, 9.6, 17.0),
    (20.0, 16.8, 21.2, 17.0),
    (34.0, 16.8, 35.2, 17.0),
    (4.4, 19.0, 5.6, 19.2),
    (13.8, 19.0, 15.0, 19.2),
    (19.6, 19.0, 22.0, 19.2),
    (33.4, 19.0, 34.6, 19.2),
    # from room to room
    (19.4, 3.2, 20.6, 3.4),
    (29.8, 2.0, 30.0, 3.2),
    (5.8, 13.0, 6.0, 14.2),
    (25.8, 22.0, 26.0, 23.2),
    (36.0, 13.4, 37.2, 13.6),
)
PILLARS: tuple[Metres, ...] = ((17.6, 13.2, 18.2, 13.8), (21.8, 13.2, 22.4, 13.8), (4.6, 22.4, 5.2, 23.0))


@terrain("indoor")
def indoor(
    *,
    seed: Seed = 1,
    resolution: Annotated[float, Field(ge=0.02, le=0.2, description="cell size in metres")] = RESOLUTION,
    landmarks: Annotated[float, Field(ge=0.2, le=100, description="about every so many metres of wall, one")] = 2.0,
    descriptor_size: Annotated[int, Field(ge=1, le=512, description="numbers in a descriptor")] = 16,
) -> Terrain:
    """Rooms and corridors of 38 x 26 m with landmarks on the walls (in the manner of MRXT)."""
    whole("indoor", "a wall's thickness", WALL, resolution, "cells")
    occupied = np.ones((round(HEIGHT / resolution), round(WIDTH / resolution)), dtype=bool)
    for rectangles, wall in ((SPACES, False), (DOORS, False), (PILLARS, True)):
        for left, bottom, right, top in rectangles:
            column, row, end_column, end_row = (round(edge / resolution) for edge in (left, bottom, right, top))
            occupied[row:end_row, column:end_column] = wall
    places = [place for space in SPACES for place in _along_walls(occupied, resolution, space, landmarks)]
    # Two decimals more than a camera tells apart; exact in every file format.
    draws = generator(seed, "terrain/indoor/descriptors").uniform(-1, 1, (len(places), descriptor_size)).round(4)
    found = [Landmark(x, y, tuple(draw)) for (x, y), draw in zip(places, draws.tolist(), strict=True)]
    return Terrain.from_occupied("indoor", occupied, resolution, material="brick", landmarks=found)


def _along_walls(
    occupied: NDArray[np.bool_], resolution: float, space: Metres, spacing: float
) -> list[tuple[float, float]]:
    """Points along the walls of a space, evenly spaced on each side and none in or at the edge of a doorway."""
    left, bottom, right, top = space
    places = []
    for start, end, outward in (
        ((left, bottom), (right, bottom), (0, -1)),
        ((right, bottom), (right, top), (1, 0)),
        ((right, top), (left, top), (0, 1)),
        ((left, top), (left, bottom), (-1, 0)),
    ):
        length = abs(end[0] - start[0]) + abs(end[1] - start[1])
        count = round(length / spacing)
        for index in range(count):
            along = (index + 0.5) / count
            x = start[0] + along * (end[0] - start[0])
            y = start[1] + along * (end[1] - start[1])
            behind = (x + outward[0] * WALL / 2, y + outward[1] * WALL / 2)
            if _solid_around(occupied, resolution, *behind, half=POSTER / 2):
                places.append((round(x - outward[0] * IN_FRONT, 4), round(y - outward[1] * IN_FRONT, 4)))
    return places


def _solid_around(occupied: NDArray[np.bool_], resolution: float, x: float, y: float, half: float) -> bool:
    """Whether there is wall along x or along y, `half` metres to both sides of a point."""
    reach = round(half / resolution)
    row, column = int(y / resolution), int(x / resolution)
    upright = occupied[max(0, row - reach) : row + reach + 1, column].all()
    level = occupied[row, max(0, column - reach) : column + reach + 1].all()
    return bool(upright or level)
