"""One robot drives by local navigation: speed, goals, walls, people, getting free."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import RobotModel
from expedition.terrain import Person
from tests.navigate.local_world import PIONEER, World, drawn


def with_drive(**drive: object) -> RobotModel:
    fields = {"max_speed": 1.2, "max_turn_rate": 2.0, "max_acceleration": 2.5, "max_turn_acceleration": 3.2}
    return RobotModel.model_validate({**PIONEER.model_dump(), "drive": {**fields, **drive}})


DRIVES = {
    "differential": PIONEER,
    "holonomic": with_drive(kind="holonomic"),
    "car": with_drive(kind="car", wheelbase=0.3, max_steering_angle=0.6),
}
every_drive = pytest.mark.parametrize("model", DRIVES.values(), ids=DRIVES.keys())
DOOR = ((5.0, 0.0, 5.2, 2.6), (5.0, 3.3, 5.2, 6.0))


def test_a_robot_drives_down_a_road_of_80_metres_at_nearly_its_top_speed() -> None:
    world = World(drawn(80, 8), [(1, 4, 0)])
    world.follower.set_path(0, [(1, 4), (79, 4)])
    assert world.run(100) < 1.02 * 78 / 1.2
    assert world.follower.status_name(0) == "arrived"


@pytest.mark.parametrize("speed", [0.3, 1.2, 3.0])
def test_a_robot_stops_before_a_wall_at_full_speed(speed: float) -> None:
    world = World(drawn(12, 8), [(1, 4, 0)], model=with_drive(kind="differential", max_speed=speed))
    world.follower.set_path(0, [(1, 4), (20, 4)])
    for _ in range(round(12 / speed + 5) * 10):
        world.step()
    assert world.contacts == []
    assert max(poses[0, 0] for poses in world.poses) > 10.5


@every_drive
@pytest.mark.parametrize("heading", [0.0, 1.6, 3.1])
def test_a_robot_reaches_its_goal_whatever_its_drive_and_heading(model: RobotModel, heading: float) -> None:
    world = World(drawn(12, 12), [(2, 2, heading)], model=model)
    world.follower.set_path(0, [(2, 2), (9, 2), (9, 9), (3, 9)])
    assert world.run(40) < 25
    assert world.follower.status_name(0) == "arrived"
    assert np.hypot(*(world.poses[-1][0, :2] - (3, 9))) < 0.12
    assert world.contacts == []


@every_drive
def test_a_robot_passes_a_door_of_70_centimetres(model: RobotModel) -> None:
    world = World(drawn(10, 6, DOOR), [(1, 1, 0)], model=model)
    world.follower.set_path(0, [(1, 1), (4, 2.95), (6, 2.95), (9, 5)])
    assert world.run(30) < 12
    assert world.follower.status_name(0) == "arrived"
    assert world.contacts == []


@every_drive
def test_a_robot_lets_a_crossing_person_pass(model: RobotModel) -> None:
    person = Person(waypoints=((10, 0.5), (10, 11)), speed=1.2)
    world = World(drawn(20, 12, changes=(person,)), [(1, 6, 0)], model=model)
    world.follower.set_path(0, [(1, 6), (19, 6)])
    world.run(60)
    assert world.follower.status_name(0) == "arrived"
    assert world.contacts == []


@every_drive
@pytest.mark.parametrize("start", [(9.77, 3.0, 0.0), (5.0, 0.23, 0.02)], ids=["front", "side"])
def test_a_robot_that_stands_at_a_wall_gets_away_from_it(model: RobotModel, start: tuple[float, float, float]) -> None:
    world = World(drawn(10, 6), [start], model=model)
    world.follower.set_path(0, [start[:2], (2, 4)])
    assert world.run(60) < 40
    assert world.follower.status_name(0) == "arrived"


def test_a_goal_in_a_corner_is_reached_and_kept() -> None:
    world = World(drawn(6, 6), [(3, 3, 0)])
    world.follower.set_path(0, [(3, 3), (0.4, 0.4)], final_heading=math.pi / 4)
    world.run(30)
    assert world.follower.status_name(0) == "arrived"
    pose = world.poses[-1][0]
    assert np.hypot(*(pose[:2] - 0.4)) < 0.12
    assert abs(pose[2] - math.pi / 4) < 0.1
    for _ in range(30):
        world.step()
    assert (world.follower.commands == 0.0).all()
    assert np.hypot(*(world.poses[-1][0, :2] - pose[:2])) < 0.05


def test_a_path_that_leads_nowhere_is_blocked_in_the_end_and_a_new_one_driven() -> None:
    world = World(drawn(10, 8), [(6, 4, 0)])
    world.follower.set_path(0, [(6, 4), (15, 4)])
    world.run(60)
    assert world.follower.status_name(0) == "blocked"
    world.follower.set_path(0, [world.poses[-1][0, :2], (2, 4)])
    world.run(20)
    assert world.follower.status_name(0) == "arrived"


def test_planning_anew_to_the_same_goal_does_not_hide_that_a_robot_is_stuck() -> None:
    world = World(drawn(10, 8), [(6, 4, 0)])
    for _ in range(60):
        world.follower.set_path(0, [world.poses[-1][0, :2], (15, 4)])
        world.run(1.0)
        if world.follower.status_name(0) == "blocked":
            return
    pytest.fail("never blocked")


def test_a_cleared_robot_stands() -> None:
    world = World(drawn(10, 8), [(2, 4, 0)])
    world.follower.set_path(0, [(2, 4), (8, 4)])
    world.run(1.0)
    world.follower.clear(0)
    world.run(1.0)
    assert world.follower.status_name(0) == "idle"
    assert (world.simulator.truth().velocities == 0.0).all()


def test_the_same_run_gives_the_same_motion() -> None:
    ways = []
    for _ in range(2):
        world = World(drawn(10, 6, DOOR), [(1, 1, 0), (9, 5, 3)])
        world.follower.set_path(0, [(1, 1), (4, 2.95), (6, 2.95), (9, 5)])
        world.follower.set_path(1, [(9, 5), (6, 2.95), (4, 2.95), (1, 1)])
        world.run(20)
        ways.append(np.array(world.poses))
    assert np.array_equal(*ways)


@pytest.mark.parametrize("points", [[], [(1.0, math.nan)], [(1.0, 2.0, 3.0)]])
def test_a_bad_path_is_refused_with_the_robot_named(points: list[tuple[float, ...]]) -> None:
    world = World(drawn(10, 8), [(2, 4, 0)])
    with pytest.raises(ExpeditionError, match="robot 0: a path needs"):
        world.follower.set_path(0, points)
