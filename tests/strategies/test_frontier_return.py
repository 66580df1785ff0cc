"""Robots share frontiers out among them, as far as they have heard of each other, and come home."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from expedition import explore
from expedition.mission import Result
from expedition.robot import Frontier, Robot
from expedition.strategies.division import best_first, my_share
from expedition.strategies.frontier_return import frontier_return
from expedition.terrain import Terrain
from tests.strategies.arena import ARENA, STARTS

PIONEER = "pioneer-3dx:lidar.range=4"


@cache
def two_rooms() -> Terrain:
    """The first 12 m of the arena."""
    occupied = ARENA.occupied[:, :120].copy()
    occupied[:, -1] = True
    return Terrain.from_occupied("rooms", occupied, resolution=ARENA.resolution)


def mission(terrain: Terrain, robots: int = 1, strategy: Any = "frontier-return", **options: Any) -> Result:
    """A mission that ends when all robots have, from a base at the left end."""
    given = {
        "robot": PIONEER, "placement": f"at:positions={[list(start) for start in STARTS[:robots]]}",
        "localiser": "perfect", "radio": "circle:range=5", "base": "start", "time_limit": 300.0,
        "stop": {"explored": False},
    }  # fmt: skip
    result = explore(terrain, robots, strategy, seed=3, **{**given, **options})
    assert result.failure is None, result.failure.report
    return result


def away_from_home(result: Result, robot: int = 0) -> float:
    return float(np.hypot(*(result.measurements.poses[-1, robot, :2] - STARTS[0])))


def test_robots_come_home_when_nothing_is_left_and_the_base_knows_it_all() -> None:
    result = mission(two_rooms(), 2)
    assert result.ending == "gave up"
    assert result.measurements.union[-1] > 0.99
    assert result.measurements.at_base[-1] == result.measurements.union[-1]
    assert max(away_from_home(result, robot) for robot in range(2)) < 2.5
    words = {word for _, _, what, word in result.controller.declared if what == "activity"}
    assert words == {"exploring", "returning", "waiting", ""}


def test_mission_goes_on_until_what_was_brought_home_is_at_the_base() -> None:
    """Over 700 bit/s that takes longer than robots wait at home; what is out of reach is not awaited."""
    slow = {"link": {"bandwidth_bits_per_s": 700.0}}
    result = mission(two_rooms(), network=slow, time_limit=600.0)
    assert result.ending == "gave up"
    assert result.measurements.at_base[-1] > 0.99
    assert result.measurements.times[-1] > result.controller.declared[-1][0] + 5.0  # Its activity ended with it.
    cut_off = mission(two_rooms(), network=slow, failures="radio:at=20", time_limit=600.0)
    assert cut_off.ending == "gave up"
    assert cut_off.measurements.at_base[-1] < 0.9
    assert cut_off.measurements.times[-1] < cut_off.controller.declared[-1][0] + 2.0


def test_robot_comes_home_with_the_last_of_its_battery() -> None:
    robot = f"{PIONEER},battery.capacity_wh=0.4"
    careful = mission(ARENA, robot=robot)
    assert away_from_home(careful) < 2.5
    assert careful.ending == "gave up"
    assert careful.measurements.at_base[-1] == careful.measurements.union[-1]
    assert careful.controller.energy.left[0] > 0.0
    careless = mission(ARENA, robot=robot, parameters={"reserve": 0.0})
    assert away_from_home(careless) > 10.0
    assert careless.measurements.at_base[-1] < careless.measurements.union[-1] - 0.1


def test_without_a_base_robots_come_back_to_where_they_set_out() -> None:
    result = mission(two_rooms(), 2, base=None, radio="none")
    final = result.measurements.poses[-1, :, :2]
    assert np.hypot(*(final - np.array(STARTS[:2])).T).max() < 2.0


def test_robot_that_cannot_come_home_does_not_try_for_ever() -> None:
    """Its home lies where there is no way."""

    async def is_homeless(robot: Robot) -> None:
        robot.base = (-5.0, -5.0)
        await frontier_return(robot)

    result = mission(two_rooms(), strategy=is_homeless)
    assert result.ending == "gave up"
    assert result.controller.time < 150.0


@pytest.mark.parametrize("strategy", ["frontier-return", "time-preference"])
def test_robot_whose_place_at_home_is_taken_by_a_silent_one_ends_beside_it(strategy: str) -> None:
    """Without radios, one that stands at home is a wall to the other."""
    result = mission(two_rooms(), 2, strategy, radio="none")
    assert result.ending == "gave up"
    assert result.controller.time < 150.0
    assert max(away_from_home(result, robot) for robot in range(2)) < 2.5


TEAMS = ("frontier-return", "time-preference", "sector", "role-based")
CLOSED_ROOM, BEHIND_A_THIN_WALL, CORNER = (10.5, 5.0), (8.3, 4.4), (0.15, 0.15)


@cache
def closed_room() -> Terrain:
    """Two rooms, in the farther of which there is a third without a door, behind walls of 0.1 m."""
    occupied = two_rooms().occupied.copy()
    occupied[42:, 80] = occupied[42, 80:] = True
    return Terrain.from_occupied("closed room", occupied, resolution=ARENA.resolution)


@pytest.mark.parametrize("strategy", TEAMS)
@pytest.mark.parametrize("base", [CLOSED_ROOM, BEHIND_A_THIN_WALL, CORNER])
def test_base_where_nobody_can_drive_is_told_from_the_nearest_place(strategy: str, base: tuple[float, float]) -> None:
    stop = {"explored": {"share": 0.98, "of": "base"}}
    result = mission(closed_room(), 2, strategy, base=base, radio="circle:range=3.5", stop=stop, time_limit=200.0)
    assert result.ending == "explored"
    assert result.measurements.hops[0].tolist() != [1.0, 1.0]


def test_chain_begins_next_to_a_base_where_nobody_can_drive() -> None:
    result = mission(closed_room(), 2, "leader-follower", base=CORNER, radio="circle:range=6")
    assert result.measurements.hops[0].tolist() == [1.0, 1.0]
    assert result.measurements.at_base[-1] > result.measurements.at_base[0] + 0.3


def test_home_is_the_base_where_there_is_a_way_and_the_nearest_place_where_there_is_none() -> None:
    seen: list[tuple[tuple[float, float], float, float]] = []

    async def looks(robot: Robot) -> None:
        while frontiers := robot.frontiers():
            await robot.go_to(min(frontiers, key=robot.travel_cost))
        for base in (STARTS[1], CLOSED_ROOM, BEHIND_A_THIN_WALL, CORNER):
            robot.base = base
            outcome = await robot.go_to(robot.home)
            assert outcome == "arrived"
            seen.append((robot.home, robot.travel_cost(robot.home), math.dist(robot.pose[:2], base)))

    mission(closed_room(), strategy=looks, base=None)
    homes, costs, away = zip(*seen, strict=True)
    assert homes[0] == STARTS[1]
    assert max(costs) < 0.5
    assert away[0] < 0.3
    assert 1.0 < away[1] < 1.8
    assert max(away[2:]) < 1.0


def shared_out(robot: Robot, frontiers: list[Frontier], max_age: float) -> Frontier | None:
    """The obvious way: the best pair first, then the best of those left, until it is this robot's turn."""
    side = robot.map.frame.resolution
    places = {robot.id: robot.pose, **{m.id: m.pose for m in robot.teammates.values() if m.age <= max_age}}
    values = {}
    for number, place in places.items():
        for index, frontier in enumerate(frontiers):
            cost = float(robot.travel_costs([place], [frontier])[0, 0])
            values[number, index] = (frontier.gain + side**2) / max(cost, side) ** 4
    mine = {index: value for (number, index), value in values.items() if number == robot.id}
    while values:
        who, what = max(values, key=lambda pair: (values[pair], -pair[0], -pair[1]))
        if who == robot.id:
            return frontiers[what]
        values = {pair: value for pair, value in values.items() if pair[0] != who and pair[1] != what}
    return frontiers[max(mine, key=lambda index: mine[index])] if mine else None


def test_share_is_what_assigning_the_best_pairs_one_by_one_leaves() -> None:
    """Robot 1 falls silent after 10 s, and counts with what was last heard as long as that is not too old."""
    seen = {"alike": 0, "other without mates": 0}

    async def compares(robot: Robot) -> None:
        while frontiers := robot.frontiers():
            for max_age in (1e4, 20.0):
                mine = my_share(robot, frontiers, 100, 4.0, max_age)
                assert mine is shared_out(robot, frontiers, max_age)
                seen["alike"] += 1
            alone = best_first(robot, frontiers, 100)[0]
            assert my_share(robot, frontiers, 100, 4.0, -1.0) is alone
            mine = my_share(robot, frontiers, 100)
            assert mine is not None
            seen["other without mates"] += mine is not alone
            await robot.go_to(mine, timeout=5.0)

    explore("building:size=20,seed=3", 3, compares, seed=1, robot=PIONEER, localiser="perfect", radio="everywhere",
            placement="grouped", failures="radio:at=10,robots=1", time_limit=120.0)  # fmt: skip
    assert seen["alike"] > 20
    assert seen["other without mates"] > 2


def test_robots_in_contact_do_not_choose_the_same_frontier() -> None:
    chosen: list[tuple[float, float]] = []

    async def choose(robot: Robot) -> None:
        await robot.wait(3.0)
        frontiers = robot.frontiers()
        assert len(frontiers) >= 2
        mine = my_share(robot, frontiers)
        assert mine is not None
        chosen.append((mine.x, mine.y))
        await robot.wait(1.0)

    result = explore("cross", 2, choose, seed=1, robot=PIONEER, localiser="perfect", placement="grouped")
    assert result.failure is None, result.failure.report
    assert len(set(chosen)) == 2


def test_there_is_no_share_of_nothing() -> None:
    shares: list[Frontier | None] = []

    async def asks(robot: Robot) -> None:
        shares.append(my_share(robot, []))

    mission(two_rooms(), strategy=asks)
    assert shares == [None]
