"""Distance fields against SciPy's shortest paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.errors import ExpeditionError
from expedition.navigate.costs import OCCUPIED_COST, TIGHT_COST
from expedition.navigate.field import INFINITE, DistanceField
from expedition.navigate.steps import Unknown
from tests.navigate.grids import RESOLUTION, cheapest, costs_of, point, random_costs

seeds = st.integers(0, 2**32 - 1)


def inner_cell(costs_size: tuple[int, int], seed: int) -> int:
    row, column = np.random.default_rng([seed, 1]).integers(1, (costs_size[0] - 1, costs_size[1] - 1))
    return int(row * costs_size[1] + column)


def as_floats(distance: np.ndarray) -> np.ndarray:
    return np.where(distance == INFINITE, np.inf, distance.astype(float)).ravel()


@settings(max_examples=150, deadline=None)
@given(seeds, st.sampled_from(["avoid", "free"]), st.floats(0, 350))
def test_field_is_the_cheapest_way_to_every_cell(seed: int, unknown: Unknown, unknown_cost: float) -> None:
    costs = random_costs(seed)
    before = costs.cost.copy()
    start = inner_cell(costs.frame.shape, seed)
    field = DistanceField(costs)
    field.spread(point(costs, start), unknown=unknown, unknown_cost=unknown_cost)
    np.testing.assert_array_equal(as_floats(field.distance), cheapest(costs, start, unknown, unknown_cost))
    np.testing.assert_array_equal(costs.cost, before)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 5))
def test_field_that_stops_early_is_right_about_the_nearest_targets(seed: int, wanted: int) -> None:
    costs = random_costs(seed, closed=0.5)
    start = inner_cell(costs.frame.shape, seed)
    targets = np.random.default_rng(seed).integers(0, costs.cost.size, 6)
    field = DistanceField(costs)
    settled = field.spread(point(costs, start), targets=targets, wanted=wanted)
    exact = cheapest(costs, start)
    assert settled >= min(wanted, np.isfinite(exact[targets]).sum())
    for_sure = np.sort(exact[targets])[: min(wanted, settled)]
    np.testing.assert_array_equal(np.sort(as_floats(field.distance)[targets])[: len(for_sure)], for_sure)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_paths_from_a_field_lead_to_every_reached_cell(seed: int) -> None:
    costs = random_costs(seed, closed=0.6)
    start = inner_cell(costs.frame.shape, seed)
    field = DistanceField(costs)
    field.spread(point(costs, start))
    exact = cheapest(costs, start)
    for cell in np.random.default_rng(seed).integers(0, costs.cost.size, 10):
        path = field.path_to(*point(costs, cell))
        assert (path is not None) == np.isfinite(exact[cell])
        if path is not None:
            np.testing.assert_allclose(path.points[[0, -1]], [point(costs, start), point(costs, cell)])
            assert path.cost == pytest.approx(exact[cell] * RESOLUTION / 70)
            assert path.length() <= path.cost * (1 + 1e-3)


def test_wall_between_two_rooms_is_never_crossed_and_a_door_costs_the_detour() -> None:
    cost = np.zeros((12, 12), dtype=np.uint8)
    cost[:, 6] = OCCUPIED_COST
    costs = costs_of(cost)
    field = DistanceField(costs)
    field.spread(point(costs, 2 * 12 + 2))
    assert math.isinf(field.cost_to(*point(costs, 2 * 12 + 9)))
    costs.cost[2, 6] = 0
    field.spread(point(costs, 2 * 12 + 2))
    assert field.cost_to(*point(costs, 2 * 12 + 9)) == pytest.approx(7 * RESOLUTION)


def test_robot_that_stands_too_near_to_a_wall_may_leave_but_others_do_not_enter() -> None:
    cost = np.zeros((12, 12), dtype=np.uint8)
    cost[5:8, 2:9] = TIGHT_COST
    costs = costs_of(cost)
    field = DistanceField(costs)
    field.spread(point(costs, 6 * 12 + 5))
    assert math.isfinite(field.cost_to(*point(costs, 2 * 12 + 2)))
    field.spread(point(costs, 2 * 12 + 2))
    assert math.isinf(field.cost_to(*point(costs, 6 * 12 + 5)))


def test_field_from_outside_the_map_reaches_nothing() -> None:
    costs = random_costs(3)
    field = DistanceField(costs)
    field.spread(point(costs, inner_cell(costs.frame.shape, 3)))
    assert field.spread((1e6, 0.0), targets=np.array([40])) == 0
    assert (field.distance == INFINITE).all()
    assert field.path_to(*point(costs, 40)) is None
    assert math.isinf(field.cost_to(1e6, 1e6))


def test_bad_starts_and_targets_are_refused() -> None:
    field = DistanceField(random_costs(3))
    with pytest.raises(ExpeditionError, match="finite"):
        field.spread((math.nan, 0.0))
    with pytest.raises(ExpeditionError, match="cells from 0 to 237, found 238 to 238"):
        field.spread((0.0, 6.0), targets=np.array([238]))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 0.7]))
@settings(max_examples=30, deadline=None)
def test_costs_to_many_points_are_those_to_each(seed: int, tolerance: float) -> None:
    costs = random_costs(seed)
    field = DistanceField(costs)
    left, right, bottom, top = costs.frame.extent
    rng = np.random.default_rng(seed)
    field.spread((rng.uniform(left, right), rng.uniform(bottom, top)))
    points = rng.uniform((left - 1.0, bottom - 1.0), (right + 1.0, top + 1.0), (50, 2))
    expected = [field.cost_to(x, y, tolerance) for x, y in points.tolist()]
    assert field.costs_to(points, tolerance).tolist() == expected
