"""Placements and the check that all of them pass."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from expedition.errors import ExpeditionError
from expedition.fleet import check_placement, place, robot_model
from expedition.fleet.rooms import dead_ends
from expedition.fleet.standing import Standing
from expedition.terrain import Start, Terrain, terrain

PIONEER = robot_model("pioneer-3dx")
DISC = robot_model("maes")
QUADROTOR = robot_model("quadrotor")
MAZE = terrain.make("maze")
COARSE_MAZE = terrain.make("maze:resolution=0.2")


def plan(*rows: str, **parameters) -> Terrain:
    """A terrain of 1 m cells, drawn from top to bottom with # for walls."""
    occupied = np.array([[cell == "#" for cell in row] for row in reversed(rows)])
    return Terrain.from_occupied("plan", occupied, resolution=1.0, **parameters)


OPEN = plan(*["." * 20] * 20)
ROOMS = plan(
    "####################",
    "#......#...........#",
    "#......#...........#",
    "#..................#",
    "#......#...........#",
    "####.###############",
    "#........#.........#",
    "#........#.........#",
    "####################",
)


@pytest.mark.parametrize("name", ["loop", "cross", "zigzag", "maze"])
def test_line_is_that_of_the_papers_on_their_terrains(name):
    poses = place(terrain.make(name), [PIONEER] * 30, "line", seed=0)
    np.testing.assert_allclose(poses, [(-38, 38 - 2 * i, 0) for i in range(30)])


def test_marked_takes_the_terrains_starts_in_their_order():
    rooms = replace(ROOMS, starts=(Start(5.5, 6.5, 1.0), Start(2.5, 6.5), Start(12.5, 6.5, -0.5)))
    poses = place(rooms, [DISC] * 2, "marked", seed=0)
    np.testing.assert_allclose(poses, [(5.5, 6.5, 1.0), (2.5, 6.5, 0.0)])


def test_marked_says_how_many_starts_there_are():
    with pytest.raises(ExpeditionError, match=r"marked: 2 robots need a start each, but terrain 'plan' has 1;.*view"):
        place(replace(ROOMS, starts=(Start(5.5, 6.5),)), [DISC] * 2, "marked", seed=0)


def test_marked_start_in_a_wall_is_refused_as_any_other():
    with pytest.raises(ExpeditionError, match=r"robot 0 at \(0.5, 0.5\) is in a wall"):
        place(replace(ROOMS, starts=(Start(0.5, 0.5),)), [DISC], "marked", seed=0)


def test_line_that_leaves_the_terrain_says_what_to_do():
    with pytest.raises(ExpeditionError, match=r"line: robot 0 at .* is outside .*set start and step.*spread"):
        place(OPEN, [PIONEER] * 3, "line", seed=0)
    poses = place(OPEN, [PIONEER] * 3, "line:start=[2,3],step=[1.5,0],heading=90 deg", seed=0)
    np.testing.assert_allclose(poses, [(2 + 1.5 * i, 3, math.pi / 2) for i in range(3)])


@pytest.mark.parametrize("spec", ["grouped", "grouped:centre=[20,20]", "spread", "biggest-room", "hallway-ends"])
@pytest.mark.parametrize("seed", [0, 1])
def test_random_placement_depends_on_the_seed_only(spec, seed):
    models = [PIONEER] * 9 + [DISC] * 3 + [QUADROTOR] * 2
    first = place(COARSE_MAZE, models, spec, seed)
    np.testing.assert_array_equal(first, place(COARSE_MAZE, models, spec, seed))
    assert not np.array_equal(first, place(COARSE_MAZE, models, spec, seed + 7))


def test_group_lies_within_its_radius():
    centre = np.array([20.0, 20.0])
    poses = place(MAZE, [DISC] * 12, "grouped:centre=[20,20],radius=2.5,heading=1", seed=3)
    assert np.hypot(*(poses[:, :2] - centre).T).max() <= 2.5
    assert (poses[:, 2] == 1.0).all()
    assert pdist(poses[:, :2]).min() >= 0.7


def test_group_stays_on_one_side_of_a_wall():
    halves = plan("....#....", "....#....", "....#....", "....#....", ".........")
    poses = place(halves, [DISC] * 5, "grouped:centre=[3.5,3],radius=2.5", seed=0)
    assert (poses[:, 0] < 4).all()


def test_group_that_is_too_large_says_how_many_fit():
    with pytest.raises(
        ExpeditionError, match=r"grouped: 500 robots are too many within 2 m .* room was found for \d\d;"
    ):
        place(MAZE, [DISC] * 500, "grouped", seed=0)


def test_spread_robots_are_farther_apart_than_random_ones():
    spread = place(OPEN, [DISC] * 9, "spread", seed=0)
    random = place(OPEN, [DISC] * 9, "grouped:radius=100", seed=0)
    assert pdist(spread[:, :2]).min() > 6.0 > pdist(random[:, :2]).min()


def test_too_many_robots_for_the_space_are_refused_with_the_number_that_fits():
    with pytest.raises(ExpeditionError, match=r"spread: 2000 robots are too many .* room was found for [34]"):
        place(OPEN, [DISC] * 2000, "spread", seed=0)


def test_biggest_room_is_the_largest_behind_narrow_doors():
    poses = place(ROOMS, [DISC] * 10, "biggest-room:door=2", seed=5)
    assert (poses[:, 0] > 8).all()
    assert (poses[:, 1] > 4).all()


def test_terrain_narrower_than_the_door_has_no_biggest_room():
    with pytest.raises(ExpeditionError, match=r"nothing .* is as wide as 40 m; set a smaller door"):
        place(ROOMS, [DISC], "biggest-room:door=40", seed=0)


def test_maze_has_its_22_dead_ends_and_the_loop_none():
    standing = Standing.of(MAZE, [PIONEER])
    ends = standing.middles(dead_ends(standing.rooms[0]))
    assert len(ends) == 22
    middles_of_cells = 8 * np.round((ends + 4) / 8) - 4
    assert np.abs(ends - middles_of_cells).max() < 0.5
    with pytest.raises(ExpeditionError, match="'loop' has no dead ends"):
        place(terrain.make("loop"), [PIONEER], "hallway-ends", seed=0)


def test_bump_in_a_wall_is_no_hallway():
    room = np.ones((40, 200), dtype=bool)
    room[:3] = room[-3:] = room[:, :3] = room[:, -3:] = False
    corridor = dead_ends(room)
    room[36:39, 100:103] = True
    assert len(dead_ends(room)) == len(corridor) == 2


def test_robots_at_hallway_ends_look_out_of_them():
    hall = np.ones((30, 300), dtype=bool)
    hall[5:25, 5:295] = False
    poses = place(Terrain.from_occupied("hall", hall), [DISC] * 2, "hallway-ends", seed=0)
    left, right = poses[np.argsort(poses[:, 0])]
    assert left[0] < 3 < 27 < right[0]
    assert abs(left[2]) < 0.3
    assert abs(abs(right[2]) - math.pi) < 0.3


def test_given_positions_come_from_a_list_or_a_file(tmp_path):
    from_list = place(OPEN, [DISC] * 2, "at:positions=[[2,3],[5,6,1.5],[9,9]],heading=0.5", seed=0)
    path = tmp_path / "starts.csv"
    path.write_text("x,y,heading\n2,3,0.5\n\n5,6,1.5\n")
    np.testing.assert_array_equal(from_list, [(2, 3, 0.5), (5, 6, 1.5)])
    np.testing.assert_array_equal(from_list, place(OPEN, [DISC] * 2, f"at:file={path}", seed=0))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("2,3\n4,x\n", "line 2: expected x, y"),
        ("2\n", "line 1"),
        ("2,nan\n", "line 1"),
        ("2,3\n", "2 robots are too many"),
    ],
)
def test_bad_position_file_is_refused_with_its_line(tmp_path, content, message):
    path = tmp_path / "starts.csv"
    path.write_text(content)
    with pytest.raises(ExpeditionError, match=message):
        place(OPEN, [DISC] * 2, f"at:file={path}", seed=0)


@pytest.mark.parametrize(
    ("poses", "message"),
    [
        ([(0.2, 5, 0)], "robot 0 at .* is outside the extent x 0 to 20"),
        ([(5, 5, 0), (math.nan, 5, 0)], "robot 1 at .* is outside"),
        ([(5, 5, 0), (1e300, 5, 0)], "robot 1 at .* is outside"),
        ([(5, 5, 0), (8, 8, 0), (5.5, 5, 0)], r"robot 2 at \(5.5, 5\) overlaps robot 0 at \(5, 5\)"),
        ([(5, 5)], "need a pose"),
    ],
)
def test_impossible_placement_is_refused_with_robot_and_reason(poses, message):
    with pytest.raises(ExpeditionError, match=message):
        check_placement(OPEN, [DISC] * len(poses), np.array(poses, dtype=float))


def test_robot_in_a_wall_is_refused_exactly_from_its_edge_on():
    wall = plan("....", "....", "####")
    check_placement(wall, [DISC], np.array([(2, 1.3, 0)]))
    with pytest.raises(ExpeditionError, match=r"robot 0 at .* is in a wall of terrain 'plan'"):
        check_placement(wall, [DISC], np.array([(2, 1.3 - 1e-6, 0)]))


def test_rectangle_fits_a_gap_in_one_heading_only():
    gap = Terrain.from_occupied("gap", np.repeat([[True] * 3 + [False] * 4 + [True] * 3], 20, axis=0))
    check_placement(gap, [PIONEER], np.array([(0.5, 1.0, math.pi / 2)]))
    with pytest.raises(ExpeditionError, match="in a wall"):
        check_placement(gap, [PIONEER], np.array([(0.5, 1.0, 0.0)]))


def test_flying_robot_starts_over_a_low_wall_but_not_in_a_high_one():
    low, high = plan("....", ".##.", "....", wall_height=1.0), plan("....", ".##.", "....", wall_height=2.0)
    over = np.array([(2, 1.5, 0)])
    check_placement(low, [QUADROTOR], over)
    for place_, model in ((high, QUADROTOR), (low, DISC)):
        with pytest.raises(ExpeditionError, match="in a wall"):
            check_placement(place_, [model], over)


def test_flying_robot_may_start_above_another_but_not_in_it():
    both = np.array([(5, 5, 0), (5, 5, 0)], dtype=float)
    check_placement(OPEN, [DISC, QUADROTOR], both)
    with pytest.raises(ExpeditionError, match="overlaps"):
        check_placement(OPEN, [QUADROTOR, QUADROTOR], both)
    tall = robot_model("maes:body.height=1.6")
    with pytest.raises(ExpeditionError, match="overlaps"):
        check_placement(OPEN, [tall, QUADROTOR], both)


def test_robot_behind_a_closed_wall_is_refused_unless_that_is_meant():
    halves = plan("...#...", "...#...", wall_height=1.0)
    apart = np.array([(1, 1, 0), (6, 1, 0)], dtype=float)
    with pytest.raises(ExpeditionError, match=r"robot 1 at \(6, 1\) is unreachable from robot 0 at \(1, 1\)"):
        check_placement(halves, [DISC, DISC], apart)
    check_placement(halves, [DISC, DISC], apart, connected=False)
    check_placement(halves, [DISC, QUADROTOR], apart)
    check_placement(halves, [QUADROTOR, DISC], apart)


def test_snug_passage_joins_two_rooms():
    occupied = np.zeros((20, 50), dtype=bool)
    occupied[:, 20:30] = True
    occupied[8:12, 20:30] = False
    snug = Terrain.from_occupied("snug", occupied, resolution=0.1)
    ends = np.array([(1, 1, 0), (4, 1, 0)], dtype=float)
    check_placement(snug, [robot_model("maes:body.radius=0.2")] * 2, ends)
    with pytest.raises(ExpeditionError, match="unreachable"):
        check_placement(snug, [robot_model("maes:body.radius=0.3")] * 2, ends)


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_every_random_placement_on_a_random_terrain_passes_the_check_or_is_refused(seed):
    rng = np.random.default_rng(seed)
    occupied = rng.random((30, 40)) < rng.choice([0.0, 0.05, 0.2, 0.5])
    place_ = Terrain.from_occupied("random", occupied, float(rng.uniform(0.1, 1.5)), tuple(rng.uniform(-9, 9, 2)))
    models = [[PIONEER, DISC, QUADROTOR][kind] for kind in rng.integers(3, size=rng.integers(1, 12))]
    spec = ["grouped", "spread", "biggest-room:door=1", "hallway-ends"][seed % 4]
    try:
        poses = place(place_, models, spec, seed)
    except ExpeditionError as error:
        refusal = str(error)
    else:
        refusal = ""
        check_placement(place_, models, poses)
    assert "overlaps" not in refusal
    assert "in a wall" not in refusal


@pytest.mark.parametrize("spec", ["grouped:radius=40", "spread", "biggest-room", "hallway-ends"])
def test_thousand_robots_find_places_in_the_maze(spec):
    assert place(MAZE, [PIONEER] * 1000, spec, seed=0).shape == (1000, 3)


def test_placement_may_come_from_a_python_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "def corner(terrain, models, rng, *, inset: float = 1.0):\n"
        "    return [(inset + i, inset, 0.0) for i in range(len(models))]\n"
        "def wrong(terrain, models, rng):\n"
        "    return 'here'\n"
    )
    np.testing.assert_array_equal(place(OPEN, [DISC] * 2, f"{path}:corner:inset=2", 0), [(2, 2, 0), (3, 2, 0)])
    with pytest.raises(ExpeditionError, match=r"overlaps|outside|wall"):
        place(OPEN, [DISC] * 2, f"{path}:corner:inset=-2", 0)
    with pytest.raises(ExpeditionError, match="must return x, y, heading"):
        place(OPEN, [DISC] * 2, f"{path}:wrong", 0)
