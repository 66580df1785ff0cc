"""Travel costs between places: searches that stop early find what whole fields say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.navigate.between import costs_between
from expedition.navigate.costs import OCCUPIED_COST, TIGHT_COST, Costs
from expedition.navigate.field import DistanceField
from tests.navigate.grids import RESOLUTION, costs_of, point, random_costs

seeds = st.integers(0, 2**32 - 1)
TOLERANCE = 2.5 * RESOLUTION


def whole_fields(costs: Costs, starts: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """A field from each start, to everywhere."""
    field = DistanceField(costs)
    rows = []
    for x, y in starts.tolist():
        field.begin((x, y))
        rows.append(field.costs_to(targets, TOLERANCE))
    return np.array(rows)


def places(costs: Costs, rng: np.random.Generator, number: int) -> np.ndarray:
    """Anywhere on the map, and now and then beyond it."""
    found = np.array([point(costs, int(cell)) for cell in rng.integers(0, costs.cost.size, number)])
    found[rng.random(number) < 0.05] += 1e4
    return found


@settings(max_examples=200)
@given(seeds, st.sampled_from([0.2, 0.5, 0.9]), st.booleans())
def test_costs_up_to_a_limit_are_those_of_whole_fields(seed: int, closed: float, has_field: bool) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(seed, closed=closed)
    starts, targets = places(costs, rng, 3), places(costs, rng, 5)
    here = None
    if has_field:
        here = DistanceField(costs)
        here.begin((starts[0, 0], starts[0, 1]))
        here.costs_to(targets, within=rng.choice([-1.0, 3.0, math.inf]))  # It may be computed near and far.
    within = rng.choice([math.inf, 0.0, -1.0, *rng.uniform(0.0, 30.0 * RESOLUTION, 3)], (3, 5))
    if rng.random() < 0.3:
        within[:, rng.integers(5) != np.arange(5)] = -1.0
    exact = whole_fields(costs, starts, targets)
    found = costs_between(DistanceField(costs), here, starts, targets, within, TOLERANCE)
    np.testing.assert_array_equal(found, np.where(exact <= within, exact, np.inf))


@settings(max_examples=60)
@given(seeds)
def test_ways_on_open_ground_are_found_whichever_end_they_are_searched_from(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost = np.zeros((20, 24), dtype=np.uint8)
    cost[5:15, 12] = OCCUPIED_COST
    costs = costs_of(cost)
    starts, targets = (rng.uniform(2.0, 18.0, (number, 2)) * RESOLUTION + costs.frame.origin for number in (8, 6))
    here = DistanceField(costs)
    here.begin((starts[0, 0], starts[0, 1]))
    within = np.full((8, 6), -1.0)
    within[:, rng.integers(6)] = rng.uniform(0.0, 30.0) * RESOLUTION
    exact = whole_fields(costs, starts, targets)
    found = costs_between(DistanceField(costs), here, starts, targets, within, TOLERANCE)
    np.testing.assert_array_equal(found, np.where(exact <= within, exact, np.inf))


def test_a_robot_that_stands_in_a_passage_too_tight_for_others_joins_nothing() -> None:
    cost = np.zeros((12, 12), dtype=np.uint8)
    cost[:, 6] = TIGHT_COST
    costs = costs_of(cost)
    here = DistanceField(costs)
    here.begin(point(costs, 5 * 12 + 6))
    start, target = np.array([point(costs, 5 * 12 + 2)]), np.array([point(costs, 5 * 12 + 7)])
    assert here.costs_to(np.concatenate([start, target])).max() < math.inf
    found = costs_between(DistanceField(costs), here, start, target, np.full((1, 1), 10.0), TOLERANCE)
    assert found[0, 0] == pytest.approx(3.0 * RESOLUTION)  # To the nearest place on the near side.
