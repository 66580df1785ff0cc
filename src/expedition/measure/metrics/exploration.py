"""Metrics of exploring: equations 1, 2 and 4 of Yan et al. (2017), and others in use."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from pydantic import Field

from expedition.measure.measurements import Floats, Measurements
from expedition.measure.metrics.metric import Value, described, metric

Share = Annotated[float, Field(gt=0, le=1)]


@metric("time_s")
@described("time", "s", "lower", "{:,.1f}")
def time_s(m: Measurements) -> Value:
    """How long the mission took in simulated time, from the start until it ended."""
    return float(m.times[-1])


@metric("t90_s")
@described("T90", "s", "lower", "{:,.1f}")
def t90_s(m: Measurements) -> Value:
    """When one robot first knew 90 % of the explorable ground."""
    return first_at(m.times, m.explored.max(axis=1), 0.9)


@metric("t99_s")
@described("T99", "s", "lower", "{:,.1f}")
def t99_s(m: Measurements) -> Value:
    """When one robot first knew 99 % of the explorable ground."""
    return first_at(m.times, m.explored.max(axis=1), 0.99)


@metric("time_to_s")
@described("time to", "s", "lower", "{:,.1f}")
def time_to_s(m: Measurements, *, share: Share = 0.85) -> Value:
    """When one robot first knew a share of the explorable ground, as in time_to_s:share=0.85."""
    return first_at(m.times, m.explored.max(axis=1), share)


@metric("auc")
@described("area under the curve", "", "higher", "{:.4f}")
def auc(m: Measurements) -> Value:
    """The mean over time, up to the limit of time, of the share that one robot knew: 1 is everything at once.

    A mission that ends before the limit keeps what it knew at its end until then.
    """
    return area_under(m, m.explored.max(axis=1))


@metric("completeness")
@described("completeness", "%", "higher", "{:.2%}")
def completeness(m: Measurements) -> Value:
    """Equation 4: the share of the explorable ground that the robot that knew most had seen or was told of: A / G.

    It is scored cell by cell against the truth, so that a distorted map cannot inflate it.
    """
    return float(m.explored[-1].max())


@metric("reachable_share")
@described("reachable ground", "%", "higher", "{:.1%}", needs="reachable_share")
def reachable_share(m: Measurements) -> Value:
    """The share of the terrain's free ground that the fleet can reach from where it starts: what there is to explore.

    Robots pass openings that are wide enough for their bodies, the cells of their maps and the margin of their control;
    what lies behind narrower ones does not count.
    """
    return float(m.facts["reachable_share"])


@metric("explored_m2")
@described("explored area", "m²", "higher", "{:,.1f}")
def explored_m2(m: Measurements) -> Value:
    """A: the explorable ground that the robot that knew most had seen or was told of, as an area."""
    return explored_cells(m) * float(m.facts["cell_m2"])


@metric("cost_m")
@described("cost", "m", "lower", "{:,.1f}")
def cost_m(m: Measurements) -> Value:
    """Equation 1: the distances that all robots drove, added up."""
    return float(m.travelled[-1].sum())


@metric("efficiency_m2_per_m")
@described("efficiency", "m²/m", "higher", "{:.3f}")
def efficiency_m2_per_m(m: Measurements) -> Value:
    """Equation 2: ground explored for each metre driven: A / cost."""
    cost = float(m.travelled[-1].sum())
    return explored_cells(m) * float(m.facts["cell_m2"]) / cost if cost > 0.0 else math.nan


@metric("overlap")
@described("overlap", "%", "lower", "{:.1%}")
def overlap(m: Measurements) -> Value:
    """What was seen more than once: the shares that the robots saw themselves, added up, less what they saw together.

    0 where no cell was seen by two robots, 1 where as much again was seen twice as there is ground.
    """
    return float(m.saw[-1].sum() - m.union[-1])


@metric("share_spread")
@described("spread of shares", "%", "lower", "{:.2%}")
def share_spread(m: Measurements) -> Value:
    """Standard deviation over the robots of the shares of the ground that each was the first to see."""
    return float(np.std(np.array(m.facts["saw_first"], dtype=np.float64)))


@metric("workload_balance")
@described("workload balance", "", "higher", "{:.3f}")
def workload_balance(m: Measurements) -> Value:
    """Jain's index of the distances driven, (sum d)² / (n sum d²): 1 if all drove as far, 1/n if one robot did all."""
    driven = m.travelled[-1]
    squares = float((driven**2).sum())
    return float(driven.sum()) ** 2 / (len(driven) * squares) if squares > 0.0 else math.nan


@metric("idle_share")
@described("idle time", "%", "lower", "{:.1%}")
def idle_share(m: Measurements) -> Value:
    """The share of the time, mean over the robots, in which a robot neither drove nor turned."""
    return float(m.idle[-1].mean() / m.times[-1]) if m.times[-1] > 0.0 else math.nan


def first_at(times: Floats, known: Floats, share: float) -> Value:
    """Seconds until what is known, (samples,), reached a share; None if it never did."""
    reached = np.flatnonzero(known >= share)
    return float(times[reached[0]]) if len(reached) else None


def area_under(m: Measurements, known: Floats) -> float:
    """The mean over time, up to the limit of time, of what is known, (samples,), which stays as it was at the end."""
    limit = max(float(m.facts.get("time_limit") or m.times[-1]), float(m.times[-1]))
    if limit <= 0.0:
        return float(known[-1])
    area = float(np.trapezoid(known, m.times)) + float(known[-1]) * (limit - float(m.times[-1]))
    return area / limit


def explored_cells(m: Measurements) -> int:
    """Explorable cells that the robot that knew most had seen or was told of."""
    return round(float(m.explored[-1].max()) * int(m.facts["explorable_cells"]))
