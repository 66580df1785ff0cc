"""What a robot takes for obstacles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import FREE, OCCUPIED
from expedition.navigate.local_records import memories, platforms_of
from expedition.navigate.nearby import KEPT_FOR, MOST_POINTS, SLOT, gather_points, slots
from tests.navigate.local_world import PIONEER

PLATFORMS, BEAMS = platforms_of([PIONEER], [1])
NOBODY = np.empty((0, 7))


def gathered(
    ranges: np.ndarray,
    state: np.ndarray,
    pose: np.ndarray,
    reach: float,
    time: float = 0.0,
    kept: np.ndarray | None = None,
    mates: np.ndarray = NOBODY,
) -> np.ndarray:
    memory = memories(1)
    memory["scan_row"], memory["scan_x"], memory["scan_y"], memory["scan_heading"] = 0, *pose
    points = np.empty((MOST_POINTS, 3))
    kept = slots(1)[0] if kept is None else kept
    count, _ = gather_points(
        PLATFORMS[0], memory[0], pose, ranges[None], BEAMS, state, 0.0, 0.0, 0.2, mates, len(mates), reach, 0.0,
        time, kept, points,
    )  # fmt: skip
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


OPEN = np.full((40, 40), FREE, dtype=np.uint8)
NOTHING = np.full(180, np.inf, dtype=np.float32)


def wall_beside(y: float) -> np.ndarray:
    """What the lidar sees of a straight wall to the left, `y` metres beside it."""
    assert PIONEER.lidar is not None
    sines = np.sin(PIONEER.lidar.angles)
    ranges = np.divide(y, sines, out=np.full(180, np.inf), where=sines > 0.05)
    return ranges.astype(np.float32)


def test_a_wall_that_was_seen_is_where_it_was_seen_when_it_is_behind() -> None:
    state = OPEN.copy()
    state[24, :] = OCCUPIED  # The middles of the cells are 0.9 m beside, the wall 0.87 m.
    kept = slots(1)[0]
    gathered(wall_beside(0.87), state, np.array([4.0, 4.0, 0.0]), 1.5, kept=kept)
    behind = gathered(NOTHING, state, np.array([4.3, 4.0, -0.5 * math.pi]), 1.5, 1.0, kept)
    near = behind[np.abs(behind[:, 1]) < 0.5]
    assert len(near) >= 1.0 / (2.0 * SLOT)
    np.testing.assert_allclose(near[:, 0], -0.87, atol=1e-5)


def test_a_wall_that_was_seen_long_ago_is_that_of_the_map_again() -> None:
    state = OPEN.copy()
    state[24, :] = OCCUPIED
    kept = slots(1)[0]
    gathered(wall_beside(0.87), state, np.array([4.0, 4.0, 0.0]), 1.5, kept=kept)
    behind = gathered(NOTHING, state, np.array([4.3, 4.0, -0.5 * math.pi]), 1.5, KEPT_FOR + 1.0, kept)
    np.testing.assert_allclose(behind[np.abs(behind[:, 1]) < 0.5, 0], -0.85, atol=1e-9)


def test_what_may_be_a_teammate_is_not_kept() -> None:
    ranges = NOTHING.copy()
    ranges[88:92] = 1.0
    kept = slots(1)[0]
    mate = np.array([[1.3, 0.4, 0.0, 0.0, 0.3, 0.8, 0.1]])
    pose, turned = np.array([4.0, 4.0, 0.0]), np.array([4.0, 4.0, math.pi])
    assert len(gathered(ranges, OPEN, pose, 1.5, kept=kept, mates=mate)) > 0
    assert len(gathered(NOTHING, OPEN, turned, 1.5, 1.0, kept)) == 0
    gathered(ranges, OPEN, pose, 1.5, kept=kept)
    assert len(gathered(NOTHING, OPEN, turned, 1.5, 1.0, kept)) > 0
