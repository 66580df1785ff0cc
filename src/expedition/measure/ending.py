"""How a mission ended, in a sentence: the one that the terminal, logs and pages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from expedition.failure import StrategyFailed
from expedition.fleet.reach import LITTLE
from expedition.measure.measurements import Measurements
from expedition.measure.metrics.metric import Value


def ending_sentence(
    measurements: Measurements, metrics: Mapping[str, Value], failure: StrategyFailed | None = None
) -> str:
    """How it ended, what was known of how much, and how far the map is off."""
    ending, limit = measurements.facts["ending"], measurements.facts["time_limit"]
    if ending == "failed":
        return f"failed: {failure}"
    time, reach = metrics["time_s"] or 0.0, metrics["reachable_share"]
    is_little = ending == "explored" and reach is not None and reach < LITTLE
    known = f"robot {measurements.best_robot} knows {metrics['completeness']:.1%} of "
    if reach is None:
        known += "the ground"
    else:
        known += "that" if is_little else f"the ground within reach ({reach:.1%} of the free ground)"
    if (at_base := metrics["base_completeness"]) is not None:
        known += f", the base {at_base:.1%}"
    if is_little:
        said = f"explored what it could reach, {reach:.1%} of the free ground: after {time:,.1f} s {known}"
    elif ending == "timed out":
        said = f"timed out: when {limit:,.6g} s were over, {known}"
    elif ending == "gave up":
        said = f"gave up: all strategies had ended after {time:,.1f} s; {known}"
    else:
        said = f"{ending}: after {time:,.1f} s {known}"
    return f"{said}; {map_in_words(metrics)}"


def with_ending(
    measurements: Measurements, metrics: Mapping[str, Value], failure: StrategyFailed | None = None
) -> Measurements:
    """Measurements whose last event says how the mission ended, for those who read logs."""
    *before, end = measurements.events
    says = {**end, "says": ending_sentence(measurements, metrics, failure)}
    return replace(measurements, events=(*before, says))


def map_in_words(metrics: Mapping[str, Value]) -> str:
    """How far poses and the map are off, and plainly if the map is distorted."""
    mean, worst = metrics["trajectory_error_mean_m"], metrics["trajectory_error_max_m"]
    poses = f"poses are off by {mean:.2f} m on average ({worst:.2f} m at worst)"
    share, is_distorted = metrics["map_error_share"], bool(metrics["map_distorted"])
    cells = "cells" if is_distorted else "map's cells"
    wrong = "" if share is None else f", {share:.1%} of its {cells} are wrong"
    return f"{'but its map is distorted: ' if is_distorted else ''}{poses}{wrong}"
