"""Results as a store would give them, made up so that what there is to find is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np
import polars as pl

Value = Callable[[str, int, str, np.random.Generator], float | None]


def made_up(
    value: Value,
    terrains: Sequence[str] = ("maze",),
    robots: Sequence[int] = (1, 2, 4, 8),
    strategies: Sequence[str] = ("nearest-frontier", "coordinated"),
    seeds: Iterable[int] = range(1, 6),
) -> pl.DataFrame:
    """One row a mission; where `value` gives None the mission failed."""
    random = np.random.default_rng(7)
    rows = []
    for terrain, fleet, strategy, seed in product(terrains, robots, strategies, seeds):
        found = value(terrain, fleet, strategy, random)
        rows.append(
            {
                "key": f"{len(rows):032x}", "iteration": seed - 1, "seed": seed, "terrain": terrain, "robots": fleet,
                "strategy": strategy, "ending": "timed out" if found is None else "explored",
                "succeeded": found is not None, "time_s": 2000.0 if found is None else found, "cost_m": found,
            }
        )  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


VARIED = ("terrain", "robots", "strategy")
