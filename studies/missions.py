"""Runs many missions on all cores and keeps one row of a table for each, so that an interrupted study goes on."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn


@dataclass(frozen=True)
class Run:
    """One mission of a study."""

    terrain: str
    robots: int
    strategy: str
    seed: int
    localiser: str = "scan-matching"
    merge: str = "greedy"

    @property
    def robot_seconds(self) -> float:
        """A guess of its size, to start the large ones first."""
        return float(self.robots)


FIGURES = (
    "time_s", "t90_s", "t99_s", "completeness", "cost_m", "efficiency_m2_per_m", "collisions_with_walls",
    "collisions_with_others", "map_error_cells", "map_quality", "trajectory_error_mean_m", "trajectory_error_max_m",
    "sent_mb",
)  # fmt: skip


def run_all(runs: Iterable[Run], table: Path) -> list[dict[str, Any]]:
    """The rows of all runs, from the table where it has them already."""
    wanted = {_key(asdict(run)): run for run in runs}
    done = {_key(row): row for row in read(table)}
    missing = sorted((run for key, run in wanted.items() if key not in done), key=lambda run: -run.robot_seconds)
    columns = ("task", MofNCompleteColumn(), TimeRemainingColumn())
    del columns
    with ProcessPoolExecutor(os.cpu_count()) as pool, Progress(*Progress.get_default_columns(), MofNCompleteColumn()) as bar:
        task = bar.add_task(table.stem, total=len(missing))
        futures = {pool.submit(run_one, run): run for run in missing}
        for future in as_completed(futures):
            row = future.result()
            done[_key(row)] = row
            write(table, [done[key] for key in wanted if key in done])
            bar.advance(task)
    return [done[key] for key in wanted]


def run_one(run: Run) -> dict[str, Any]:
    """A mission's row."""
    from expedition import explore

    result = explore(
        run.terrain, run.robots, run.strategy, run.seed, localiser=run.localiser, merge=run.merge
    )
    figures = {name: _rounded(result.metrics[name]) for name in FIGURES}
    return {**asdict(run), "ending": result.ending, **figures}


def read(table: Path) -> list[dict[str, Any]]:
    """The rows of a table, none if there is no such file."""
    if not table.exists():
        return []
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def write(table: Path, rows: list[dict[str, Any]]) -> None:
    """Write a table whole, under another name first."""
    new = table.with_suffix(".new")
    with new.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    new.replace(table)


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("terrain", "robots", "strategy", "seed", "localiser", "merge"))


def _rounded(value: float | None) -> float | str:
    return "" if value is None else float(f"{value:.6g}")
