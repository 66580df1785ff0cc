"""A mission of the study, and the row that it leaves."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from expedition.exploring import plan_mission
from expedition.mission import Result, run
from expedition.outlook import frontiers
from expedition.terrain import Terrain
from studies.maps.terrains import terrain_of

Floats = NDArray[np.float64]

TIME_LIMIT = 3600.0
EXPLORED = 0.99
ROBOT, PLACEMENT = "pioneer-3dx", "grouped"
STANDING = 0.1
"""Metres that a robot may drive while it stands still: turning on the spot and odometry's rounding are no progress."""
LONGEST_REASON = 200

FIGURES = (
    "explored_share", "time_s", "stood_still_s", "nothing_new_s", "collisions_with_walls", "collisions_with_others",
    "distance_m", "trajectory_error_mean_m", "trajectory_error_max_m", "reachable_share", "cell_size_m",
    "frontiers_left",
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Case:
    """All that a mission depends on, besides the code."""

    terrain: str
    strategy: str
    robots: int
    localiser: str
    seed: int = 1
    time_limit_s: float = TIME_LIMIT

    def __str__(self) -> str:
        return f"{self.terrain} {self.strategy} {self.robots} {self.localiser}"


@dataclass(frozen=True)
class Row:
    """What came of it."""

    case: Case
    ending: str
    """`raised` if it ended by an error of ours, which `reason` then tells."""
    succeeded: bool
    figures: dict[str, float] = field(default_factory=dict)
    """By the names in `FIGURES`; NaN for what there is not."""
    at_end: str = ""
    """What the robots were about when it ended, as "2 driving, 1 blocked"."""
    reason: str = ""

    def __getitem__(self, figure: str) -> float:
        return self.figures.get(figure, math.nan)


@dataclass(frozen=True)
class Job:
    """A mission to run: where its map lies, and where what is not kept with the code goes."""

    case: Case
    maps: Path | None = None
    store: Path | None = None
    with_trajectories: bool = False
    """Whether to keep the robots' ways for the figure."""


@dataclass(frozen=True)
class Done:
    """A mission that was run, and the seconds that it took, which differ from machine to machine."""

    row: Row
    seconds: float = math.nan


def carry_out(job: Job) -> Done:
    """Run a mission. An error of ours is a row too; only Ctrl-C is not."""
    began = time.perf_counter()
    try:
        result = _run(job)
    except Exception as error:
        return Done(raised(job.case, f"{type(error).__name__}: {error}"), time.perf_counter() - began)
    seconds = time.perf_counter() - began
    if result.ending == "interrupted":
        raise KeyboardInterrupt
    row = row_of(job.case, result)
    if job.store is not None:
        _keep(job, job.store, result, row.succeeded)
    return Done(row, seconds)


def raised(case: Case, reason: str) -> Row:
    """The row of a mission that did not come to an ending."""
    return Row(case, "raised", False, reason=_one_line(reason))


def row_of(case: Case, result: Result) -> Row:
    """What a mission came to."""
    metrics, measured = result.metrics, result.measurements
    found = {
        "explored_share": metrics["completeness"],
        "stood_still_s": longest_still(measured.times, measured.travelled),
        "nothing_new_s": longest_still(measured.times, measured.union[:, None], 1e-9),
        "distance_m": metrics["cost_m"],
        "reachable_share": result.mission.reachable_share,
        "cell_size_m": result.mission.resolution,
        "frontiers_left": len(frontiers(result.controller, result.best_robot, None)),
    }
    figures = {name: _number(found.get(name, metrics.get(name))) for name in FIGURES}
    reason = "" if result.failure is None else _one_line(str(result.failure))
    return Row(case, result.ending, result.succeeded, figures, _at_end(result), reason)


def longest_still(times: Floats, amounts: Floats, tolerance: float = STANDING) -> float:
    """The longest stretch of time in which none of the amounts (samples, robots) grew by more than the tolerance.

    Amounts never fall, so as a stretch begins later it cannot end earlier: both its ends only move on.
    """
    longest, last = 0.0, 0
    for first in range(len(times)):
        last = max(last, first)
        while last + 1 < len(times) and bool(np.all(amounts[last + 1] - amounts[first] <= tolerance)):
            last += 1
        longest = max(longest, float(times[last] - times[first]))
    return longest


def trajectories_file(store: Path, terrain: str) -> Path:
    """Where the robots' ways of the mission that the figure shows are kept."""
    return store / "trajectories" / f"{_as_name(terrain)}.npz"


def _run(job: Job) -> Result:
    case = job.case
    terrain = terrain_of(case.terrain, job.maps)
    stop = {"explored": EXPLORED, "time": case.time_limit_s}
    settings = {"localiser": case.localiser}
    return run(
        plan_mission(
            terrain, case.robots, case.strategy, case.seed, ROBOT, PLACEMENT, stop=stop, settings=settings,
            measurements={"resources": False},
        )
    )  # fmt: skip


def _keep(job: Job, store: Path, result: Result, succeeded: bool) -> None:
    """The ways for the figure, and a picture of a mission that failed, for whoever asks why."""
    picture = store / "failed" / f"{_as_name(str(job.case))}.png"
    picture.unlink(missing_ok=True)
    if not succeeded:
        picture.parent.mkdir(parents=True, exist_ok=True)
        result.picture(picture)
    if job.with_trajectories:
        terrain: Terrain = result.mission.terrain
        file = trajectories_file(store, job.case.terrain)
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            file, walls=terrain.occupied, extent=np.array(terrain.extent), ways=result.measurements.poses[:, :, :2]
        )


def _at_end(result: Result) -> str:
    """How many robots drive, are blocked and so on, and whose strategies have ended."""
    robots = len(result.mission.fleet)
    follower, done = result.controller.follower, result.controller.decisions.done
    states = Counter("done" if done[robot] else follower.status_name(robot) for robot in range(robots))
    return ", ".join(f"{count} {state}" for state, count in states.most_common())


def _number(value: float | None) -> float:
    """A figure with the digits that the table keeps, so that a new row and one read from it are equal."""
    return math.nan if value is None else float(f"{value:.6g}")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def _as_name(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in text)
