"""The four published terrains, against numbers worked out by hand from their geometry."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import ndimage

from expedition.errors import ExpeditionError
from expedition.terrain import Terrain, terrain
from expedition.terrain.area import standing_room
from expedition.terrain.published import MAZE_HORIZONTAL, MAZE_VERTICAL

STARTS = [(-38.0, 38.0 - 2.0 * robot) for robot in range(30)]
INNER = 796**2  # cells of 0.1 m between the faces of the outer walls, 79.6 m apart
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def maze_neighbours(maze: Terrain, column: int, row: int) -> list[tuple[int, int]]:
    """The maze cells one can go to, by looking at the middle of each wall."""
    x, y = -36 + 8 * column, -36 + 8 * row
    return [(column + dx, row + dy) for dx, dy in STEPS if maze.is_free(x + 4 * dx, y + 4 * dy)]


@pytest.mark.parametrize("name", ["loop", "cross", "zigzag", "maze"])
def test_published_terrain_is_80_m_between_wall_middles_and_closed(name: str) -> None:
    made = terrain.make(name)
    assert made.extent == pytest.approx((-40.2, 40.2, -40.2, 40.2))
    assert made.shape == (804, 804)
    inside = np.zeros((804, 804), dtype=bool)
    inside[4:-4, 4:-4] = True
    assert made.occupied[~inside].all()
    assert not made.occupied[inside].all()


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("loop", INNER - 640**2),
        ("cross", INNER - 4 * 280**2),
        ("zigzag", INNER - 9 * 718 * 4),
    ],
)
def test_free_cells_are_those_of_the_geometry(name: str, free: int) -> None:
    made = terrain.make(name)
    assert made.free_cells == free
    assert made.free_area == pytest.approx(free * 0.01)


def test_free_cells_of_the_maze_are_those_of_its_walls() -> None:
    # Between two crossings a unit wall has 76 x 4 cells. A crossing has 4 x 4: half of it under a wall that ends there
    # alone, all of it when two or more meet.
    units, arms = 0, Counter[tuple[float, float]]()
    for vertical, table in ((True, MAZE_VERTICAL), (False, MAZE_HORIZONTAL)):
        for at, spans in table.items():
            for start, end in spans:
                for along in range(int(start), int(end), 8):
                    units += 1
                    for tip in (along, along + 8):
                        arms[(at, tip) if vertical else (tip, at)] += 1
    assert units == 73
    inner = {point: count for point, count in arms.items() if max(map(abs, point)) < 40}
    walls = units * 76 * 4 + sum(8 if count == 1 else 16 for count in inner.values())
    assert terrain.make("maze").free_cells == INNER - walls


def test_all_maze_cells_are_reachable_and_22_are_dead_ends() -> None:
    maze = terrain.make("maze")
    reached, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        for neighbour in maze_neighbours(maze, *waiting.pop()):
            if neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    assert reached == set(itertools.product(range(10), range(10)))
    assert sum(len(maze_neighbours(maze, *cell)) == 1 for cell in reached) == 22


def test_maze_has_73_unit_walls() -> None:
    maze = terrain.make("maze")
    ways = sum(len(maze_neighbours(maze, *cell)) for cell in itertools.product(range(10), range(10))) // 2
    assert 2 * 10 * 9 - ways == 73


@pytest.mark.parametrize("name", ["loop", "cross", "zigzag", "maze"])
def test_thirty_robots_start_in_the_open_and_reach_all_free_cells_but_corners(name: str) -> None:
    made = terrain.make(name)
    assert all(made.is_free(x, y) for x, y in STARTS)
    room = standing_room(made.occupied, 0.3 / made.resolution)
    assert all(room[made.cell(x, y)] for x, y in STARTS)
    assert ndimage.label(room)[1] == 1
    missed = ~made.reachable(STARTS, 0.3) & ~made.occupied
    assert np.count_nonzero(missed) < 0.001 * made.free_cells
    assert ndimage.label(~made.occupied)[1] == 1


@pytest.mark.parametrize(
    ("name", "free", "walls"),
    [
        ("loop", [(-36, 0), (36, 39), (0, -33)], [(0, 0), (31.9, -31.9), (-40, 0)]),
        ("cross", [(0, 0), (0, 20), (-20, 3.9), (36, 36)], [(10, 10), (-31.9, 4.1), (4.1, -31.9)]),
        ("zigzag", [(-32, 33), (-24, -33), (-28, 0), (32, 39)], [(-32, 31), (-24, -31), (0, 0), (24, 39)]),
        ("maze", [(-38, 38), (-32, 10), (12, -4), (0, 20)], [(-32, 20), (-20, 32), (28, 16), (36, -8), (24, 24)]),
    ],
)
def test_sample_points_are_free_or_wall_as_in_the_figures(
    name: str, free: list[tuple[float, float]], walls: list[tuple[float, float]]
) -> None:
    made = terrain.make(name)
    assert [point for point in free if not made.is_free(*point)] == []
    assert [point for point in walls if made.is_free(*point)] == []


def test_coarser_cells_keep_the_free_area() -> None:
    assert terrain.make("maze:resolution=0.2").free_area == pytest.approx(terrain.make("maze").free_area)


def test_a_cell_size_that_walls_do_not_fit_is_refused() -> None:
    with pytest.raises(ExpeditionError, match=r"whole number of cells of 0\.15 m"):
        terrain.make("maze:resolution=0.15")
