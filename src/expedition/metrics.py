"""Metrics: numbers computed from a mission's measurements: equations 1 to 6 of Yan et al. 2017, and others in use."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import UNKNOWN
from expedition.ground_truth import GroundTruth
from expedition.monitor import Monitor

SAFETY_CARDINAL = 100
"""S of equation 3: this many collisions make the safety zero."""


def map_error(state: NDArray[np.uint8], truth: GroundTruth) -> int:
    """How many known cells of a map differ from the truth (equation 5)."""
    return int(np.count_nonzero((state != UNKNOWN) & (state != truth.state) & (truth.state != UNKNOWN)))


def time_to(share: float, monitor: Monitor) -> float | None:
    """Seconds until some robot had seen, or was told of, that share of the explorable ground; None if it never did."""
    for time, explored in zip(monitor.series.times, monitor.series.explored, strict=True):
        if explored.max() >= share:
            return time
    return None


def trajectory_error(monitor: Monitor) -> tuple[float, float]:
    """Mean and largest distance in metres between where robots were and where they believed to be."""
    true, believed = np.array(monitor.series.poses), np.array(monitor.series.believed)
    away = np.hypot(true[:, :, 0] - believed[:, :, 0], true[:, :, 1] - believed[:, :, 1])
    return float(away.mean()), float(away.max())


def metrics_of(monitor: Monitor, state: NDArray[np.uint8], truth: GroundTruth) -> dict[str, float | None]:
    """All metrics of a mission. `state` is the map of the robot that explored most, `truth` what it should be.

    Areas are in square metres and count explorable cells; the error counts every known cell that is wrong.
    """
    series = monitor.series
    cell = monitor.frame.resolution**2
    explored_cells = round(float(series.explored[-1].max()) * monitor.explorable_cells)
    ground = monitor.explorable_cells * cell
    cost = float(monitor.travelled.sum())
    error = map_error(state, truth)
    contacts = int(monitor.contacts_with_walls.sum() + monitor.contacts_with_others.sum())
    mean_error, max_error = trajectory_error(monitor)
    shares = first_seen_shares(monitor)
    return {
        "time_s": series.times[-1],
        "t90_s": time_to(0.9, monitor),
        "t99_s": time_to(0.99, monitor),
        "explored_m2": explored_cells * cell,
        "completeness": explored_cells / monitor.explorable_cells,
        "cost_m": cost,
        "efficiency_m2_per_m": explored_cells * cell / cost if cost > 0 else math.nan,
        "collisions_with_walls": float(monitor.contacts_with_walls.sum()),
        "collisions_with_others": float(monitor.contacts_with_others.sum()),
        "safety": 1.0 - contacts / SAFETY_CARDINAL,
        "map_error_cells": float(error),
        "map_quality": (explored_cells * cell - error * cell) / ground,
        "trajectory_error_mean_m": mean_error,
        "trajectory_error_max_m": max_error,
        "share_spread": float(np.std(shares)),
        "sent_mb": float(series.sent[-1].sum()) / 1e6,
        "received_mb": float(series.received[-1].sum()) / 1e6,
    }


def first_seen_shares(monitor: Monitor) -> NDArray[np.float64]:
    """For each robot, the share of the explorable cells that it saw before any other."""
    seen = monitor.first_seen[monitor.truth.explorable]
    counts = np.bincount(seen[seen >= 0], minlength=len(monitor.travelled))
    return np.asarray(counts / monitor.explorable_cells, dtype=np.float64)
