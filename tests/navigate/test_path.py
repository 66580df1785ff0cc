"""Way points keep the clearance of the cells they stand for, and a path knows where it is closed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.navigate import planners as planners
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, Costs
from expedition.navigate.path import Path, geometry, still_clear, way_points
from expedition.navigate.planner import planner
from expedition.navigate.steps import step_table
from tests.navigate.grids import RESOLUTION, costs_of, point, random_costs

TABLE = step_table()


def clear_by_sampling(costs: Costs, points: np.ndarray) -> float:
    """How far the path goes before it enters a closed cell, in steps of a millimetre."""
    travelled, leaving = 0.0, True
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        for share in np.linspace(0.0, 1.0, max(2, int(length / 0.001))):
            row, column = costs.frame.cell(x0 + share * (x1 - x0), y0 + share * (y1 - y0))
            if costs.cost[row, column] <= 100 or costs.cost[row, column] == SQUEEZE_COST:
                leaving = False
            elif not leaving:
                return travelled + share * length
        travelled += length
    return math.inf


def crosses(costs: Costs, points: np.ndarray) -> int:
    """The highest cost of a cell whose inside the path crosses, with exact arithmetic."""
    highest = 0
    scaled = [
        tuple(
            Fraction(round(2 * (value - low) / RESOLUTION), 2) for value, low in zip(p, costs.frame.origin, strict=True)
        )
        for p in points
    ]
    for (x0, y0), (x1, y1) in itertools.pairwise(scaled):
        shares = {Fraction(0), Fraction(1)}
        for a, b in ((x0, x1), (y0, y1)):
            if a != b:
                shares |= {(line - a) / (b - a) for line in range(math.ceil(min(a, b)), math.floor(max(a, b)) + 1)}
        ordered = sorted(shares)
        for one, two in itertools.pairwise(ordered):
            middle = (one + two) / 2
            row, column = math.floor(y0 + middle * (y1 - y0)), math.floor(x0 + middle * (x1 - x0))
            highest = max(highest, int(costs.cost[row, column]))
    return highest


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_shortcuts_cross_no_cell_dearer_than_the_way_they_replace(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(seed, 20, 24, closed=0.2)
    # Cells of a random walk over open ones: any way has to do, not only a cheapest one.
    cell = tuple(np.argwhere(costs.cost <= 100)[0])
    way = [cell]
    for _ in range(60):
        nearby = [(cell[0] + up, cell[1] + right) for up, right in ((0, 1), (1, 0), (1, 1), (-1, 0))]
        nearby = [c for c in nearby if max(costs.cost[c[0], cell[1]], costs.cost[cell[0], c[1]], costs.cost[c]) <= 100]
        if not nearby:
            break
        cell = nearby[rng.integers(len(nearby))]
        way.append(cell)
    cells = np.array([row * 24 + column for row, column in way], dtype=np.int64)
    ends = (*point(costs, cells[0]), *point(costs, cells[-1]))
    points = way_points(costs.cost, TABLE, cells, geometry(costs.frame), ends)
    np.testing.assert_allclose(points[[0, -1]], np.reshape(ends, (2, 2)))
    assert len(points) <= max(2, len(cells))
    if len(points) > 1:
        assert crosses(costs, points) <= max(int(costs.cost[c]) for c in way)
        assert math.isinf(still_clear(costs.cost, TABLE, Path(points, 0.0), costs.frame))


def test_path_through_open_ground_is_one_straight_line() -> None:
    costs = costs_of(np.zeros((40, 60), dtype=np.uint8))
    path = planner.make("a-star").plan(costs, point(costs, 5 * 60 + 5), point(costs, 30 * 60 + 52))
    assert path is not None
    assert len(path.points) == 2
    assert path.length() == pytest.approx(math.hypot(25, 47) * RESOLUTION)


def test_path_keeps_its_distance_where_the_straight_line_would_not() -> None:
    cost = np.zeros((20, 40), dtype=np.uint8)
    cost[1:6, 10:30] = 100
    costs = costs_of(cost)
    path = planner.make("a-star").plan(costs, point(costs, 3 * 40 + 3), point(costs, 3 * 40 + 36))
    assert path is not None
    assert crosses(costs, path.points) == 0


@settings(max_examples=150)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_closed_cells_are_met_where_the_path_enters_them(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(seed, closed=0.4)
    left, right, bottom, top = costs.frame.extent
    points = rng.uniform((left, bottom), (right, top), (count, 2))
    found = still_clear(costs.cost, TABLE, Path(points, 0.0), costs.frame)
    sampled = clear_by_sampling(costs, points)
    if math.isinf(found) or math.isinf(sampled):
        # Samples may miss a corner cut by less than a millimetre, and nothing else.
        assert math.isinf(sampled)
        if math.isfinite(found):
            assert (
                clear_by_sampling(costs, points + 1e-3) < math.inf or clear_by_sampling(costs, points - 1e-3) < math.inf
            )
    else:
        assert found <= sampled + 1e-6


def test_path_that_leaves_the_map_is_closed_there() -> None:
    costs = costs_of(np.zeros((20, 20), dtype=np.uint8))
    x, y = point(costs, 5 * 20 + 5)
    for last in ((1e6, y), (math.nan, y)):
        path = Path(np.array([(x, y), (x + 1.0, y), last]), 0.0)
        assert still_clear(costs.cost, TABLE, path, costs.frame) == pytest.approx(1.0)


def test_wall_that_appears_across_a_path_is_met_at_its_edge() -> None:
    costs = costs_of(np.zeros((20, 20), dtype=np.uint8))
    x, y = point(costs, 5 * 20 + 5)
    path = Path(np.array([(x, y), (x + 2.0, y)]), 2.0)
    assert math.isinf(still_clear(costs.cost, TABLE, path, costs.frame))
    costs.cost[:, 10] = OCCUPIED_COST
    assert still_clear(costs.cost, TABLE, path, costs.frame) == pytest.approx(4.5 * RESOLUTION)
