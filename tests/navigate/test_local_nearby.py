"""What a robot takes for obstacles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED
from expedition.navigate.local_records import memories, platforms_of
from expedition.navigate.nearby import MOST_POINTS, gather_points
from tests.navigate.local_world import PIONEER

PLATFORMS, BEAMS = platforms_of([PIONEER], [1])
NOBODY = np.empty((1, 7))


def gathered(ranges: np.ndarray, state: np.ndarray, pose: np.ndarray, reach: float) -> np.ndarray:
    memory = memories(1)
    memory["scan_row"], memory["scan_x"], memory["scan_y"], memory["scan_heading"] = 0, *pose
    points = np.empty((MOST_POINTS, 3))
    count, _ = gather_points(
        PLATFORMS[0], memory[0], pose, ranges[None], BEAMS, state, 0.0, 0.0, 0.2, NOBODY, 0, reach, 0.0, points
    )
    return points[:count]


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(-3.0, 3.0))
def test_every_beam_end_within_reach_has_an_obstacle_at_hand(seed: int, heading: float) -> None:
    random = np.random.default_rng(seed)
    ranges = random.uniform(0.1, 4.0, 180).astype(np.float32)
    ranges[random.random(180) < 0.2] = np.inf
    ranges[random.random(180) < 0.1] = np.nan
    pose = np.array([4.0, 4.0, heading])
    points = gathered(ranges, np.full((40, 40), FREE, dtype=np.uint8), pose, 2.0)
    angles = PIONEER.lidar.angles if PIONEER.lidar else np.zeros(0)
    ends = np.column_stack([ranges * np.cos(angles), ranges * np.sin(angles)])
    within = ends[ranges < 1.999]
    distances = np.hypot(*(within[:, None] - points[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
    assert (distances < 0.03 * math.sqrt(5.0)).all()
    assert (np.hypot(points[:, 0], points[:, 1]) <= 2.0).all()


def test_the_map_counts_behind_the_robot_and_the_scan_before_it() -> None:
    state = np.full((40, 40), FREE, dtype=np.uint8)
    state[20, 16] = state[20, 24] = OCCUPIED
    points = gathered(np.full(180, np.inf, dtype=np.float32), state, np.array([4.1, 4.1, 0.0]), 2.0)
    # The wall reaches no farther than 5 cm around the middle of its cell.
    assert points[:, :2].tolist() == [pytest.approx([-0.75, 0.0])]
