"""Distance fields against SciPy's shortest paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, Frame
from expedition.errors import ExpeditionError
from expedition.fleet import robot_model
from expedition.fleet.clearance import passing_radius
from expedition.navigate.coarse import CoarseCosts, may_be_coarse
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, TIGHT_COST, Costs
from expedition.navigate.field import DistanceField
from expedition.navigate.spreading import INFINITE
from expedition.navigate.steps import STRAIGHT, Unknown
from tests.navigate.grids import RESOLUTION, cheapest, costs_of, may_be_a_goal, point, random_costs

seeds = st.integers(0, 2**32 - 1)


def inner_cell(costs_size: tuple[int, int], seed: int) -> int:
    row, column = np.random.default_rng([seed, 1]).integers(1, (costs_size[0] - 1, costs_size[1] - 1))
    return int(row * costs_size[1] + column)


def every_point(costs: Costs) -> np.ndarray:
    return np.array([point(costs, cell) for cell in range(costs.cost.size)])


@settings(max_examples=150)
@given(seeds, st.sampled_from(["avoid", "free"]), st.floats(0, 350))
def test_field_is_the_cheapest_way_to_every_cell(seed: int, unknown: Unknown, unknown_cost: float) -> None:
    costs = random_costs(seed)
    before = costs.cost.copy()
    start = inner_cell(costs.frame.shape, seed)
    field = DistanceField(costs)
    field.begin(point(costs, start), unknown=unknown, unknown_cost=unknown_cost)
    exact = cheapest(costs, start, unknown, unknown_cost)
    goals = may_be_a_goal(costs, start, exact, unknown)
    np.testing.assert_array_equal(field.has_way_to(every_point(costs)), goals)
    assert field.cells_reached == np.isfinite(exact).sum()
    np.testing.assert_array_equal(
        field.costs_to(every_point(costs)), np.where(goals, exact, np.inf) * RESOLUTION / STRAIGHT
    )
    np.testing.assert_array_equal(costs.cost, before)


@settings(max_examples=100)
@given(seeds, st.sampled_from([0.3, 0.6, 0.9]))
def test_nearest_place_is_the_nearest_of_all_cells_with_a_way(seed: int, closed: float) -> None:
    costs = random_costs(seed, closed=closed)
    frame, rng = costs.frame, np.random.default_rng(seed)
    field = DistanceField(costs)
    field.begin(point(costs, inner_cell(frame.shape, seed)))
    for row, column in rng.integers(-5, (frame.rows + 5, frame.columns + 5), (8, 2)).tolist():
        asked = frame.centre(row + rng.uniform(-0.4, 0.4), column + rng.uniform(-0.4, 0.4))
        found = field.nearest_place(*asked)
        if frame.holds(row, column) and field.reached[row, column]:
            assert found == asked
            continue
        i, j = frame.cell(*found)
        assert field.reached[i, j]
        assert found == frame.centre(i, j)
        # Where it can turn, if there is any such place.
        roomy = field.reached & (costs.cost != SQUEEZE_COST)
        away = np.hypot(*(np.argwhere(roomy if roomy.any() else field.reached) - (row, column)).T)
        assert math.hypot(i - row, j - column) == pytest.approx(away.min())


def test_place_is_its_own_nearest_where_there_is_no_way_at_all() -> None:
    costs = random_costs(1)
    field = DistanceField(costs)
    field.begin(costs.frame.centre(-3, -3))
    assert field.nearest_place(1.0, 2.0) == (1.0, 2.0)


@settings(max_examples=60)
@given(seeds, st.sampled_from([0.3, 0.6, 0.9]))
def test_field_that_is_asked_time_and_again_is_the_one_that_was_asked_for_all(seed: int, closed: float) -> None:
    costs = random_costs(seed, closed=closed)
    rng = np.random.default_rng(seed)
    field = DistanceField(costs)
    for start in (inner_cell(costs.frame.shape, seed), inner_cell(costs.frame.shape, seed + 1)):
        field.begin(point(costs, start))
        exact = cheapest(costs, start) * RESOLUTION / STRAIGHT
        exact[~may_be_a_goal(costs, start, exact)] = np.inf
        for _ in range(6):
            cells, within = rng.integers(0, costs.cost.size, 3), rng.choice([math.inf, rng.uniform(0.0, 4.0)])
            found = field.costs_to(every_point(costs)[cells], within=within)
            np.testing.assert_array_equal(found, np.where(exact[cells] <= within, exact[cells], np.inf))


def test_field_is_not_computed_far_beyond_what_was_asked() -> None:
    costs = costs_of(np.zeros((60, 60), dtype=np.uint8))
    field = DistanceField(costs)
    field.begin(point(costs, 30 * 60 + 30))
    assert field.cost_to(*point(costs, 30 * 60 + 35)) == 5.0 * RESOLUTION
    assert field.distance[30, 45] == INFINITE
    assert math.isinf(field.costs_to(every_point(costs), within=7.0 * RESOLUTION)[30 * 60 + 50])
    assert field.distance[30, 45] == INFINITE
    assert field.cost_to(*point(costs, 30 * 60 + 50)) == 20.0 * RESOLUTION


def test_wall_between_two_rooms_is_never_crossed_and_a_door_costs_the_detour() -> None:
    cost = np.zeros((12, 12), dtype=np.uint8)
    cost[:, 6] = OCCUPIED_COST
    costs = costs_of(cost)
    field = DistanceField(costs)
    field.begin(point(costs, 2 * 12 + 2))
    assert math.isinf(field.cost_to(*point(costs, 2 * 12 + 9)))
    costs.cost[2, 6] = 0
    field.begin(point(costs, 2 * 12 + 2))
    assert field.cost_to(*point(costs, 2 * 12 + 9)) == pytest.approx(7 * RESOLUTION)


def test_robot_that_stands_too_near_to_a_wall_may_leave_but_others_do_not_enter() -> None:
    cost = np.zeros((12, 12), dtype=np.uint8)
    cost[5:8, 2:9] = TIGHT_COST
    costs = costs_of(cost)
    field = DistanceField(costs)
    field.begin(point(costs, 6 * 12 + 5))
    assert math.isfinite(field.cost_to(*point(costs, 2 * 12 + 2)))
    field.begin(point(costs, 2 * 12 + 2))
    assert math.isinf(field.cost_to(*point(costs, 6 * 12 + 5)))


def test_field_from_outside_the_map_reaches_nothing() -> None:
    costs = random_costs(3)
    field = DistanceField(costs)
    field.begin(point(costs, inner_cell(costs.frame.shape, 3)))
    field.begin((1e6, 0.0))
    assert field.cells_reached == 0
    assert not field.has_way_to(every_point(costs)).any()
    assert np.isinf(field.costs_to(every_point(costs))).all()
    assert math.isinf(field.cost_to(1e6, 1e6))


def test_bad_starts_are_refused() -> None:
    field = DistanceField(random_costs(3))
    with pytest.raises(ExpeditionError, match="finite"):
        field.begin((math.nan, 0.0))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 0.7]))
@settings(max_examples=30)
def test_costs_to_many_points_are_those_to_each(seed: int, tolerance: float) -> None:
    costs = random_costs(seed)
    field = DistanceField(costs)
    left, right, bottom, top = costs.frame.extent
    rng = np.random.default_rng(seed)
    field.begin((rng.uniform(left, right), rng.uniform(bottom, top)))
    points = rng.uniform((left - 1.0, bottom - 1.0), (right + 1.0, top + 1.0), (50, 2))
    expected = [field.cost_to(x, y, tolerance) for x, y in points.tolist()]
    assert field.costs_to(points, tolerance).tolist() == expected
    assert field.has_way_to(points, tolerance).tolist() == [math.isfinite(cost) for cost in expected]


def test_a_start_beside_the_edge_of_the_map_is_none_on_the_edge_of_larger_cells() -> None:
    """What spreads from the outermost ring would leave the grid, and write to memory that is not its own."""
    frame = Frame.around((0.0, 4.0, 0.0, 4.0), 0.05)
    state = np.full(frame.shape, FREE, dtype=np.uint8)
    body = robot_model("pioneer-3dx").body
    costs = Costs(frame, body.circumradius, passing=passing_radius(body, 0.05))
    costs.refresh(state, np.zeros(frame.tiles, dtype=np.int64), 0)
    assert may_be_coarse(costs)
    coarse = CoarseCosts(costs)
    field = DistanceField(costs, coarse)
    for row, column in ((1, 1), (1, frame.columns // 2), (frame.rows - 2, frame.columns - 2)):
        field.begin(frame.centre(row, column))
        x, y = frame.centre(frame.rows // 2, frame.columns // 2)
        assert field.cost_to(x, y) == pytest.approx(math.dist(frame.centre(row, column), (x, y)), rel=0.25)
        assert (coarse.cost[[0, -1]] == OCCUPIED_COST).all()
        assert (field.distance[[0, -1]] == INFINITE).all()
        assert (field.distance[:, [0, -1]] == INFINITE).all()
