"""Reachable cells against a slow obvious version: every disc against every cell."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from expedition.terrain import Terrain
from expedition.terrain.area import dilate, reachable, standing_room

ROWS, COLUMNS = 43, 47
RADII = (0.0, 0.3, 0.5, 0.6, 1.0, 1.5, 2.0, 2.5, 4.2, 7.5, 11.9, 12.0, 12.1, 12.5, 13.0, 13.4, 16.5, 20.0)


@cache
def gaps() -> np.ndarray:
    """From the middle of each cell to the nearest point of each other, in cells: (cells, cells)."""
    row, column = (index.ravel() for index in np.indices((ROWS, COLUMNS)))
    across = np.maximum(np.abs(row[:, None] - row) - 0.5, 0.0)
    along = np.maximum(np.abs(column[:, None] - column) - 0.5, 0.0)
    return np.hypot(across, along)


def touched(radius: float) -> np.ndarray:
    """Which cells a disc on the middle of each cell overlaps, not merely touches; always its own."""
    return (gaps() < radius - 1e-9) | np.eye(ROWS * COLUMNS, dtype=bool)


def slow_room(occupied: np.ndarray, radius: float) -> np.ndarray:
    """Where a disc overlaps no wall and stays on the grid."""
    row, column = np.indices(occupied.shape) + 0.5
    edge = np.minimum(np.minimum(row, ROWS - row), np.minimum(column, COLUMNS - column))
    clear = ~(touched(radius) & occupied.ravel()).any(axis=1).reshape(occupied.shape)
    return clear & (edge >= radius - 1e-9)


def slow_reachable(occupied: np.ndarray, starts: list[tuple[int, int]], radius: float) -> np.ndarray:
    """Walk from cell to cell, and touch what the disc touches on the way."""
    room = slow_room(occupied, radius)
    reached = np.zeros_like(occupied)
    waiting = [start for start in starts if room[start]]
    while waiting:
        row, column = waiting.pop()
        if 0 <= row < ROWS and 0 <= column < COLUMNS and room[row, column] and not reached[row, column]:
            reached[row, column] = True
            waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return touched(radius)[reached.ravel()].any(axis=0).reshape(occupied.shape) & ~occupied


def walls(radius: float, seed: int) -> np.ndarray:
    """Scattered walls that leave a disc some room, and a dividing one for the smaller discs."""
    rng = np.random.default_rng(seed)
    share = 0.0005 if radius > 6 else 0.02 if radius > 1 else 0.3
    occupied = rng.random((ROWS, COLUMNS)) < share
    if radius < 11:
        occupied[:, COLUMNS // 2] = True
    return occupied


@pytest.mark.parametrize("radius", RADII)
def test_standing_room_and_reach_are_those_of_every_disc_against_every_cell(radius: float) -> None:
    some_room = 0
    for seed in range(3):
        occupied = walls(radius, seed)
        room = slow_room(occupied, radius)
        assert np.array_equal(standing_room(occupied, radius), room)
        assert np.array_equal(dilate(room, radius), touched(radius)[room.ravel()].any(axis=0).reshape(room.shape))
        places = [(int(row), int(column)) for row, column in np.argwhere(room)]
        some_room += bool(places)
        left, right = places[:1], places[-1:]
        for starts in ([], left, right, left + right):
            assert np.array_equal(reachable(occupied, starts, radius), slow_reachable(occupied, starts, radius))
    assert some_room


def test_every_start_counts_not_only_the_first() -> None:
    occupied = np.zeros((9, 19), dtype=bool)
    occupied[:, 9] = True
    assert np.array_equal(reachable(occupied, [(4, 4), (4, 14)], 1.0), ~occupied)
    assert np.array_equal(reachable(occupied, [(4, 14)], 1.0), np.arange(19) > np.full((9, 1), 9))


def test_beyond_the_grid_all_is_wall() -> None:
    room = standing_room(np.zeros((9, 9), dtype=bool), 2.0)
    assert np.argwhere(room).min() == 2
    assert np.argwhere(room).max() == 6


@pytest.mark.parametrize(
    "start",
    [(0.97, 5.5), (9.03, 5.5), (5.5, 0.97), (5.5, 9.03), (0.97, 0.97), (0.97, 9.03), (9.03, 0.97), (9.03, 9.03)],
)
def test_a_robot_may_start_close_to_a_wall_where_it_could_not_stand_on_the_cells_middle(
    start: tuple[float, float],
) -> None:
    terrain = Terrain.from_occupied("square", np.zeros((10, 10), dtype=bool), 1.0)
    assert not standing_room(terrain.occupied, 0.97)[terrain.cell(*start)]
    assert np.count_nonzero(terrain.reachable([start], 0.97)) == 100


def test_nothing_is_reachable_from_far_outside_or_from_inside_a_wall() -> None:
    occupied = np.zeros((12, 12), dtype=bool)
    occupied[:4] = True
    terrain = Terrain.from_occupied("half", occupied, 1.0)
    for start in ((-5.0, 6.0), (6.0, 40.0), (6.0, 1.0)):
        assert not terrain.reachable([start], 0.5).any()


@pytest.mark.parametrize("radius", [6.0, 1e3, 1e9, 1e300])
def test_a_disc_larger_than_the_terrain_reaches_nothing(radius: float) -> None:
    terrain = Terrain.from_occupied("square", np.zeros((10, 10), dtype=bool), 1.0)
    assert not terrain.reachable([(5.0, 5.0)], radius).any()
    assert terrain.reachable_area([(5.0, 5.0)], radius) == 0.0


def test_a_disc_as_wide_as_the_terrain_fits() -> None:
    terrain = Terrain.from_occupied("square", np.zeros((11, 11), dtype=bool), 1.0)
    reached = terrain.reachable([(5.5, 5.5)], 5.5)
    corners = 4 * sum(math.hypot(x, y) >= 5.5 for x in (4.5, 3.5, 2.5) for y in (4.5, 3.5, 2.5))
    assert np.count_nonzero(reached) == 121 - corners
