"""Placements that look at the plan of a terrain: its biggest room, and the ends of its hallways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy import ndimage
from scipy.spatial import KDTree
from skimage.morphology import skeletonize

from expedition.errors import ExpeditionError
from expedition.fleet.check import Poses
from expedition.fleet.model import RobotModel
from expedition.fleet.placement import Facing, Gap, facing, placement
from expedition.fleet.quantity import Heading
from expedition.fleet.site import Site
from expedition.fleet.standing import Cells, Standing, Taken
from expedition.terrain import Terrain
from expedition.terrain.area import dilate, standing_room

DIRECTIONS = 32
LOOKS_AHEAD = 1000


@placement("biggest-room")
def biggest_room(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    site: Site,
    *,
    door: Annotated[float, Field(gt=0, le=1000, description="what is narrower joins no rooms, in metres")] = 2.5,
    gap: Gap = 0.1,
    heading: Facing = None,
) -> Poses:
    """Together in the largest room: the largest region left when passages narrower than `door` are closed."""
    solid = terrain.solid_at(min(model.body.altitude for model in models))
    door_cells = 0.5 * door / terrain.resolution
    wide, count = ndimage.label(standing_room(solid, door_cells))
    if count == 0:
        raise ExpeditionError(
            f"biggest-room: nothing in terrain {terrain.name!r} is as wide as {door:g} m; set a smaller door"
        )
    everywhere = Standing.of(terrain, models, site.starts)
    starts = everywhere.starts[everywhere.tightest]
    among = wide.ravel() if starts is None or not wide[starts].any() else wide[starts]
    core = wide == int(np.argmax(np.bincount(among)[1:])) + 1
    standing = everywhere.within(dilate(core, door_cells) & ~solid).joint()
    points, found = standing.fill(rng, gap)
    if points is None:
        raise ExpeditionError(
            f"biggest-room: {len(models)} robots are too many for the biggest room of terrain {terrain.name!r}: "
            f"room was found for {found}"
        )
    return facing(points, heading, rng)


@placement("hallway-ends")
def hallway_ends(
    terrain: Terrain,
    models: Sequence[RobotModel],
    rng: np.random.Generator,
    site: Site,
    *,
    gap: Gap = 0.1,
    heading: Annotated[
        Heading | None, Field(description="heading of all robots in radians; the clearest way if not given")
    ] = None,
) -> Poses:
    """At dead ends, the robots dealt out over them in turn, each looking where the way is clear."""
    standing = Standing.of(terrain, models, site.starts).joint().anywhere()
    ends = dead_ends(standing.rooms[standing.tightest])
    if not len(ends):
        raise ExpeditionError(f"hallway-ends: terrain {terrain.name!r} has no dead ends; choose another placement")
    middles = standing.middles(ends[rng.permutation(len(ends))])
    places = standing.places(rng)
    trees = [KDTree(points) for points in places]
    taken = Taken(len(models))
    for number, middle in enumerate(middles):
        robots = range(number, len(models), len(middles))
        settled = 0
        for nearest in (256, 4096, 65_536, max(len(points) for points in places)):
            ordered = [
                points[np.atleast_1d(tree.query(middle, k=min(nearest, len(points)))[1])]
                for points, tree in zip(places, trees, strict=True)
            ]
            settled += standing.settle(ordered, gap, robots[settled:], taken)
            if settled == len(robots):
                break
        else:
            raise ExpeditionError(
                f"hallway-ends: {len(models)} robots are too many for terrain {terrain.name!r}, "
                f"which has {len(middles)} dead ends"
            )
    poses = facing(taken.points, heading, rng)
    if heading is None:
        solid = {altitude: terrain.solid_at(altitude) for altitude in {model.body.altitude for model in models}}
        poses[:, 2] = [
            _clearest_heading(solid[model.body.altitude], *terrain.cell(x, y))
            for model, (x, y) in zip(models, taken.points.tolist(), strict=True)
        ]
    return poses


def dead_ends(room: Cells) -> NDArray[np.int64]:
    """The cells (row, column) where the skeleton of a room ends, but for spurs.

    A spur is a branch that leaves the largest disc around its junction by nothing: a bump in a wall, not a hallway.
    """
    skeleton = np.pad(skeletonize(room), 1)  # type: ignore[no-untyped-call]
    width = np.pad(ndimage.distance_transform_edt(np.pad(room, 1))[1:-1, 1:-1], 1)
    neighbours = ndimage.convolve(skeleton.astype(np.int64), np.ones((3, 3), dtype=np.int64), mode="constant") - 1
    ends = [
        cell for cell in np.argwhere(skeleton & (neighbours == 1)) if not _is_spur(cell, skeleton, neighbours, width)
    ]
    return np.array(ends, dtype=np.int64).reshape(-1, 2) - 1


def _is_spur(
    end: NDArray[np.int64], skeleton: Cells, neighbours: NDArray[np.int64], width: NDArray[np.float64]
) -> bool:
    """Walk from the end to the first junction, if there is one, and compare the way with the width there."""
    row, column = int(end[0]), int(end[1])
    seen = {(row, column)}
    while True:
        window = np.argwhere(skeleton[row - 1 : row + 2, column - 1 : column + 2])
        around = [(row - 1 + down, column - 1 + right) for down, right in window.tolist()]
        ahead = [cell for cell in around if cell not in seen]
        if not ahead:
            return False
        row, column = min(ahead, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - column))
        if neighbours[row, column] > 2:
            return math.dist(end, (row, column)) <= float(width[row, column])
        seen.add((row, column))


def _clearest_heading(solid: Cells, row: int, column: int) -> float:
    """The direction in which the way to the next wall is longest."""
    headings = np.arange(DIRECTIONS) * (math.tau / DIRECTIONS) - math.pi
    steps = np.arange(1, min(LOOKS_AHEAD, math.ceil(math.hypot(*solid.shape))) + 1)
    rows = np.rint(row + np.sin(headings)[:, None] * steps).astype(np.int64)
    columns = np.rint(column + np.cos(headings)[:, None] * steps).astype(np.int64)
    outside = (rows < 0) | (columns < 0) | (rows >= solid.shape[0]) | (columns >= solid.shape[1])
    stops = outside | solid[np.where(outside, 0, rows), np.where(outside, 0, columns)]
    ways = np.where(stops.any(axis=1), stops.argmax(axis=1), len(steps))
    return float(headings[np.argmax(ways)])
