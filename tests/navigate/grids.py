"""Small grids of costs, and the cheapest ways over them as SciPy finds them."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from expedition.belief.grid import Frame
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, TIGHT_COST, UNKNOWN_COST, Costs

RESOLUTION = 0.2
ORIGIN = (-3.0, 5.0)


def costs_of(cost: np.ndarray, circumradius: float = 0.25) -> Costs:
    """Planning costs that hold these values, with their ring of occupied cells."""
    costs = Costs(Frame(ORIGIN, RESOLUTION, *cost.shape), circumradius)
    costs.cost[1:-1, 1:-1] = cost[1:-1, 1:-1]
    return costs


def random_costs(seed: int, rows: int = 14, columns: int = 17, closed: float = 0.3, squeeze: float = 0.1) -> Costs:
    """Free cells of any cost, some of them to squeeze through, among occupied, tight and unknown ones."""
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, 101, (rows, columns))
    cost[rng.random(cost.shape) < 0.4] = 0
    cost[rng.random(cost.shape) < squeeze] = SQUEEZE_COST
    kinds = rng.choice([OCCUPIED_COST, TIGHT_COST, UNKNOWN_COST], cost.shape)
    return costs_of(np.where(rng.random(cost.shape) < closed * rng.random(), kinds, cost))


def point(costs: Costs, cell: int) -> tuple[float, float]:
    return costs.frame.centre(*divmod(cell, costs.frame.columns))


def opened_from(cost: np.ndarray, start: int, unknown: str, steps: int, squeezes: bool = True) -> set[int]:
    """The closed cells that a robot may cross because it stands in one, as a person would list them.

    One that would rather squeeze nowhere may cross such cells besides, as far as they lead on from there.
    """
    columns = cost.shape[1]
    flat = cost.ravel()
    closed = {TIGHT_COST} | ({UNKNOWN_COST} if unknown == "avoid" else set())
    closed |= set() if squeezes else {SQUEEZE_COST}
    if flat[start] not in closed | {OCCUPIED_COST}:
        return set()
    found = {start}
    for _ in range(steps):
        beside = {cell + offset for cell in found for offset in (1, -1, columns, -columns)}
        found |= {cell for cell in beside if flat[cell] in closed}
    if squeezes:
        return found
    return opened_from(cost, start, unknown, steps) | {cell for cell in found if flat[cell] == SQUEEZE_COST}


def may_be_a_goal(costs: Costs, start: int, distances: np.ndarray, unknown: str = "avoid") -> np.ndarray:
    """Which cells a robot may be sent to: the open ones to which there is a way, and its own."""
    goals = np.isfinite(distances)
    closed = opened_from(costs.cost, start, unknown, costs.escape_cells) - {start}
    goals[list(closed)] = False
    return goals


def cheapest(
    costs: Costs,
    start: int,
    unknown: str = "avoid",
    unknown_cost: float = 50.0,
    clearance: float = 1.0,
    squeeze: float = 6.0,
) -> np.ndarray:
    """The cost from `start` to every cell, infinite where there is no way.

    `squeeze` is what cells to squeeze through cost, 0 closes them.
    """
    cost = costs.cost
    rows, columns = cost.shape
    opened = opened_from(cost, start, unknown, costs.escape_cells, squeeze > 0.0)

    def factor(cell: int) -> float:
        value = int(cost.flat[cell])
        if cell in opened:
            return 1.0 + clearance * 7.0
        if value <= 100:
            return 1.0 + clearance * value / 50.0
        if value == SQUEEZE_COST:
            return squeeze
        return 1.0 + unknown_cost / 50.0 if value == UNKNOWN_COST and unknown == "free" else 0.0

    factors = [factor(cell) for cell in range(cost.size)]
    edges = []
    for row in range(1, rows - 1):
        for column in range(1, columns - 1):
            here = row * columns + column
            for up in (-1, 0, 1):
                for right in (-1, 0, 1):
                    there = here + up * columns + right
                    sides = (here + up * columns, here + right)
                    if there == here or not (factors[here] and factors[there] and all(factors[s] for s in sides)):
                        continue
                    plain = 99 if up and right else 70
                    edges.append((here, there, (round(plain * factors[here]) + round(plain * factors[there])) // 2))
    if not edges:
        distance = np.full(cost.size, np.inf)
        distance[start] = 0.0
        return distance
    one, two, weight = zip(*edges, strict=True)
    graph = coo_matrix((weight, (one, two)), shape=(cost.size, cost.size)).tocsr()
    return np.asarray(dijkstra(graph, indices=start))
