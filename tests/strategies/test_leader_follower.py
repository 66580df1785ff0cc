"""A chain of robots from the base explores as far as it reaches, and the base knows all the while what they know."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from expedition.mission import Result
from expedition.robot import Frontier, Robot
from expedition.strategies.chain import Chain, Place
from expedition.strategies.leader_follower import approach, keep_up, leader_follower, post
from expedition.strategies.leading import Leading
from expedition.strategies.roll_call import RollCall
from tests.strategies.arena import STARTS, try_out

RANGE = 8.0
BASE_X = STARTS[0][0]


def in_the_hall(robots: int, **options: Any) -> Result:
    """A mission in a hall of 40 m, by radios that reach 8 m, from a base at its left end."""
    given = {"radio": f"circle:range={RANGE:g}", "base": "start", "seconds": 400.0, "guard": {"step_seconds": 20.0}}
    result = try_out("leader-follower", robots, **{**given, **options})
    assert result.failure is None, result.failure.report
    return result


@cache
def three_in_the_hall() -> Result:
    return in_the_hall(3)


def is_home(result: Result, robot: int) -> bool:
    return bool(np.hypot(*(result.measurements.poses[-1, robot, :2] - STARTS[0])) < 2.5)


def test_base_knows_at_every_moment_nearly_all_that_the_team_knows() -> None:
    measured = three_in_the_hall().measurements
    ratio = measured.at_base / measured.union
    assert measured.union[-1] > 0.5
    assert ratio.mean() > 0.97
    assert ratio.min() > 0.85
    assert measured.connected.min() == 1.0


@pytest.mark.parametrize("robots", [1, 2])
def test_leader_goes_as_far_as_the_chain_allows_and_no_farther(robots: int) -> None:
    farthest = in_the_hall(robots).measurements.poses[:, :, 0].max()
    assert BASE_X + (robots - 0.5) * RANGE - 1.0 < farthest < BASE_X + robots * RANGE


def test_when_nothing_is_left_in_reach_all_come_home_and_end() -> None:
    result = three_in_the_hall()
    assert result.ending == "gave up"
    assert all(is_home(result, robot) for robot in range(3))
    roles = {robot: word for _, robot, what, word in result.controller.declared if what == "role"}
    assert roles == {0: "follower", 1: "follower", 2: "leader"}


def test_chain_closes_up_when_a_robot_in_its_middle_dies() -> None:
    result = in_the_hall(4, failures="robot:at=25,robots=1")
    measured = result.measurements
    at_death = measured.union[measured.times <= 25.0][-1]
    assert measured.union[-1] > at_death + 0.05
    assert measured.at_base[-1] == measured.union[-1]
    assert all(is_home(result, robot) for robot in (0, 2, 3))


def test_next_robot_leads_when_the_leader_dies() -> None:
    result = in_the_hall(3, failures="robot:at=10,robots=2")
    roles = [(robot, word) for _, robot, what, word in result.controller.declared if what == "role"]
    assert roles[-1] == (1, "leader")
    measured = result.measurements
    assert measured.union[-1] > measured.union[measured.times <= 10.0][-1] + 0.1
    assert all(is_home(result, robot) for robot in (0, 1))


def test_robot_that_lost_its_parent_goes_back_until_it_hears_it() -> None:
    result = in_the_hall(3, failures="radio:at=30,robots=1,lasts=30")
    times, x = result.measurements.times, result.measurements.poses[:, 2, 0]
    assert x[times == 30.0][0] - x[(times > 30.0) & (times < 65.0)].min() > 3.0
    assert x.max() > x[times <= 30.0].max() + 1.0
    assert result.measurements.at_base[-1] == result.measurements.union[-1]


def test_chain_holds_when_every_fifth_message_is_lost() -> None:
    measured = in_the_hall(3, network={"link": {"loss": 0.2}}).measurements
    assert measured.union[-1] > 0.5
    assert (measured.at_base / measured.union).mean() > 0.93


def test_without_a_base_the_chain_explores_everything_that_it_can_reach_together() -> None:
    measured = in_the_hall(2, base=None).measurements
    assert measured.union[-1] > 0.95
    assert measured.connected.mean() > 0.95


def test_a_robot_that_hears_nobody_explores_alone() -> None:
    assert in_the_hall(2, radio="none").measurements.explored[-1].min() > 0.95


def test_frontier_is_in_reach_as_long_as_there_are_followers_for_posts() -> None:
    told: dict[float, bool] = {}

    async def asks(robot: Robot) -> None:
        if robot.id == 0:
            await robot.wait(100.0)
            return
        await robot.go_to((35.0, 3.0), through_unknown=True)
        chain = Chain(robot, 0.9, 3.0, lost_after=1e5)
        told.update({x: chain.reaches((x, 3.0)) for x in (9.0, 11.0, 17.0, 19.0, 25.0, 27.0)})

    try_out(asks, 2, seconds=120.0, radio="circle:range=8", base="start")
    assert told == {9.0: True, 11.0: True, 17.0: True, 19.0: False, 25.0: False, 27.0: False}


def test_roll_call_goes_round_by_way_of_others() -> None:
    """Robots 0 and 2 never talk to each other; robot 1 passes on what it hears until it falls silent."""
    present: dict[int, list[list[int]]] = {0: [], 1: [], 2: []}

    async def calls(robot: Robot) -> None:
        roll = RollCall(robot, 5.0)
        while robot.time < 20.0:
            for message in robot.inbox.take():
                roll.hear(message.payload)
            for other in [1] if robot.id != 1 else [0, 2]:
                if robot.id != 1 or robot.time < 8.0:
                    robot.send(roll.answers(), to=other)
            present[robot.id].append(roll.present)
            await robot.wait(1.0)

    assert try_out(calls, 3, seconds=30).failure is None
    assert present[0][7] == present[2][7] == [0, 1, 2]
    assert present[0][-1] == [0]
    assert present[1][-1] == [0, 1, 2]


def test_predicted_link_ends_at_walls_that_the_robot_knows() -> None:
    """By line of sight into the next room: through the wall before and after it is seen, through the door, too far."""
    chances: list[float] = []

    async def predicts(robot: Robot) -> None:
        chances.append(robot.link_chance((2.0, 1.0), (10.0, 1.0)))
        await robot.go_to((4.0, 2.0), through_unknown=True)
        chances.append(robot.link_chance((2.0, 1.0), (10.0, 1.0)))
        chances.append(robot.link_chance((2.0, 3.0), (10.0, 3.0), to=1))
        chances.append(robot.link_chance((2.0, 3.0), (30.0, 3.0), to=1))

    async def only_first(robot: Robot) -> None:
        if robot.id == 0:
            await predicts(robot)

    assert try_out(only_first, 2, radio="line-of-sight:range=20").failure is None
    assert chances == [1.0, 0.0, 1.0, 0.0]


def test_path_may_begin_elsewhere() -> None:
    paths: list[np.ndarray[Any, Any] | None] = []

    async def plans(robot: Robot) -> None:
        await robot.wait(1.0)
        paths.append(robot.path_to((4.0, 3.0), start=(1.0, 4.0)))

    try_out(plans)
    assert paths[0] is not None
    assert paths[0][0].tolist() == [1.0, 4.0]
    assert paths[0][-1].tolist() == [4.0, 3.0]


def test_a_parent_that_was_never_heard_is_out_of_contact() -> None:
    told: list[bool] = []

    async def asks(robot: Robot) -> None:
        if robot.id == 1:
            await robot.wait(2.0)
            chain = Chain(robot, 0.9, 3.0, lost_after=60.0)
            told.extend([chain.parent == 0, chain.is_broken(), chain.holds_at((2.5, 4.5))])

    assert try_out(asks, 2, radio="circle:range=1", base="start").failure is None
    assert told == [True, True, False]


def test_a_parent_that_only_others_hear_is_passed_over_from_both_sides() -> None:
    """Robots 1 and 2 stand on both sides of robot 0, too far apart to hear each other."""
    told: dict[int, tuple[int | None, int | None, bool]] = {}

    async def asks(robot: Robot) -> None:
        chain = Chain(robot, 0.9, 3.0, lost_after=5.0)
        await robot.wait(12.0, until=lambda: bool(chain.look()))
        told[robot.id] = chain.parent, chain.child, chain.is_leader

    assert try_out(asks, 3, radio="circle:range=2", base="start").failure is None
    assert told == {0: (3, 2, False), 1: (0, None, False), 2: (0, None, True)}


def test_robots_that_do_not_hear_each_other_at_the_start_meet_at_the_base_and_explore() -> None:
    result = in_the_hall(3, radio="circle:range=2.5", seconds=300.0)
    assert result.ending == "gave up"
    assert result.measurements.poses[:, 2, 0].max() > BASE_X + 2.5


def test_follower_drives_its_last_few_decimetres() -> None:
    moved: list[float] = []

    async def follows(robot: Robot) -> None:
        await robot.wait(1.0)
        await approach(robot, Chain(robot, 0.9, 3.0, 60.0), (2.4, 3.0), replan=5.0)
        moved.append(robot.pose.x - BASE_X)

    try_out(follows, base="start")
    assert moved[0] > 0.25


def test_a_blind_leader_leaves_and_the_next_one_leads() -> None:
    result = in_the_hall(3, failures="sensors:at=10,robots=2", parameters={"lost_after": 20})
    roles = [(robot, word) for _, robot, what, word in result.controller.declared if what == "role"]
    assert roles[-1] == (1, "leader")
    assert result.ending == "gave up"
    assert all(is_home(result, robot) for robot in range(3))
    measured = result.measurements
    assert measured.union[-1] > measured.union[measured.times <= 10.0][-1] + 0.1


def test_a_robot_whose_radio_died_explores_alone() -> None:
    result = in_the_hall(2, failures="radio:at=10,robots=0", parameters={"lost_after": 20})
    assert result.measurements.explored[-1, 0] > 0.95


def test_follower_moves_on_for_a_child_that_is_held_up_whatever_its_own_map_says() -> None:
    posts: list[bool] = []

    async def stands(robot: Robot) -> None:
        chain = Chain(robot, 0.9, 3.0, 60.0)
        chain.wishes, chain.is_held_up = [(4.0, 3.0)], True
        for _ in range(2):
            await robot.wait(3.0, until=lambda: bool(chain.look()))
            if robot.id == 0:
                posts.append(post(robot, chain) == robot.pose[:2])

    assert try_out(stands, 2, base="start", guard={"step_seconds": 20.0}).failure is None
    assert posts == [True, False]


def test_leader_folds_the_chain_up_and_tries_once_more_what_it_gave_up() -> None:
    """Its follower, which does as it is not told, never leaves the base."""

    async def leads(robot: Robot) -> None:
        if robot.id == 1:
            await leader_follower(robot, stuck_after=10.0)
        chain = Chain(robot, 0.9, 3.0, 60.0)
        await robot.wait(150.0, until=lambda: bool(chain.look()))

    result = try_out(leads, 2, seconds=150.0, radio="circle:range=8", base="start", guard={"step_seconds": 20.0})
    assert result.failure is None
    is_out = result.measurements.poses[:, 1, 0] > BASE_X + 6.0
    assert np.count_nonzero(np.diff(is_out.astype(int)) == 1) == 2
    assert is_home(result, 1)


def test_leader_goes_elsewhere_when_its_frontier_gets_out_of_reach() -> None:
    """In the middle of the hall there is one frontier on either side."""
    chosen: list[float] = []

    class OneSided(Chain):
        def reaches(self, target: Place) -> bool:
            return not chosen or (target[0] < 25.0) != (chosen[0] < 25.0)

    async def chooses(robot: Robot) -> None:
        await robot.wait(1.0)
        await robot.drive(0.0, turn=1.0, seconds=7.0)
        leading = Leading(robot, OneSided(robot, 0.9, 3.0, 60.0), power=4.0, stuck_after=40.0, retry=20.0)
        for _ in range(2):
            goal = leading.goal()
            assert isinstance(goal, Frontier)
            chosen.append(goal.x)

    assert try_out(chooses, placement="at:positions=[[25, 3]]").failure is None
    assert (chosen[0] < 25.0) != (chosen[1] < 25.0)


def test_leader_folds_up_even_where_it_does_not_hear_its_parent() -> None:
    ended: list[tuple[float, list[Place] | None]] = []

    async def folds(robot: Robot) -> None:
        if robot.id == 1:
            await robot.wait(1.0)
            chain = Chain(robot, 0.9, 3.0, 60.0)
            leading = Leading(robot, chain, power=4.0, stuck_after=40.0, retry=20.0)
            await keep_up(robot, chain, leading, (4.0, 4.5), 10.0)
            ended.append((robot.pose.x, chain.wishes))

    assert try_out(folds, 2, radio="circle:range=1", base="start").failure is None
    assert ended[0][0] > 3.8
    assert ended[0][1] == [(4.0, 4.5)]
