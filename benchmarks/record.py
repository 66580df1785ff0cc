"""What recording a mission costs in time and bytes, and how long it takes to go to any moment of a log."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.missions import warm_up
from expedition.exploring import plan_mission
from expedition.log.reader import LogReader
from expedition.log.recorder import Recorder
from expedition.mission import Mission, run

FLEETS = (4, 30)
TERRAIN = "maze"
STRATEGIES = ("nearest-frontier", "cost-utility", "role-based")
AIM_MEGABYTES, AIM_RATIO, AIM_SEEK = 1.0, 1.1, 0.3
REPLAYED = 30
"""Robots of the log in which moments are looked up."""


def record(
    console: Console,
    fleets: Sequence[int] = FLEETS,
    strategies: Sequence[str] = STRATEGIES,
    seconds: float = 150.0,
    rounds: int = 3,
    replay: float = 2000.0,
    seeks: int = 200,
) -> None:
    """Print (l): time with and without recording, bytes of a robot-minute, and the time to go to a moment."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.mcap"
        cost = Table(
            "robots", "strategy", "alone, s", "recorded, s", "recorded / alone", "MB a robot-minute",
            title="(l) recording: the maze, default detail",
            caption=f"at most {seconds:g} s of each mission, in turn with and without a log, the best of {rounds}; the "
            f"aims are {AIM_RATIO:g} and {AIM_MEGABYTES:g} MB",
        )  # fmt: skip
        for robots in fleets:
            for strategy in strategies:
                _add_cost(cost, _mission(robots, strategy, seconds), rounds, log)
        console.print(cost)
        console.print(_seeks(_mission(REPLAYED, "random-walk", replay), seeks, log))


def _mission(robots: int, strategy: str, seconds: float) -> Mission:
    return plan_mission(TERRAIN, robots, strategy, 1, base="start", stop={"explored": 1.0, "time": seconds})


def _add_cost(table: Table, mission: Mission, rounds: int, log: Path) -> None:
    """A row: both kinds of run take turns, so that what else the machine does concerns both."""
    warm_up(mission)
    alone, recorded = [], []
    lasted = 0.0
    for _ in range(rounds):
        alone.append(_time(mission, None)[0])
        taken, lasted = _time(mission, log)
        recorded.append(taken)
    robots = len(mission.fleet)
    megabytes = log.stat().st_size / 1e6 / (robots * lasted / 60.0)
    ratio = min(recorded) / min(alone)
    table.add_row(
        str(robots), mission.strategy_name, f"{min(alone):.2f}", f"{min(recorded):.2f}", f"{ratio:.3f}",
        f"{megabytes:.3f}",
    )  # fmt: skip


def _time(mission: Mission, log: Path | None) -> tuple[float, float]:
    """Processor seconds of a mission, and how long it lasted."""
    recorder = None if log is None else Recorder(log)
    began = time.thread_time()
    result = run(mission, record=recorder)
    return time.thread_time() - began, float(result.measurements.times[-1])


def _seeks(mission: Mission, seeks: int, log: Path) -> Table:
    """Go to moments at random, and read everything that a page shows of one."""
    warm_up(mission)
    result = run(mission, record=Recorder(log))
    lasted, rng = float(result.measurements.times[-1]), np.random.default_rng(1)
    began = time.perf_counter()
    reader = LogReader(log)
    opened = time.perf_counter() - began
    table = Table(
        "what", "median, ms", "95 %, ms", "longest, ms",
        title=f"(l) to a moment at random in a log of {len(mission.fleet)} robots and {lasted:,.0f} s",
        caption=f"{log.stat().st_size / 1e6:.0f} MB, {mission.strategy_name}; opened in {1e3 * opened:.0f} ms; {seeks} "
        f"moments each; the aim is {1e3 * AIM_SEEK:g} ms for a scene and a map",
    )  # fmt: skip
    robots = len(mission.fleet)
    looks: dict[str, Callable[[float], object]] = {
        "scene": lambda at: reader.scene(at),
        "union map": lambda at: reader.map("union", at),
        "a robot's map": lambda at: reader.map(int(rng.integers(robots)), at),
        "scene and union map": lambda at: (reader.scene(at), reader.map("union", at)),
        "scene and a robot's map": lambda at: (reader.scene(at), reader.map(int(rng.integers(robots)), at)),
    }
    for name, look in looks.items():
        taken = []
        for at in rng.uniform(0.0, lasted, seeks).tolist():
            began = time.perf_counter()
            look(at)
            taken.append(1e3 * (time.perf_counter() - began))
        table.add_row(name, *(f"{value:.0f}" for value in (*np.percentile(taken, [50, 95]), max(taken))))
    reader.close()
    return table
