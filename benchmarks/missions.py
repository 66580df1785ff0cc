"""Whole missions, timed: what the robots' software and the simulator cost together, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from expedition.bench.work import set_apart
from expedition.fleet import Fleet
from expedition.mission import Mission, Result, run
from expedition.sim import FlatSimulator
from expedition.sim.observations import FlatObservations
from expedition.sim.protocol import Scans
from expedition.stopwatch import PHASES
from expedition.terrain import Terrain

WARM_UP = 5.0
"""Simulated seconds that run before the clock does, so that kernels are compiled and loaded."""


@dataclass(frozen=True)
class Cost:
    """What one or several missions came to, and the processor time of the thread that ran them."""

    robot_seconds: float
    simulated: float
    spent: float
    phases: dict[str, float]
    endings: tuple[str, ...]
    sent: int = 0
    """Bytes."""

    @property
    def speed(self) -> float:
        """Robot-seconds a second."""
        return self.robot_seconds / self.spent

    @property
    def times_real_time(self) -> float:
        """Simulated seconds a second."""
        return self.simulated / self.spent

    def microseconds(self, phase: str) -> float:
        """What a phase costs one robot for one second."""
        return 1e6 * self.phases.get(phase, 0.0) / self.robot_seconds

    def share(self, phase: str) -> float:
        """A phase's part of all that was measured."""
        return self.phases.get(phase, 0.0) / sum(self.phases.values())


def time_missions(missions: Sequence[Mission], every_scan: bool = False, profile: bool = False) -> Cost:
    """Run missions to their ends. Everything that `run` does is counted, setting up and the metrics included."""
    robot_seconds = simulated = spent = 0.0
    sent = 0
    phases = dict.fromkeys(PHASES, 0.0) if profile else {}
    endings = []
    for mission in missions:
        simulator = EveryScan() if every_scan else FlatSimulator()
        began = time.thread_time()
        result = run(mission, simulator=simulator, profile=profile)
        spent += time.thread_time() - began
        simulated += result.controller.time
        robot_seconds += result.controller.time * len(mission.fleet)
        endings.append(_checked(result))
        sent += int(result.controller.network.bytes_sent.sum())
        for phase, seconds in result.seconds_by_phase.items():
            phases[phase] += seconds
    return Cost(robot_seconds, simulated, spent, phases, tuple(endings), sent)


def warm_up(mission: Mission) -> None:
    """Run the beginning of a mission, to have its kernels at hand, and set apart what is loaded, as a bench does."""
    run(replace(mission, stop={**mission.stop, "time": min(WARM_UP, mission.time_limit)}), simulator=EveryScan())
    set_apart()


def median_and_best(rounds: int, measure: Callable[[], Cost]) -> tuple[Cost, Cost]:
    """The middle and the fastest of several measurements of the same."""
    costs = sorted((measure() for _ in range(rounds)), key=lambda cost: cost.speed)
    return costs[(len(costs) - 1) // 2], costs[-1]


def _checked(result: Result) -> str:
    """How a mission ended; a speed of one that failed would mean nothing."""
    if result.ending in ("failed", "interrupted"):
        raise SystemExit(f"a mission {result.ending}: {result.failure}")
    return result.ending


class EveryScan(FlatSimulator):
    """A simulator whose lidars work out every scan, also those that no one looks at.

    Robots get the same readings as from the flat simulator, so that their missions are the same.
    """

    def reset(self, terrain: Terrain, fleet: Fleet, seed: int) -> FlatObservations:
        """As the flat simulator's."""
        return _Everything(*super().reset(terrain, fleet, seed))

    def advance(self, commands: NDArray[np.float64], duration: float) -> FlatObservations:
        """As the flat simulator's."""
        return _Everything(*super().advance(commands, duration))


class _Everything(FlatObservations):
    def scans(self, robots: Sequence[int] | None = None, latest: bool = False) -> list[Scans]:
        every = super().scans(robots)
        return [_latest(scans) for scans in every] if latest else every


def _latest(scans: Scans) -> Scans:
    last = scans.times == scans.times.max(initial=-1.0)
    return Scans(scans.lidar, scans.robots[last], scans.times[last], scans.ranges[last])
