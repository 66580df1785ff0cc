"""Results as `load_results` gives them, and stores with a few missions, for the tests of reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl

from expedition.bench.store import Store
from expedition.mission import Result
from expedition.report.statistics.factors import Factors, factors_of, with_case
from tests.bench.many import planned, tiny_result

METRIC_NAMES = ("time_s", "cost_m", "efficiency_m2_per_m", "map_quality")
VARIED = ("terrain", "strategy", "robots")


def results_of(
    terrains: Sequence[str] = ("loop", "maze"),
    strategies: Sequence[str] = ("nearest-frontier", "coordinated"),
    fleets: Sequence[int] = (1, 2, 4),
    seeds: int = 5,
    succeeded: Callable[[str, str, int, int], bool] = lambda terrain, strategy, robots, seed: True,
) -> tuple[pl.DataFrame, Factors]:
    """A row a mission; the time falls with the fleet and differs a little by seed."""
    rows = [
        {
            "key": f"{terrain}-{strategy}-{robots}-{seed}", "iteration": seed, "seed": seed, "terrain": terrain,
            "strategy": strategy, "robots": robots, "ending": "explored" if won else "timed out", "succeeded": won,
            "time_s": 400.0 / robots + 10.0 * seed if won else 2000.0, "cost_m": 100.0 * robots + seed,
            "efficiency_m2_per_m": 10.0 / robots, "map_quality": 0.95 + 0.001 * seed,
            "completeness": 0.99 if won else 0.6,
        }
        for terrain in terrains for strategy in strategies for robots in fleets for seed in range(1, seeds + 1)
        for won in [succeeded(terrain, strategy, robots, seed)]
    ]  # fmt: skip
    results = pl.DataFrame(rows)
    factors = factors_of(results, VARIED)
    return with_case(results, factors), factors


def small_store(
    folder: Path,
    name: str = "small",
    terrains: Sequence[str] = ("loop", "maze"),
    strategies: Sequence[str] = ("nearest-frontier", "coordinated"),
    fleets: Sequence[int] = (1, 2, 4),
    seeds: int = 2,
    finished: int | None = None,
    change: Callable[[dict[str, Any], int], dict[str, Any]] = lambda vector, seed: {},
    text: str = "name: small\n",
    description: str = "Two strategies in two terrains.",
) -> Store:
    """A store with a design of which so many missions are finished; `change` sets fields of a mission's result."""
    store = Store(folder)
    missions = [
        planned({"terrain": terrain, "strategy": strategy, "robots": robots}, seed)
        for terrain in terrains for strategy in strategies for robots in fleets for seed in range(seeds)
    ]  # fmt: skip
    design = SimpleNamespace(name=name, description=description, text=text, varied=VARIED, metrics=METRIC_NAMES)
    store.save_design(design, missions)  # type: ignore[arg-type]
    for one in missions[:finished]:
        store.write(one, _changed(RESULT.made(), one.vector, change(one.vector, one.seed), one.seed))
    return store


class _OneResult:
    """One real mission gives the measurements of all."""

    def __init__(self) -> None:
        self._result: Result | None = None

    def made(self) -> Result:
        """The mission's result, run when it is first asked for."""
        self._result = self._result or tiny_result()
        return self._result


RESULT = _OneResult()


def _changed(result: Result, vector: dict[str, Any], fields: dict[str, Any], seed: int) -> Result:
    slow = 1.0 if vector["strategy"] == "coordinated" else 1.5
    metrics = {**result.metrics, "time_s": 300.0 * slow / vector["robots"] + 7.0 * seed, **fields.pop("metrics", {})}
    return replace(result, **{"ending": "explored", "succeeded": True, "metrics": metrics, **fields})
