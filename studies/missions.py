"""Runs the missions of a study on all cores and keeps each in the study's table, so that an interrupted one goes on."""

from __future__ import annotations

import math
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from expedition.cli.assignments import pairs
from expedition.exploring import plan_mission
from expedition.measure.stops import DEFAULTS
from expedition.mission import run as run_mission
from expedition.settings import nested
from studies.reckoning import ReckoningSimulator
from studies.strategies import OWN
from studies.table import FIGURES, Row, Run, read, write


def run_all(runs: Iterable[Run], table: Path, workers: int, console: Console) -> list[Row]:
    """The rows of all runs; those that the table has are not run again, and it keeps those not asked for."""
    wanted = list(dict.fromkeys(runs))
    done = read(table)
    # The large ones first, so that no core idles at the end while one of them is still to run.
    missing = sorted((run for run in wanted if run not in done), key=lambda run: -run.robots)
    with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console, disable=not missing) as bar:
        task = bar.add_task(table.stem, total=len(missing))
        for row in _rows(missing, workers):
            done[row.run] = row
            write(table, done.values())
            bar.advance(task)
    return [done[run] for run in wanted]


def run_one(run: Run) -> Row:
    """Run a mission."""
    common = {"localiser": run.localiser, "merge": run.merge}
    settings = nested(pairs(run.settings.split(), "settings", common), lambda name: f"settings {name}")
    strategy = OWN.get(run.strategy, run.strategy)
    mission = plan_mission(
        run.terrain,
        run.robots,
        strategy,
        run.seed,
        run.robot,
        stop={**DEFAULTS, "time": run.time_limit},
        settings=settings,
    )
    simulator = ReckoningSimulator()
    result = run_mission(mission, simulator.compare, simulator)
    if result.ending == "interrupted":
        raise KeyboardInterrupt
    # None at all where the strategy failed at once; such a mission is a row like any other.
    errors = np.array(simulator.errors or [np.array([math.nan])])
    found = {
        **result.metrics,
        "reckoning_error_mean_m": float(errors.mean()),
        "reckoning_error_max_m": float(errors.max()),
    }
    return Row(run, result.ending, {name: _number(found[name]) for name in FIGURES})


def _rows(runs: list[Run], workers: int) -> Iterator[Row]:
    """Rows as they are done. One worker is this process, which is easier to debug."""
    if workers == 1 or len(runs) < 2:
        yield from map(run_one, runs)
        return
    # A moment of one mission first: kernels that are not compiled yet are compiled once, and not by each worker.
    run_one(replace(runs[0], time_limit=2.0))
    # Forking would copy the thread that draws the progress bar in the middle of whatever it does.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(runs)), fresh, initializer=_leave_interrupts) as pool:
        try:
            for future in as_completed([pool.submit(run_one, run) for run in runs]):
                yield future.result()
        except BaseException:
            # Else the pool would run all that is left before the error, or Ctrl-C, is heard of.
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that waits for the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _number(value: float | None) -> float:
    """A figure with the digits that the table keeps, so that a new row and one read from it are equal."""
    return math.nan if value is None else float(f"{value:.6g}")
