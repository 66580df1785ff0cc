"""Metrics of what robots did with their time and energy, of roles, and of what failed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from expedition.energy import JOULES_PER_WH
from expedition.measure.measurements import Measurements
from expedition.measure.metrics.base import share_of_time
from expedition.measure.metrics.metric import Value, described, metric


@metric("sensing_share")
@described("time sensing", "%", "higher", "{:.1%}", needs="sensing_s")
def sensing_share(m: Measurements) -> Value:
    """The share of the time, mean over the robots, in which a robot saw ground that nobody had seen before."""
    return share_of_time(m, m.facts["sensing_s"])


@metric("resensing_share")
@described("time sensing again", "%", "lower", "{:.1%}", needs="sensing_s")
def resensing_share(m: Measurements) -> Value:
    """The same of ground that was new to the robot's own sensors, but all of it seen by teammates before."""
    return share_of_time(m, m.facts["resensing_s"])


@metric("activity_share")
@described("time", "%", "", "{:.1%}", needs="activity_s")
def activity_share(m: Measurements, *, activity: Annotated[str, Field(min_length=1)] = "exploring") -> Value:
    """The share of the time, mean over the robots, of an activity, as in activity_share:activity=exploring.

    Activities are what strategies say, of which those count that begin with these words. A robot that is out of order
    does nothing.
    """
    return _share_of(m, activity)


@metric("returning_share")
@described("time returning", "%", "lower", "{:.1%}", needs="activity_s")
def returning_share(m: Measurements) -> Value:
    """The share of the time, mean over the robots, in which a robot was returning, or going home, as strategies say."""
    return _share_of(m, "returning", "going home")


@metric("waiting_share")
@described("time waiting", "%", "lower", "{:.1%}", needs="activity_s")
def waiting_share(m: Measurements) -> Value:
    """The share of the time, mean over the robots, in which a robot was waiting, as strategies say."""
    return _share_of(m, "waiting")


@metric("role_swaps")
@described("role swaps", "", "", "{:,.0f}", needs="role_swaps")
def role_swaps(m: Measurements) -> Value:
    """How often a robot took on another role than it had; two robots that swap theirs count as two."""
    return float(m.facts["role_swaps"])


@metric("breakdowns")
@described("breakdowns", "", "lower", "{:,.0f}", needs="breakdowns")
def breakdowns(m: Measurements) -> Value:
    """How often a robot or a part of one failed, or a battery ran out before the strategy had ended."""
    return float(m.facts["breakdowns"])


@metric("messages_dropped")
@described("messages dropped", "", "lower", "{:,.0f}", needs="messages_dropped")
def messages_dropped(m: Measurements) -> Value:
    """Messages for which there was no room in a queue, no way, or no radio that was on, over all channels."""
    return float(m.facts["messages_dropped"])


@metric("energy_wh")
@described("energy", "Wh", "lower", "{:,.2f}", needs="energy_j")
def energy_wh(m: Measurements, *, kind: Literal["all", "motion", "computing", "radio"] = "all") -> Value:
    """What all robots together took from their batteries, or that for one `kind`, as in energy_wh:kind=radio.

    Kinds are motion, computing (with sensors) and radio.
    """
    joules = m.facts["energy_j"]
    return sum(sum(joules[name]) for name in (joules if kind == "all" else [kind])) / JOULES_PER_WH


def _share_of(m: Measurements, *words: str) -> float:
    """The share of the time of all activities that begin with one of these words or groups of words."""
    begins = tuple(f"{word} " for word in words)
    those = [spent for name, spent in m.facts["activity_s"].items() if f"{name} ".startswith(begins)]
    return share_of_time(m, [sum(spent) for spent in zip(*those, strict=True)] or [0.0])
