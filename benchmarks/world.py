"""The world of the benchmarks: 80 x 80 m with about 10 % obstacles, robots with a 180-beam, 26 m lidar at 10 Hz."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from expedition.fleet import Fleet, robot_model
from expedition.streams import generator
from expedition.terrain import Terrain, find_terrain
from expedition.terrain.area import standing_room

SIZE = 80
RANGE = 26.0
BEAMS = 180
FIELD_OF_VIEW = math.radians(190)


@cache
def world(size: float = SIZE) -> Terrain:
    """Obstacles of 1 to 3 m across on a square of `size` metres."""
    return find_terrain(f"forest:size={size},density=0.1,min_size=1,max_size=3,seed=1")


def fleet(robots: int, terrain: Terrain, beams: int = BEAMS, lidar_range: float = RANGE, noise: float = 0.01) -> Fleet:
    """Pioneers all over the terrain."""
    lidar = f"lidar.beams={beams},lidar.range={lidar_range},lidar.rate=10,lidar.sigma_range={noise}"
    model = robot_model(f"pioneer-3dx:{lidar}")
    return Fleet.of(model, robots, terrain, placement="spread", seed=1)


def open_places(terrain: Terrain, count: int) -> NDArray[np.float64]:
    """Random poses (x, y, heading) with some room around them."""
    rng = generator(1, "benchmark/places")
    cells = np.argwhere(standing_room(terrain.occupied, 4.0))
    chosen = cells[rng.integers(0, len(cells), count)] + rng.random((count, 2))
    xy = chosen[:, ::-1] * terrain.resolution + terrain.origin
    return np.column_stack([xy, rng.random(count) * math.tau])


def beam_directions(beams: int) -> NDArray[np.float64]:
    """Cosine and sine of each beam of the benchmarks' lidar."""
    angles = np.linspace(-0.5 * FIELD_OF_VIEW, 0.5 * FIELD_OF_VIEW, beams)
    return np.column_stack([np.cos(angles), np.sin(angles)])
