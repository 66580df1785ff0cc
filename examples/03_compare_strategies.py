"""Compare strategies: the same missions with each, side by side, as a table, a figure and a picture of one mission.

Every strategy sends eight robots into the maze from the same seeds; missions run on all cores. Strategies of your own
are compared like the others:

    python examples/03_compare_strategies.py --strategies nearest-frontier my_file.py:my_strategy
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import expedition
from expedition.errors import ExpeditionError
from expedition.plotstyle import legend, new_figure, robot_colour, save, tidy

STRATEGIES = ["nearest-frontier", "cost-utility", "coordinated", "min-pos"]


def run_mission(terrain: str, robots: int, strategy: str, seed: int, picture: Path | None) -> dict[str, Any]:
    """Run one mission in a process of its own; the result as plain data, with its series."""
    result = expedition.explore(terrain, robots, strategy, seed)
    if picture is not None:
        result.picture(picture)
    return result.to_dict(series=True)


def run_all(options: argparse.Namespace, console: Console) -> dict[str, list[dict[str, Any]]]:
    """All missions of all strategies, in the order of their seeds."""
    # One short mission first, so that kernels are compiled once and not by every process.
    expedition.explore(options.terrain, options.robots, options.strategies[0], time_limit=5.0)
    missions = [(strategy, seed) for strategy in options.strategies for seed in range(1, options.seeds + 1)]
    done = {}
    with ProcessPoolExecutor(min(options.workers, len(missions))) as pool, Progress(console=console) as progress:
        task = progress.add_task(
            f"{len(missions)} missions, {options.robots} robots, {options.terrain}", total=len(missions)
        )
        running = {
            pool.submit(
                run_mission, options.terrain, options.robots, strategy, seed,
                options.out / "mission.png" if (strategy, seed) == missions[0] else None,
            ): (strategy, seed)
            for strategy, seed in missions
        }  # fmt: skip
        for finished in as_completed(running):
            done[running[finished]] = finished.result()
            progress.advance(task)
    return {strategy: [done[strategy, seed] for seed in range(1, options.seeds + 1)] for strategy in options.strategies}


def spread(records: list[dict[str, Any]], metric: str) -> tuple[float, float]:
    """Mean and standard deviation of a metric over missions."""
    values = np.array([record["metrics"][metric] for record in records])
    return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def show_table(results: dict[str, list[dict[str, Any]]], console: Console) -> None:
    """Mean and spread of each strategy's metrics."""
    table = Table("strategy", "explored", box=None, pad_edge=False, header_style="bold")
    for column in ("time (s)", "cost (m)", "map quality"):
        table.add_column(column, justify="right")
    for strategy, records in results.items():
        succeeded = sum(record["ending"] == "explored" for record in records)
        cells = []
        for metric, pattern in (("time_s", ".0f"), ("cost_m", ".0f"), ("map_quality", ".3f")):
            mean, deviation = spread(records, metric)
            cells.append(f"{mean:{pattern}} ± {deviation:{pattern}}")
        table.add_row(strategy, f"{succeeded} of {len(records)}", *cells)
    console.print(table)


def draw_times(results: dict[str, list[dict[str, Any]]], axes: Axes) -> None:
    """Each mission's time as a point, each strategy's mean as a line."""
    for place, records in enumerate(results.values()):
        times = [record["metrics"]["time_s"] for record in records]
        beside = place + np.linspace(-0.15, 0.15, len(times)) if len(times) > 1 else [place]
        axes.plot(beside, times, "o", markersize=3.5, color=robot_colour(place), alpha=0.8, markeredgecolor="white")
        axes.hlines(np.mean(times), place - 0.3, place + 0.3, color=robot_colour(place), linewidth=1.4)
    axes.set_xticks(range(len(results)), [Path(name).name for name in results], rotation=20, ha="right")
    axes.set(
        ylabel="time (s)", xlim=(-0.5, len(results) - 0.5), ylim=(0, None), title="time to explore: missions and means"
    )


def draw_curves(results: dict[str, list[dict[str, Any]]], axes: Axes) -> list[Any]:
    """What the best map held over time: each mission thin, each strategy's mean bold."""
    handles = []
    last = max(record["series"]["time_s"][-1] for records in results.values() for record in records)
    seconds = np.arange(0.0, last + 1.0)
    for place, (strategy, records) in enumerate(results.items()):
        colour = robot_colour(place)
        curves = []
        for record in records:
            explored = 100 * np.array(record["series"]["explored"]).max(axis=1)
            axes.plot(record["series"]["time_s"], explored, color=colour, linewidth=0.4, alpha=0.5)
            curves.append(np.interp(seconds, record["series"]["time_s"], explored))
        handles += axes.plot(seconds, np.mean(curves, axis=0), color=colour, linewidth=1.4, label=Path(strategy).name)
    axes.set(xlabel="time (s)", ylabel="explored (%)", xlim=(0, last), ylim=(0, 102), title="explored over time")
    return handles


def save_figure(results: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Times on the left, curves on the right."""
    figure = new_figure(17, 7.5)
    times, curves = figure.subplots(1, 2)
    draw_times(results, times)
    handles = draw_curves(results, curves)
    for axes in (times, curves):
        tidy(axes)
        axes.spines[["top", "right"]].set_visible(False)
    legend(curves, handles)
    save(figure, path)


def main() -> None:
    """Run all missions, print the table, and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES, help=f"(default: {' '.join(STRATEGIES)})")
    parser.add_argument("--terrain", default="maze", help="a terrain's name or file (default: maze)")
    parser.add_argument("--robots", type=int, default=8, help="how many robots (default: 8)")
    parser.add_argument("--seeds", type=int, default=5, help="missions of each strategy (default: 5)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the pictures (default: demo)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    results = run_all(options, console)
    show_table(results, console)
    save_figure(results, options.out / "strategies.png")
    console.print(f"\nwrote {options.out / 'strategies.png'} and {options.out / 'mission.png'}")


if __name__ == "__main__":
    try:
        main()
    except ExpeditionError as error:
        sys.exit(f"error: {error}")
