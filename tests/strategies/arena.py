"""A small arena in which strategies are tried: two rooms with a door between them, and a long hall behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from expedition.exploring import explore
from expedition.mission import Result
from expedition.terrain import Terrain

RESOLUTION = 0.1


def two_rooms() -> Terrain:
    """40 x 6 m; walls at x = 6 m and x = 12 m with doors of 2 m in the middle. The origin is the lower left corner.

    The hall behind takes long to explore, so that no mission ends before the strategy under trial has.
    """
    occupied = np.zeros((60, 400), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    for column in (59, 119):
        occupied[:20, column : column + 2] = occupied[40:, column : column + 2] = True
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
