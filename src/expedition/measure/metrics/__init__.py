"""Metrics: numbers computed from a mission's measurements. Each metric's definition, unit and direction stands here."""

from __future__ import annotations

from collections.abc import Iterable

from expedition.measure.measurements import Measurements
from expedition.measure.metrics import base as base
from expedition.measure.metrics import exploration as exploration
from expedition.measure.metrics import maps as maps
from expedition.measure.metrics import robot as robot
from expedition.measure.metrics import team as team
from expedition.measure.metrics.metric import Metric, Value, described, metric

__all__ = ["METRICS", "Metric", "Value", "compute", "described", "in_words", "metric", "metric_of", "that_apply"]

SHOWN = (
    "time_s", "t90_s", "t99_s", "auc", "completeness", "reachable_share", "explored_m2", "cost_m",
    "efficiency_m2_per_m", "overlap", "share_spread", "workload_balance", "sensing_share", "resensing_share",
    "returning_share", "waiting_share", "idle_share", "role_swaps", "base_completeness", "base_t90_s", "base_t99_s",
    "base_auc", "base_ratio", "base_longest_silence_s", "base_largest_jump", "news_latency_mean_s",
    "news_latency_max_s", "base_contact_share", "base_direct_share", "base_longest_away_s", "base_hops_mean",
    "map_error_cells", "map_error_share", "map_quality", "map_distorted", "collisions_with_walls",
    "collisions_with_others", "safety", "trajectory_error_mean_m", "trajectory_error_max_m", "connected_mean",
    "connected_all", "sent_mb", "received_mb", "sent_kb_per_s", "received_kb_per_s", "messages_dropped", "breakdowns",
    "energy_wh", "cpu_share", "ram_mb", "ram_share",
)  # fmt: skip
"""In the order in which they are shown."""

METRICS: dict[str, Metric] = {name: metric.describe(name) for name in SHOWN}

PER_ROBOT = ("cost_m", "sent_mb", "received_mb")
"""Sums over the fleet of which one also wants to know how much it is for each robot."""


def metric_of(name: str) -> Metric:
    """The metric of that name: one that ships, a plugin's, or `my_file.py:my_metric`, perhaps with parameters."""
    return METRICS[name] if name in METRICS else metric.describe(name)


def compute(measurements: Measurements, names: Iterable[str] | None = None) -> dict[str, Value]:
    """Metrics by name; without names, all that ship and do not depend on the machine."""
    wanted = [name for name, one in METRICS.items() if not one.measured] if names is None else names
    return {name: metric_of(name).function(measurements) for name in wanted}


def that_apply(metrics: dict[str, Value], measurements: Measurements) -> dict[str, Value]:
    """Those of the metrics that say anything of the mission: without a base, for one, there is nothing known at it."""
    return {
        name: value
        for name, value in metrics.items()
        if name not in METRICS or METRICS[name].applies(measurements.facts)
    }


def _plain(name: str) -> Metric:
    """A metric of which nothing but the name is known here."""
    return Metric(name, name.replace("_", " "), "", "", "{:,.4g}", "", False, lambda _: None)


def in_words(metrics: dict[str, Value], robots: int) -> list[tuple[str, str, str]]:
    """Label, value with its unit, and definition of each metric, in the order in which they are shown."""
    order = [*(name for name in METRICS if name in metrics), *(name for name in metrics if name not in METRICS)]
    rows = []
    for name in order:
        one, value = METRICS.get(name) or _plain(name), metrics[name]
        text = one.written(value)
        if name in PER_ROBOT and value is not None and robots > 1:
            text += f", {one.written(value / robots)} a robot"
        rows.append((one.label, text, one.definition))
    return rows
