"""Every member of the robot, as strategies use it, in real missions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from expedition.mission import Result
from expedition.robot import Robot
from tests.strategies.arena import ARENA, try_out


def observe(strategy: Any, robots: int = 1, **options: Any) -> Result:
    """Run a mission whose strategy asserts; its failure is the test's."""
    result = try_out(strategy, robots, **options)
    assert result.failure is None, result.failure.report
    return result


def test_every_member_that_the_documentation_promises_is_there() -> None:
    promised = (
        "id time rng pose covariance map teammates frontiers travel_cost path_to go_to follow drive stop wait send "
        "inbox drop_tag tags nearby_robots base memory note"
    )

    async def looks(robot: Robot) -> None:
        for name in promised.split():
            assert hasattr(robot, name), name
            member = getattr(Robot, name, None)
            assert member is None or member.__doc__, name

    observe(looks)


def test_going_arrives_where_it_should_and_times_out_when_it_takes_too_long() -> None:
    seen = []

    async def goes(robot: Robot) -> None:
        seen.append(await robot.go_to((4.0, 3.0)))
        assert math.dist(robot.pose[:2], (4.0, 3.0)) < 0.5
        started = robot.time
        seen.append(await robot.go_to(robot.base, timeout=0.5))
        assert robot.time == pytest.approx(started + 0.5, abs=0.11)
        seen.append(await robot.go_to((*robot.base, 0.0), timeout=30.0))
        assert math.dist(robot.pose[:2], robot.base) < 0.5

    observe(goes, seconds=60)
    assert seen == ["arrived", "timed out", "arrived"]


def test_going_where_no_way_is_known_is_blocked() -> None:
    seen = []

    async def goes(robot: Robot) -> None:
        assert robot.travel_cost((30.0, 3.0)) == math.inf
        assert robot.path_to((30.0, 3.0)) is None
        seen.append(await robot.go_to((-20.0, 3.0)))

    observe(goes)
    assert seen == ["blocked"]


def test_going_is_stale_when_until_comes_true_or_the_frontier_is_explored() -> None:
    seen = []

    async def goes(robot: Robot) -> None:
        seen.append(await robot.go_to((4.5, 3.0), until=lambda: robot.time >= 1.5))
        assert 1.5 <= robot.time <= 2.6
        for _ in range(20):
            seen.append(await robot.go_to(robot.frontiers()[0], timeout=20.0))

    observe(goes, seconds=60)
    assert seen[0] == "stale"
    assert "stale" in seen[1:]


def test_following_leads_along_the_points_given() -> None:
    async def follows(robot: Robot) -> None:
        assert await robot.follow([(3.5, 3.0), (3.5, 4.5)], timeout=40.0) == "arrived"
        assert math.dist(robot.pose[:2], (3.5, 4.5)) < 0.5

    result = observe(follows, seconds=50)
    corner = min(math.dist(pose[0, :2], (3.5, 3.0)) for pose in result.monitor.series.poses)
    assert corner < 1.0


def test_driving_lasts_as_long_as_it_should_and_stops_before_a_wall() -> None:
    seen = []

    async def drives(robot: Robot) -> None:
        seen.append(await robot.drive(0.5, seconds=2.0))
        assert robot.time == pytest.approx(2.0, abs=0.11)
        seen.append(await robot.drive(0.0, turn=0.5, seconds=1.0))
        seen.append(await robot.drive(1.0, seconds=100.0))

    result = observe(drives, seconds=60)
    assert seen == ["arrived", "arrived", "blocked"]
    assert result.metrics["collisions_with_walls"] == 0


def test_a_careless_robot_runs_into_the_wall() -> None:
    async def drives(robot: Robot) -> None:
        await robot.drive(1.0, turn=0.3, seconds=15.0, careful=False)

    assert observe(drives).metrics["collisions_with_walls"] >= 1


def test_waiting_and_stopping_stand_still() -> None:
    async def waits(robot: Robot) -> None:
        await robot.go_to((4.0, 3.0), timeout=3.0)
        robot.stop()
        await robot.wait(2.0)
        here = robot.pose
        assert await robot.wait(3.0) == "arrived"
        assert robot.pose == here
        assert await robot.wait(10.0, until=lambda: True) == "stale"

    observe(waits)


def test_a_message_arrives_at_the_next_tick_as_a_copy_and_only_in_reach() -> None:
    heard: list[tuple[int, float, Any]] = []
    said = {"bid": 3.5, "place": (1.0, 2.0), "list": [1, None]}

    async def talks(robot: Robot) -> None:
        if robot.id == 0:
            robot.send(said, to="all", topic="auction")
            said["list"] = "changed after sending"
            robot.send("for robot 1", to=1)
        await robot.wait(5.0, until=lambda: bool(robot.inbox))
        for message in robot.inbox.take():
            assert message.sender == 0
            heard.append((robot.id, message.time, message.payload))
        assert len(robot.inbox) == 0

    observe(talks, 3)
    copy = {"bid": 3.5, "place": (1.0, 2.0), "list": [1, None]}
    assert heard == [(1, 0.0, copy), (1, 0.0, "for robot 1"), (2, 0.0, copy)]
    heard.clear()
    said["list"] = [1, None]
    observe(talks, 3, radio="circle:range=1.6")
    assert {robot for robot, *_ in heard} == {1, 2}
    heard.clear()
    observe(talks, 3, radio="circle:range=1")
    assert heard == []


def test_what_is_known_of_teammates_ages_out_of_contact() -> None:
    ages = []

    async def parts(robot: Robot) -> None:
        if robot.id == 1:
            await robot.go_to((8.0, 3.0), timeout=25.0, through_unknown=True)
            return
        await robot.wait(0.5)
        mate = robot.teammates[1]
        assert mate.id == 1
        assert mate.goal == (8.0, 3.0)
        assert math.dist(mate.pose[:2], (2.0, 4.5)) < 0.5
        assert list(robot.teammates) == [1]
        for _ in range(15):
            await robot.wait(1.0)
            mate = robot.teammates[1]
            assert mate.age == pytest.approx(robot.time - mate.time)
            ages.append(mate.age)

    observe(parts, 2, radio="circle:range=3")
    assert ages[0] < 0.2
    assert ages[-1] > 3.0


def test_robots_that_never_heard_of_a_teammate_know_of_none() -> None:
    async def listens(robot: Robot) -> None:
        await robot.wait(2.0)
        assert robot.teammates == {}

    observe(listens, 2, radio="none")


def test_costs_paths_and_gains_agree_with_each_other() -> None:
    async def compares(robot: Robot) -> None:
        await robot.wait(1.0)
        frontiers = robot.frontiers()
        assert frontiers
        costs = robot.travel_costs([robot.pose], frontiers)
        assert costs.shape == (1, len(frontiers))
        for k, frontier in enumerate(frontiers):
            cost = robot.travel_cost(frontier)
            assert cost == robot.travel_cost((frontier.x, frontier.y))
            assert costs[0, k] == pytest.approx(cost, abs=0.3)
            assert frontier.gain == robot.expected_gain(frontier, 8.0) >= 0.0
            assert robot.expected_gain(frontier, 2.0) <= frontier.gain
            assert 0.0 < frontier.size <= len(frontier.cells) * robot.map.frame.resolution + 1e-9
            path = robot.path_to(frontier)
            if math.isfinite(cost) and path is not None:
                way = np.hypot(*np.diff(path, axis=0).T).sum()
                straight = math.dist(robot.pose[:2], (frontier.x, frontier.y))
                assert straight - 0.5 <= way <= cost * 1.05 + 0.5
        assert robot.travel_cost(robot.pose) == pytest.approx(0.0, abs=0.3)

    observe(compares)


def test_the_map_shows_what_was_seen_and_cannot_be_written() -> None:
    async def looks(robot: Robot) -> None:
        await robot.wait(1.0)
        assert robot.map.is_free(robot.pose.x + 0.6, robot.pose.y)
        assert robot.map.is_unknown(35.0, 3.0)
        assert robot.map.is_unknown(1e6, 3.0)
        assert robot.map.known_area > 1.0
        probability = robot.map.probability
        assert ((probability > 0.5) == (robot.map.state == 2)).mean() > 0.99
        with pytest.raises(ValueError, match="read-only"):
            robot.map.state[:] = 0
        assert robot.covariance.shape == (3, 3)
        assert not robot.lost

    observe(looks)


def test_tags_are_seen_where_they_were_left_by_whoever_comes_near() -> None:
    async def tags(robot: Robot) -> None:
        if robot.id == 0:
            robot.drop_tag("been here")
            assert [tag.text for tag in robot.tags()] == ["been here"]
            return
        await robot.wait(1.0)
        [tag] = robot.tags()
        assert (tag.text, tag.robot, tag.time) == ("been here", 0, 0.0)
        assert math.dist((tag.x, tag.y), (2.0, 3.0)) < 0.2
        assert await robot.go_to((2.0, 5.2), timeout=20.0) == "arrived"
        assert robot.tags() == []

    observe(tags, 2, seconds=30)


def test_a_detector_sees_the_robots_around_and_a_robot_without_one_sees_none() -> None:
    seen: dict[int, Any] = {}

    async def looks(robot: Robot) -> None:
        await robot.wait(1.0)
        seen[robot.id] = robot.nearby_robots()

    observe(looks, 3, robot="maes", radio="none")
    assert {other.id for other in seen[0]} == {1, 2}
    assert [round(other.distance, 1) for other in seen[0]] == [1.5, 1.5]
    observe(looks, 3)
    assert seen[0] == []


def test_each_robot_has_random_numbers_a_base_and_a_memory_of_its_own() -> None:
    draws: list[list[float]] = []

    async def draws_numbers(robot: Robot) -> None:
        draws.append([robot.rng.uniform() for _ in range(3)])
        assert math.dist(robot.base, robot.pose[:2]) < 0.1
        assert robot.memory == {}
        robot.memory["id"] = robot.id
        await robot.wait(1.0)
        assert robot.memory == {"id": robot.id}
        robot.note(f"robot {robot.id} of {robot.fleet_size}")

    result = observe(draws_numbers, 2)
    observe(draws_numbers, 3)
    assert draws[:2] == draws[2:4]
    assert draws[0] != draws[1]
    assert result.controller.notes == [(1.0, 0, "robot 0 of 2"), (1.0, 1, "robot 1 of 2")]


def test_the_handle_says_who_and_where_it_is() -> None:
    async def names(robot: Robot) -> None:
        assert repr(robot) == "<robot 0 at (2.0, 3.0)>"
        assert robot.max_speed == pytest.approx(1.2)

    observe(names)
    assert ARENA.is_free(2.0, 3.0)


def test_a_place_marked_unreachable_is_no_frontier_for_a_while() -> None:
    def near(robot: Robot, place: tuple[float, float]) -> bool:
        return any(math.dist(place, (frontier.x, frontier.y)) < 0.5 for frontier in robot.frontiers())

    async def marks(robot: Robot) -> None:
        await robot.wait(1.0)
        first = robot.frontiers()[0]
        robot.mark_unreachable((10.0, 1.0))
        seen.append(near(robot, (first.x, first.y)))
        robot.mark_unreachable(first)
        seen.append(near(robot, (first.x, first.y)))

    seen: list[bool] = []
    try_out(marks, seconds=3.0, robot="pioneer-3dx:lidar.field_of_view=90 deg")
    assert seen == [True, False]


def test_messages_on_one_topic_are_taken_and_the_others_stay() -> None:
    async def talks(robot: Robot) -> None:
        if robot.id == 1:
            for topic in ("a", "b", "a"):
                robot.send(topic, topic=topic)
        await robot.wait(1.0)
        taken.append([message.payload for message in robot.inbox.take("a")])
        taken.append([message.payload for message in robot.inbox.take()])

    taken: list[list[object]] = []
    try_out(talks, 2, seconds=3.0)
    assert taken == [["a", "a"], ["b"], [], []]
