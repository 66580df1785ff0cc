"""What is known of a mission once it has ended, as plain data beside its series: what metrics need, and name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition.energy import KINDS
from expedition.fleet.clearance import narrowest_opening
from expedition.measure.activities import activity_seconds, broken_down
from expedition.measure.monitor import Monitor
from expedition.navigate.local_parameters import slowest_margin

if TYPE_CHECKING:
    from expedition.controller import Controller


def ground_facts(controller: Controller, monitor: Monitor) -> dict[str, Any]:
    """The ground, who was the first to see how much of it, what robots pass, and what computers they have."""
    models, cell = controller.fleet.models, monitor.frame.resolution**2
    margin = slowest_margin(controller.settings.local)
    return {
        "reachable_share": monitor.truth.reachable_share,
        "opening_m": min(narrowest_opening(model.body, monitor.frame.resolution, margin) for model in models),
        "explorable_cells": monitor.explorable_cells,
        "cell_m2": cell,
        "ground_m2": monitor.explorable_cells * cell,
        "saw_first": (monitor.first_count / monitor.explorable_cells).tolist(),
        "cpus": [model.computer.cpus if model.computer else 1 for model in models],
        "ram_gb": [model.computer.ram_gb if model.computer else None for model in models],
        "origin": list(monitor.frame.origin),
        "resolution": monitor.frame.resolution,
    }


def team_facts(controller: Controller, monitor: Monitor, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What each robot did with its time, sent and received, and what else applies: failures, roles, batteries.

    What does not apply to a mission is not there, and so are the metrics that need it.
    """
    network, faults, energy, robots = controller.network, controller.faults, controller.energy, controller.robots
    facts: dict[str, Any] = {
        "sensing_s": monitor.sensing.tolist(),
        "resensing_s": monitor.resensing.tolist(),
        "sent_bytes": _by_channel(network.names, network.bytes_sent[:, :robots]),
        "received_bytes": _by_channel(network.names, network.bytes_received[:, :robots]),
        "sent_messages": _by_channel(network.names, network.messages_sent[:, :robots]),
        "received_messages": _by_channel(network.names, network.messages_received[:, :robots]),
    }
    happened = Counter(event["event"] for event in events if event["robot"] is None or event["robot"] < robots)
    if happened["role"]:
        facts["role_swaps"] = happened["role swap"]
    if happened["activity"]:
        facts["activity_s"] = activity_seconds(controller.declared, faults.events, robots, controller.time)
    if faults.is_possible or energy.is_counted:
        facts["breakdowns"] = happened["breakdown"]
        facts["broken_down"] = broken_down(events)
    if faults.is_possible or not all(channel.is_ideal for channel in network.channels):
        facts["messages_dropped"] = int(network.dropped.sum())
    if energy.is_counted:
        facts["energy_j"] = dict(zip(KINDS, energy.used.T.tolist(), strict=True))
    return facts


def base_facts(controller: Controller, monitor: Monitor) -> dict[str, Any]:
    """Where the base station is, how long robots were in contact with it, and how old its news were; none without."""
    base = controller.fleet.base
    if base is None:
        return {}
    contacts, known = monitor.network_contacts, monitor.base_tick >= 0
    age = (monitor.base_tick - monitor.first_tick)[known] / controller.settings.control_rate
    return {
        "base": [base.x, base.y],
        "base_direct_s": contacts.direct_s.tolist(),
        "base_contact_s": contacts.with_base_s.tolist(),
        "base_longest_away_s": contacts.longest_away_s.tolist(),
        "news_latency_mean_s": float(age.mean()) if age.size else None,
        "news_latency_max_s": float(age.max()) if age.size else None,
    }


def _by_channel(names: Sequence[str], amounts: NDArray[np.int64]) -> dict[str, list[int]]:
    return dict(zip(names, amounts.tolist(), strict=True))
