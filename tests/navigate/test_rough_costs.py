"""Rough ground and prior maps in planning costs, by their definition cell by cell, and the ways that they lead to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame
from expedition.belief.roughness import CLASSES, RoughGround, rough_class
from expedition.navigate.coarse import CoarseCosts
from expedition.navigate.costs import (
    HIGHEST_COST,
    NEAR_LEVELS,
    OCCUPIED_COST,
    ROUGH_COST,
    TIGHT_COST,
    UNKNOWN_COST,
    Costs,
    Inflation,
)
from expedition.navigate.field import DistanceField
from expedition.navigate.planner import planner
from expedition.navigate.planners import AStar
from expedition.navigate.steps import STRAIGHT, step_table

FRAME = Frame((0.0, 0.0), 0.2, 3 * TILE, 4 * TILE)
OPEN = np.full(FRAME.shape, FREE, dtype=np.uint8)


def plain_costs(state: np.ndarray, circumradius: float) -> np.ndarray:
    walls = np.argwhere(state == OCCUPIED)
    cost = np.empty(state.shape, dtype=np.int64)
    for row, column in np.ndindex(*state.shape):
        squares = ((walls - (row, column)) ** 2).sum(axis=1)
        nearest = math.sqrt(squares.min()) * FRAME.resolution if len(walls) else math.inf
        value = Inflation().cost(nearest, circumradius, circumradius)
        cost[row, column] = UNKNOWN_COST if state[row, column] == UNKNOWN and value < TIGHT_COST else value
    return cost


def costs_by_definition(
    state: np.ndarray, circumradius: float, prior: np.ndarray | None, percent: np.ndarray | None
) -> np.ndarray:
    """What was sensed as open stays open; elsewhere the prior stands in for what is unknown; then ground is rough."""
    cost = sensed = plain_costs(state, circumradius)
    if prior is not None:
        cost = plain_costs(np.where(state == UNKNOWN, prior, state), circumradius)
        cost = np.where(sensed <= HIGHEST_COST, np.minimum(cost, HIGHEST_COST), cost)
    if percent is not None:
        for row, column in np.argwhere((percent > 0) & (percent < 95) & (cost <= HIGHEST_COST)):
            kind = 10 - max(1, (int(percent[row, column]) + 5) // 10)
            level = math.floor(cost[row, column] * 15 / 100 + 0.5)
            cost[row, column] = ROUGH_COST + (kind - 1) * NEAR_LEVELS + level
    cost[[0, -1]] = cost[:, [0, -1]] = OCCUPIED_COST
    return cost


def random_states(rng: np.random.Generator) -> np.ndarray:
    walls, unseen = rng.random(2) * (0.08, 0.8)
    draw = rng.random(FRAME.shape)
    return np.where(draw < walls, OCCUPIED, np.where(draw < walls + unseen, UNKNOWN, FREE)).astype(np.uint8)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_costs_that_follow_maps_priors_and_rough_ground_are_those_computed_anew(
    seed: int, has_prior: bool, has_rough: bool
) -> None:
    rng = np.random.default_rng(seed)
    prior = random_states(rng) if has_prior else None
    rough = RoughGround(np.zeros(FRAME.shape, np.uint8), np.full(FRAME.tiles, -1)) if has_rough else None
    costs = Costs(FRAME, 0.3, prior=prior, rough=rough)
    coarse = CoarseCosts(costs)
    state, stamps = np.zeros(FRAME.shape, dtype=np.uint8), np.full(FRAME.tiles, -1, dtype=np.int64)
    for tick in range(3):
        for target, stamp in ((state, stamps), (rough.percent, rough.stamp)) if rough else ((state, stamps),):
            row, column = rng.integers(0, FRAME.tiles)
            tile = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
            target[tile] = random_states(rng)[tile] if target is state else rng.integers(0, 101, (TILE, TILE))
            stamp[row, column] = tick
        costs.refresh(state, stamps, tick)
        coarse.refresh(stamps, tick)
    expected = costs_by_definition(state, 0.3, prior, rough.percent if rough else None)
    np.testing.assert_array_equal(costs.cost, expected)
    halves = expected.reshape(FRAME.rows // 2, 2, FRAME.columns // 2, 2).min(axis=(1, 3))
    np.testing.assert_array_equal(coarse.cost[1:-1, 1:-1], halves[1:-1, 1:-1])


@pytest.mark.parametrize(("percent", "factor"), [(40, 2.5), (50, 2.0), (80, 1.25), (20, 5.0), (13, 8.0), (1, 8.0)])
def test_a_step_over_rough_ground_costs_the_time_it_takes(percent: int, factor: float) -> None:
    code = ROUGH_COST + (rough_class(percent) - 1) * NEAR_LEVELS
    assert step_table()[0, code] == round(STRAIGHT * factor)
    assert step_table(clearance=0.0)[0, code] == round(STRAIGHT * factor)


def test_nearness_to_walls_costs_as_much_on_rough_ground_as_on_smooth() -> None:
    table = step_table()
    for kind in (1, 5, 8):
        first = ROUGH_COST + (kind - 1) * NEAR_LEVELS
        for near in (0, 20, 40, 60, 80, 100):
            level = near * (NEAR_LEVELS - 1) // HIGHEST_COST
            assert table[0, first + level] - table[0, first] == pytest.approx(table[0, near] - STRAIGHT, abs=1)


def test_classes_of_rough_ground_are_tens_of_percent_and_what_is_unknown_counts_as_smooth() -> None:
    assert [rough_class(percent) for percent in (0, 100, 95, 94, 85, 44, 14, 1)] == [0, 0, 0, 1, 1, 6, 9, 9]
    assert max(rough_class(percent) for percent in range(101)) == CLASSES


def swamp(percent: int) -> Costs:
    """Open ground of 12.8 x 9.6 m with a swamp in the middle, which reaches from the bottom to 6.4 m."""
    layer = RoughGround(np.full(FRAME.shape, 100, dtype=np.uint8), np.zeros(FRAME.tiles, dtype=np.int64))
    layer.percent[:32, 24:40] = percent
    costs = Costs(FRAME, 0.3, rough=layer)
    costs.refresh(OPEN, np.zeros(FRAME.tiles, dtype=np.int64), 0)
    return costs


@pytest.mark.parametrize("name", ["a-star", "dijkstra", "topological"])
def test_a_path_goes_around_a_swamp_where_that_is_quicker_and_through_it_where_not(name: str) -> None:
    make = planner.make(name)
    around, through = make.plan(swamp(20), (2.0, 4.0), (11.0, 4.0)), make.plan(swamp(80), (2.0, 4.0), (11.0, 4.0))
    assert around is not None
    assert through is not None
    assert around.points[:, 1].max() > 6.4
    assert through.points[:, 1].max() < 5.0
    assert around.cost < 9.0 + 4.0 * 3.2
    assert through.cost == pytest.approx(5.8 + 3.2 / 0.8, abs=0.1)


def test_way_points_cut_no_corner_through_a_swamp() -> None:
    path = AStar().plan(swamp(10), (2.0, 4.0), (11.0, 4.0))
    assert path is not None
    for (x, y), (to_x, to_y) in zip(path.points[:-1], path.points[1:], strict=True):
        for share in np.linspace(0.0, 1.0, 50):
            assert not (4.9 < x + share * (to_x - x) < 7.9 and y + share * (to_y - y) < 6.3)


def test_travel_costs_and_paths_agree_about_rough_ground() -> None:
    costs = swamp(30)
    field = DistanceField(costs)
    field.begin((2.0, 4.0))
    path = AStar().plan(costs, (2.0, 4.0), (11.0, 4.0))
    assert path is not None
    assert field.cost_to(11.0, 4.0) == pytest.approx(path.cost)


def test_a_prior_opens_ground_that_was_never_sensed_and_its_walls_close_it() -> None:
    prior = np.full(FRAME.shape, FREE, dtype=np.uint8)
    prior[:40, 30:32] = OCCUPIED
    costs = Costs(FRAME, 0.3, prior=prior)
    state, stamps = np.zeros(FRAME.shape, dtype=np.uint8), np.full(FRAME.tiles, -1, dtype=np.int64)
    costs.refresh(state, stamps, 0)
    around = AStar().plan(costs, (2.0, 4.0), (11.0, 4.0))
    assert around is not None
    assert around.points[:, 1].max() > 8.0
    state[15:25, 25:37] = FREE
    stamps[0:2, 1:3] = 1
    costs.refresh(state, stamps, 1)
    through = AStar().plan(costs, (2.0, 4.0), (11.0, 4.0))
    assert through is not None
    assert through.points[:, 1].max() < 5.2


def test_a_wall_of_the_prior_never_shuts_ground_that_was_sensed_to_be_open() -> None:
    """Beams leave gaps far away; a wrong wall in such a gap must not keep the robot from coming nearer."""
    state = OPEN.copy()
    state[:, 30] = UNKNOWN
    stamps = np.zeros(FRAME.tiles, dtype=np.int64)
    prior = np.zeros(FRAME.shape, dtype=np.uint8)
    prior[:, 30] = OCCUPIED
    costs = Costs(FRAME, 0.3, prior=prior)
    costs.refresh(state, stamps, 0)
    assert (costs.cost[1:-1, 30] == OCCUPIED_COST).all()
    assert (costs.cost[5:-5, 29] == HIGHEST_COST).all()
    assert (costs.cost[5:-5, 31] == HIGHEST_COST).all()
