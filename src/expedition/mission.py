"""A mission: one run of a fleet through a terrain by a strategy, from a seed to a result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.merging import starts_known
from expedition.controller import Controller
from expedition.decisions import Strategy, StrategyFailed
from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.ground_truth import GroundTruth
from expedition.guard import Guard
from expedition.metrics import metrics_of
from expedition.monitor import Monitor
from expedition.monitor_apart import MonitorApart
from expedition.settings import ControllerSettings
from expedition.sim import FlatSimulator
from expedition.sim.flat import PHYSICS_RATE
from expedition.sim.protocol import Simulator
from expedition.starts import frame_from_starts
from expedition.stopwatch import Stopwatch
from expedition.terrain import Terrain
from expedition.world import World

Ending = Literal["explored", "timed out", "gave up", "failed", "interrupted"]
"""How a mission ends: enough is explored; the time is over; all strategies ended before; one raised; Ctrl-C."""


@dataclass(frozen=True)
class Mission:
    """Everything that a run depends on."""

    terrain: Terrain
    fleet: Fleet
    strategy: Strategy
    strategy_name: str
    seed: int = 0
    settings: ControllerSettings = field(default_factory=ControllerSettings)
    explored: float = 0.99
    """The mission is done when some robot has seen, or was told of, this share of the explorable ground.

    What lies behind a closed door is explorable, what a collapse may bury is too."""
    time_limit: float = 2000.0
    """Seconds after which it counts as failed."""

    def __post_init__(self) -> None:
        if not 0.0 < self.explored <= 1.0:
            raise ExpeditionError(f"explored: a share above 0 and up to 1, found {self.explored}")
        if not (math.isfinite(self.time_limit) and 0.0 < self.time_limit <= 1e7):
            raise ExpeditionError(f"time limit: seconds above 0 and up to 10,000,000, found {self.time_limit}")


@dataclass(frozen=True)
class Progress:
    """How a running mission stands, once a simulated second."""

    time: float
    explored: NDArray[np.float64]
    """Each robot's share."""
    controller: Controller
    monitor: Monitor


@dataclass(frozen=True)
class Result:
    """What a mission came to."""

    mission: Mission
    ending: Ending
    metrics: dict[str, float | None]
    monitor: Monitor
    controller: Controller
    failure: StrategyFailed | None = None
    """Why it failed, with the strategy's traceback in `failure.report`."""
    seconds_by_phase: dict[str, float] = field(default_factory=dict)
    """Computing time; measured, so different in every run."""

    @property
    def succeeded(self) -> bool:
        """Whether enough was explored in time."""
        return self.ending == "explored"

    @property
    def best_robot(self) -> int:
        """The robot that has seen, or was told of, most."""
        return int(np.argmax(self.monitor.series.explored[-1]))

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
) -> Result:
    """Run a mission to its end. `tell` is called once a simulated second.

    A strategy that fails ends the mission as failed, with all that was measured until then; so does Ctrl-C.
    """
    fleet, settings = mission.fleet, mission.settings
    if simulator is None:
        _check_rate(settings.control_rate)
        simulator = FlatSimulator()
    stopwatch = Stopwatch(profile)
    frame = Frame.around(mission.terrain.extent, settings.resolution)
    observations = simulator.reset(mission.terrain, fleet, mission.seed)
    world = World(simulator)
    together = starts_known(settings.merge)
    maps = frame if together else frame_from_starts(mission.terrain, fleet.poses, settings.resolution)
    ending: Ending = "timed out"
    failure = None
    period = 1.0 / settings.control_rate
    ticks = round(mission.time_limit * settings.control_rate)
    sample_ticks = max(1, round(settings.control_rate))
    with Guard(settings.guard) as guard:
        controller = Controller(
            fleet, maps, [mission.strategy] * len(fleet), settings, world, guard, mission.seed, stopwatch
        )
        if together:
            monitor = Monitor(GroundTruth.of(mission.terrain, fleet, frame), fleet, frame)
        else:
            monitor = MonitorApart(world.terrain, fleet, frame, maps)
        stopwatch.lap("set up")
        try:
            for tick in range(ticks + 1):
                commands = controller.step(observations)
                if tick % sample_ticks == 0 or tick == ticks:
                    explored = sample(controller, monitor)
                    if tell is not None:
                        tell(Progress(controller.time, monitor.series.explored[-1], controller, monitor))
                    stopwatch.lap("monitor")
                    if explored >= mission.explored:
                        ending = "explored"
                        break
                    if controller.decisions.done.all():
                        ending = "gave up"
                        break
                if tick < ticks:
                    observations = simulator.advance(commands, period)
                    world.look()
                    stopwatch.lap("move")
                    monitor.follow(world.truth)
                    stopwatch.lap("monitor")
        except StrategyFailed as error:
            ending, failure = "failed", error
        except KeyboardInterrupt:
            ending = "interrupted"
        finally:
            controller.decisions.close()
    if not monitor.series.times or monitor.series.times[-1] < controller.time:
        sample(controller, monitor)
    best = int(np.argmax(monitor.series.explored[-1]))
    metrics = metrics_of(monitor, controller.grids.state[best], monitor.truth_of(best))
    return Result(mission, ending, metrics, monitor, controller, failure, stopwatch.seconds)


def _check_rate(control_rate: float) -> None:
    """The flat simulator moves in ticks of its physics, of which a control period has a whole number."""
    ticks = PHYSICS_RATE / control_rate
    if ticks < 0.5 or abs(ticks - round(ticks)) > 1e-6:
        raise ExpeditionError(
            f"control_rate: must divide the simulator's physics rate of {PHYSICS_RATE:g} Hz, as 5, 10, 12 and 20 do, "
            f"found {control_rate:g}"
        )


def sample(controller: Controller, monitor: Monitor) -> float:
    """Take the measurements of this moment; the largest share explored."""
    network = controller.network
    return monitor.sample(
        controller.tick, controller.localiser.pose, controller.scans, controller.settings.mapping.max_range,
        controller.exchange.merged_until, network.bytes_sent, network.bytes_received,
    )  # fmt: skip
