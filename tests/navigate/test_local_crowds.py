"""Robots that meet: nobody waits for ever, and hardly anybody touches."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from expedition.navigate.local_records import ARRIVED, BEACON
from expedition.terrain import Terrain
from tests.navigate.local_world import World, drawn

Places = Sequence[tuple[float, float]]


def swapped(
    terrain: Terrain, left: Places, right: Places, through: Places, seconds: float, hears: bool = True
) -> World:
    """Robots on two sides trade places, by the way of some points from left to right."""
    starts = [(x, y, 0.0) for x, y in left] + [(x, y, math.pi) for x, y in right]
    world = World(terrain, starts, hears=hears)
    for robot, (start, goal) in enumerate(zip(starts, [*right, *left], strict=True)):
        way = through if robot < len(left) else through[::-1]
        world.follower.set_path(robot, [start[:2], *way, goal])
    world.run(seconds)
    return world


@pytest.mark.parametrize("hears", [True, False])
@pytest.mark.parametrize("beside", [0.0, 0.1, 0.5])
def test_two_robots_that_meet_head_on_pass_each_other(beside: float, hears: bool) -> None:
    world = swapped(drawn(20, 8), [(2, 4)], [(18, 4 + beside)], [], 30, hears)
    assert (world.follower.status == ARRIVED).all()
    assert world.time < 20
    assert world.contacts == []


def test_two_robots_meet_in_a_corridor_of_one_metre_with_a_bay() -> None:
    bay = [(2, 0, 12, 2.5), (2, 3.5, 6, 6), (8, 3.5, 12, 6)]
    world = swapped(drawn(14, 6, bay), [(1, 3)], [(13, 3)], [], 60)
    assert (world.follower.status == ARRIVED).all()
    assert world.contacts == []


def test_thirty_robots_trade_ends_of_a_road() -> None:
    left = [(2 + 2 * (k % 3), 0.9 + 1.5 * (k // 3)) for k in range(15)]
    right = [(78 - x, y) for x, y in left]
    world = swapped(drawn(80, 8), left, right, [], 150)
    assert (world.follower.status == ARRIVED).all()
    assert len(world.contacts) <= 5


def test_a_robot_with_nothing_to_do_stands_aside_for_one_under_way() -> None:
    walls = [(0, 0, 12, 2.5), (0, 5.5, 12, 6)]
    world = World(drawn(12, 6, walls), [(1, 4, 0), (6, 4, 1.0)])
    world.follower.set_path(0, [(1, 4), (11, 4)])
    world.run(12)
    assert world.follower.status_name(0) == "arrived"
    assert np.hypot(*(world.poses[-1][1, :2] - (6, 4))) > 0.2
    assert world.contacts == []


def test_a_beacon_is_small() -> None:
    assert BEACON.itemsize <= 100
