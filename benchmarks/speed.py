"""Robot-seconds a second: how fast whole fleets run, every scan taken, and how the cost grows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.world import BEAMS, RANGE, SIZE, fleet, world
from expedition.plotstyle import new_figure, robot_colour, save, tidy
from expedition.sim import FlatSimulator
from expedition.streams import generator

PERIOD = 0.1
ROUNDS = 5
FLEETS = (1, 10, 30, 120, 1000)
# What people use instead, measured elsewhere on one core of a machine of this kind: N = 1, 10, 30, 120.
OTHERS = {"ARGoS3": (1546, 1543, 1244, 1011), "Stage 4.3": (1037, 1153, 1009, 711)}


@dataclass(frozen=True)
class Speed:
    """One measurement: the median over rounds, and where the time went."""

    robot_seconds_per_second: float
    seconds_per_robot_second: float
    moving: float  # shares of the time
    sensing: float


def measure(
    robots: int, beams: int = BEAMS, lidar_range: float = RANGE, size: float = SIZE, seconds: float | None = None
) -> Speed:
    """Drive a fleet about and take every scan and odometry reading."""
    terrain = world(size)
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet(robots, terrain, beams, lidar_range), seed=1)
    rng = generator(1, "benchmark/commands")
    periods = max(20, min(600, 6000 // robots)) if seconds is None else round(seconds / PERIOD)
    # A new command a second for each robot: forward, with some turning.
    commands = [rng.uniform((0.3, 0, -1), (1.2, 0, 1), (robots, 3)) for _ in range(1 + periods // 10)]
    for _ in range(3):
        simulator.advance(commands[0], PERIOD).scans()
    totals, moves = [], []
    for _ in range(ROUNDS):
        moving = 0.0
        start = time.perf_counter()
        for period in range(periods):
            before = time.perf_counter()
            observations = simulator.advance(commands[period // 10], PERIOD)
            moving += time.perf_counter() - before
            observations.scans()
            observations.odometry()
        totals.append(time.perf_counter() - start)
        moves.append(moving)
    total = float(np.median(totals))
    share = float(np.median(np.array(moves) / np.array(totals)))
    simulated = robots * periods * PERIOD
    return Speed(simulated / total, total / simulated, share, 1.0 - share)


def fleets(console: Console) -> None:
    """Print (b): robot-seconds a second by fleet size."""
    table = Table(
        "robots", "robot-s/s", "x real time", "moving", "sensing", *OTHERS,
        title=f"(b) {BEAMS}-beam {RANGE:g} m lidar at 10 Hz with noise, {SIZE} x {SIZE} m, 10 % obstacles, one core",
        caption="the other simulators were measured elsewhere, without noise, on a machine of this kind",
    )  # fmt: skip
    for place, robots in enumerate(FLEETS):
        speed = measure(robots)
        others = [f"{rates[place]:,}" if place < len(rates) else "" for rates in OTHERS.values()]
        rate = speed.robot_seconds_per_second
        table.add_row(
            f"{robots:,}",
            f"{rate:,.0f}",
            f"{rate / robots:,.1f}",
            f"{speed.moving:.0%}",
            f"{speed.sensing:.0%}",
            *others,
        )
    console.print(table)


def growth(console: Console, folder: Path) -> None:
    """Print and plot (c): microseconds for one robot's second as each thing grows."""
    sweeps: dict[str, tuple[list[float], Callable[[float], Speed]]] = {
        "robots": ([1, 3, 10, 30, 100, 300, 1000], lambda value: measure(int(value))),
        "beams": ([45, 90, 180, 360, 720], lambda value: measure(30, beams=int(value))),
        "range in m": ([3, 6.5, 13, 26, 52], lambda value: measure(30, lidar_range=value)),
        "terrain side in m": ([20, 40, 80, 160, 320], lambda value: measure(10, size=value)),
    }
    figure = new_figure(17, 5)
    table = Table("what grows", "values", "µs a robot-second", title="(c) how the cost of one robot's second grows")
    for place, (name, (values, run)) in enumerate(sweeps.items()):
        cost = [run(value).seconds_per_robot_second * 1e6 for value in values]
        table.add_row(name, "  ".join(f"{value:g}" for value in values), "  ".join(f"{one:.0f}" for one in cost))
        axes = figure.add_subplot(1, len(sweeps), place + 1, sharey=figure.axes[0] if figure.axes else None)
        axes.plot(values, cost, marker="o", markersize=3, linewidth=1, color=robot_colour(0))
        axes.set_xscale("log")
        axes.minorticks_off()
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.set_ylim(0, None)
        axes.set_xlabel(name)
        if place == 0:
            axes.set_ylabel("µs per robot-second")
        else:
            axes.tick_params(labelleft=False)
        tidy(axes)
    console.print(table)
    picture = folder / "growth.png"
    save(figure, picture)
    console.print(f"wrote {picture}")
