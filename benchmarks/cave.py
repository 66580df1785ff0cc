"""A hundred and twenty robots in a cave, the mission for which MAES reports real time on a laptop of six cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from benchmarks.missions import time_missions, warm_up
from expedition.exploring import plan_mission
from expedition.measure.stops import DEFAULTS
from expedition.stopwatch import PHASES

ROBOTS = 120
SIZE = 75
TARGET = 5.0
RADIUS = 8.0
"""Metres around one point within which all robots start."""


@dataclass(frozen=True)
class Explorer:
    """A robot, and the side of its map's cells."""

    robot: str
    resolution: float


EXPLORERS = (Explorer("maes", 0.5), Explorer("pioneer-3dx", 0.2))


def cave(
    console: Console,
    robots: int = ROBOTS,
    size: int = SIZE,
    explorers: Sequence[Explorer] = EXPLORERS,
    time_limit: float = 2000.0,
) -> None:
    """Print (f): how much faster than real time, and where the time goes."""
    speed = Table(
        "robot", "map's cells", "x real time", f"of {TARGET:g}", "robot-s/s", "mission s", "ended",
        title=f"(f) {robots} robots in a cave of {size} x {size} m, scan-matching, nearest-frontier, one core",
        caption=(
            "whole missions. MAES's robot has its own lidar of 1 Hz and maps cells of half a metre, as in MAES; the "
            "pioneer has the papers' lidar of 25 Hz and the default map."
        ),
    )  # fmt: skip
    costs = {}
    for explorer in explorers:
        mission = plan_mission(
            f"cave:size={size},seed=1", robots, "nearest-frontier", 1, robot=explorer.robot,
            placement=f"grouped:radius={RADIUS:g}", stop={**DEFAULTS, "time": time_limit},
            settings={"resolution": explorer.resolution},
        )  # fmt: skip
        warm_up(mission)
        costs[explorer.robot] = cost = time_missions([mission], profile=True)
        speed.add_row(
            explorer.robot,
            f"{explorer.resolution:g} m",
            f"{cost.times_real_time:.1f}",
            f"{cost.times_real_time / TARGET:.2f}",
            f"{cost.speed:,.0f}",
            f"{cost.simulated:,.0f}",
            ", ".join(cost.endings),
        )
    console.print(speed)
    parts = Table("phase", *(f"{name}, µs (share)" for name in costs), title="(f) µs a robot-second in the cave")
    for phase in PHASES:
        parts.add_row(phase, *(f"{cost.microseconds(phase):,.0f} ({cost.share(phase):.0%})" for cost in costs.values()))
    console.print(parts)
