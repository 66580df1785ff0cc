"""Metrics of maps, places and safety: equations 3, 5 and 6 of Yan et al. (2017), and trajectory errors."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.grid import UNKNOWN
from expedition.measure.ground_truth import GroundTruth
from expedition.measure.measurements import Measurements
from expedition.measure.metrics.exploration import explored_cells
from expedition.measure.metrics.metric import Value, described, metric


@metric("map_error_cells")
@described("map error", "cells", "lower", "{:,.0f}")
def map_error_cells(m: Measurements) -> Value:
    """Equation 5: known cells of the map of the robot that knew most whose value is wrong."""
    return float(m.facts["map_error_cells"])


@metric("map_quality")
@described("map quality", "", "higher", "{:.4f}")
def map_quality(m: Measurements) -> Value:
    """Equation 6: what is explored less what is wrong in the map, as a share of the ground: (A - error w) / G."""
    return (explored_cells(m) - int(m.facts["map_error_cells"])) / int(m.facts["explorable_cells"])


@metric("map_error_share")
@described("wrong map cells", "%", "lower", "{:.2%}", needs="map_known_cells")
def map_error_share(m: Measurements) -> Value:
    """The share of the known cells of the map of the robot that knew most whose value is wrong."""
    return int(m.facts["map_error_cells"]) / max(int(m.facts["map_known_cells"]), 1)


@metric("collisions_with_walls")
@described("collisions with walls", "", "lower", "{:,.0f}")
def collisions_with_walls(m: Measurements) -> Value:
    """Contacts with walls begun, of all robots."""
    return float(m.collisions_with_walls[-1].sum())


@metric("collisions_with_others")
@described("collisions with robots", "", "lower", "{:,.0f}")
def collisions_with_others(m: Measurements) -> Value:
    """Contacts with robots and people begun, counted by each robot in them."""
    return float(m.collisions_with_others[-1].sum())


@metric("safety")
@described("safety", "", "higher", "{:.2f}")
def safety(m: Measurements, *, cardinal: Annotated[float, Field(gt=0)] = 100.0) -> Value:
    """Equation 3: 1 - (collisions of all robots) / S, with S = 100 unless `cardinal` says otherwise."""
    return 1.0 - float(m.collisions_with_walls[-1].sum() + m.collisions_with_others[-1].sum()) / cardinal


@metric("trajectory_error_mean_m")
@described("mean trajectory error", "m", "lower", "{:.3f}")
def trajectory_error_mean_m(m: Measurements) -> Value:
    """Distance between where robots were and where they believed to be, mean over robots and time."""
    return float(_astray(m).mean())


@metric("trajectory_error_max_m")
@described("largest trajectory error", "m", "lower", "{:.3f}")
def trajectory_error_max_m(m: Measurements) -> Value:
    """The same, at its worst."""
    return float(_astray(m).max())


@metric("map_distorted")
@described("distorted map", "%", "lower", "{:.0%}", needs="opening_m")
def map_distorted(m: Measurements) -> Value:
    """100 % if the mean trajectory error exceeds the narrowest opening that a robot of the fleet passes, else 0.

    A map drawn from poses that are off by so much has walls where robots could pass. Over missions, their share.
    """
    return float(_astray(m).mean() > float(m.facts["opening_m"]))


def known_cells(state: NDArray[np.uint8], truth: GroundTruth) -> int:
    """How many cells of a map are known, of those that the terrain has."""
    return int(np.count_nonzero((state != UNKNOWN) & (truth.state != UNKNOWN)))


def map_error(state: NDArray[np.uint8], truth: GroundTruth) -> int:
    """How many known cells of a map differ from the truth (equation 5)."""
    return int(np.count_nonzero((state != UNKNOWN) & (state != truth.state) & (truth.state != UNKNOWN)))


def _astray(m: Measurements) -> NDArray[np.float64]:
    away = m.poses[:, :, :2].astype(np.float64) - m.believed[:, :, :2]
    return np.hypot(away[:, :, 0], away[:, :, 1])
