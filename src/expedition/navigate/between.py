"""What the ways between several places cost: a distance field from each, as small as will do.

A target that cannot be reached counts as the nearest place that can, wherever the search finds that, so a search may
stop early only if there surely is a way. There is one between all the ground that the field from the robot's own place
reaches, if that is at hand. It also tells what a way costs at least: cheapest ways obey the triangle inequality.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.field import DistanceField
from expedition.navigate.path import Geometry, geometry

Floats = NDArray[np.float64]

ROUNDING = 1e-6


def costs_between(
    field: DistanceField, here: DistanceField | None, starts: Floats, targets: Floats, within: Floats, tolerance: float
) -> Floats:
    """(starts, targets): what the ways between points (n, 2) cost, infinite where that is more than `within`.

    Ways that may cost less than nothing are not searched.
    `field` is room to compute in, `here` a field over the same costs, if there is one.
    """
    costs = np.full(within.shape, np.inf)
    near = np.zeros(within.shape, dtype=np.bool_)
    asked = (within >= 0.0).any(axis=1)
    if here is None or not here.starts_in_the_open:
        surely = np.zeros(len(starts), dtype=np.bool_)
    else:
        surely, least = _least_costs(here, starts, targets)
        near[asked & surely] = (least <= within)[asked & surely]
    for k in np.flatnonzero(asked).tolist():
        x, y = starts[k].tolist()
        if here is not None and here.start == field.costs.frame.cell(x, y):
            costs[k] = here.costs_to(targets, tolerance)
            near[k] = False
        elif not surely[k]:
            cells = cells_of(targets, geometry(field.costs.frame), field.costs.frame.shape)
            field.spread((x, y), targets=cells[cells >= 0])
            costs[k] = field.costs_to(targets, tolerance)
    # Between these there are ways, which cost the same in both directions.
    if np.count_nonzero(near.any(axis=0)) < np.count_nonzero(near.any(axis=1)):
        _search(field, targets, starts, near.T, within.T, costs.T)
    else:
        _search(field, starts, targets, near, within, costs)
    return np.where(costs <= within, costs, np.inf)


def _search(
    field: DistanceField, starts: Floats, targets: Floats, wanted: NDArray[np.bool_], within: Floats, costs: Floats
) -> None:
    """Fill in what the wanted ways cost, all of which there are, as far as that is not above `within`."""
    rows = np.flatnonzero(wanted.any(axis=1)).tolist()
    if not rows:
        return
    cells = cells_of(targets, geometry(field.costs.frame), field.costs.frame.shape)
    for k in rows:
        aims = wanted[k]
        x, y = starts[k].tolist()
        field.spread((x, y), targets=cells[aims], within=float(within[k, aims].max()))
        costs[k, aims] = field.costs_to(targets[aims])


def _least_costs(here: DistanceField, starts: Floats, targets: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """From which starts there surely is a way to each target, and (starts, targets) what these ways cost at least."""
    to_starts, to_targets = here.costs_to(starts), here.costs_to(targets)
    if not np.isfinite(to_targets).all():
        return np.zeros(len(starts), dtype=np.bool_), np.zeros((len(starts), len(targets)))
    # A way costs at least the straight line from the middle of a cell to that of another.
    straight = (
        np.hypot(targets[:, 0] - starts[:, :1], targets[:, 1] - starts[:, 1:]) - 2.0 * here.costs.frame.resolution
    )
    return np.isfinite(to_starts), np.maximum(np.abs(to_targets - to_starts[:, None]) - ROUNDING, straight)


@kernel
def cells_of(points: Floats, frame: Geometry, shape: tuple[int, int]) -> NDArray[np.int64]:
    """The cells of points, as row * columns + column; -1 for those beyond the map."""
    left, bottom, resolution = frame
    cells = np.empty(len(points), np.int64)
    for k in range(len(points)):
        row, column = math.floor((points[k, 1] - bottom) / resolution), math.floor((points[k, 0] - left) / resolution)
        inside = 0 <= row < shape[0] and 0 <= column < shape[1]
        cells[k] = row * shape[1] + column if inside else -1
    return cells
