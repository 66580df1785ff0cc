"""What the ways between several places cost: a distance field from each, as small as will do.

A target that cannot be reached counts as the nearest place that can, wherever the search finds that, so a search may
stop early only if there surely is a way. There is one between all the ground that the field from the robot's own place
reaches, if that is at hand. It also tells what a way costs at least: cheapest ways obey the triangle inequality.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.navigate.field import DistanceField

Floats = NDArray[np.float64]

ROUNDING = 1e-6


def costs_between(
    field: DistanceField, here: DistanceField | None, starts: Floats, targets: Floats, within: Floats, tolerance: float
) -> Floats:
    """(starts, targets): what the ways between points (n, 2) cost, infinite where that is more than `within`.

    Ways that may cost less than nothing are not searched.
    `field` is room to compute in, `here` a field over the same costs, if there is one.
    """
    frame = field.costs.frame
    costs = np.full(within.shape, np.inf)
    near = np.zeros(within.shape, dtype=np.bool_)
    cells = _cells(field, targets)
    inside = cells >= 0
    for k in np.flatnonzero((within >= 0.0).any(axis=1)).tolist():
        x, y = starts[k].tolist()
        if here is not None and here.start == frame.cell(x, y):
            costs[k] = here.costs_to(targets, tolerance)
        elif (least := _least_costs(here, x, y, targets)) is None:
            field.spread((x, y), targets=cells[inside])
            costs[k] = field.costs_to(targets, tolerance)
        else:
            near[k] = least <= within[k]
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
    cells = _cells(field, targets)
    for k in np.flatnonzero(wanted.any(axis=1)).tolist():
        aims = wanted[k]
        x, y = starts[k].tolist()
        field.spread((x, y), targets=cells[aims], within=float(within[k, aims].max()))
        costs[k, aims] = field.costs_to(targets[aims])


def _cells(field: DistanceField, points: Floats) -> NDArray[np.int64]:
    """The cells of points, as row * columns + column; -1 for those beyond the map."""
    frame = field.costs.frame
    cells = [frame.cell(x, y) for x, y in points.tolist()]
    numbers = [row * frame.columns + column if frame.holds(row, column) else -1 for row, column in cells]
    return np.array(numbers, dtype=np.int64)


def _least_costs(here: DistanceField | None, x: float, y: float, targets: Floats) -> Floats | None:
    """What the ways from a point to targets cost at least; None unless there surely is a way to each."""
    if here is None or not here.starts_in_the_open:
        return None
    to_start, to_targets = here.cost_to(x, y), here.costs_to(targets)
    if math.isinf(to_start) or not np.isfinite(to_targets).all():
        return None
    # A way costs at least the straight line from the middle of a cell to that of another.
    straight = np.hypot(targets[:, 0] - x, targets[:, 1] - y) - 2.0 * here.costs.frame.resolution
    return np.maximum(np.abs(to_targets - to_start) - ROUNDING, straight)
