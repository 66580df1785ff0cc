"""Where a fleet can go: the one notion of it that the share to be explored, warnings and the cells of maps follow.

Robots plan on maps of square cells, and pass every opening that is at least `narrowest_opening` wide. Ground behind
narrower ones is not theirs to explore, though some robot may get there, and ground behind wider ones is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.fleet.clearance import MARGIN, narrowest_opening
from expedition.fleet.fleet import Fleet
from expedition.terrain import Terrain

CELL_SIZE = 0.2
"""Of maps, in metres, as in the papers, as long as it keeps no robot out of anywhere."""
FINER = {0.1: 0.005, 0.05: 0.05}
"""Finer cells cost four times as much each time: they are taken where they open up at least so much more ground."""


def reachable_ground(terrain: Terrain, fleet: Fleet, resolution: float, margin: float = MARGIN) -> NDArray[np.bool_]:
    """The terrain's free cells that some robot can reach or touch with maps of such cells."""
    reached = np.zeros(terrain.shape, dtype=np.bool_)
    for body in dict.fromkeys(model.body for model in fleet.models):
        starts = [
            (float(x), float(y))
            for model, (x, y, _) in zip(fleet.models, fleet.poses, strict=True)
            if model.body == body
        ]
        reached |= terrain.reachable(starts, body.inscribed_radius, narrowest_opening(body, resolution, margin))
    return reached


def reachable_share(terrain: Terrain, fleet: Fleet, resolution: float, margin: float = MARGIN) -> float:
    """The share of the terrain's free ground that the fleet can reach."""
    reached = reachable_ground(terrain, fleet, resolution, margin)
    return float(np.count_nonzero(reached) / max(terrain.free_cells, 1))


def cell_size_for(terrain: Terrain, fleet: Fleet, margin: float = MARGIN) -> float:
    """The coarsest cells of maps with which the fleet gets through the terrain's passages."""
    chosen, share = CELL_SIZE, reachable_share(terrain, fleet, CELL_SIZE, margin)
    for size, more in FINER.items():
        finer = reachable_share(terrain, fleet, size, margin)
        if finer > (1.0 + more) * share:
            chosen, share = size, finer
    return chosen
