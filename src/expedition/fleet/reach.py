"""Where a fleet can go: the one notion of it that the share to be explored, warnings and the cells of maps follow.

Robots plan on maps of square cells, and pass every opening that is at least `narrowest_opening` wide. Ground behind
narrower ones is not theirs to explore, though some robot may get there, and ground behind wider ones is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.fleet.body import Body
from expedition.fleet.check import Poses
from expedition.fleet.clearance import MARGIN, narrowest_opening
from expedition.fleet.model import RobotModel
from expedition.terrain import Terrain
from expedition.terrain.area import regions_between

if TYPE_CHECKING:
    from expedition.fleet.fleet import Fleet

Cells = NDArray[np.bool_]

CELL_SIZE = 0.2
"""Of maps, in metres, as in the papers, as long as it keeps no robot out of anywhere."""
FINER = {0.1: 0.005, 0.05: 0.25}
"""Finer cells cost four times as much each time: they are taken where they open up at least so much more ground."""
NEAR = 3
"""Cells of the terrain: a robot may start so much nearer to a wall than it drives."""
LITTLE = 0.5
"""Of a fleet that reaches a smaller share of the free ground, users are warned."""
CANDIDATES = 3
"""Regions whose ground is counted in full to find the largest: those with the most room to drive in."""


def reachable_ground(terrain: Terrain, fleet: Fleet, resolution: float, margin: float = MARGIN) -> Cells:
    """The terrain's free cells that some robot can reach or touch with maps of such cells."""
    return ground_from(terrain, fleet.models, fleet.poses, resolution, margin)


def ground_from(
    terrain: Terrain, models: Sequence[RobotModel], poses: Poses, resolution: float, margin: float = MARGIN
) -> Cells:
    """The same of robots that are no fleet yet."""
    reached = np.zeros(terrain.shape, dtype=np.bool_)
    for body in dict.fromkeys(model.body for model in models):
        starts = [(float(x), float(y)) for model, (x, y, _) in zip(models, poses, strict=True) if model.body == body]
        reached |= terrain.reachable(starts, body.inscribed_radius, narrowest_opening(body, resolution, margin))
    return reached


def reachable_share(terrain: Terrain, fleet: Fleet, resolution: float, margin: float = MARGIN) -> float:
    """The share of the terrain's free ground that the fleet can reach."""
    return share_of(terrain, reachable_ground(terrain, fleet, resolution, margin))


def share_of(terrain: Terrain, ground: Cells) -> float:
    """Some of the terrain's free ground as a share of all of it."""
    return float(np.count_nonzero(ground) / max(terrain.free_cells, 1))


def cell_size_for(terrain: Terrain, fleet: Fleet, margin: float = MARGIN) -> float:
    """The coarsest cells of maps with which the fleet gets through the terrain's passages."""
    return coarsest(lambda size: reachable_share(terrain, fleet, size, margin))[0]


def coarsest(share: Callable[[float], float]) -> tuple[float, float]:
    """The cells of maps to take, by the share of the ground that is reached with cells of a size; and that share."""
    chosen, reached = CELL_SIZE, share(CELL_SIZE)
    for size, more in FINER.items():
        # Nothing reaches more than all there is.
        if (1.0 + more) * reached < 1.0 and (finer := share(size)) > (1.0 + more) * reached:
            chosen, reached = size, finer
    return chosen, reached


@dataclass(frozen=True, eq=False)
class Region:
    """The largest ground that a robot can get to, wherever it starts."""

    ground: Cells
    """The free cells that it can reach or touch."""
    starts: Cells
    """The cells from which it gets there."""
    resolution: float
    """The side of the maps' cells."""


def largest_region(
    terrain: Terrain, models: Sequence[RobotModel], resolution: float | None = None, margin: float = MARGIN
) -> Region | None:
    """The largest region of the robot that passes least, with maps of such cells; None if it fits nowhere.

    Without a resolution the cells are chosen as for a mission.
    """
    bodies = {model.body: None for model in models}

    @cache
    def region(size: float) -> Region | None:
        needs = {body: (narrowest_opening(body, size, margin), body.inscribed_radius) for body in bodies}
        return _largest(terrain, max(needs, key=lambda body: needs[body]), size, margin)

    if resolution is None:
        resolution, _ = coarsest(
            lambda size: 0.0 if (found := region(size)) is None else share_of(terrain, found.ground)
        )
    return region(resolution)


def _largest(terrain: Terrain, body: Body, resolution: float, margin: float) -> Region | None:
    """The regions of a body are those between which it passes no opening, as in `Terrain.reachable`."""
    radius, opening = body.inscribed_radius, narrowest_opening(body, resolution, margin)
    regions = regions_between(terrain.occupied, max(opening, 2.0 * radius) / terrain.resolution)
    count = int(regions.max(initial=0))
    if count == 0:
        return None
    sizes = np.bincount(regions.ravel())
    sizes[0] = 0
    best, ground = 0, np.zeros(terrain.shape, dtype=np.bool_)
    for number in np.argsort(-sizes, kind="stable")[: min(count, CANDIDATES)].tolist():
        row, column = np.unravel_index(int(np.argmax(regions == number)), terrain.shape)
        reached = terrain.reachable([terrain.centre(int(row), int(column))], radius, opening)
        if np.count_nonzero(reached) > np.count_nonzero(ground):
            best, ground = number, reached
    own, others = regions == best, (regions > 0) & (regions != best)
    return Region(ground, own | (_near(own) & ~_near(others) & ~terrain.occupied), resolution)


def _near(cells: Cells) -> Cells:
    """The cells so near that a robot that stands there counts as one that starts from `cells`."""
    side = 2 * NEAR + 1
    found: Cells = ndimage.maximum_filter(cells.astype(np.uint8), side, mode="constant") > 0
    return found
