"""Where robots meet: at junctions and ends of the skeleton, and on both sides of a wall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.strategies.roles.rendezvous import Meeting, Point, Points, Search, between, choose_points
from expedition.strategies.roles.skeleton import branches, spots
from expedition.terrain import Terrain

FRAME = Frame((0.0, 0.0), 0.2, 80, 80)
SEARCH = Search(apart=2.0, clearance=0.3, range=60.0, through_obstacles=False)


def cross() -> NDArray[np.uint8]:
    """Two corridors of 2 m that cross in the middle of 16 x 16 m, walls around them, and nothing known beyond."""
    state = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    for wall, room in ((34, 46), (35, 45)):
        what = OCCUPIED if wall == 34 else FREE
        state[wall:room, 10:70] = what
        state[10:70, wall:room] = what
    return state


def nearest(found: list[Any], x: float, y: float) -> Any:
    return min(found, key=lambda spot: math.dist((spot.x, spot.y), (x, y)))


def test_two_corridors_that_cross_have_a_junction_of_four_branches_and_four_ends() -> None:
    found = spots(cross(), FRAME, apart=2.0, clearance=0.3)
    middle = nearest(found, 8.0, 8.0)
    assert middle.degree == 4
    assert math.dist((middle.x, middle.y), (8.0, 8.0)) < 0.5
    ends = [spot for spot in found if spot.degree == 1]
    assert len(ends) == 4
    for x, y in ((2.0, 8.0), (14.0, 8.0), (8.0, 2.0), (8.0, 14.0)):
        end = nearest(ends, x, y)
        assert math.dist((end.x, end.y), (x, y)) < 1.5


def test_places_to_meet_are_apart_from_each_other_and_away_from_walls() -> None:
    state = cross()
    found = spots(state, FRAME, apart=1.0, clearance=0.9)
    walls = np.argwhere(state == OCCUPIED)
    assert len(found) > 4
    for number, spot in enumerate(found):
        assert all(math.dist(spot[:2], other[:2]) >= 1.0 for other in found[:number])
        rows, columns = walls.T
        row, column = FRAME.cell(spot.x, spot.y)
        assert np.hypot(rows - row, columns - column).min() * FRAME.resolution > 0.9
        assert state[row, column] == FREE


def test_a_map_without_free_ground_has_no_place_to_meet() -> None:
    assert spots(np.zeros(FRAME.shape, dtype=np.uint8), FRAME, 2.0, 0.3) == []


def test_gaps_between_beams_make_no_junctions() -> None:
    state = np.zeros(FRAME.shape, dtype=np.uint8)
    state[30:50, 10:70] = FREE
    state[40, 20:60:5] = UNKNOWN
    assert all(spot.degree < 4 for spot in spots(state, FRAME, 1.0, 0.0))
    assert len([spot for spot in spots(state, FRAME, 1.0, 0.0) if spot.degree >= 3]) <= 2


@pytest.mark.parametrize(
    ("drawing", "degrees"),
    [
        ("#####", [1, 2, 2, 2, 1]),
        ("..#..|..#..|#####|..#..|..#..", None),
        (".....|.#...|.....", [0]),
    ],
)
def test_branches_are_counted_on_each_cell_of_a_skeleton(drawing: str, degrees: list[int] | None) -> None:
    skeleton = np.array([[letter == "#" for letter in line] for line in drawing.split("|")])
    counted = branches(skeleton)
    assert (counted[~skeleton] == 0).all()
    if degrees is not None:
        assert counted[skeleton].tolist() == degrees
    else:
        assert counted[2, 2] == 4
        assert [counted[place] for place in ((0, 2), (4, 2), (2, 0), (2, 4))] == [1, 1, 1, 1]


def test_who_is_alone_waits_goes_to_the_backup_point_and_waits_again() -> None:
    meeting = Meeting(1, 0, 100.0, 160.0, 230.0, child=(1.0, 0.0), parent=(2.0, 0.0), backup=(3.0, 0.0))
    assert meeting.place(90.0, of_child=True) == (1.0, 0.0)
    assert meeting.place(159.0, of_child=False) == (2.0, 0.0)
    assert meeting.deadline(159.0) == 160.0
    assert meeting.place(160.0, of_child=True) == meeting.place(200.0, of_child=False) == (3.0, 0.0)
    assert meeting.deadline(160.0) == 230.0


def corridors() -> Terrain:
    """12 x 8 m: a corridor along the lower side, another above it with a room off its middle, a wall between them.

    The wall is 0.2 m thick, and open at the right end.
    """
    occupied = np.ones((80, 120), dtype=bool)
    occupied[5:35, 5:115] = False
    occupied[37:60, 5:115] = False
    occupied[60:75, 50:70] = False
    occupied[35:37, 95:115] = False
    return Terrain.from_occupied("corridors", occupied, resolution=0.1)


def after_exploring(think: Any, **options: Any) -> Any:
    """What a robot that has explored the corridors, from the left end of the lower one, thinks."""
    thoughts: list[Any] = []

    async def explores(robot: Robot) -> None:
        while robot.id == 0 and robot.time < 60.0 and (frontiers := robot.frontiers()):
            await robot.go_to(min(frontiers, key=robot.travel_cost), timeout=10.0)
        if robot.id == 0:
            thoughts.append(think(robot))

    result: Result = explore(
        corridors(), 2, explores, 1, placement="at:positions=[[1.5, 2.0], [1.5, 3.0]]", base=(1.5, 2.0),
        localiser="perfect", robot="pioneer-3dx:lidar.range=6", time_limit=150.0,
        stop={"explored": False}, **options,
    )  # fmt: skip
    assert result.failure is None, result.failure.report
    return thoughts[-1]


def test_the_point_of_most_branches_for_its_way_is_chosen_and_the_next_best_is_the_backup() -> None:
    aims: list[Point] = [(x, y) for x in (2.0, 4.0, 6.0, 8.0, 10.0) for y in (2.0, 5.0)]

    def think(robot: Robot) -> list[tuple[Points, Points]]:
        found = [spot for spot in spots(robot.map.state, robot.map.frame, 2.0, 0.3) if spot.degree != 2]
        pairs = []
        for aim in aims:
            ways = {spot: max(1.0, float(robot.travel_costs([aim], [spot[:2]])[0, 0])) for spot in found}
            best, second, *_ = (spot[:2] for spot in sorted(found, key=lambda spot: -(spot.degree**2) / ways[spot]))
            pairs.append((choose_points(robot, SEARCH, aim, parent=1), Points(best, best, second)))
        return pairs

    pairs = after_exploring(think)
    assert [chosen for chosen, _ in pairs] == [expected for _, expected in pairs]
    assert len({chosen.child for chosen, _ in pairs}) > 1


def test_points_out_of_range_of_where_the_child_comes_from_are_left_out() -> None:
    near = Search(apart=2.0, clearance=0.3, range=0.01, through_obstacles=False)

    def think(robot: Robot) -> tuple[Points, Point]:
        return choose_points(robot, near, (2.0, 5.0), parent=1), (robot.pose.x, robot.pose.y)

    points, here = after_exploring(think)
    assert points == Points(here, here, here)


def test_through_obstacles_the_parent_waits_behind_the_wall_where_its_way_home_is_short() -> None:
    aim: Point = (2.0, 5.0)
    through = Search(apart=1.0, clearance=0.3, range=60.0, through_obstacles=True)

    def think(robot: Robot) -> tuple[Points, float, float, float]:
        points = choose_points(robot, through, aim, parent=1)
        ways = robot.travel_costs([robot.base], [points.child, points.parent])[0]
        return points, float(ways[0]), float(ways[1]), robot.link_chance(points.child, points.parent, to=1)

    points, child_way, parent_way, chance = after_exploring(think, radio="path-loss:range=6")
    assert points.child[1] > 3.7
    assert points.parent[1] < 3.5
    assert parent_way < child_way - 5.0
    assert chance == 1.0


def test_in_line_of_sight_the_parent_does_not_rely_on_a_link_through_the_wall() -> None:
    through = Search(apart=1.0, clearance=0.3, range=60.0, through_obstacles=True)

    def think(robot: Robot) -> tuple[float, float]:
        points = choose_points(robot, through, (2.0, 5.0), parent=1)
        return robot.link_chance(points.child, points.parent, to=1), robot.link_chance((2.0, 5.0), (2.0, 2.0), to=1)

    assert after_exploring(think, radio="line-of-sight:range=30") == (1.0, 0.0)


def test_link_chances_are_those_of_each_two_points() -> None:
    def think(robot: Robot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        starts, ends = [(1.0, 2.0), (5.0, 5.0), (10.0, 5.0)], [(3.0, 3.0), (11.0, 1.0)]
        one_by_one = np.array([[robot.link_chance(start, end, to=1) for end in ends] for start in starts])
        return robot.link_chances(starts, ends, to=1), one_by_one

    together, one_by_one = after_exploring(think, radio="line-of-sight:range=9")
    assert np.array_equal(together, one_by_one)
    assert set(np.unique(together)) == {0.0, 1.0}


def test_a_relay_reports_on_the_way_from_the_base_to_its_child() -> None:
    def think(robot: Robot) -> list[float]:
        half = between(robot, (2.0, 5.0), 0.5)
        return [float(way) for way in robot.travel_costs([robot.base, (2.0, 5.0)], [half])[:, 0]]

    from_base, to_child = after_exploring(think)
    assert abs(from_base - to_child) < 0.3 * (from_base + to_child)
