"""Planning costs against their definition, cell by cell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame
from expedition.errors import ExpeditionError
from expedition.navigate.costs import OCCUPIED_COST, SQUEEZE_COST, TIGHT_COST, UNKNOWN_COST, Costs, Inflation

FRAME = Frame((0.0, 0.0), 0.2, 4 * TILE, 5 * TILE)


def costs_by_definition(state: np.ndarray, circumradius: float, passing: float, inflation: Inflation) -> np.ndarray:
    walls = np.argwhere(state == OCCUPIED)
    cost = np.empty(state.shape, dtype=np.uint8)
    for row, column in np.ndindex(*state.shape):
        squares = ((walls - (row, column)) ** 2).sum(axis=1)
        nearest = math.sqrt(squares.min()) * FRAME.resolution if len(walls) else math.inf
        value = inflation.cost(nearest, circumradius, passing)
        cost[row, column] = UNKNOWN_COST if state[row, column] == UNKNOWN and value < TIGHT_COST else value
    cost[[0, -1]] = cost[:, [0, -1]] = OCCUPIED_COST
    return cost


def random_state(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    walls, unseen = rng.random(2) * (0.1, 0.5)
    draw = rng.random(shape)
    return np.where(draw < walls, OCCUPIED, np.where(draw < walls + unseen, UNKNOWN, FREE)).astype(np.uint8)


@settings(max_examples=25)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(0.0, 0.9),
    st.floats(0.0, 1.0),
    st.builds(Inflation, radius=st.floats(0, 1.2), scaling=st.floats(0, 20), comfort_radius=st.floats(0, 2.5)),
)
def test_costs_that_follow_changes_are_those_computed_anew(
    seed: int, circumradius: float, share: float, inflation: Inflation
) -> None:
    rng = np.random.default_rng(seed)
    state = np.zeros(FRAME.shape, dtype=np.uint8)
    stamps = np.full(FRAME.tiles, -1, dtype=np.int64)
    passing = share * circumradius
    costs = Costs(FRAME, circumradius, inflation, passing=passing)
    for tick in range(4):
        for _ in range(rng.integers(0, 4)):
            row, column = rng.integers(0, FRAME.tiles)
            tile = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
            state[tile] = random_state(rng, (TILE, TILE))
            stamps[row, column] = tick
        version = costs.version
        changed = costs.refresh(state, stamps, tick)
        assert changed == bool((stamps == tick).any())
        assert (costs.version > version) == changed
    np.testing.assert_array_equal(costs.cost, costs_by_definition(state, circumradius, passing, inflation))


def test_cost_falls_with_distance_and_ends_at_the_comfort_radius() -> None:
    inflation = Inflation()
    fall = [inflation.cost(0.01 * centimetre, 0.3, 0.2) for centimetre in range(30, 120)]
    assert fall == sorted(fall, reverse=True)
    assert fall[0] == 100
    assert inflation.cost(0.4, 0.3, 0.2) == round(100 * math.exp(-1.0))
    assert 0 < inflation.cost(0.7, 0.3, 0.2) < 20
    assert inflation.cost(0.8, 0.3, 0.2) == 0
    assert inflation.cost(0.29, 0.3, 0.2) == inflation.cost(0.2, 0.3, 0.2) == SQUEEZE_COST
    assert inflation.cost(0.19, 0.3, 0.2) == TIGHT_COST
    assert inflation.cost(0.0, 0.3, 0.2) == OCCUPIED_COST


def test_costs_may_lie_in_an_array_over_robots() -> None:
    fleet = np.zeros((2, *FRAME.shape), dtype=np.uint8)
    Costs(FRAME, 0.3, cost=fleet[1])
    assert (fleet[1, 1:-1, 1:-1] == UNKNOWN_COST).all()
    assert not fleet[0].any()


@pytest.mark.parametrize("circumradius", [-1.0, math.nan, math.inf, 1e6])
def test_impossible_robots_are_refused(circumradius: float) -> None:
    with pytest.raises(ExpeditionError, match="circumradius"):
        Costs(FRAME, circumradius)


def test_costs_are_fresh_in_the_tick_of_the_last_refresh_only() -> None:
    costs = Costs(FRAME, 0.2)
    assert not costs.is_fresh(0)
    costs.refresh(np.zeros(FRAME.shape, dtype=np.uint8), np.zeros(FRAME.tiles, dtype=np.int64), 3)
    assert costs.is_fresh(3)
    assert not costs.is_fresh(4)
