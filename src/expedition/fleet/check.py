"""One check that every placement passes, whoever made it: inside, clear of walls and robots, within reach."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.errors import ExpeditionError
from expedition.fleet.footprint import overlap, touches_cells
from expedition.fleet.model import RobotModel
from expedition.kernels import kernel
from expedition.terrain import Terrain
from expedition.terrain.area import standing_room

MAX_ROBOTS = 10_000

Poses = NDArray[np.float64]
"""One row a robot: x, y in metres and heading in radians."""


def check_placement(terrain: Terrain, models: Sequence[RobotModel], poses: Poses, connected: bool = True) -> None:
    """Refuse an impossible placement with the reason and the robot's number, counted from 0.

    With `connected`, each robot must be able to drive to robot 0, or robot 0 to it.
    """
    check_number(len(models))
    if np.shape(poses) != (len(models), 3):
        raise ExpeditionError(f"{len(models)} robots need a pose (x, y, heading) each, found shape {np.shape(poses)}")
    misfit = first_misfit(terrain, models, poses)
    if misfit is not None:
        raise ExpeditionError(f"{misfit[1]} of terrain {terrain.name!r}")
    footprints = np.array([model.body.footprint for model in models])
    spans = np.array([(model.body.altitude, model.body.top) for model in models])
    one, other = _first_overlap(np.asarray(poses, dtype=np.float64), footprints, spans)
    if other >= 0:
        raise ExpeditionError(f"{_at(poses, other)} overlaps {_at(poses, one)}")
    if connected:
        _check_reach(terrain, models, poses)


def check_number(robots: int) -> None:
    """A fleet has at least one robot, and not more than the program is made for."""
    if not 1 <= robots <= MAX_ROBOTS:
        raise ExpeditionError(f"a fleet has 1 to {MAX_ROBOTS:,} robots, found {robots:,}")


def first_misfit(terrain: Terrain, models: Sequence[RobotModel], poses: Poses) -> tuple[int, str] | None:
    """The first robot that lies outside the terrain or in a wall, with a sentence about it."""
    solid = {altitude: terrain.solid_at(altitude) for altitude in {model.body.altitude for model in models}}
    nothing = np.zeros(terrain.shape, dtype=bool)
    for robot, model in enumerate(models):
        if not np.isfinite(poses[robot]).all() or _touches(terrain, nothing, model, poses[robot]):
            return robot, f"{_at(poses, robot)} is outside the {_extent(terrain)}"
        if _touches(terrain, solid[model.body.altitude], model, poses[robot]):
            return robot, f"{_at(poses, robot)} is in a wall"
    return None


def _touches(terrain: Terrain, solid: NDArray[np.bool_], model: RobotModel, pose: Poses) -> bool:
    left, bottom = terrain.origin
    half_length, half_width = model.body.footprint
    x, y, heading = pose
    return touches_cells(solid, terrain.resolution, left, bottom, x, y, heading, half_length, half_width)


def _at(poses: Poses, robot: int) -> str:
    x, y = poses[robot][:2]
    return f"robot {robot} at ({x:g}, {y:g})"


def _extent(terrain: Terrain) -> str:
    left, right, bottom, top = terrain.extent
    return f"extent x {left:g} to {right:g}, y {bottom:g} to {top:g} m"


@kernel
def _first_overlap(poses: Poses, footprints: NDArray[np.float64], spans: NDArray[np.float64]) -> tuple[int, int]:
    """The first robot that overlaps an earlier one, both in plan and in height; (-1, -1) if none does."""
    for other in range(len(poses)):
        for one in range(other):
            apart = spans[one, 0] >= spans[other, 1] - 1e-9 or spans[other, 0] >= spans[one, 1] - 1e-9
            if not apart and overlap(
                poses[one, 0],
                poses[one, 1],
                poses[one, 2],
                footprints[one, 0],
                footprints[one, 1],
                poses[other, 0],
                poses[other, 1],
                poses[other, 2],
                footprints[other, 0],
                footprints[other, 1],
            ):
                return one, other
    return -1, -1


def _check_reach(terrain: Terrain, models: Sequence[RobotModel], poses: Poses) -> None:
    regions = {body: _regions(terrain, *body) for body in {_narrowest(model) for model in models}}
    cells = [terrain.cell(x, y) for x, y, _ in poses.tolist()]
    start = _clamped(terrain, cells[0])
    own = regions[_narrowest(models[0])]
    for robot, model in enumerate(models):
        cell = _clamped(terrain, cells[robot])
        theirs = regions[_narrowest(model)]
        if not (theirs[cell] == theirs[start] > 0 or own[cell] == own[start] > 0):
            raise ExpeditionError(
                f"{_at(poses, robot)} is unreachable from {_at(poses, 0)}: no way of terrain {terrain.name!r} "
                "joins them that is wide enough; set connected to false if that is meant"
            )


def _narrowest(model: RobotModel) -> tuple[float, float]:
    """What decides where a robot can pass: its inscribed radius and its altitude."""
    return model.body.inscribed_radius, model.body.altitude


def _regions(terrain: Terrain, radius: float, altitude: float) -> NDArray[np.integer]:
    """The regions between which a body cannot pass, numbered from 1.

    A body that stands anywhere in a cell is at most half a diagonal from the cell's middle. Shrunk by that it stands
    on the middle as well, so that no way that exists is ever missed, however snug.
    """
    shrunk = max(radius / terrain.resolution - math.sqrt(0.5), 0.0)
    return ndimage.label(standing_room(terrain.solid_at(altitude), shrunk))[0]


def _clamped(terrain: Terrain, cell: tuple[int, int]) -> tuple[int, int]:
    """A body of a few nanometres may stand on the grid's last edge, which belongs to no cell."""
    return min(max(cell[0], 0), terrain.shape[0] - 1), min(max(cell[1], 0), terrain.shape[1] - 1)
