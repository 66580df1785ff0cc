"""Which scans robots look at: those from somewhere else, or after some time, which is shorter in close quarters."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.belief.attention import Attention, AttentionSettings
from expedition.fleet import robot_model
from expedition.sim.protocol import Scans

LIDAR = robot_model("pioneer-3dx").lidar
assert LIDAR is not None


def looks(speed: float, nearest: float, seconds: float = 4.0) -> int:
    """How often a robot looks that drives straight on at 10 Hz, with something at that distance ahead."""
    attention, count = Attention(1, AttentionSettings()), 0
    ranges = np.full((1, LIDAR.beams), nearest, dtype=np.float32)
    for tick in range(round(10 * seconds)):
        time = 0.1 * tick
        scan = Scans(LIDAR, np.zeros(1, dtype=np.int64), np.full(1, time), ranges)
        count += len(attention.choose([scan], np.array([[speed * time, 0.0, 0.0]]), time))
    return count


@pytest.mark.parametrize("nearest", [0.3, 3.0])
def test_a_robot_that_stands_looks_twice_a_second(nearest: float) -> None:
    assert looks(0.0, nearest) == 8


def test_a_robot_that_creeps_looks_more_often_in_close_quarters() -> None:
    assert looks(0.1, 3.0) == 8
    assert looks(0.1, 0.3) == 20


def test_a_robot_that_drives_fast_looks_wherever_it_is() -> None:
    assert looks(1.4, 3.0) == looks(1.4, 0.3) == 40
