"""A store of many tiny missions, to see that what reads stores stays usable with them.

    python -m tests.bench.many FOLDER [MISSIONS]

One real mission gives the measurements; endings and metrics differ from mission to mission in a way that has something
to find: more robots and the strategy `coordinated` are faster.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from expedition.bench.store import Store
from expedition.exploring import explore
from expedition.mission import Result
from tests.bench.tiny_work import TinyPlanned

NAME = "many"
TERRAINS = ("loop", "cross", "zigzag", "maze")
STRATEGIES = ("nearest-frontier", "coordinated")
FLEETS = tuple(range(1, 11))


def make_store(folder: Path | str, missions: int = 10_000) -> Store:
    """A store with a finished design `many` of so many missions, each written as an executor's worker writes it."""
    store = Store(folder)
    result = tiny_result()
    missions_of_design = plan(missions)
    store.save_design(tiny_design(), missions_of_design)
    for one in missions_of_design:
        store.write(one, varied(result, one))
    return store


def tiny_design(name: str = NAME) -> Any:
    """The design as far as a store asks for it."""
    return SimpleNamespace(
        name=name,
        description="Many tiny missions.",
        text=f"name: {name}\n",
        varied=("terrain", "strategy", "robots"),
        metrics=("time_s", "cost_m", "efficiency_m2_per_m", "map_quality"),
    )


def plan(missions: int) -> list[Any]:
    """So many missions: all vectors, in as many iterations as it takes."""
    vectors = list(itertools.product(TERRAINS, STRATEGIES, FLEETS))
    return [
        planned({"terrain": terrain, "strategy": strategy, "robots": robots}, iteration)
        for iteration in range(math.ceil(missions / len(vectors)))
        for terrain, strategy, robots in vectors
    ][:missions]


def planned(vector: dict[str, Any], iteration: int = 0) -> Any:
    """A mission of the design."""
    seed = 1 + iteration
    parameters = {**vector, "seed": seed}
    key = hashlib.sha256(repr(sorted(parameters.items())).encode()).hexdigest()[:32]
    return TinyPlanned(key, parameters, {**vector, "merge": "probabilistic"}, iteration, seed)


def tiny_result(**options: Any) -> Result:
    """What a short mission of two robots came to."""
    return explore("cross", 2, seed=1, **{"explored": 0.1, "time_limit": 20.0, "localiser": "perfect", **options})


def varied(result: Result, one: Any) -> Result:
    """The same result with other numbers: they depend on the mission's parameters and, a little, on its seed."""
    random = np.random.default_rng(int(one.key[:8], 16))
    robots, vector = one.vector["robots"], one.vector
    slow = (1.0 + TERRAINS.index(vector["terrain"])) * (0.8 if vector["strategy"] == "coordinated" else 1.0)
    time_s = 100.0 * slow / math.sqrt(robots) * random.lognormal(0.0, 0.1)
    succeeded = bool(random.random() > 0.05)
    changed = {"time_s": time_s if succeeded else None, "cost_m": 0.4 * time_s * robots}
    return replace(
        result,
        ending="explored" if succeeded else "timed out",
        succeeded=succeeded,
        metrics={**result.metrics, **changed},
    )


def main(folder: str, missions: int = 10_000) -> None:
    """Make such a store, unless it is there, and say how long reading it takes."""
    from expedition.bench.results import load_results
    from expedition.bench.soundness import check

    store = Store(folder)
    if not store.designs():
        _timed(f"writing {missions} missions", lambda: make_store(folder, missions))
    words = [sys.executable, "-m", "expedition", "status", folder]
    _timed("expedition status", lambda: subprocess.run(words, check=True))
    _timed("looking for damage", lambda: check(store.missions, store.finished()))
    _timed("load_results", lambda: load_results(store, NAME))
    print(f"memory: at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")


def _timed(what: str, work: Callable[[], object]) -> None:
    began = time.perf_counter()
    work()
    print(f"{what}: {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
