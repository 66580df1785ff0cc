"""Robots bring the base news before it falls too far behind, and hand it over to whom is nearer to it."""

from __future__ import annotations

from functools import cache

import numpy as np

from expedition.mission import Result
from expedition.robot import Robot
from expedition.strategies.time_preference import TOPIC, News, time_preference
from tests.strategies.arena import ARENA
from tests.strategies.test_frontier_return import mission


@cache
def with_ratio(ratio: float) -> Result:
    return mission(ARENA, 1, "time-preference", parameters={"ratio": ratio}, time_limit=600.0)


def test_a_higher_ratio_keeps_the_base_better_informed_and_takes_longer() -> None:
    eager, patient = with_ratio(0.9), with_ratio(0.3)
    for result in (eager, patient):
        assert result.ending == "gave up"
        assert result.measurements.at_base[-1] == result.measurements.union[-1] > 0.99
    informed = [(result.measurements.at_base / result.measurements.union).mean() for result in (eager, patient)]
    assert informed[0] > informed[1] + 0.05
    assert eager.controller.time > patient.controller.time + 20.0


def test_robot_turns_back_when_the_ratio_is_reached() -> None:
    measured = with_ratio(0.7).measurements
    # A second passes until it looks again, and it sees something new on its way back, too.
    assert (measured.at_base / measured.union).min() > 0.5


def test_robot_nearer_to_the_base_takes_over_the_news() -> None:
    """Robot 0 stands between the base and robot 1, and hears what robot 1 has seen; only one of them need return."""
    carried: dict[int, tuple[float, float]] = {}

    async def meets(robot: Robot) -> None:
        news = News(robot, trust=50.0)
        await robot.go_to((12.0 if robot.id == 0 else 16.0, 3.0), through_unknown=True)
        await robot.wait(max(0.0, 40.0 - robot.time))
        for _ in range(5):
            news.look()
            await robot.wait(1.0)
        assert news.ratio == (1.0 if robot.id == 1 else 0.0)
        before = news.carried
        await robot.wait(60.0)
        carried[robot.id] = before, news.carried

    mission(ARENA, 2, meets, radio="circle:range=5")
    assert carried[0][0] > 100.0
    assert carried[1][0] == 0.0
    assert carried[1][1] == carried[0][1] > 100.0, "what was not delivered for long counts as lost"


def test_a_dead_couriers_news_is_delivered_by_who_handed_it_over() -> None:
    """Robot 0 takes robot 1's news over and dies with it; robot 1 waits for a while, and then brings it home itself."""

    async def hands_over(robot: Robot) -> None:
        await robot.go_to((12.0 if robot.id == 0 else 16.0, 3.0), through_unknown=True)
        await robot.wait(max(0.0, 30.0 - robot.time))
        await time_preference(robot, ratio=0.5, trust=40.0, reserve=0.0, max_age=1.0)

    result = mission(ARENA, 2, hands_over, failures="robot:at=33,robots=0", time_limit=400.0)
    measured = result.measurements
    at_death = measured.at_base[measured.times <= 33.0][-1]
    assert at_death < 0.6 * measured.union[measured.times <= 33.0][-1]
    assert measured.at_base[-1] == measured.union[-1]


def test_what_the_base_knows_goes_round() -> None:
    """Robot 1 never comes near the base, and learns from robot 0 that the base knows what it has seen."""
    ratios: list[float] = []

    async def listens(robot: Robot) -> None:
        news = News(robot, trust=1.0)
        await robot.go_to((5.0 if robot.id == 0 else 9.5, 3.0), through_unknown=True)
        while robot.time < 30.0:
            news.look()
            await robot.wait(1.0)
        if robot.id == 1:
            assert robot.base_age > 5.0
            ratios.append(news.ratio)

    mission(ARENA, 2, listens, radio="circle:range=5")
    assert ratios == [1.0]


def test_without_a_base_nobody_returns_before_all_is_explored() -> None:
    result = mission(ARENA, 2, "time-preference", base=None)
    returning = [time for time, _, _, word in result.controller.declared if word == "returning"]
    measured = result.measurements
    assert measured.union[measured.times <= min(returning)][-1] > 0.98


def test_without_radios_news_is_delivered_by_being_there() -> None:
    result = mission(ARENA, 1, "time-preference", radio="none", time_limit=600.0)
    assert result.ending == "gave up"
    assert result.measurements.union[-1] > 0.99


def test_robots_explore_on_when_nobody_hears_them_at_home() -> None:
    silent = mission(ARENA, 2, "time-preference", failures="radio:at=10", time_limit=600.0)
    assert silent.measurements.union[-1] > 0.99
    passing = mission(ARENA, 2, "time-preference", failures="radio:at=10,lasts=60", time_limit=600.0)
    assert passing.measurements.at_base[-1] > 0.99


def test_messages_of_other_strategies_are_left_alone() -> None:
    async def babbles(robot: Robot) -> None:
        robot.send({"at_base": "much"}, topic="else")
        await robot.wait(1.0)
        news = News(robot, 10.0)
        news.look()
        assert TOPIC != "else"
        assert np.isfinite(news.ratio)

    mission(ARENA, 2, babbles)
