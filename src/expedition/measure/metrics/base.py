"""Metrics of what the base station knows, when it came to know it, and of robots' contact with it."""

from __future__ import annotations

import math

import numpy as np

from expedition.measure.measurements import Measurements
from expedition.measure.metrics.exploration import Share, area_under, first_at
from expedition.measure.metrics.metric import Value, described, metric


@metric("base_completeness")
@described("known at base", "%", "higher", "{:.2%}", needs="base")
def base_completeness(m: Measurements) -> Value:
    """The share of the explorable ground that the base station knew of when the mission ended."""
    return float(m.at_base[-1])


@metric("base_t90_s")
@described("T90 at base", "s", "lower", "{:,.1f}", needs="base")
def base_t90_s(m: Measurements) -> Value:
    """When the base station first knew 90 % of the explorable ground."""
    return first_at(m.times, m.at_base, 0.9)


@metric("base_t99_s")
@described("T99 at base", "s", "lower", "{:,.1f}", needs="base")
def base_t99_s(m: Measurements) -> Value:
    """When the base station first knew 99 % of the explorable ground."""
    return first_at(m.times, m.at_base, 0.99)


@metric("base_time_to_s")
@described("time to at base", "s", "lower", "{:,.1f}", needs="base")
def base_time_to_s(m: Measurements, *, share: Share = 0.85) -> Value:
    """When the base station first knew a share of the explorable ground, as in base_time_to_s:share=0.85."""
    return first_at(m.times, m.at_base, share)


@metric("base_auc")
@described("area under the base's curve", "", "higher", "{:.4f}", needs="base")
def base_auc(m: Measurements) -> Value:
    """The mean over time, up to the limit of time, of the share that the base station knew: 1 is everything at once.

    A mission that ends before the limit keeps what the base knew at its end until then.
    """
    return area_under(m, m.at_base)


@metric("base_ratio")
@described("base's share of the team's knowledge", "%", "higher", "{:.1%}", needs="base")
def base_ratio(m: Measurements) -> Value:
    """What the base station knew as a share of what all robots together had seen, mean over time."""
    there = m.union > 0.0
    return float((m.at_base[there] / m.union[there]).mean()) if there.any() else math.nan


@metric("base_longest_silence_s")
@described("longest time without news at base", "s", "lower", "{:,.1f}", needs="base")
def base_longest_silence_s(m: Measurements) -> Value:
    """The longest time in which the base station learnt of no new ground though robots had seen more than it knew."""
    grew = np.diff(m.at_base, prepend=m.at_base[0]) > 0.0
    heard = m.times[grew | (m.at_base >= m.union - 1e-12)]
    return float(np.diff(np.concatenate([m.times[:1], heard, m.times[-1:]])).max())


@metric("base_largest_jump")
@described("largest jump at base", "%", "lower", "{:.2%}", needs="base")
def base_largest_jump(m: Measurements) -> Value:
    """The largest share of the ground that the base station came to know of at once, between two samples."""
    return float(np.diff(m.at_base).max(initial=0.0))


@metric("news_latency_mean_s")
@described("news latency at base", "s", "lower", "{:,.1f}", needs="base")
def news_latency_mean_s(m: Measurements) -> Value:
    """How long after a cell was first seen the base station came to know of it, mean over the cells that it knew of."""
    late = m.facts["news_latency_mean_s"]
    return None if late is None else float(late)


@metric("news_latency_max_s")
@described("largest news latency at base", "s", "lower", "{:,.1f}", needs="base")
def news_latency_max_s(m: Measurements) -> Value:
    """The same, of the cell that took longest."""
    late = m.facts["news_latency_max_s"]
    return None if late is None else float(late)


@metric("base_contact_share")
@described("time in contact with base", "%", "higher", "{:.1%}", needs="base")
def base_contact_share(m: Measurements) -> Value:
    """The share of the time, mean over the robots, in which a robot could reach the base, directly or over others."""
    return share_of_time(m, m.facts["base_contact_s"])


@metric("base_direct_share")
@described("time in direct contact with base", "%", "higher", "{:.1%}", needs="base")
def base_direct_share(m: Measurements) -> Value:
    """The same without the help of others."""
    return share_of_time(m, m.facts["base_direct_s"])


@metric("base_longest_away_s")
@described("longest time out of contact with base", "s", "lower", "{:,.1f}", needs="base")
def base_longest_away_s(m: Measurements) -> Value:
    """The longest time in which some robot could not reach the base station."""
    return float(max(m.facts["base_longest_away_s"]))


@metric("base_hops_mean")
@described("hops to base", "", "", "{:.2f}", needs="base")
def base_hops_mean(m: Measurements) -> Value:
    """The fewest links from a robot to the base station, mean over time and over the robots that could reach it."""
    reached = m.hops[np.isfinite(m.hops)]
    return float(reached.mean()) if reached.size else math.nan


def share_of_time(m: Measurements, seconds: list[float]) -> float:
    """Seconds of each robot as a share of the mission's time, mean over the robots."""
    return float(np.mean(seconds)) / float(m.times[-1]) if m.times[-1] > 0.0 else math.nan
