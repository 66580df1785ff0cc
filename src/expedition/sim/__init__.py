"""Simulators: the protocol they share, and the flat one."""

from __future__ import annotations

from expedition.sim.flat import FlatSimulator
from expedition.sim.protocol import (
    Contact,
    Detections,
    GroundViews,
    Observations,
    Odometry,
    Scans,
    Sightings,
    Simulator,
    Truth,
)

__all__ = [
    "Contact",
    "Detections",
    "FlatSimulator",
    "GroundViews",
    "Observations",
    "Odometry",
    "Scans",
    "Sightings",
    "Simulator",
    "Truth",
]
