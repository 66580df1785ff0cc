"""Alignment of maps that robots would know: right when it answers, and silent where nobody could be certain."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import minimum_filter

from expedition.belief.alignment import Alignment, align, review
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame
from expedition.belief.transform import Transform
from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain import Terrain, find_terrain
from tests.belief.routes import RESOLUTION, Pose, known_map, random_route, relative

SIDE = 960
FRAME = Frame((-0.5 * SIDE * RESOLUTION, -0.5 * SIDE * RESOLUTION), RESOLUTION, SIDE, SIDE)
TERRAINS = ["maze", "office", "building", "cave", "cross", "indoor"]
Maps = tuple[np.ndarray, np.ndarray, Pose]


def two_maps(terrain: Terrain, seed: int, lengths: tuple[float, float], together: bool = False) -> Maps:
    """What two robots know after random routes, and where the frame of the second lies in that of the first."""
    random = generator(seed, f"alignment/{terrain.name}")
    routes = [random_route(terrain, random, length) for length in lengths]
    if together:
        routes[1] = np.concatenate([routes[0][::-1], routes[1]])
    frames: list[Pose] = [(*route[len(route) // 3], random.uniform(-math.pi, math.pi)) for route in routes]
    mine, theirs = (
        known_map(terrain, route, frame, SIDE, key=int(random.integers(2**60)))
        for route, frame in zip(routes, frames, strict=True)
    )
    return mine, theirs, relative(*frames)


def error(found: Alignment, truth: Pose, theirs: np.ndarray) -> tuple[float, float]:
    """Metres in the middle of their map, and degrees."""
    row, column = np.argwhere(theirs != UNKNOWN).mean(axis=0)
    x, y = FRAME.centre(row, column)
    right = replace(found, rotation=truth[2], x=truth[0], y=truth[1])
    return (
        math.dist(found.point(x, y), right.point(x, y)),
        abs(math.degrees(math.remainder(found.rotation - truth[2], 2.0 * math.pi))),
    )


@pytest.mark.parametrize("name", TERRAINS)
def test_an_answer_is_right_wherever_two_robots_went(name: str) -> None:
    terrain = find_terrain(name)
    for seed in range(2):
        mine, theirs, truth = two_maps(terrain, seed, (45.0, 45.0))
        if found := align(mine, theirs, FRAME):
            metres, degrees = error(found, truth, theirs)
            assert metres < 0.3
            assert degrees < 1.5


@pytest.mark.parametrize(("name", "seed"), [("maze", 6), ("office", 6), ("building", 9), ("cave", 6), ("indoor", 6)])
def test_robots_that_drove_the_same_way_find_each_other(name: str, seed: int) -> None:
    mine, theirs, truth = two_maps(find_terrain(name), seed, (90.0, 10.0), together=True)
    found = align(mine, theirs, FRAME)
    assert found is not None
    metres, degrees = error(found, truth, theirs)
    assert metres < 0.3
    assert degrees < 1.5
    assert found.overlap >= 30.0
    assert found.agreement >= 0.985
    assert found.margin >= 0.55


def test_both_robots_find_the_same_alignment() -> None:
    mine, theirs, _ = two_maps(find_terrain("cave"), 3, (60.0, 10.0), together=True)
    there, back = align(mine, theirs, FRAME), align(theirs, mine, FRAME)
    assert there is not None
    assert back is not None
    for x, y in ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0)):
        assert math.dist(there.point(*back.point(x, y)), (x, y)) < 0.2


def test_the_same_maps_give_the_same_answer_to_the_last_bit() -> None:
    mine, theirs, _ = two_maps(find_terrain("indoor"), 7, (90.0, 10.0), together=True)
    found = align(mine, theirs, FRAME)
    assert found is not None
    assert found == align(mine.copy(), theirs.copy(), FRAME)


@pytest.mark.parametrize(("one", "other"), [("maze", "office"), ("cave", "maze"), ("building", "indoor")])
def test_maps_of_different_terrains_are_refused(one: str, other: str) -> None:
    mine, _, _ = two_maps(find_terrain(one), 0, (60.0, 2.0))
    theirs, _, _ = two_maps(find_terrain(other), 0, (60.0, 2.0))
    assert align(mine, theirs, FRAME) is None


def test_maps_of_separate_parts_are_refused() -> None:
    terrain = find_terrain("cave")
    route = random_route(terrain, generator(2, "parts"), 120.0)
    west, east = route[route[:, 0] < 25.0], route[route[:, 0] > 50.0]
    maps = [known_map(terrain, part, (*part[0], turn), SIDE, 10.0) for part, turn in ((west, 0.4), (east, 2.0))]
    assert min(np.count_nonzero(known == OCCUPIED) for known in maps) > 200
    assert align(maps[0], maps[1], FRAME) is None


def whole_cross(changed: bool) -> Maps:
    """Both robots know all of the symmetric terrain; `changed` strews blocks on its roads."""
    terrain = find_terrain("cross")
    occupied = terrain.occupied.copy()
    if changed:
        cells = round(1.5 / terrain.resolution)
        for row, column in generator(0, "blocks").integers(20, 780, (160, 2)):
            occupied[row : row + cells, column : column + cells] = True
    terrain = Terrain.from_occupied("cross", occupied, terrain.resolution, terrain.origin)
    along = np.arange(-36.0, 36.5, 2.0)
    still = np.zeros_like(along)
    lines = [(along, still + at) for at in (-36.0, -3.0, 36.0)] + [(still + at, along) for at in (-36.0, 3.0, 36.0)]
    route = np.concatenate([np.stack(line, axis=1) for line in lines])
    route = np.array([point for point in route if terrain.is_free(*point)])
    frames: list[Pose] = [(3.0, 1.0, 0.3), (-2.0, 2.0, -1.1)]
    mine, theirs = (known_map(terrain, route, frame, SIDE, key=k) for k, frame in enumerate(frames))
    return mine, theirs, relative(*frames)


def test_a_place_with_four_equal_sides_is_refused_however_well_known() -> None:
    mine, theirs, _ = whole_cross(changed=False)
    assert align(mine, theirs, FRAME) is None


def test_blocks_on_its_roads_make_it_certain() -> None:
    mine, theirs, truth = whole_cross(changed=True)
    found = align(mine, theirs, FRAME)
    assert found is not None
    metres, degrees = error(found, truth, theirs)
    assert metres < 0.3
    assert degrees < 1.5


def test_teammates_that_passed_by_do_not_stand_in_the_way() -> None:
    mine, theirs, truth = two_maps(find_terrain("office"), 6, (90.0, 10.0), together=True)
    for state, seed in ((mine, 0), (theirs, 1)):
        free = np.argwhere(minimum_filter(state == FREE, 7))
        for row, column in free[generator(seed, "passers-by").integers(0, len(free), 12)].tolist():
            state[row - 1 : row + 2, column - 1 : column + 2] = OCCUPIED
    found = align(mine, theirs, FRAME)
    assert found is not None
    assert error(found, truth, theirs)[0] < 0.3


def test_beams_along_a_wall_do_not_speak_against_it() -> None:
    mine, theirs, truth = two_maps(find_terrain("office"), 6, (90.0, 10.0), together=True)
    edge = np.zeros(FRAME.shape, dtype=bool)
    edge[:, 1:] = (mine[:, :-1] == FREE) & (mine[:, 1:] == OCCUPIED)
    mine[edge] = FREE
    mine[:, 2:][edge[:, 1:-1]] = UNKNOWN
    found = align(mine, theirs, FRAME)
    assert found is not None
    assert error(found, truth, theirs)[0] < 0.3


def test_a_review_moves_a_little_off_alignment_into_place() -> None:
    mine, theirs, truth = two_maps(find_terrain("cave"), 3, (60.0, 10.0), together=True)
    found = review(mine, theirs, FRAME, Transform(truth[2] + 0.01, truth[0] + 0.3, truth[1] - 0.2))
    assert found is not None
    metres, degrees = error(found, truth, theirs)
    assert metres < 0.1
    assert degrees < 0.2
    assert found.agreement > 0.98


def test_a_review_of_a_wrong_alignment_finds_contradiction() -> None:
    mine, theirs, truth = two_maps(find_terrain("cave"), 3, (60.0, 10.0), together=True)
    found = review(mine, theirs, FRAME, Transform(truth[2] + math.pi, truth[0], truth[1]))
    assert found is None or found.agreement < 0.85


def test_a_straight_corridor_is_refused() -> None:
    corridor = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    corridor[460:470, 300:700] = FREE
    corridor[[459, 470], 300:700] = OCCUPIED
    assert align(corridor, corridor, FRAME) is None


@pytest.mark.parametrize("state", [UNKNOWN, FREE, OCCUPIED])
def test_a_map_of_one_state_is_refused(state: int) -> None:
    known, _, _ = two_maps(find_terrain("indoor"), 0, (40.0, 2.0))
    blank = np.full(FRAME.shape, state, dtype=np.uint8)
    assert align(known, blank, FRAME) is None
    assert align(blank, known, FRAME) is None
    assert align(blank, blank, FRAME) is None


def test_a_tiny_map_is_refused() -> None:
    known, tiny, _ = two_maps(find_terrain("indoor"), 0, (40.0, 2.0))
    tiny[:, :470] = UNKNOWN
    tiny[:470] = UNKNOWN
    tiny[:, 490:] = UNKNOWN
    tiny[490:] = UNKNOWN
    assert align(known, tiny, FRAME) is None


def test_a_map_of_another_shape_is_refused_with_a_sentence() -> None:
    grid = np.zeros(FRAME.shape, dtype=np.uint8)
    with pytest.raises(ExpeditionError, match=r"map theirs: must have the frame's shape \(960, 960\), found \(4, 4\)"):
        align(grid, np.zeros((4, 4), dtype=np.uint8), FRAME)
