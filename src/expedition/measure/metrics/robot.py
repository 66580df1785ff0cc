"""Metrics of robots, as the mean over a fleet: network, processor and memory (Yan et al. 2017, section 3.3.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.measure.measurements import Measurements
from expedition.measure.metrics.metric import Value, described, metric

Channel = str | None


@metric("connected_mean")
@described("connectivity", "%", "higher", "{:.1%}")
def connected_mean(m: Measurements) -> Value:
    """The share of the robots in the largest group that can talk to one another, mean over time.

    Robots talk to one another directly, by way of others, or over a base station.
    """
    return float(m.connected.mean())


@metric("connected_all")
@described("time all connected", "%", "higher", "{:.1%}")
def connected_all(m: Measurements) -> Value:
    """The share of the time in which every robot could reach every other, directly or by way of others."""
    return float((m.connected >= 1.0 - 1e-9).mean())


@metric("sent_mb")
@described("traffic sent", "MB", "lower", "{:,.2f}")
def sent_mb(m: Measurements, *, channel: Channel = None) -> Value:
    """By all robots together: maps, messages and beacons; over one channel of several as in sent_mb:channel=lora."""
    return float(m.sent[-1].sum()) / 1e6 if channel is None else _over(m.facts.get("sent_bytes", {}), channel)


@metric("received_mb")
@described("traffic received", "MB", "lower", "{:,.2f}")
def received_mb(m: Measurements, *, channel: Channel = None) -> Value:
    """By all robots together; over one channel of several as in received_mb:channel=lora."""
    return float(m.received[-1].sum()) / 1e6 if channel is None else _over(m.facts.get("received_bytes", {}), channel)


@metric("sent_kb_per_s")
@described("traffic sent by a robot", "kB/s", "lower", "{:,.2f}")
def sent_kb_per_s(m: Measurements) -> Value:
    """Equation 8 of the kilobytes that a robot sends in a second, measured every 5 s."""
    return robot_mean(_rates(m.times, m.sent)) / 1e3


@metric("received_kb_per_s")
@described("traffic received by a robot", "kB/s", "lower", "{:,.2f}")
def received_kb_per_s(m: Measurements) -> Value:
    """Equation 8 of the kilobytes that a robot receives in a second, measured every 5 s."""
    return robot_mean(_rates(m.times, m.received)) / 1e3


@metric("cpu_share")
@described("processor use", "%", "lower", "{:.3%}", measured=True)
def cpu_share(m: Measurements) -> Value:
    """Equation 8 of the share of its computer that a robot's software takes if it runs in real time on this machine.

    100 % is all the processors that the robot model's computer has (one, if it has none); measured.
    """
    if len(m.cpu) == 0:
        return None
    periods = np.diff(m.cpu[:, 0], prepend=0.0)
    there = periods > 0.0
    used = m.cpu[there, 2:-1] / periods[there, None]
    return robot_mean(used / np.array(m.facts["cpus"], dtype=np.float64)) if there.any() else math.nan


@metric("ram_mb")
@described("memory use", "MB", "lower", "{:,.1f}", measured=True)
def ram_mb(m: Measurements) -> Value:
    """Equation 8 of the megabytes that a robot's software holds in maps, plans and messages; measured."""
    return robot_mean(m.ram[:, :-1]) / 1e6 if len(m.ram) else None


@metric("ram_share")
@described("memory use", "%", "lower", "{:.2%}", measured=True)
def ram_share(m: Measurements) -> Value:
    """The same as a share of the memory that the robot model's computer has; none for robots without one."""
    sizes = m.facts["ram_gb"]
    if len(m.ram) == 0 or None in sizes:
        return None
    return robot_mean(m.ram[:, :-1] / (np.array(sizes, dtype=np.float64) * 1e9))


def robot_mean(measured: NDArray[np.float64]) -> float:
    """Equation 8: the mean over the robots (columns) of the mean over each robot's measurements (rows)."""
    return float(measured.mean(axis=0).mean()) if measured.size else math.nan


def _over(amounts: Mapping[str, Sequence[int]], channel: str) -> Value:
    """Megabytes over a channel; None where there is none of that name."""
    return sum(amounts[channel]) / 1e6 if channel in amounts else None


PERIOD = 5.0
"""Seconds between measurements of the network, as in the paper."""


def _rates(times: NDArray[np.float64], amounts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Amounts a second in periods of 5 s or, at the end, of what is left."""
    at = [0]
    for k in range(1, len(times)):
        if times[k] - times[at[-1]] >= PERIOD - 1e-6 or k == len(times) - 1:
            at.append(k)
    spans = np.diff(times[at])
    return np.diff(amounts[at], axis=0) / spans[:, None]
