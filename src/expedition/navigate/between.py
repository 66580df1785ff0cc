"""What the ways between several places cost: a distance field from each, as small as will do, or single searches.

A target that cannot be reached counts as the nearest place that can, so a single search does only where there surely is
a way. There is one between all the ground that the field from the robot's own place reaches, if that is at hand. As far
as it was computed, it also tells what a way costs at least: cheapest ways obey the triangle inequality.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.navigate.a_star import EVERYWHERE, search
from expedition.navigate.costs import SQUEEZE_COST
from expedition.navigate.field import DistanceField, Work, ask_field, cell_over, cells_of, start_over
from expedition.navigate.open_list import HIGHEST, OpenList, open_list
from expedition.navigate.spreading import BUCKET_BITS
from expedition.navigate.steps import STRAIGHT

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

ROUNDING = 1e-6
FEW = 4
"""Up to so many ways from one place are searched one by one, each towards its end; a field goes all around."""
NONE = np.zeros((0, 0), dtype=np.bool_)


def costs_between(
    field: DistanceField, here: DistanceField | None, starts: Floats, targets: Floats, within: Floats, tolerance: float
) -> Floats:
    """(starts, targets): what the ways between points (n, 2) cost, infinite where that is more than `within`.

    Ways that may cost less than nothing are not searched.
    `field` is room to compute in, `here` a field over the same costs, if there is one.
    """
    if here is None or here.start is None:
        costs, near, alone = np.full(within.shape, np.inf), NONE, (within >= 0.0).any(axis=1)
    else:
        costs, near, alone = _search_near(
            here.work, here.starts_in_the_open, starts, targets, np.ascontiguousarray(within), tolerance,
            open_list(here.distance.size),
        )  # fmt: skip
    for k in np.flatnonzero(alone).tolist():
        asked = within[k] >= 0.0
        field.begin((starts[k, 0], starts[k, 1]))
        costs[k, asked] = field.costs_to(targets[asked], tolerance, within[k].max())
    if near.any():
        # They cost the same in both directions.
        if _are_fewer_columns(near):
            _spread(field, here, targets, starts, near.T, within.T, costs.T)
        else:
            _spread(field, here, starts, targets, near, within, costs)
    return np.where(costs <= within, costs, np.inf)


def _spread(
    field: DistanceField,
    here: DistanceField | None,
    starts: Floats,
    targets: Floats,
    wanted: Booleans,
    within: Floats,
    costs: Floats,
) -> None:
    """Fill in what the wanted ways cost by a field from each start, which reaches what `here` does."""
    for k in np.flatnonzero(wanted.any(axis=1)).tolist():
        aims = np.flatnonzero(wanted[k])
        field.begin((starts[k, 0], starts[k, 1]), like=here)
        costs[k, aims] = field.costs_to(targets[aims], within=within[k, aims].max())


@kernel
def _search_near(
    work: Work,
    is_open: bool,
    starts: Floats,
    targets: Floats,
    within: Floats,
    tolerance: float,
    waiting: OpenList,
) -> tuple[Floats, Booleans, Booleans]:
    """What ways cost (starts, targets), by the field from `here` and by searching, if few ways have an end in common.

    Besides, where many have, which others may cost no more than `within`; and from which starts everything must be
    searched, as there may be no way at all.
    """
    cost, table, front, reached = work.cost, work.table, work.front, work.reached
    resolution, columns = work.frame[2] * work.side, work.fine.shape[1]
    costs = np.full(within.shape, np.inf)
    near, alone = np.zeros(within.shape, np.bool_), np.zeros(len(starts), np.bool_)
    begin, end = cells_of(starts, work.frame, work.fine.shape), cells_of(targets, work.frame, work.fine.shape)
    best = work.distance.reshape(-1)
    are_reached = is_open
    for j in range(len(targets)):
        # A target where the robot cannot turn may mean a place beside it, as one that is not reached does.
        are_reached = are_reached and end[j] >= 0 and reached[end[j]] and work.fine.reshape(-1)[end[j]] != SQUEEZE_COST
        if end[j] >= 0:
            end[j] = cell_over(end[j], columns, work.side)
    for k in range(len(starts)):
        asked = within[k] >= 0.0
        if not asked.any():
            continue
        is_own = begin[k] == work.start
        if is_own and (asked.sum() > FEW or not are_reached):
            costs[k, asked] = ask_field(work, targets[asked], tolerance, within[k].max())
        elif not (are_reached and begin[k] >= 0 and reached[begin[k]]):
            alone[k] = True
        else:
            begin[k] = start_over(begin[k], columns, work.side, cost)
            settled = front.level[0] << BUCKET_BITS
            for j in range(len(targets)):
                # A way costs at least the straight line from the middle of a cell to that of another.
                straight = math.hypot(targets[j, 0] - starts[k, 0], targets[j, 1] - starts[k, 1]) - 2.0 * resolution
                one, other = min(best[begin[k]], settled), min(best[end[j]], settled)
                least = max(abs(one - other) * resolution / STRAIGHT - ROUNDING, straight)
                near[k, j] = within[k, j] >= max(least, 0.0)
    by_target = _are_fewer_columns(near)
    beside = near.sum(axis=0) if by_target else near.sum(axis=1)
    for k in range(len(starts)):
        for j in range(len(targets)):
            if near[k, j] and beside[j if by_target else k] <= FEW:
                most = HIGHEST if math.isinf(within[k, j]) else math.ceil(within[k, j] / resolution * STRAIGHT)
                found = search(cost, table, begin[k], end[j], waiting, EVERYWHERE, np.ones(0, dtype=np.bool_), most)
                if found >= 0:
                    costs[k, j] = found * resolution / STRAIGHT
                near[k, j] = False
    return costs, near, alone


@kernel
def _are_fewer_columns(wanted: Booleans) -> bool:
    """Whether fewer columns than rows hold what is wanted."""
    columns, rows = 0, 0
    for k in range(wanted.shape[0]):
        rows += int(wanted[k].any())
    for j in range(wanted.shape[1]):
        columns += int(wanted[:, j].any())
    return columns < rows
