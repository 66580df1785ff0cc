"""Floods against SciPy's labels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from expedition.navigate.costs import OCCUPIED_COST
from expedition.navigate.spreading import flood, new_front
from expedition.navigate.steps import step_table


@settings(max_examples=400)
@given(st.integers(0, 2**32 - 1), st.integers(3, 30), st.integers(3, 30), st.sampled_from([0.1, 0.3, 0.4, 0.5]))
def test_a_flood_reaches_the_region_of_its_start_however_winding(
    seed: int, rows: int, columns: int, walls: float
) -> None:
    rng = np.random.default_rng(seed)
    cost = np.full((rows, columns), OCCUPIED_COST, dtype=np.uint8)
    cost[1:-1, 1:-1][rng.random((rows - 2, columns - 2)) >= walls] = 0
    start = int(rng.integers(1, rows - 1) * columns + rng.integers(1, columns - 1))
    cost.flat[start] = 0
    regions, _ = ndimage.label(cost == 0)
    region = regions == regions.flat[start]
    reached = np.ones(cost.size, dtype=np.bool_)
    assert flood(cost, step_table(), start, reached, new_front(cost.size).buckets.reshape(-1)) == region.sum()
    np.testing.assert_array_equal(reached, region.ravel())
