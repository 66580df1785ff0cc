"""The largest maps that people bring, of 1024 x 1024 cells: how long they take to set up, and how fast they go on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from expedition.exploring import plan_mission
from expedition.mission import run
from expedition.terrain import find_terrain

PLAN = "floorplan:size=102.4"
ROBOTS = 8
TIME_LIMIT = 3600.0
SET_UP, SPEED = 3.0, 30.0
"""At most so many seconds until the first step, and at least so many times real time from there."""


def largest(console: Console, maps: Sequence[Path] = (), time_limit: float = TIME_LIMIT) -> None:
    """Print what a floor plan of that size, and each map given, takes on one core."""
    table = Table(
        "map", "cells", "set-up (s)", "ended", "explored", "simulated (s)", "took (s)", "times real time",
        title=f"{ROBOTS} robots with nearest-frontier and scan matching; aims: set-up below {SET_UP:g} s, at least "
        f"{SPEED:g} times real time",
    )  # fmt: skip
    _mission(PLAN, 2.0)  # Compiles what is not compiled yet.
    for name in (PLAN, *map(str, maps)):
        table.add_row(*_mission(name, time_limit))
    console.print(table)


def _mission(name: str, time_limit: float) -> list[str]:
    begin = time.perf_counter()
    terrain = find_terrain(name)
    started: list[float] = []
    mission = plan_mission(
        terrain, ROBOTS, "nearest-frontier", 1, placement="grouped", stop={"explored": 0.99, "time": time_limit},
        measurements={"resources": False},
    )  # fmt: skip
    result = run(mission, lambda _: started.append(time.perf_counter()))
    took, simulated = time.perf_counter() - started[0], float(result.measurements.times[-1])
    rows, columns = terrain.shape
    return [
        Path(name).name, f"{columns} x {rows}", f"{started[0] - begin:.2f}", result.ending,
        f"{result.metrics['completeness']:.1%}", f"{simulated:,.0f}", f"{took:.1f}", f"{simulated / took:.0f}",
    ]  # fmt: skip
