"""Coarse costs follow the fine ones, and keep walls closed."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.navigate.coarse import CoarseCosts, may_be_coarse
from expedition.navigate.costs import OCCUPIED_COST, Costs
from expedition.navigate.field import DistanceField

FRAME = Frame((0.0, 0.0), 0.2, 64, 64)


def halved(costs: Costs) -> np.ndarray:
    fine = costs.cost.reshape(32, 2, 32, 2).min(axis=(1, 3))
    fine[[0, -1]] = OCCUPIED_COST
    fine[:, [0, -1]] = OCCUPIED_COST
    return fine


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(0, 40), st.integers(0, 40))
def test_following_changes_gives_the_same_as_starting_anew(seed: int, row: int, column: int) -> None:
    rng = np.random.default_rng(seed)
    state = rng.choice([UNKNOWN, FREE, FREE, FREE, OCCUPIED], size=FRAME.shape).astype(np.uint8)
    stamp = np.zeros(FRAME.tiles, dtype=np.int64)
    costs = Costs(FRAME, 0.295)
    coarse = CoarseCosts(costs)
    costs.refresh(state, stamp, 0)
    coarse.refresh(stamp, 0)
    assert (coarse.cost == halved(costs)).all()
    state[row : row + 7, column : column + 9] = OCCUPIED
    stamp[row // 16 : (row + 6) // 16 + 1, column // 16 : (column + 8) // 16 + 1] = 1
    costs.refresh(state, stamp, 1)
    coarse.refresh(stamp, 1)
    assert (coarse.cost == halved(costs)).all()


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_what_thin_walls_part_stays_apart(seed: int) -> None:
    """A wall one cell thick, straight or slanting, never leaks into the coarse field."""
    rng = np.random.default_rng(seed)
    state = np.full(FRAME.shape, FREE, dtype=np.uint8)
    row = float(rng.integers(20, 44))
    slope = float(rng.uniform(-0.8, 0.8))
    rows = np.clip(np.round(row + slope * (np.arange(64) - 32)), 12, 52).astype(int)
    state[rows, np.arange(64)] = OCCUPIED
    for column in range(63):
        state[min(rows[column], rows[column + 1]) : max(rows[column], rows[column + 1]) + 1, column] = OCCUPIED
    assert ndimage.label(state == FREE)[1] == 2
    costs = Costs(FRAME, 0.295)
    coarse = CoarseCosts(costs)
    stamp = np.zeros(FRAME.tiles, dtype=np.int64)
    costs.refresh(state, stamp, 0)
    coarse.refresh(stamp, 0)
    field = DistanceField(coarse)
    field.begin((6.4, 0.9))
    assert np.isfinite(field.cost_to(2.0, 0.9))
    assert np.isinf(field.cost_to(6.4, 11.9))


def test_small_robots_on_coarse_maps_have_no_coarse_grid() -> None:
    assert may_be_coarse(Costs(FRAME, 0.295))
    assert not may_be_coarse(Costs(FRAME, 0.2))
