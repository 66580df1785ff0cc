"""What each robot's software takes of the machine: processor time and memory, as if it ran on a computer of its own.

What a robot's strategy, frontiers and plans take is measured by itself. The rest runs as one kernel call over the fleet
and is shared out: localising and mapping by the scans that each looked at, exchange by the bytes that each sent and
received, the remainder evenly. What the simulator and the monitor take is no robot's. All of it adds up to what the
process used. It differs from run to run and from machine to machine, so no other result depends on it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.measure.memory import memory_of

if TYPE_CHECKING:
    from expedition.controller import Controller

Floats = NDArray[np.float64]

TESTBED = ("set up", "move", "monitor")
"""Phases that are no robot's software."""
BY_SCANS = ("sense", "localise", "map")
BY_BYTES = ("exchange",)


@dataclass
class Resources:
    """What was taken between samples, a row a sample."""

    times: list[float] = field(default_factory=list)
    cpu: list[Floats] = field(default_factory=list)
    """(robots + 1,): seconds of a processor since the last sample; the last is the testbed's own, base included."""
    ram: list[Floats] = field(default_factory=list)
    """(robots + 1,): bytes that each robot's software holds; the last is what the process holds in all."""
    wall: list[float] = field(default_factory=list)
    """Seconds of the clock since the last sample."""


class ResourceMeter:
    """Reads the stopwatch of a controller now and then, and shares out what it finds."""

    def __init__(self, controller: Controller) -> None:
        self.resources = Resources()
        self._controller = controller
        self._began = time.perf_counter()
        self._by_robot = np.zeros(controller.nodes)
        self._together: dict[str, float] = {}
        self._scans = controller.scans_used.copy()
        self._bytes = self._traffic()

    def sample(self, now: float) -> None:
        """Take what was used since the last sample; `now` is the mission's time."""
        watch, robots = self._controller.stopwatch, self._controller.robots
        by_robot, together = watch.by_robot, watch.together
        own = np.array([by_robot[node] for node in range(self._controller.nodes)])
        cpu = np.zeros(robots + 1)
        cpu[:-1] = (own - self._by_robot)[:robots]
        cpu[-1] = (own - self._by_robot)[robots:].sum()
        scans, traffic = self._controller.scans_used.copy(), self._traffic()
        by_scans, by_bytes = _shares(scans - self._scans), _shares(traffic - self._bytes)
        for phase, seconds in together.items():
            spent = seconds - self._together.get(phase, 0.0)
            if phase in TESTBED:
                cpu[-1] += spent
            else:
                even = np.full(robots, 1.0 / robots)
                cpu[:-1] += spent * (by_scans if phase in BY_SCANS else by_bytes if phase in BY_BYTES else even)
        clock = time.perf_counter()
        self.resources.times.append(now)
        self.resources.cpu.append(cpu)
        self.resources.ram.append(memory_of(self._controller))
        self.resources.wall.append(clock - self._began)
        self._by_robot, self._together = own, together
        self._scans, self._bytes, self._began = scans, traffic, clock

    def _traffic(self) -> NDArray[np.int64]:
        network, robots = self._controller.network, slice(self._controller.robots)
        traffic: NDArray[np.int64] = (network.bytes_sent + network.bytes_received).sum(axis=0)
        return traffic[robots]


def _shares(amounts: NDArray[np.int64]) -> Floats:
    total = amounts.sum()
    return amounts / total if total > 0 else np.full(len(amounts), 1.0 / len(amounts))
