"""MRESim's mission here: four robots with a base station explore 800 x 600 cells of rooms until 95 % is known at base.

It is the size of mission for which MRESim was measured, not the same one: its map, its frontiers, its radio and its
motion are its own, it has no physics between two cycles, and all that is told of its machine is that it has two cores.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from expedition.exploring import explore
from expedition.mission import Result
from expedition.stopwatch import PHASES

ROUNDS = 20
TIME_LIMIT = 1500.0
SHARE = 0.95
TARGET = 1.5
"""Seconds of the clock that the mission may take."""
RESOLUTION, FINE_RESOLUTION = 0.2, 0.1
"""Metres: the cells of the robots' maps by default, and those of the terrain."""
FINE_ROUNDS = 3
THEIRS = 148.0
"""Seconds that MRESim took for 395 cycles with four robots, the frontier strategy and 800 x 600 pixels of rooms."""


@dataclass(frozen=True)
class Round:
    """One run of the mission, and what it took of the clock and of the processor."""

    result: Result
    wall: float
    spent: float

    @property
    def digest(self) -> str:
        """Of all samples and events: equal digests, equal missions."""
        record = self.result.to_dict(series=True)
        events = [dict(event) for event in self.result.measurements.events]
        return hashlib.sha256(json.dumps([record, events], sort_keys=True).encode()).hexdigest()


def mission(time_limit: float = TIME_LIMIT, profile: bool = False, resolution: float = RESOLUTION) -> Round:
    """Everything between the call of `explore` and its return counts: setting up and the metrics, too.

    Processor and memory of the robots' software, which MRESim does not measure, are not measured here either, unless
    a profile is wanted.
    """
    clock, processor = time.perf_counter(), time.process_time()
    result = explore(
        "building:size=[80,60],seed=1", 4, "frontier-return", 1, robot="mresim:drive.max_speed=1.0", base="start",
        placement="grouped", localiser="perfect", radio="path-loss", stop={"explored": {"share": SHARE, "of": "base"}},
        time_limit=time_limit, measurements={"series": {"every": 1}, "resources": False}, profile=profile,
        resolution=resolution,
    )  # fmt: skip
    return Round(result, time.perf_counter() - clock, time.process_time() - processor)


def mresim(console: Console, rounds: int = ROUNDS, time_limit: float = TIME_LIMIT) -> None:
    """Print what the mission takes over many runs, whether it is the same each time, and where the time goes."""
    mission(time_limit)
    runs = sorted((mission(time_limit) for _ in range(rounds)), key=lambda run: run.wall)
    fine = sorted(
        (mission(time_limit, resolution=FINE_RESOLUTION) for _ in range(FINE_ROUNDS)), key=lambda run: run.wall
    )
    profiled = mission(time_limit, profile=True)
    shown = [runs[0], runs[rounds // 2], runs[-1], profiled, fine[FINE_ROUNDS // 2]]
    last = profiled.result
    same = "the same" if len({run.digest for run in runs}) == 1 else "not the same"
    table = Table(
        "", "fastest", "median", "slowest", "profiled", f"maps of {FINE_RESOLUTION:g} m",
        title=f"MRESim's mission: 4 robots at 1 m/s, 800 x 600 cells of 0.1 m, mapped in cells of {RESOLUTION:g} m, "
        f"until {SHARE:.0%} is known at base",
        caption=f"{last.ending} after {last.measurements.times[-1]:,.0f} simulated s; samples and events are {same} in "
        f"all of {rounds} runs; aim: {TARGET:g} s; MRESim: {THEIRS:g} s for 395 cycles of a mission of this size; "
        f"last column: median of {FINE_ROUNDS}, {fine[0].result.ending} after "
        f"{fine[0].result.measurements.times[-1]:,.0f} s",
    )  # fmt: skip
    table.add_row("wall, s", *(f"{run.wall:.2f}" for run in shown))
    table.add_row("processor, s", *(f"{run.spent:.2f}" for run in shown))
    for phase in PHASES:
        table.add_row(f"  {phase}", *[""] * 3, f"{last.seconds_by_phase.get(phase, 0.0):.2f}", "")
    table.add_row(f"{THEIRS:g} s / wall", *(f"{THEIRS / run.wall:.0f}" for run in shown))
    console.print(table)
