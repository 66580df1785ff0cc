"""Missions while doors close and ceilings come down: robots go around, hear of it, and missions end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from expedition.belief.grid import FREE, OCCUPIED, GridKind
from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.terrain import Collapse, Door, Rectangle, Terrain

DOORWAY = Rectangle(left=8.0, bottom=3.0, right=8.2, top=5.0)
PLACES = ((8.1, 3.5), (8.1, 4.1), (8.1, 4.5))


def halls(*changes: Any, second_way: bool = True) -> Terrain:
    """Two halls of 8 x 10 m, a doorway in the wall between, and a second way past the wall's upper end.

    In the left hall a screen hides the doorway from the lower left corner.
    """
    occupied = np.zeros((100, 160), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[: 80 if second_way else 100, 80:82] = True
    occupied[30:50, 80:82] = False
    occupied[:60, 30:32] = True
    return Terrain.from_occupied("halls", occupied, changes=changes)


def mission(terrain: Terrain, strategy: Any, positions: list[list[float]], seconds: float, **options: Any) -> Result:
    return explore(
        terrain, len(positions), strategy, 4, placement=f"at:positions={positions}", explored=1.0, time_limit=seconds,
        localiser="perfect", **options,
    )  # fmt: skip


async def cross_and_come_back(robot: Robot) -> None:
    """Look at the doorway, then cross while it closes, and measure the way back when it is open again."""
    await robot.wait(8.0)
    robot.note(f"{robot.travel_cost((12.0, 4.0), through_unknown=True):.1f}")
    robot.note(str(await robot.go_to((12.0, 4.0, math.pi), through_unknown=True)))
    robot.note(f"{robot.travel_cost((4.5, 4.0)):.1f}")
    await robot.wait(100.0, until=lambda: robot.time > 90.0)
    robot.note(f"{robot.travel_cost((4.5, 4.0)):.1f}")
    await robot.wait(1000.0)


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
def test_a_robot_goes_around_a_door_that_closes_before_it_and_uses_it_when_it_is_open_again(kind: GridKind) -> None:
    door = Door(area=DOORWAY, switches=(8.5, 70.0))
    result = mission(halls(door), cross_and_come_back, [[4.5, 4.0]], 95.0, grid=kind)
    before, outcome, closed, opened = [text for _, _, text in result.controller.notes]
    assert outcome == "arrived"
    places = np.array(result.monitor.series.poses)[:, 0]
    assert places[:, 1].max() > 8.0
    assert float(before) < 9.0
    assert float(closed) > 11.0
    assert float(opened) < 9.0


async def one_watches(robot: Robot) -> None:
    """Robot 0 stays before the doorway; 1 has seen it and goes behind the screen; 2 has been there from the start."""
    if robot.id == 1:
        await robot.wait(6.0)
        await robot.go_to((1.5, 1.5), through_unknown=True)
    await robot.wait(1000.0)


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
@pytest.mark.parametrize("merge", ["greedy", "probabilistic"])
def test_robots_behind_a_screen_hear_that_a_door_has_closed(merge: str, kind: GridKind) -> None:
    door = Door(area=DOORWAY, switches=(40.0,))
    starts = [[5.0, 4.0], [5.0, 6.0], [1.5, 3.5]]
    result = mission(halls(door), one_watches, starts, 70.0, merge=merge, grid=kind, radio="everywhere")
    frame, states = result.controller.grids.frame, result.controller.grids.state
    for robot in range(3):
        assert [states[robot][frame.cell(*place)] for place in PLACES] == [OCCUPIED] * 3
    early = mission(halls(door), one_watches, starts, 38.0, merge=merge, grid=kind, radio="everywhere")
    for robot in range(3):
        assert [early.controller.grids.state[robot][frame.cell(*place)] for place in PLACES] == [FREE] * 3


def test_a_mission_whose_ground_is_cut_off_ends_by_time_or_once_nothing_is_left_or_new() -> None:
    """The passage comes down when the robot has seen a little of the other hall, which it wants to explore."""
    rubble = Collapse(area=Rectangle(left=7.5, bottom=2.5, right=8.7, top=5.5), time=1.0)
    options = {"robot": "pioneer-3dx:lidar.range=5"}
    by_time = mission(halls(rubble, second_way=False), "nearest-frontier", [[5.5, 4.0]], 20.0, **options)
    assert by_time.ending == "timed out"
    assert by_time.failure is None
    given_up = mission(halls(rubble, second_way=False), "nearest-frontier", [[5.5, 4.0]], 300.0, **options)
    assert given_up.ending == "gave up"
    stalled = mission(
        halls(rubble, second_way=False), "nearest-frontier", [[5.5, 4.0]], 300.0, stop={"stalled": 10}, **options
    )
    assert stalled.ending == "stalled"
    assert not stalled.succeeded
    assert 0.3 < stalled.monitor.series.explored[-1][0] < 0.6
    last = max(int(stalled.monitor.first_tick.max()), 0) / 10.0
    assert stalled.monitor.series.times[-1] == pytest.approx(last + 10.0, abs=1.1)


def test_robots_reckon_with_changes_where_there_are_doors_or_where_they_are_told_to() -> None:
    door = Door(area=DOORWAY, switches=(40.0,))
    starts = [[5.0, 4.0], [5.0, 6.0]]
    for terrain, options, reckons in (
        (halls(door), {}, True),
        (halls(), {}, False),
        (halls(), {"mapping": {"changing": True}}, True),
        (halls(door), {"mapping": {"changing": False}}, False),
    ):
        result = mission(terrain, one_watches, starts, 1.0, **options)
        assert bool(result.controller.grids.flips.size) == reckons
