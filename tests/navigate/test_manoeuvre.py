"""Manoeuvres into narrow places."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.navigate.local_records import MOST_STEPS, platforms_of
from expedition.navigate.manoeuvre import AHEAD, JAMMED, MARGINS, plan_manoeuvre
from expedition.navigate.nearby import gap_to_point
from expedition.navigate.progress import MANOEUVRE
from tests.navigate.local_world import PIONEER, World, drawn

PLATFORMS, _ = platforms_of([PIONEER], [7])
BODY = PLATFORMS[0]
NO_DISCS = np.empty((0, 7))


def corridor(width: float, x: float, y: float, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of a wall and a corridor through it, which begins at (x, y), and the path from the origin into it."""
    along, beside = np.arange(0.0, 1.2, 0.03), np.arange(0.0, 0.9, 0.03)
    sides = []
    for side in (0.5 * width, -0.5 * width):
        sides.append(np.column_stack([along, np.full(len(along), side)]))
        sides.append(np.column_stack([np.zeros(len(beside)), side + math.copysign(1.0, side) * beside]))
    points = np.concatenate(sides)
    c, s = math.cos(angle), math.sin(angle)
    points = points @ np.array([[c, s], [-s, c]]) + (x, y)
    path = np.array([[0.0, 0.0], [x - 0.2 * c, y - 0.2 * s], [x + 1.2 * c, y + 1.2 * s]])
    return points, path


def planned(points: np.ndarray, path: np.ndarray) -> np.ndarray:
    local = np.zeros((len(path), 3))
    local[:, :2] = path
    local[1:, 2] = np.cumsum(np.hypot(*np.diff(path, axis=0).T))
    gaps = [gap_to_point(BODY, x, y) for x, y in points]
    steps = np.empty((MOST_STEPS, 4))
    obstacles = np.column_stack([points, gaps])
    count = plan_manoeuvre(BODY, local, len(local), obstacles, len(obstacles), NO_DISCS, 0, steps)
    return steps[:count]


def poses_along(steps: np.ndarray) -> np.ndarray:
    """Every pose on the way through the steps, a centimetre or a hundredth of a radian apart."""
    poses, at = [np.zeros(3)], np.zeros(3)
    for x, y, heading, gear in steps:
        turn = math.remainder(heading - at[2], math.tau)
        to = np.array([x, y, at[2] + turn])
        if gear == 0.0:
            np.testing.assert_allclose(to[:2], at[:2], atol=1e-9)
        else:
            assert abs(turn) < 1e-9
            assert math.copysign(1.0, (to - at)[:2] @ (math.cos(heading), math.sin(heading))) == gear
        count = math.ceil(max(np.hypot(*(to - at)[:2]), abs(turn)) / 0.01)
        poses += [at + (to - at) * k / count for k in range(1, count + 1)]
        at = to
    return np.array(poses)


def room_at(pose: np.ndarray, points: np.ndarray) -> float:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    away = points - pose[:2]
    return min(gap_to_point(BODY, x * c + y * s, y * c - x * s) for x, y in away)


@settings(max_examples=30)
@given(st.floats(0.46, 0.7), st.floats(0.35, 0.6), st.floats(-0.25, 0.25), st.floats(-0.7, 0.7))
def test_a_manoeuvre_leads_into_the_corridor_and_touches_nothing(
    width: float, x: float, y: float, angle: float
) -> None:
    points, path = corridor(width, x, y, angle)
    if room_at(np.zeros(3), points) < MARGINS[0]:
        return
    steps = planned(points, path)
    assert len(steps) > 0
    poses = poses_along(steps)
    assert min(room_at(pose, points) for pose in poses) > 0.5 * MARGINS[1]
    into = (poses[-1, :2] - (x, y)) @ (math.cos(angle), math.sin(angle))
    assert into > AHEAD - math.hypot(x, y) - 0.25


def test_there_is_none_through_what_the_body_does_not_fit() -> None:
    assert len(planned(*corridor(PIONEER.body.footprint[1] * 2.0 - 0.01, 0.5, 0.1, 0.3))) == 0


@pytest.mark.parametrize(("width", "opening"), [(0.7, 0.5), (0.8, 0.5)])
def test_a_robot_turns_from_a_corridor_into_one_of_half_a_metre_without_touching_it(
    width: float, opening: float
) -> None:
    """The body is 0.45 m long and 0.38 m wide. By single arcs alone it gets there in the end, along the walls."""
    left, middle = 2.0, 2.0 + 0.5 * width
    walls = [(0.0, 0.0, left, 8.0), (left, 4.0 + opening, 10.0, 8.0), (left + width, 0.0, 10.0, 4.0)]
    world = World(drawn(10, 8, walls), [(middle, 1.0, 0.5 * math.pi)], resolution=0.05)
    beyond = 4.0 + 0.5 * opening
    path = [(middle, 1.0), (middle, beyond - 0.2), (middle + 0.2, beyond), (8.0, beyond)]
    world.follower.set_path(0, path)
    assert world.run(60.0) < 60.0
    assert world.follower.status_name(0) == "arrived"
    assert not world.contacts


def test_a_manoeuvre_goes_on_for_as_long_as_it_moves_the_robot() -> None:
    walls = [(6.0, 0.0, 6.3, 3.7), (6.0, 4.3, 6.3, 8.0)]
    start = (5.2, 4.0, math.pi)
    world = World(drawn(12, 8, walls), [start])
    world.follower.set_path(0, [start[:2], (7.5, 4.0)])
    world.step()
    memory = world.follower._memory[0]
    memory["recovery"], memory["recovery_until"], memory["attempts"] = MANOEUVRE, world.time + 20.0, 1
    memory["tried_x"], memory["tried_y"] = start[:2]
    began = world.time
    while memory["recovery"] == MANOEUVRE:
        world.step()
    assert world.time - began > 1.5 * JAMMED
    assert memory["step"] == memory["last_step"] > 0
