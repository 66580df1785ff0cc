"""A small arena in which strategies are tried: two rooms with a door between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from expedition.exploring import explore
from expedition.mission import Result
from expedition.terrain import Terrain

RESOLUTION = 0.1


def two_rooms() -> Terrain:
    """12 x 6 m; a wall at x = 6 m with a door of 2 m in its middle. The origin is the lower left corner."""
    occupied = np.zeros((60, 120), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[:20, 59:61] = occupied[40:, 59:61] = True
    return Terrain.from_occupied("two rooms", occupied, resolution=RESOLUTION)


ARENA = two_rooms()
STARTS = [(2.0, 3.0), (2.0, 4.5), (2.0, 1.5), (4.0, 3.0)]


def try_out(strategy: Any, robots: int = 1, *, seconds: float = 20.0, seed: int = 3, **options: Any) -> Result:
    """A short mission in the arena, by default with ideal positioning and a guard that soon loses patience."""
    options.setdefault("robot", "pioneer-3dx:lidar.range=4")
    options.setdefault("placement", f"at:positions={[list(start) for start in STARTS[:robots]]}")
    options.setdefault("guard", {"step_seconds": 0.5})
    options.setdefault("localiser", "perfect")
    return explore(ARENA, robots, strategy, seed, time_limit=seconds, explored=1.0, **options)
