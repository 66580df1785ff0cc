"""What the ways between several places cost: a distance field from each, as small as will do, or single searches.

A target that cannot be reached counts as the nearest place that can, wherever the search finds that, so a search may
stop early only if there surely is a way. There is one between all the ground that the field from the robot's own place
reaches, if that is at hand. It also tells what a way costs at least: cheapest ways obey the triangle inequality.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.a_star import EVERYWHERE, search
from expedition.navigate.costs import CostGrid
from expedition.navigate.field import DistanceField, Distances, read_costs
from expedition.navigate.open_list import HIGHEST, OpenList, open_list
from expedition.navigate.path import Geometry, geometry
from expedition.navigate.steps import STRAIGHT, StepTable, step_table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

ROUNDING = 1e-6
FEW = 3
"""Up to so many ways from one place are searched one by one, each towards its end; a field goes all around."""


def costs_between(
    field: DistanceField, here: DistanceField | None, starts: Floats, targets: Floats, within: Floats, tolerance: float
) -> Floats:
    """(starts, targets): what the ways between points (n, 2) cost, infinite where that is more than `within`.

    Ways that may cost less than nothing are not searched.
    `field` is room to compute in, `here` a field over the same costs, if there is one.
    """
    frame = field.costs.frame
    within = np.array(within, order="C")
    costs = np.full(within.shape, np.inf)
    if here is None or here.start is None:
        near, alone = np.zeros(within.shape, dtype=np.bool_), (within >= 0.0).any(axis=1)
    else:
        near, alone = _sort_out(
            here.distance, here.start, here.starts_in_the_open, geometry(frame), starts, targets, within, tolerance,
            costs,
        )  # fmt: skip
    for k in np.flatnonzero(alone).tolist():
        x, y = starts[k].tolist()
        cells = cells_of(targets, geometry(frame), frame.shape)
        field.spread((x, y), targets=cells[cells >= 0])
        costs[k] = field.costs_to(targets, tolerance)
    # Between these there are ways, which cost the same in both directions.
    if np.count_nonzero(near.any(axis=0)) < np.count_nonzero(near.any(axis=1)):
        _search(field, targets, starts, near.T, within.T, costs.T)
    else:
        _search(field, starts, targets, near, within, costs)
    return np.where(costs <= within, costs, np.inf)


def _search(
    field: DistanceField, starts: Floats, targets: Floats, wanted: Booleans, within: Floats, costs: Floats
) -> None:
    """Fill in what the wanted ways cost, all of which there are, as far as that is not above `within`."""
    rows = np.flatnonzero(wanted.any(axis=1)).tolist()
    if not rows:
        return
    frame = field.costs.frame
    begin, end = (cells_of(points, geometry(frame), frame.shape) for points in (starts, targets))
    for k in rows:
        aims = np.flatnonzero(wanted[k])
        if len(aims) <= FEW:
            costs[k, aims] = search_each(
                field.costs.cost, step_table(), begin[k], end[aims], within[k, aims], frame.resolution,
                open_list(field.costs.cost.size),
            )  # fmt: skip
        else:
            x, y = starts[k].tolist()
            field.spread((x, y), targets=end[aims], within=float(within[k, aims].max()))
            costs[k, aims] = field.costs_to(targets[aims])


@kernel
def search_each(
    cost: CostGrid, table: StepTable, start: int, ends: Integers, within: Floats, resolution: float, waiting: OpenList
) -> Floats:  # fmt: skip
    """What the ways from a cell to others cost in metres, where that is no more than `within`; else at least that."""
    costs = np.full(len(ends), np.inf)
    for k in range(len(ends)):
        most = HIGHEST if math.isinf(within[k]) else math.ceil(within[k] / resolution * STRAIGHT)
        found = search(cost, table, start, ends[k], waiting, EVERYWHERE, np.ones(0, dtype=np.bool_), most)
        if found >= 0:
            costs[k] = found * resolution / STRAIGHT
    return costs


@kernel
def _sort_out(
    distance: Distances, here: tuple[int, int], is_open: bool, frame: Geometry, starts: Floats, targets: Floats,
    within: Floats, tolerance: float, costs: Floats,
) -> tuple[Booleans, Booleans]:  # fmt: skip
    """Fill in the ways from the field's own start, `here`; which others may cost no more than `within`, as the field
    tells, and from which starts everything must be searched, as there may be no way at all.
    """
    left, bottom, resolution = frame
    near, alone = np.zeros(within.shape, np.bool_), np.zeros(len(starts), np.bool_)
    to_starts = read_costs(distance, starts, frame, 0.0)
    to_targets = read_costs(distance, targets, frame, 0.0)
    are_reached = is_open and np.isfinite(to_targets).all()
    for k in range(len(starts)):
        if not (within[k] >= 0.0).any():
            continue
        x, y = starts[k, 0], starts[k, 1]
        if math.floor((y - bottom) / resolution) == here[0] and math.floor((x - left) / resolution) == here[1]:
            costs[k] = read_costs(distance, targets, frame, tolerance)
        elif not (are_reached and np.isfinite(to_starts[k])):
            alone[k] = True
        else:
            for j in range(len(targets)):
                # A way costs at least the straight line from the middle of a cell to that of another.
                straight = math.hypot(targets[j, 0] - x, targets[j, 1] - y) - 2.0 * resolution
                least = max(abs(to_targets[j] - to_starts[k]) - ROUNDING, straight)
                near[k, j] = within[k, j] >= max(least, 0.0)
    return near, alone


@kernel
def cells_of(points: Floats, frame: Geometry, shape: tuple[int, int]) -> Integers:
    """The cells of points, as row * columns + column; -1 for those beyond the map."""
    left, bottom, resolution = frame
    cells = np.empty(len(points), np.int64)
    for k in range(len(points)):
        row, column = math.floor((points[k, 1] - bottom) / resolution), math.floor((points[k, 0] - left) / resolution)
        inside = 0 <= row < shape[0] and 0 <= column < shape[1]
        cells[k] = row * shape[1] + column if inside else -1
    return cells
