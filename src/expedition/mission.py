"""A mission: one run of a fleet through a terrain by a strategy, from a seed to a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expedition.belief.grid import Frame
from expedition.belief.merging import starts_known
from expedition.belief.prior import Prior, check_prior, make_prior
from expedition.controller import Controller
from expedition.decisions import Strategy, StrategyFailed
from expedition.errors import ExpeditionError
from expedition.failures import Failure, Faults
from expedition.fleet import Fleet
from expedition.fleet.access import Access
from expedition.guard import Guard
from expedition.measure import schedule, stops
from expedition.measure.ending import with_ending
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.measurements import Measurements
from expedition.measure.metrics import Value, compute
from expedition.measure.monitor import Monitor
from expedition.measure.monitor_apart import MonitorApart
from expedition.measure.progress import Progress
from expedition.navigate.local_parameters import slowest_margin
from expedition.settings import ControllerSettings
from expedition.sim import FlatSimulator
from expedition.sim.flat import PHYSICS_RATE
from expedition.sim.protocol import Simulator
from expedition.starts import frame_from_starts
from expedition.stopwatch import Stopwatch
from expedition.terrain import Terrain
from expedition.watch import Watch
from expedition.world import World

if TYPE_CHECKING:
    from expedition.log.recorder import Recorder

LOOKS_PER_SECOND = 1.0
"""How often the monitor looks at what robots see, and whether the mission is over, in Hz of simulated time."""


@dataclass(frozen=True)
class Mission:
    """Everything that a run depends on."""

    terrain: Terrain
    fleet: Fleet
    strategy: Strategy
    strategy_name: str
    seed: int = 0
    settings: ControllerSettings = field(default_factory=ControllerSettings)
    stop: Mapping[str, Any] = field(default_factory=lambda: stops.DEFAULTS)
    """When it ends, by the names of stop conditions: `{"explored": 0.99, "time": 2000}`."""
    measurements: Mapping[str, Any] = field(default_factory=lambda: schedule.DEFAULTS)
    """What is measured when, by the names of measurements: `{"series": {"every": 1}}`."""
    prior: str | None = None
    """The map that robots are given, as `truth:known=0.5` or a map file; none if not given."""
    failures: tuple[Failure, ...] = ()
    """What fails when."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stop", stops.check_stops(self.stop))
        stops.check_base(self.stop, self.fleet.base is not None)
        if self.fleet.base is not None and not starts_known(self.settings.merge):
            raise ExpeditionError(
                "base: robots that do not know where they start cannot know where their base is; "
                "take another merge than aligned"
            )
        object.__setattr__(self, "measurements", schedule.check_measurements(self.measurements))
        if self.prior is not None:
            check_prior(self.prior)

    @property
    def margin(self) -> float:
        """What robots at their slowest keep between their bodies and walls, in metres."""
        return slowest_margin(self.settings.local)

    @cached_property
    def resolution(self) -> float:
        """The side of the cells of maps in metres: by the settings, or else as the terrain's passages ask for."""
        given = self.settings.resolution
        return self.access.resolution if given is None else given

    @cached_property
    def access(self) -> Access:
        """What the fleet can reach, through what, and what should be known of that."""
        return Access.of(self.terrain, self.fleet, self.settings.resolution, self.margin)

    @property
    def reachable_share(self) -> float:
        """The share of the terrain's free ground that the fleet can reach: it is what there is to explore."""
        return self.access.share

    @property
    def explored(self) -> float:
        """The share of the explorable ground at which it is done; all of it if that is no stop condition."""
        return float(self.stop.get("explored", {}).get("share", 1.0))

    @property
    def time_limit(self) -> float:
        """Seconds after which it counts as failed."""
        return float(self.stop["time"]["seconds"])


@dataclass(frozen=True)
class Result:
    """What a mission came to."""

    mission: Mission
    ending: str
    """How it ended: explored, timed out, gave up (all strategies ended before), failed, interrupted, or otherwise."""
    succeeded: bool
    metrics: dict[str, Value]
    measurements: Measurements
    monitor: Monitor
    controller: Controller
    failure: StrategyFailed | None = None
    """Why it failed, with the traceback of the strategy in `failure.report`."""
    seconds_by_phase: dict[str, float] = field(default_factory=dict)
    """Computing time; measured, so different in every run."""

    @property
    def best_robot(self) -> int:
        """The robot that has seen, or was told of, most."""
        return self.measurements.best_robot

    def to_dict(self, series: bool = False) -> dict[str, Any]:
        """Everything as plain data, the same in every run: parameters, ending, metrics, robots; `series` on request."""
        from expedition.record import record_of

        return record_of(self, series)

    def picture(self, path: str | Path) -> Path:
        """Write a picture as PNG, SVG or PDF: who drove where and saw what first, and the map with its errors."""
        from expedition.picture import save_picture

        return save_picture(self, path)


def run(
    mission: Mission,
    tell: Callable[[Progress], None] | None = None,
    simulator: Simulator | None = None,
    profile: bool = False,
    record: Recorder | None = None,
) -> Result:
    """Run a mission to its end. `tell` is called once a simulated second; `record` writes a log of it.

    A strategy that fails ends the mission as failed, with all that was measured until then; so does Ctrl-C.
    """
    fleet, settings = mission.fleet, mission.settings
    if simulator is None:
        check_rate(settings.control_rate)
        simulator = FlatSimulator()
    faults = Faults(mission.failures, len(fleet), mission.seed)
    stopwatch = Stopwatch(profile or "resources" in mission.measurements)
    frame = Frame.around(mission.terrain.extent, mission.resolution)
    observations = simulator.reset(mission.terrain, fleet, mission.seed)
    world = World(simulator)
    together = starts_known(settings.merge)
    maps = frame if together else frame_from_starts(mission.terrain, fleet.poses, mission.resolution)
    prior = None
    if mission.prior is not None:
        given = make_prior(mission.prior, mission.terrain, mission.seed)
        prior = Prior(given, maps, None if together else fleet.poses)
    end: stops.End | None = None
    failure = None
    period = 1.0 / settings.control_rate
    ticks = math.ceil(mission.time_limit * settings.control_rate - 1e-6)
    look_ticks = max(1, round(settings.control_rate / LOOKS_PER_SECOND))
    sample_ticks = max(1, round(mission.measurements["series"]["every"] * settings.control_rate))
    with Guard(settings.guard) as guard:
        controller = Controller(
            fleet,
            maps,
            [mission.strategy] * len(fleet),
            settings,
            world,
            guard,
            mission.seed,
            stopwatch,
            prior,
            faults,
            changing=_may_change(mission),
        )
        if together:
            monitor = Monitor(GroundTruth.of(mission.terrain, fleet, frame, mission.margin), fleet, frame)
        else:
            monitor = MonitorApart(world.terrain, fleet, frame, maps, mission.margin)
        watch = Watch(mission.stop, mission.measurements, controller, monitor)
        try:
            if record is not None:
                with guard.undisturbed():
                    record.begin(mission, controller, monitor)
            stopwatch.lap("set up")
            for tick in range(ticks + 1):
                faults.advance(observations.time)
                commands = controller.step(observations)
                with guard.undisturbed():
                    progress = None
                    watch.see()
                    if tick % look_ticks == 0 or tick == ticks:
                        progress, end = watch.look()
                    if tick % sample_ticks == 0 or end is not None:
                        watch.measure(progress)
                    if progress is not None and tell is not None:
                        tell(progress)
                    if record is not None:
                        record.take(progress)
                stopwatch.lap("monitor")
                if end is not None:
                    break
                observations = simulator.advance(commands, period)
                world.look()
                controller.spend_energy(period)
                stopwatch.lap("move")
                monitor.follow(world.truth)
                stopwatch.lap("monitor")
        except StrategyFailed as error:
            end, failure = stops.End("failed", False), error
        except KeyboardInterrupt:
            end = stops.End("interrupted", False)
        finally:
            controller.decisions.close()
    assert end is not None  # at the limit of time at the latest
    measurements = watch.measurements(end, failure)
    metrics = compute(measurements)
    measurements = with_ending(measurements, metrics, failure)
    if record is not None:
        record.finish(measurements.events)
    return Result(
        mission, end.ending, end.succeeded, metrics, measurements, monitor, controller, failure,
        stopwatch.seconds if profile else {},
    )  # fmt: skip


def _may_change(mission: Mission) -> bool:
    """Whether robots reckon with walls that come and go: by their settings, or else if there are any."""
    changing = mission.settings.mapping.changing
    return any(change.kind != "person" for change in mission.terrain.changes) if changing is None else changing


def check_rate(control_rate: float) -> None:
    """The flat simulator moves in ticks of its physics, of which a control period has a whole number."""
    ticks = PHYSICS_RATE / control_rate
    if ticks < 0.5 or abs(ticks - round(ticks)) > 1e-6:
        raise ExpeditionError(
            f"control_rate: must divide the simulator's physics rate of {PHYSICS_RATE:g} Hz, as 5, 10, 12 and 20 do, "
            f"found {control_rate:g}"
        )
