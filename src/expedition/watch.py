"""Watches a mission: its stop conditions, and what is measured of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.controller import Controller
from expedition.failure import StrategyFailed, guarded
from expedition.measure import schedule, stops
from expedition.measure.activities import declared_events
from expedition.measure.columns import CONTACT
from expedition.measure.delivery import Delivery
from expedition.measure.facts import base_facts, ground_facts, team_facts
from expedition.measure.measurements import Measurements
from expedition.measure.metrics.maps import known_cells, map_error
from expedition.measure.monitor import Monitor
from expedition.measure.progress import Progress
from expedition.measure.resources import ResourceMeter, Resources
from expedition.measure.states import Standstill


class Watch:
    """Watches a mission for its stop conditions, and gathers what is measured of it."""

    def __init__(
        self, stop: Mapping[str, Any], measurements: Mapping[str, Any], controller: Controller, monitor: Monitor
    ) -> None:
        """The conditions and measurements are checked already."""
        self._stop = stop
        self._taken = measurements
        self._controller = controller
        self._monitor = monitor
        self._ends = stops.make_stops(stop)
        self._own = schedule.own_measurements(measurements)
        self._delivery: Delivery | None = None
        self._standstill = Standstill(controller, monitor.standstills)
        self._meter = ResourceMeter(controller)
        self._meter_every = float(measurements.get("resources", {"every": math.inf})["every"])

    def see(self) -> None:
        """Follow what robots put into their maps."""
        controller = self._controller
        if controller.mapped:
            self._monitor.see(controller.tick - 1, controller.mapped, controller.settings.mapping.max_range)

    def look(self) -> tuple[Progress, stops.End | None]:
        """See what the robots see now, and say whether and how the mission ends with it."""
        controller = self._controller
        self._monitor.see(controller.tick - 1, controller.scans, controller.settings.mapping.max_range)
        self._standstill.look()
        self._monitor.look(controller.tick - 1, controller.exchange.merged_until, controller.network.links)
        progress = self._progress()
        end = guarded("stop condition", progress.time, partial(self._ends, progress)) or self._end_of_work()
        return (progress if end is None else replace(progress, is_last=True)), end

    def _end_of_work(self) -> stops.End | None:
        """How a mission ends in which no robot does anything any more, and nothing is on its way to the base."""
        controller = self._controller
        done, gone = controller.decisions.done[: controller.robots], controller.faults.down_for_good
        if not (done | gone).all():
            return None
        if gone.all() and not done.all():
            return stops.End("no robot left", False)
        if controller.fleet.base is not None:
            have, time = controller.exchange.have, controller.time
            self._delivery = self._delivery or Delivery(have, time)
            if self._delivery.is_under_way(have, controller.base_heard_at, time):
                return None
        return stops.End("gave up", False)

    def measure(self, progress: Progress | None = None) -> None:
        """Take a sample of the series, and all other measurements that are due with it."""
        progress = progress or self._progress()
        self._monitor.series.samples.append(progress.sample)
        times = self._meter.resources.times
        if not times or progress.is_last or progress.time >= times[-1] + self._meter_every - 1e-6:
            self._meter.sample(progress.time)
        for own in self._own:
            guarded(f"measurement {own.name}", progress.time, partial(own.take, progress))

    def measurements(self, end: stops.End, failure: StrategyFailed | None) -> Measurements:
        """All that was measured, once the mission has ended."""
        monitor, controller = self._monitor, self._controller
        samples = monitor.series.samples
        if not samples or samples[-1].time < controller.time:
            samples.append(self._progress().sample)
            self._meter.sample(samples[-1].time)
        best = int(np.argmax(samples[-1].explored))
        state = controller.grids.state[best]
        truth = monitor.truth_of(best, controller.world.terrain if controller.world.terrain.changes else None)
        resources = self._meter.resources if "resources" in self._taken else Resources()
        maps = self._maps(best, state) if "maps" in self._taken else {}
        events = events_of(controller, monitor, end, failure)
        facts = {
            "ending": end.ending, "succeeded": end.succeeded, "time_limit": self._stop["time"]["seconds"],
            "map_error_cells": map_error(state, truth), "map_known_cells": known_cells(state, truth),
            **ground_facts(controller, monitor), **team_facts(controller, monitor, events),
            **base_facts(controller, monitor),
        }  # fmt: skip
        contacts = monitor.network_contacts.table if "contacts" in self._taken else np.empty((0, len(CONTACT)))
        return Measurements.of(samples, self._own, resources, events, maps, facts, contacts)

    def _progress(self) -> Progress:
        controller, network = self._controller, self._controller.network
        energy = controller.energy.used.sum(axis=1) if controller.energy.is_counted else np.zeros(0)
        sample = self._monitor.sample(
            controller.localiser.pose, network.bytes_sent, network.bytes_received, network.links, energy
        )
        return Progress(sample.time, sample.explored, controller, self._monitor, sample)

    def _maps(self, best: int, state: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        monitor, period = self._monitor, 1.0 / self._controller.settings.control_rate
        maps: dict[str, NDArray[Any]] = {
            "first_seen": monitor.first_seen,
            "seen_at": _seconds(monitor.first_tick, period),
            "covered_at": monitor.covered_at,
            "explorable": monitor.truth.explorable,
            "map": monitor.in_world(best, state),
        }
        if monitor.base_tick.size:
            maps["known_at_base"] = _seconds(monitor.base_tick, period)
            maps["base_map"] = self._controller.grids.state[-1]
        if self._controller.nodes > 1:
            maps["contact_s"] = monitor.network_contacts.pairs_s.astype(np.float32)
        return maps


def _seconds(ticks: NDArray[np.int32], period: float) -> NDArray[np.float32]:
    """The times of ticks; NaN where there is none."""
    return np.where(ticks >= 0, ticks * period, np.nan).astype(np.float32)


def events_of(
    controller: Controller, monitor: Monitor, end: stops.End, failure: StrategyFailed | None
) -> list[dict[str, Any]]:
    """What happened in a mission, in order of time: collisions, notes, roles, breakdowns, contact, and how it ended."""
    events: list[dict[str, Any]] = [
        {"time_s": contact.time, "event": "collision", "robot": contact.robot, "with": contact.other}
        for contact in monitor.contacts
    ]
    events += [
        {"time_s": time, "event": "note", "robot": robot, "text": text} for time, robot, text in controller.notes
    ]
    events += declared_events(controller.declared)
    events += controller.faults.events
    events += monitor.network_contacts.events
    events += monitor.standstills
    events.sort(key=lambda event: event["time_s"])
    if failure is not None:
        events.append({"time_s": failure.time, "event": "failure", "robot": failure.robot, "text": str(failure)})
    events.append({"time_s": controller.time, "event": "end", "robot": None, "text": end.ending})
    return events
