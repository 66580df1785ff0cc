"""Robots that do not get on: jams, narrow places, and goals that change all the time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.navigate import jams
from expedition.navigate.centring import FARTHEST, ROOM, centre
from expedition.navigate.follower import Follower
from expedition.navigate.jams import free_if_jammed
from expedition.navigate.local_records import memories, platforms_of
from expedition.navigate.stretch import LOCAL_POINTS
from tests.navigate.local_world import PIONEER, World, drawn, map_of

PLATFORMS, _ = platforms_of([PIONEER], [7], resolution=0.1)
HALF = float(PLATFORMS[0]["half_width"])


def driven(told: tuple[float, float, float], moves: float, seconds: float = 4.0) -> np.ndarray:
    """The commands of a robot told the same all the time, which moves as given each period whatever it is told."""
    memory, commands = memories(1), []
    pose = np.zeros(3)
    for tick in range(round(seconds * 10)):
        command = np.array(told)
        free_if_jammed(0.1 * tick, PLATFORMS[0], memory[0], pose, command)
        pose[0] += moves
        commands.append(command)
    return np.array(commands)


@pytest.mark.parametrize("forward", [0.3, -0.3])
def test_a_robot_whose_commands_do_not_move_it_drives_back_what_it_tried(forward: float) -> None:
    commands = driven((forward, 0.0, 0.1), moves=0.0)
    before = round(jams.AFTER * 10)
    assert (commands[:before, 0] == forward).all()
    back = commands[before + 2 : before + 8, 0]
    assert (back == -math.copysign(jams.BACK, forward)).all()


def test_a_robot_that_turns_in_vain_turns_back() -> None:
    commands = driven((0.0, 0.0, 0.6), moves=0.0)
    assert commands[:, 2].min() == -jams.BACK_TURN
    assert (commands[:, 0] == 0.0).all()


@pytest.mark.parametrize(("told", "moves"), [((0.3, 0.0, 0.0), 0.004), ((0.0, 0.0, 0.0), 0.0), ((0.03, 0.0, 0.1), 0.0)])
def test_a_robot_that_moves_or_is_not_told_to_is_not_jammed(told: tuple[float, float, float], moves: float) -> None:
    assert (driven(told, moves, 10.0) == told).all()


NOBODY_NEAR = np.empty((0, 7))


def centred(
    points: np.ndarray, count: int = 2, length: float = 1.5, mates: np.ndarray = NOBODY_NEAR
) -> tuple[np.ndarray, float, bool]:
    """A path straight ahead among points, as it is moved, the least room there, and whether it is too narrow."""
    local = np.zeros((LOCAL_POINTS, 3))
    local[:count, 0] = local[:count, 2] = np.linspace(0.0, length, count)
    obstacles = np.column_stack([points, np.zeros(len(points))])
    number, room, narrow_at = centre(
        PLATFORMS[0], local, count, obstacles, len(points), mates, len(mates), np.empty((LOCAL_POINTS, 4)),
        np.empty(LOCAL_POINTS),
    )  # fmt: skip
    return local[:number], room, narrow_at < math.inf


@settings(max_examples=60)
@given(st.floats(-0.1, 0.1), st.floats(0.02, 0.18))
def test_a_path_through_a_narrow_place_leads_through_its_middle(middle: float, spare: float) -> None:
    x = np.arange(-0.5, 2.2, 0.02)
    half = HALF + 0.5 * spare
    walls = np.concatenate([np.column_stack([x, np.full(len(x), middle + side * half)]) for side in (1.0, -1.0)])
    path, room, _ = centred(walls)
    np.testing.assert_allclose(path[:, 1], middle, atol=1e-9)
    assert room == pytest.approx(spare, abs=1e-6)
    np.testing.assert_allclose(np.diff(path[:, 2]), np.hypot(*np.diff(path[:, :2], axis=0).T))


def test_a_path_with_room_to_both_sides_stays_as_it_is() -> None:
    x = np.arange(-0.5, 2.2, 0.02)
    wide = np.concatenate([np.column_stack([x, np.full(len(x), side * (HALF + ROOM + 0.01))]) for side in (1.0, -1.0)])
    path, room, _ = centred(wide)
    assert path.tolist() == [[0.0, 0.0, 0.0], [1.5, 0.0, 1.5]]
    assert math.isinf(room)


def test_a_teammate_in_a_door_does_not_make_it_narrow() -> None:
    x = np.arange(-0.5, 2.2, 0.02)
    walls = np.concatenate([np.column_stack([x, np.full(len(x), side * 0.3)]) for side in (1.0, -1.0)])
    seen = np.column_stack([np.full(20, 0.7), np.linspace(-0.2, 0.2, 20)])
    mate = np.array([[1.1, 0.1, 0.0, 0.0, 0.3, 0.0, 0.0]])
    assert centred(np.concatenate([walls, seen]))[1] < 0.0
    assert centred(np.concatenate([walls, seen]), mates=mate)[1] == pytest.approx(0.6 - 2.0 * HALF)


@pytest.mark.parametrize(
    ("begins", "ends", "width", "is_narrow"),
    [(0.6, 1.4, 0.5, True), (0.6, 0.8, 0.5, True), (-0.5, 1.4, 0.5, False), (0.6, 0.8, 0.55, False)],
    ids=["corridor ahead", "door ahead", "corridor that the robot is in", "door as wide as promised"],
)
@pytest.mark.parametrize("angle", [-0.3, 0.0, 0.2])
def test_a_passage_ahead_is_too_narrow_below_the_promised_width_at_any_angle(
    begins: float, ends: float, width: float, is_narrow: bool, angle: float
) -> None:
    x = np.arange(begins, ends, 0.02)
    walls = np.concatenate([np.column_stack([x, np.full(len(x), side * 0.5 * width)]) for side in (1.0, -1.0)])
    c, s = math.cos(angle), math.sin(angle)
    middle = np.array([0.7, 0.0])
    turned = (walls - middle) @ np.array([[c, s], [-s, c]]) + middle
    assert centred(walls if begins < 0.0 else turned)[2] == is_narrow


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_no_point_of_a_path_is_moved_far_whatever_is_around(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path, *_ = centred(rng.uniform((-0.5, -1.0), (2.0, 1.0), (rng.integers(1, 60), 2)))
    assert (np.abs(path[:, 1]) <= FARTHEST + 1e-12).all()


@pytest.mark.parametrize("every", [1.0, 2.0])
def test_a_robot_that_gets_another_goal_all_the_time_still_frees_itself(every: float) -> None:
    """What counts is that it stands, not how long it has had its goal. Something holds it that it does not see."""
    frame, state = map_of(drawn(20, 16))
    follower = Follower([PIONEER], frame, seed=1)
    pose, freed = np.array([[10.0, 8.0, 0.0]]), []
    for tick in range(400):
        if tick % round(10 * every) == 0:
            follower.set_path(0, [pose[0, :2], (16.0, 4.0 if tick % round(20 * every) else 12.0)])
        follower.step(0.1 * tick, pose, np.zeros((1, 3)), [], state)
        freed.append(attempts(follower) > 0)
        if follower.status_name(0) == "blocked":
            break
    assert 25 < freed.index(True) < 130
    assert follower.status_name(0) == "blocked"


def attempts(follower: Follower) -> int:
    """How often in a row a robot has tried to free itself."""
    return int(follower._memory[0]["attempts"])


def test_a_robot_that_backs_up_to_free_itself_is_not_free_yet() -> None:
    """Else it would drive up to the same place again and again, and never say that it is blocked."""
    world = World(drawn(10, 8), [(6, 4, 0)])
    for _ in range(60):
        world.follower.set_path(0, [world.poses[-1][0, :2], (15, 4)])
        world.run(1.0)
        if world.follower.status_name(0) == "blocked":
            break
    assert world.follower.status_name(0) == "blocked"
