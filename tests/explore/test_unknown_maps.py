"""Robots on maps that they make themselves: doors as narrow as promised, corridors for one, and places to get stuck."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from expedition.action import Outcome
from expedition.exploring import explore, plan_mission
from expedition.fleet import DiscBody, RobotModel, robot_model
from expedition.measure.progress import Progress
from expedition.measure.states import state_words, states_of
from expedition.mission import Result, run
from expedition.robot import Frontier, Robot
from expedition.strategies.central import Fleet, centralised
from expedition.terrain import Terrain

PIONEER = robot_model("pioneer-3dx")
DISC = RobotModel.model_validate(
    {**PIONEER.model_dump(), "body": DiscBody(radius=0.225, height=0.3, mass=9.0).model_dump()}
)
Point = tuple[float, float]


def room_with_a_door(width: float, angle: float, at: Point, thickness: float = 0.2, side: float = 7.0) -> Terrain:
    """A room around (0, 0) with a wall at an angle through its middle, and a door there."""
    cells = np.arange(round(side / 0.02)) * 0.02 + 0.01 - 0.5 * side
    x, y = np.meshgrid(cells, cells)
    along = (x - at[0]) * math.cos(angle) + (y - at[1]) * math.sin(angle)
    across = (y - at[1]) * math.cos(angle) - (x - at[0]) * math.sin(angle)
    occupied = (np.abs(across) < 0.5 * thickness) & (np.abs(along) > 0.5 * width)
    occupied |= (np.abs(x) > 0.5 * side - 0.1) | (np.abs(y) > 0.5 * side - 0.1)
    return Terrain.from_occupied("door", occupied, 0.02, (-0.5 * side, -0.5 * side))


def corridor(width: float, length: float, bays: Sequence[tuple[float, float]] = ()) -> Terrain:
    """Two rooms of 5 by 5 metres joined by a corridor at y = 2.5; `bays` (from, to) above it, 1.4 m deep."""
    columns, rows = round((10.0 + length) / 0.05), 100
    x, y = np.meshgrid(np.arange(columns) * 0.05 + 0.025, np.arange(rows) * 0.05 + 0.025)
    occupied = (x > 5.0) & (x < 5.0 + length) & (np.abs(y - 2.5) > 0.5 * width)
    for left, right in bays:
        occupied &= ~((x > left) & (x < right) & (y > 2.5) & (y < 2.5 + 0.5 * width + 1.4))
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    return Terrain.from_occupied("corridor", occupied, 0.05)


async def drive_to(robot: Robot, goal: Point, near: float = 0.3) -> None:
    """Try again as long as it takes."""
    while math.dist(robot.pose[:2], goal) > near:
        if await robot.go_to(goal, through_unknown=True) is Outcome.BLOCKED:
            await robot.wait(1.0)


def mission(
    terrain: Terrain,
    strategy: Any,
    starts: Sequence[tuple[float, float, float]],
    seconds: float,
    robot: Any = "pioneer-3dx",
    failures: str | None = None,
    tell: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Result:
    placement = f"at:positions={[list(start) for start in starts]}"
    settings = {"localiser": "perfect", **settings}
    return run(
        plan_mission(
            terrain, len(starts), strategy, 1, robot, placement,
            failures=failures, stop={"time": seconds}, settings=settings,
        ),
        tell,
    )  # fmt: skip


@pytest.mark.parametrize("model", [PIONEER, DISC], ids=["pioneer-3dx", "disc of 45 cm"])
@pytest.mark.parametrize(("width", "cell"), [(0.6, 0.05), (0.6, 0.1), (0.8, 0.2)])
@pytest.mark.parametrize("angle", [0.0, 0.5, 2.2])
def test_a_robot_drives_through_a_narrow_door_and_back(
    model: RobotModel, width: float, cell: float, angle: float
) -> None:
    x, y = 0.07, -0.03
    away = -1.8 * math.sin(angle), 1.8 * math.cos(angle)
    here, there = (x - away[0], y - away[1]), (x + away[0], y + away[1])
    passed = []

    async def back_and_forth(robot: Robot) -> None:
        for goal in (there, here):
            await drive_to(robot, goal)
            passed.append(robot.time)

    terrain = room_with_a_door(width, angle, (x, y))
    result = mission(terrain, back_and_forth, [(*here, angle + 0.5 * math.pi)], 60.0, model, resolution=cell)
    assert len(passed) == 2
    assert result.monitor.series.samples[-1].contacts_with_walls.sum() <= 2


def trade_sides(
    width: float, robots: int, seconds: float, length: float = 4.0, **settings: Any
) -> tuple[dict[int, float], Result]:
    """Robots in two rooms exchange sides through a corridor; when each got there."""
    end = 10.0 + length
    left = [(0.9 + 1.5 * (k // 3), 0.9 + 1.5 * (k % 3), 0.0) for k in range(robots // 2)]
    starts = [*left, *((end - x, 5.0 - y, math.pi) for x, y, _ in left)]
    goals = [(end - x, y) for x, y, _ in starts]
    done: dict[int, float] = {}

    async def cross(robot: Robot) -> None:
        await drive_to(robot, goals[robot.id])
        done[robot.id] = robot.time

    return done, mission(corridor(width, length), cross, starts, seconds, **settings)


@pytest.mark.parametrize(("width", "cell"), [(0.6, 0.1), (0.8, 0.2), (1.0, 0.2), (1.3, 0.2)])
@pytest.mark.parametrize("robots", [2, 4])
def test_robots_exchange_sides_through_a_corridor_for_one(width: float, cell: float, robots: int) -> None:
    done, _ = trade_sides(width, robots, 150.0, resolution=cell)
    assert len(done) == robots


def test_ten_robots_trade_sides_through_a_door_of_one_metre() -> None:
    done, result = trade_sides(1.0, 10, 200.0, length=0.2)
    assert len(done) == 10
    assert result.monitor.series.samples[-1].contacts_with_others.sum() <= 8


@pytest.mark.parametrize("patience", [2.0, 3.0])
def test_robots_make_way_though_their_strategies_ask_anew_every_other_second(patience: float) -> None:
    """As those do that decide again when a time is over: what a robot began for a teammate it brings to its end."""
    goals, done = ((12.5, 2.5), (1.5, 2.5)), {}

    async def cross(robot: Robot) -> None:
        while math.dist(robot.pose[:2], goals[robot.id]) > 0.3:
            await robot.go_to(goals[robot.id], through_unknown=True, timeout=patience)
        done[robot.id] = robot.time

    mission(corridor(0.8, 4.0), cross, [(1.5, 2.5, 0.0), (12.5, 2.5, math.pi)], 90.0)
    assert sorted(done) == [0, 1]


def test_a_room_of_which_only_a_cell_or_two_show_through_its_door_is_explored() -> None:
    """Seen along the corridor, its door is no frontier of the usual size."""
    result = explore("floorplan:seed=12", 1, "nearest-frontier", 1, placement="grouped", localiser="perfect")
    assert result.ending == "explored"


@pytest.mark.parametrize("resolution", [0.2, 0.1, 0.05])
def test_a_floor_plan_is_explored_with_cells_of_any_size(resolution: float) -> None:
    result = explore("floorplan:seed=22", 4, seed=1, placement="grouped", localiser="perfect", resolution=resolution)
    assert result.ending == "explored"
    assert result.monitor.series.samples[-1].contacts_with_walls.sum() <= 2


def test_a_robot_gets_out_again_where_it_got_in() -> None:
    """The way out is closed to none that came through, however narrow it turns out to be from inside."""
    terrain = room_with_a_door(0.5, 0.3, (0.1, 0.1))
    out: list[float] = []

    async def in_and_out(robot: Robot) -> None:
        await drive_to(robot, (-0.6, 2.0), 0.5)
        await drive_to(robot, (0.6, -2.0), 0.5)
        out.append(robot.time)

    mission(terrain, in_and_out, [(0.6, -2.0, 1.5)], 200.0, resolution=0.05)
    assert out


def test_a_robot_does_not_drive_into_a_corridor_narrower_than_promised() -> None:
    outcomes = []

    async def cross(robot: Robot) -> None:
        for goal in ((12.5, 2.5), (1.5, 4.0)):
            outcomes.append(await robot.go_to(goal, through_unknown=True))

    result = mission(corridor(0.5, 4.0), cross, [(1.5, 2.5, 0.0)], 60.0, resolution=0.1)
    assert outcomes == [Outcome.BLOCKED, Outcome.ARRIVED]
    assert (result.measurements.poses[:, 0, 0] < 5.2).all()


def test_the_leader_of_a_fleet_hears_who_could_not_get_where_it_was_sent() -> None:
    closed = (7.0, 2.5)
    terrain = corridor(0.3, 4.0)  # Nobody fits through.

    async def insists(fleet: Fleet) -> None:
        while True:
            await fleet.wait(1.0)  # Until the other is heard.
            member = fleet.members[1]
            fleet.assign(member, Frontier(*closed, closed, 1.0, np.zeros((1, 2), dtype=np.int32), lambda: 0.0))
            await fleet.wait(5.0)
            fleet.frontiers()

    result = mission(terrain, centralised(insists), [(1.5, 1.5, 0.0), (1.5, 3.5, 0.0)], 60.0)
    failed = result.controller.failed[0].places
    assert [math.dist((place.x, place.y), closed) < 0.1 for place in failed] == [True]


@pytest.mark.parametrize(("robots", "length"), [(2, 0.2), (2, 4.0), (4, 0.2), (8, 0.2)])
def test_robots_that_do_not_hear_each_other_pass_each_other_in_the_end(robots: int, length: float) -> None:
    seen: set[str] = set()

    def look(progress: Progress) -> None:
        seen.update(state_words(robots)[state] for state in states_of(progress.controller).tolist())

    done, _ = trade_sides(1.0, robots, 240.0, length=length, tell=look, radio="none", resolution=0.2)
    assert len(done) == robots
    assert length < 1.0 or "gives way" in seen


@pytest.mark.parametrize("failures", ["robot:at=40,robots=1", "drive:at=40,robots=1"])
def test_a_robot_that_breaks_down_in_a_corridor_ends_nobody_elses_mission(failures: str) -> None:
    narrow = "floorplan:seed=35,min_corridor_width=1,max_corridor_width=1"
    result = explore(narrow, 4, placement="grouped", seed=1, localiser="perfect", failures=failures, time_limit=600.0)
    assert result.ending == "explored"
    assert result.monitor.series.samples[-1].contacts_with_walls.sum() <= 8


def test_an_idle_robot_in_a_corridor_makes_way() -> None:
    done: dict[int, float] = {}

    async def cross_or_stand(robot: Robot) -> None:
        if robot.id == 0:
            await drive_to(robot, (12.5, 2.5))
            done[0] = robot.time

    result = mission(corridor(0.8, 4.0), cross_or_stand, [(1.5, 2.5, 0.0), (7.0, 2.5, 0.0)], 90.0)
    assert done
    x, y = result.measurements.poses[-1, 1, :2]
    assert not (5.0 < x < 9.0 and abs(y - 2.5) < 0.5)


def test_a_broken_robot_in_a_bay_holds_nobody_up() -> None:
    done: dict[int, float] = {}

    async def cross(robot: Robot) -> None:
        if robot.id < 2:
            await drive_to(robot, ((12.5, 2.5), (1.5, 2.5))[robot.id])
            done[robot.id] = robot.time

    starts = [(1.5, 2.5, 0.0), (12.5, 2.5, math.pi), (7.0, 3.8, 1.5)]
    mission(corridor(1.0, 4.0, [(6.3, 7.7)]), cross, starts, 120.0, failures="robot:at=0.5,robots=2")
    assert sorted(done) == [0, 1]


def test_a_robot_backs_out_of_a_slot_where_it_cannot_turn() -> None:
    occupied = np.ones((80, 300), dtype=bool)
    occupied[5:75, 5:150] = False
    occupied[27:53, 150:260] = False
    slot = Terrain.from_occupied("slot", occupied, 0.02)
    done: list[float] = []

    async def out(robot: Robot) -> None:
        await drive_to(robot, (1.5, 0.8))
        done.append(robot.time)

    result = mission(slot, out, [(4.7, 0.8, 0.0)], 60.0, resolution=0.05)
    assert done
    poses = result.measurements.poses[:, 0]
    assert np.abs(poses[poses[:, 0] > 3.4, 2]).max() < 0.5


@pytest.mark.parametrize("strategy", ["market", "nearest-frontier"])
def test_one_robot_explores_rooms_behind_narrow_doors(strategy: str) -> None:
    terrain = room_with_a_door(0.7, 0.4, (0.1, 0.1))
    result = explore(terrain, 1, strategy, 1, placement="at:positions=[[-2.0, -2.0, 0.5]]", localiser="perfect",
                     resolution=0.1, explored=0.98, time_limit=200.0)  # fmt: skip
    assert result.ending == "explored"


def test_scan_matching_through_doors_of_thick_walls_stays_within_centimetres() -> None:
    occupied = np.ones((60, 200), dtype=bool)
    for left, right in ((3, 60), (66, 130), (136, 197)):  # three rooms, walls of 30 cm between them
        occupied[3:57, left:right] = False
    occupied[24:36, 60:136] = False
    occupied[3:24, 60:66] = occupied[36:57, 60:66] = True
    terrain = Terrain.from_occupied("suite", occupied, 0.05)
    done: list[float] = []

    async def around(robot: Robot) -> None:
        for goal in ((8.5, 1.5), (1.0, 1.0), (8.5, 2.0), (1.5, 1.5)):
            await drive_to(robot, goal)
        done.append(robot.time)

    result = mission(terrain, around, [(1.5, 1.5, 0.0)], 90.0, localiser="scan-matching", resolution=0.1)
    believed, true = result.controller.localiser.pose[0], result.measurements.poses[-1, 0]
    assert done
    assert math.dist(believed[:2], true[:2]) < 0.08
