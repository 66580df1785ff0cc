"""That lines which are not followed again cross what they would if they were."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.network.crossings import Crossings
from expedition.network.obstacles import Obstacles
from expedition.network.walls import Bearable
from expedition.terrain import find_terrain

TERRAINS = [find_terrain("maze"), find_terrain("cross")]


@settings(max_examples=30)
@given(st.integers(2, 8), st.integers(0, 2**31))
def test_lines_are_what_they_are_whoever_moved_since(nodes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(nodes, 1)
    crossings = Crossings(first, second)
    places = rng.uniform(-30.0, 30.0, (nodes, 2))
    most = rng.integers(-1, 6, len(first))
    for _ in range(6):
        obstacles = Obstacles.of(TERRAINS[int(rng.random() < 0.1)])
        moves = rng.random(nodes) < 0.5
        places = places + moves[:, None] * rng.normal(0.0, 1.0, (nodes, 2))
        most = np.where(rng.random(len(most)) < 0.2, rng.integers(-1, 6, len(most)), most)
        bearable = Bearable(most, np.where(most > 3, np.inf, 40.0))
        found = crossings.follow(places, obstacles, bearable)
        expected = obstacles.crossed(places, places, first, second, bearable)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
