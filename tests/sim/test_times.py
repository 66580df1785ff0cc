"""When readings are taken, and that each tells of its own moment."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.sim import FlatSimulator
from tests.sim.robots import drive, fleet, hall, robot

AT_ONCE = {"max_acceleration": 10_000.0}


def test_odometry_readings_bear_the_times_at_which_the_motion_ended() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0), model=robot(drive=AT_ONCE)), seed=0)
    times, ways = [], []
    for duration in (0.25, 0.05, 0.5):
        odometry = simulator.advance(drive(1.0), duration).odometry()
        times += odometry.times.tolist()
        ways += odometry.increments[:, 0].tolist()
    assert times == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert ways == pytest.approx([0.1] * 8)


def test_a_reading_between_two_ticks_waits_for_the_later_one() -> None:
    """At 25 Hz, readings are due every 2.4 ticks."""
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((2, 5, 0), model=robot(drive=AT_ONCE, odometry={"rate": 25})), seed=0)
    odometry = simulator.advance(drive(1.0), 0.2).odometry()
    assert odometry.times == pytest.approx(np.array([3, 5, 8, 10, 12]) / 60)
    assert np.cumsum(odometry.increments[:, 0]) == pytest.approx(odometry.times)


def test_scans_show_the_place_of_the_time_they_bear() -> None:
    simulator = FlatSimulator()
    model = robot(drive=AT_ONCE, lidar={"beams": 1})
    (first,) = simulator.reset(hall(), fleet((2, 5, 0), model=model), seed=0).scans()
    assert first.times.tolist() == [0.0]
    (scans,) = simulator.advance(drive(1.0), 0.5).scans()
    assert scans.times == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert scans.ranges[:, 0] == pytest.approx(8.0 - scans.times, abs=1e-5)
