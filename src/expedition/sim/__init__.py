"""Simulators: the protocol they share, and the flat one."""

from __future__ import annotations

from expedition.sim.flat import FlatSimulator
from expedition.sim.protocol import Contact, Detections, Observations, Odometry, Scans, Sightings, Simulator, Truth

__all__ = [
    "Contact",
    "Detections",
    "FlatSimulator",
    "Observations",
    "Odometry",
    "Scans",
    "Sightings",
    "Simulator",
    "Truth",
]
