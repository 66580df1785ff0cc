"""Metrics as people read them: a plain name, how to write the value, and what it says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple


class MetricName(NamedTuple):
    """How a metric is called and written."""

    label: str
    pattern: str
    """For `str.format`, with the unit."""
    meaning: str


NAMES = {
    "time_s": MetricName("time", "{:,.1f} s", "How long the mission took, simulated."),
    "t90_s": MetricName("T90", "{:,.1f} s", "When one robot knew 90 % of the ground."),
    "t99_s": MetricName("T99", "{:,.1f} s", "When one robot knew 99 % of the ground."),
    "completeness": MetricName("completeness", "{:.2%}", "The share of the ground that one robot saw or was told of."),
    "explored_m2": MetricName("explored", "{:,.1f} m²", "The same as an area."),
    "cost_m": MetricName("cost", "{:,.1f} m", "The ways that all robots drove, added up."),
    "efficiency_m2_per_m": MetricName("efficiency", "{:.3f} m²/m", "Ground explored for each metre driven."),
    "map_error_cells": MetricName("map error", "{:,.0f} cells", "Known cells of that robot's map that are wrong."),
    "map_quality": MetricName("map quality", "{:.4f}", "Explored less wrong, as a share of the ground."),
    "collisions_with_walls": MetricName("collisions with walls", "{:,.0f}", "Contacts begun, all robots."),
    "collisions_with_others": MetricName(
        "collisions with robots", "{:,.0f}", "Contacts with robots and people begun, counted by each robot in them."
    ),
    "safety": MetricName("safety", "{:.2f}", "1 without collisions, 0 with a hundred."),
    "trajectory_error_mean_m": MetricName(
        "trajectory error, mean", "{:.3f} m", "Between where robots were and where they believed to be."
    ),
    "trajectory_error_max_m": MetricName("trajectory error, largest", "{:.3f} m", "The same, at its worst."),
    "share_spread": MetricName(
        "spread of shares", "{:.2%}", "Standard deviation of what each robot saw first, as shares of the ground."
    ),
    "sent_mb": MetricName("sent", "{:,.2f} MB", "By all robots together: maps, messages and beacons."),
    "received_mb": MetricName("received", "{:,.2f} MB", "By all robots together."),
}
"""In the order in which they are shown."""


PER_ROBOT = ("cost_m", "sent_mb", "received_mb")
"""Sums over the fleet of which one also wants to know how much it is for each robot."""


def in_words(metrics: Mapping[str, float | None], robots: int) -> list[tuple[str, str, str]]:
    """Label, value with its unit, and meaning of each metric; one that was never reached is said to be so."""
    order = [*(name for name in NAMES if name in metrics), *(name for name in metrics if name not in NAMES)]
    rows = []
    for name in order:
        label, pattern, meaning = NAMES.get(name, MetricName(name.replace("_", " "), "{:,.4g}", ""))
        value = metrics[name]
        text = "not reached" if value is None else "none" if math.isnan(value) else pattern.format(value)
        if name in PER_ROBOT and value is not None and robots > 1:
            text += f", {pattern.format(value / robots)} a robot"
        rows.append((label, text, meaning))
    return rows
