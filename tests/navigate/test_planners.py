"""Planners against each other and against SciPy's shortest paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.errors import ExpeditionError
from expedition.navigate import planners as planners
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, TIGHT_COST, UNKNOWN_COST, Costs
from expedition.navigate.ends import WALLS_ONLY
from expedition.navigate.path import Path, still_clear
from expedition.navigate.planner import Planner, planner
from expedition.navigate.steps import Unknown, step_table
from tests.navigate.grids import RESOLUTION, cheapest, costs_of, may_be_a_goal, opened_from, point, random_costs

NAMES = ["a-star", "dijkstra", "jump-point", "topological"]
seeds = st.integers(0, 2**32 - 1)


def ends(costs: Costs, seed: int) -> tuple[int, int]:
    """A start anywhere inside the ring and a goal anywhere."""
    rng = np.random.default_rng([seed, 2])
    row, column = rng.integers(1, np.array(costs.frame.shape) - 1)
    return int(row * costs.frame.columns + column), int(rng.integers(costs.cost.size))


def roomy_cells(costs: Costs, unknown: str) -> np.ndarray:
    return (costs.cost <= 100) | ((costs.cost == UNKNOWN_COST) & (unknown == "free"))


def beside(costs: Costs, goal: int, distances: np.ndarray, unknown: str, tolerance: float) -> list[int]:
    """The cells with room to turn nearest to a goal within the tolerance, with a way there and no wall between."""
    columns = costs.frame.columns
    row, column = divmod(goal, columns)
    near: dict[int, list[int]] = {}
    for cell in np.flatnonzero(np.isfinite(distances) & roomy_cells(costs, unknown).ravel()).tolist():
        square = (cell // columns - row) ** 2 + (cell % columns - column) ** 2
        if math.sqrt(square) * RESOLUTION <= tolerance + 1e-9:
            line = Path(np.array([point(costs, goal), point(costs, cell)]), 0.0)
            if math.isinf(still_clear(costs.cost, WALLS_ONLY, line, costs.frame)):
                near.setdefault(square, []).append(cell)
    return near[min(near)] if near else []


def check_path(costs: Costs, path: Path, start: int, goal: int, unknown: Unknown) -> None:
    np.testing.assert_allclose(path.points[0], point(costs, start))
    np.testing.assert_allclose(path.points[-1], point(costs, goal))
    for cell in opened_from(costs.cost, start, unknown, costs.escape_cells):
        costs.cost.flat[cell] = 0
    assert math.isinf(still_clear(costs.cost, step_table(unknown), path, costs.frame))
    assert path.length() <= path.cost * (1 + 1e-3) + 1e-9


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=120)
@given(seed=seeds, unknown=st.sampled_from(["avoid", "free"]), clearance=st.sampled_from([0.0, 0.3, 1.0]))
def test_planner_finds_the_cheapest_way_exactly_where_there_is_one(
    name: str, seed: int, unknown: Unknown, clearance: float
) -> None:
    costs = random_costs(seed, closed=0.8)
    start, goal = ends(costs, seed)
    parameters = {} if name == "jump-point" else {"clearance": clearance, "unknown_cost": 20.0}
    weights = (0.0, 0.0) if name == "jump-point" else (20.0, clearance)
    before = costs.cost.copy()
    path = planner.make(name, tolerance=0.4, **parameters).plan(costs, point(costs, start), point(costs, goal), unknown)
    np.testing.assert_array_equal(costs.cost, before)
    distances = cheapest(costs, start, unknown, *weights)
    if name == "jump-point":  # It squeezes through only where there is no other way.
        distances = cheapest(costs, start, unknown, *weights, squeeze=1.0)
        easy = cheapest(costs, start, unknown, *weights, squeeze=0.0)
        if np.isfinite(easy[goal]) and (goal == start or costs.cost.flat[goal] != SQUEEZE_COST):
            distances[goal] = easy[goal]
    open_goal: int | None = goal
    may_be = may_be_a_goal(costs, start, distances, unknown)[goal]
    others = beside(costs, goal, distances, unknown, 0.4)
    if goal != start and (not may_be or (costs.cost.flat[goal] == SQUEEZE_COST and others)):
        assert (path is not None) == bool(others)
        open_goal = None if path is None else next(c for c in others if np.allclose(path.points[-1], point(costs, c)))
    exact = math.inf if open_goal is None else distances[open_goal]
    assert (path is not None) == math.isfinite(exact)
    if path is not None and open_goal is not None:
        if name == "topological":
            assert path.cost >= exact * RESOLUTION / 70 - 1e-9
        else:
            assert path.cost == pytest.approx(exact * RESOLUTION / 70, rel=1e-12)
        check_path(costs, path, start, open_goal, unknown)


@settings(max_examples=40)
@given(seed=seeds)
def test_planners_agree_on_larger_grids_where_clearance_counts_nothing(seed: int) -> None:
    costs = random_costs(seed, 60, 70, closed=0.7, squeeze=0.0)
    start, goal = (point(costs, cell) for cell in ends(costs, seed))
    shortest = planner.make("jump-point").plan(costs, start, goal)
    for name in ("a-star", "dijkstra"):
        other = planner.make(name, clearance=0.0).plan(costs, start, goal)
        assert (shortest and shortest.cost) == (other and other.cost)
    over_regions = planner.make("topological", clearance=0.0).plan(costs, start, goal)
    assert (over_regions is None) == (shortest is None)


@settings(max_examples=40)
@given(seed=seeds)
def test_the_way_back_costs_the_same(seed: int) -> None:
    costs = random_costs(seed, closed=0.5)
    start, goal = ends(costs, seed)
    costs.cost.flat[start] = 0
    if costs.cost.flat[goal] <= 100:
        a_star = planner.make("a-star", tolerance=0.0)
        there = a_star.plan(costs, point(costs, start), point(costs, goal))
        back = a_star.plan(costs, point(costs, goal), point(costs, start))
        assert (there and there.cost) == (back and back.cost)


def plain(name: str) -> tuple[Planner, Costs]:
    cost = np.zeros((20, 20), dtype=np.uint8)
    cost[8:12, 8:12] = OCCUPIED_COST
    cost[7, 7:13] = TIGHT_COST
    return planner.make(name), costs_of(cost)


@pytest.mark.parametrize("name", NAMES)
def test_path_to_where_the_robot_stands_costs_nothing(name: str) -> None:
    one, costs = plain(name)
    for cell in (3 * 20 + 3, 7 * 20 + 9, 10 * 20 + 10):
        path = one.plan(costs, point(costs, cell), point(costs, cell))
        assert path is not None
        assert path.cost == 0.0
        assert path.length() == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_path_ends_at_the_very_points_asked_for(name: str) -> None:
    one, costs = plain(name)
    x, y = point(costs, 3 * 20 + 3)
    path = one.plan(costs, (x + 0.03, y - 0.07), (x + 2.41, y + 2.53))
    assert path is not None
    np.testing.assert_allclose(path.points[[0, -1]], [(x + 0.03, y - 0.07), (x + 2.41, y + 2.53)])


@pytest.mark.parametrize("name", NAMES)
def test_robot_pushed_against_a_wall_gets_away_but_not_out_of_a_solid_one(name: str) -> None:
    one, costs = plain(name)
    goal = point(costs, 3 * 20 + 3)
    assert one.plan(costs, point(costs, 7 * 20 + 9), goal) is not None
    assert one.plan(costs, point(costs, 8 * 20 + 9), goal) is not None
    assert one.plan(costs, point(costs, 10 * 20 + 10), goal) is None


@pytest.mark.parametrize("name", NAMES)
def test_goals_in_walls_mean_the_nearest_open_cell_within_the_tolerance(name: str) -> None:
    _, costs = plain(name)
    start, goal = point(costs, 3 * 20 + 3), point(costs, 9 * 20 + 9)
    assert planner.make(name, tolerance=0.3).plan(costs, start, goal) is None
    path = planner.make(name, tolerance=0.45).plan(costs, start, goal)
    assert path is not None
    np.testing.assert_allclose(path.points[-1], point(costs, 9 * 20 + 7))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("between", "ends_at"), [(UNKNOWN_COST, 9), (OCCUPIED_COST, None)])
@pytest.mark.parametrize("depth", [5, 80])
def test_goals_seen_through_a_gap_mean_the_nearest_place_with_a_way_but_none_behind_a_wall(
    name: str, between: int, ends_at: int | None, depth: int
) -> None:
    cost = np.zeros((depth, 20), dtype=np.uint8)
    cost[:, 10] = between
    costs = costs_of(cost)
    path = planner.make(name, tolerance=0.45).plan(costs, costs.frame.centre(2, 2), costs.frame.centre(2, 11))
    assert path is None if ends_at is None else path is not None
    if path is not None and ends_at is not None:
        np.testing.assert_allclose(path.points[-1], costs.frame.centre(2, ends_at))
    assert planner.make(name, tolerance=0.3).plan(costs, costs.frame.centre(2, 2), costs.frame.centre(2, 11)) is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("outside", [(1e300, 0.0), (-3.1, 6.0), (0.0, 4.9), (0.0, 1e9)])
def test_there_is_no_way_out_of_the_map_or_into_it(name: str, outside: tuple[float, float]) -> None:
    one, costs = plain(name)
    inside = point(costs, 3 * 20 + 3)
    assert one.plan(costs, inside, outside) is None
    assert one.plan(costs, outside, inside) is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [(math.nan, 6.0), (0.0, math.inf)])
def test_ends_that_are_no_numbers_are_refused(name: str, bad: tuple[float, float]) -> None:
    one, costs = plain(name)
    with pytest.raises(ExpeditionError, match="must be finite numbers"):
        one.plan(costs, (0.0, 6.0), bad)
    with pytest.raises(ExpeditionError, match="must be finite numbers"):
        one.plan(costs, bad, (0.0, 6.0))


def test_regions_follow_the_costs_when_they_change() -> None:
    one, costs = plain("topological")
    start, goal = point(costs, 3 * 20 + 3), point(costs, 16 * 20 + 16)
    assert one.plan(costs, start, goal) is not None
    costs.cost[13] = OCCUPIED_COST
    costs.version += 1
    assert one.plan(costs, start, goal) is None


def test_planner_parameters_are_checked_by_name_and_range() -> None:
    assert planner.names() == NAMES
    with pytest.raises(ExpeditionError, match="did you mean 'a-star'"):
        planner.make("astar")
    with pytest.raises(ExpeditionError, match="clearance"):
        planner.make("a-star:clearance=2")
    with pytest.raises(ExpeditionError, match="unknown cells"):
        planner.make("a-star").plan(random_costs(1), (0.0, 6.0), (0.0, 6.0), "never")  # type: ignore[arg-type]


def test_search_survives_when_its_numbers_are_used_up() -> None:
    one, costs = plain("a-star")
    start, goal = point(costs, 3 * 20 + 3), point(costs, 16 * 20 + 16)
    first = one.plan(costs, start, goal)
    assert first is not None
    searches = 2 * 2**32 // (99 * 8 * costs.cost.size) + 2
    lengths = {one.plan(costs, start, goal).cost for _ in range(searches)}  # type: ignore[union-attr]
    assert lengths == {first.cost}
