"""Exploring in one call, from names to a result."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from expedition.errors import ExpeditionError, shorten
from expedition.failures import Given, read_failures
from expedition.fleet import Fleet
from expedition.fleet.base import Place
from expedition.fleet.fleet import Robots
from expedition.measure import schedule, stops
from expedition.measure.progress import Progress
from expedition.mission import Mission, Result, run
from expedition.navigate.local_parameters import slowest_margin
from expedition.settings import ControllerSettings
from expedition.spec import validate
from expedition.strategies import make_strategy
from expedition.terrain import Terrain, find_terrain


def explore(
    terrain: Terrain | str = "maze",
    robots: int = 8,
    strategy: str | Callable[..., Any] = "nearest-frontier",
    seed: int = 0,
    *,
    robot: Robots = "pioneer-3dx",
    placement: str = "auto",
    base: Place = None,
    prior: str | None = None,
    failures: Given = None,
    parameters: Mapping[str, Any] | None = None,
    explored: float = 0.99,
    time_limit: float = 2000.0,
    stop: Mapping[str, Any] | None = None,
    measurements: Mapping[str, Any] | None = None,
    tell: Callable[[Progress], None] | None = None,
    profile: bool = False,
    record: str | Path | None = None,
    **settings: Any,
) -> Result:
    """Send robots into a terrain and see how they do.

    `base` is where a base station stands: "start" for where the first robot does, or a point (x, y).
    `failures` are what fails when, as "robot:rate_per_hour=2 + radio:at=60,lasts=30".
    `prior` is a map that robots are given: a map file, or "truth:known=0.5,wrong=0.1" for half the terrain with errors.
    `strategy` is a name such as "cost-utility:range=8", a file's "my_file.py:my_strategy", or the function itself, with
    its `parameters`. `settings` are those of the robots' software, such as localiser="perfect".

    >>> result = explore(terrain="cross", robots=2, seed=1, localiser="perfect")
    >>> result.ending
    'explored'
    >>> result.picture("cross.png")

    It ends when one robot knows the share `explored`, or after `time_limit` seconds; `stop` has further conditions, as
    in {"no-frontier": True}. `tell` is called once a simulated second; `profile` measures what the parts of the
    software cost; `record` is the file of a log to write, such as "log.mcap".
    """
    mission = plan_mission(
        terrain, robots, strategy, seed, robot, placement, parameters,
        {"explored": explored, "time": time_limit, **(stop or {})}, measurements, settings, base, prior, failures,
    )  # fmt: skip
    if record is None:
        return run(mission, tell, profile=profile)
    from expedition.log.recorder import Recorder

    recorder = Recorder(record)
    result = run(mission, tell, profile=profile, record=recorder)
    if recorder.failure is not None:
        warnings.warn(recorder.failure, RuntimeWarning, stacklevel=2)
    return result


def plan_mission(
    terrain: Terrain | str,
    robots: int,
    strategy: str | Callable[..., Any],
    seed: int = 0,
    robot: Robots = "pioneer-3dx",
    placement: str = "auto",
    parameters: Mapping[str, Any] | None = None,
    stop: Mapping[str, Any] = stops.DEFAULTS,
    measurements: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    base: Place = None,
    prior: str | None = None,
    failures: Given = None,
) -> Mission:
    """The mission that `explore` runs."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ExpeditionError(f"seed: expected a whole number, found {shorten(seed)}")
    name, bound = make_strategy(strategy, parameters)
    name = spelled(name, parameters or {})
    controller = validate(ControllerSettings, dict(settings or {}), "settings")
    ground = find_terrain(terrain) if isinstance(terrain, str) else terrain
    fleet = Fleet.of(
        robot, robots, ground, placement, seed, base=base, resolution=controller.resolution,
        margin=slowest_margin(controller.local),
    )  # fmt: skip
    return Mission(
        ground, fleet, bound, name, seed, controller, stop, {**schedule.CONTACTS, **(measurements or {})}, prior,
        read_failures(failures),
    )  # fmt: skip


def spelled(strategy: str, parameters: Mapping[str, Any]) -> str:
    """A strategy with its parameters, as one writes them in one line: `cost-utility:range=8,weight=0.5`."""
    if not parameters:
        return strategy
    _, _, written = strategy.rpartition(".py:")
    joint = "," if ":" in written else ":"
    return strategy + joint + ",".join(f"{name}={value}" for name, value in parameters.items())
