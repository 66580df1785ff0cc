"""What is wrong with a terrain, in sentences, with the places: nothing here keeps anybody from saving it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from expedition.fleet import RobotModel
from expedition.fleet.footprint import overlap, touches_cells
from expedition.terrain import Start, Terrain
from expedition.terrain.area import standing_room

Cells = NDArray[np.bool_]
Box = tuple[float, float, float, float]
"""Left, bottom, right and top in metres."""
MOST_MARKS = 100


@dataclass(frozen=True)
class Finding:
    """One thing to know about a terrain."""

    about: Literal["edge", "starts", "reach"]
    said: str
    fine: bool = False
    marks: list[Box] = field(default_factory=list)


def findings(terrain: Terrain, model: RobotModel) -> tuple[list[dict[str, Any]], Cells]:
    """All there is to say, and the free cells that robots of a model cannot get to; doors count as open."""
    reach, unreached = _reach(terrain, model)
    found = [_edge(terrain), *_starts(terrain, model), reach]
    return [asdict(finding) for finding in found], unreached


def _edge(terrain: Terrain) -> Finding:
    """Is the ground closed? Where cells of the edge are free, robots drive up to where the world ends."""
    free = ~terrain.occupied
    rows, columns = terrain.shape
    left, right, bottom, top = terrain.extent
    side = terrain.resolution
    boxes: list[Box] = []
    length = 0
    for line, start, fixed, upright in (
        (free[0], left, (bottom, bottom + side), False),
        (free[-1], left, (top - side, top), False),
        (free[:, 0], bottom, (left, left + side), True),
        (free[:, -1], bottom, (right - side, right), True),
    ):
        length += int(np.count_nonzero(line))
        for first, last in _runs(line):
            low, high = start + first * side, start + last * side
            boxes.append((fixed[0], low, fixed[1], high) if upright else (low, fixed[0], high, fixed[1]))
    if not boxes:
        return Finding("edge", "The ground is closed: there are walls all along the edge.", fine=True)
    if length == 2 * (rows + columns):
        return Finding("edge", "The ground is open: no wall stands along the edge.", marks=boxes)
    return Finding(
        "edge", f"The ground is open: {length * side:.3g} m of the edge have no wall.", marks=boxes[:MOST_MARKS]
    )


def _runs(line: Cells) -> list[tuple[int, int]]:
    """Where a row of cells begins to be true and where it ends."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]])))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _starts(terrain: Terrain, model: RobotModel) -> list[Finding]:
    """Can a robot stand on each start, without another in its way?"""
    if not terrain.starts:
        return [Finding("starts", "No starts are marked: a mission chooses where its robots begin.", fine=True)]
    reach = model.body.circumradius
    solid = terrain.solid_at(model.body.altitude)
    nothing = np.zeros_like(solid)
    points = np.array([(start.x, start.y) for start in terrain.starts])
    found: list[Finding] = []
    for number, start in enumerate(terrain.starts):
        body = (*terrain.origin, start.x, start.y, start.heading, *model.body.footprint)
        if touches_cells(nothing, terrain.resolution, *body):
            said = "reaches over the edge of the terrain"
        elif touches_cells(solid, terrain.resolution, *body):
            said = "stands in a wall"
        elif (other := _overlapped(terrain.starts, points, model, number)) is not None:
            said = f"overlaps start {other}"
        else:
            continue
        box = (start.x - reach, start.y - reach, start.x + reach, start.y + reach)
        found.append(Finding("starts", f"Start {number} {said} ({model.name}).", marks=[box]))
        if len(found) == MOST_MARKS:
            break
    number = len(terrain.starts)
    fine = f"{'One robot' if number == 1 else f'{number} robots'} can stand on the starts ({model.name})."
    return found or [Finding("starts", fine, fine=True)]


def _overlapped(starts: Sequence[Start], points: NDArray[np.float64], model: RobotModel, number: int) -> int | None:
    """The first earlier start that a robot on this one overlaps."""
    apart = np.hypot(*(points[:number] - points[number]).T)
    here, sides = starts[number], model.body.footprint
    for other in np.flatnonzero(apart < 2 * model.body.circumradius).tolist():
        there = starts[other]
        if overlap(here.x, here.y, here.heading, *sides, there.x, there.y, there.heading, *sides):
            return int(other)
    return None


def _reach(terrain: Terrain, model: RobotModel) -> tuple[Finding, Cells]:
    """Can all free ground be reached from the first start, or from the largest room if there is none?

    The corners that a round body leaves out in every room do not count: only what is larger than the body.
    """
    free = ~terrain.occupied
    nothing = np.zeros_like(free)
    if not free.any():
        return Finding("reach", "There is no free ground: no robot can be anywhere."), nothing
    radius = model.body.inscribed_radius
    if terrain.starts:
        start = terrain.starts[0]
        if not terrain.is_free(start.x, start.y):
            return Finding("reach", "What can be reached is unknown until start 0 stands on free ground."), nothing
        seed, where = (start.x, start.y), "from start 0"
    else:
        rooms, _ = ndimage.label(standing_room(terrain.occupied, radius / terrain.resolution))
        if not rooms.any():
            return Finding("reach", f"No place is wide enough for {model.name}: {2 * radius:.2g} m."), free
        widest = int(np.argmax(np.bincount(rooms.ravel())[1:])) + 1
        row, column = np.unravel_index(int(np.argmax(rooms == widest)), rooms.shape)
        seed, where = terrain.centre(int(row), int(column)), "from the largest room"
    left_out = _larger_than(free & ~terrain.reachable([seed], radius), math.pi * (radius / terrain.resolution) ** 2)
    area = int(np.count_nonzero(left_out)) * terrain.resolution**2
    if area == 0.0:
        return Finding("reach", f"All free ground can be reached {where} ({model.name}).", fine=True), left_out
    said = f"{area:.3g} m² of free ground cannot be reached {where} ({model.name})."
    return Finding("reach", said, marks=_boxes(terrain, left_out)), left_out


def _larger_than(cells: Cells, least: float) -> Cells:
    """The connected parts that have at least so many cells."""
    parts, _ = ndimage.label(cells)
    sizes = np.bincount(parts.ravel())
    large = sizes >= least
    large[0] = False
    chosen: Cells = large[parts]
    return chosen


def _boxes(terrain: Terrain, cells: Cells) -> list[Box]:
    parts, _ = ndimage.label(cells)
    (left, bottom), side = terrain.origin, terrain.resolution
    return [
        (
            left + columns.start * side,
            bottom + rows.start * side,
            left + columns.stop * side,
            bottom + rows.stop * side,
        )
        for rows, columns in ndimage.find_objects(parts)[:MOST_MARKS]
    ]
