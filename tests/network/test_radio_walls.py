"""What lies on a line: exact against a slow version in rational numbers, on any grid and from any point."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from expedition.network.material_squares import LARGEST, material_squares, with_changed_cells
from expedition.network.walls import ANY_NUMBER, GRAZE, LATTICE, cross_line

DB_PER_CELL = np.array([14.9, 6.7, 0.3])

Point = tuple[float, float]
Grid = NDArray[np.uint8]
"""0 is free, else one more than the number of the material."""


def crossed(grid: Grid, start: Point, end: Point, walls: int = ANY_NUMBER, loss: float = math.inf) -> tuple[float, ...]:
    material = np.maximum(grid, 1) - np.uint8(1)
    return cross_line(material_squares(grid > 0, material), material, DB_PER_CELL, *start, *end, walls, loss)


def crossed_slowly(grid: Grid, start: Point, end: Point) -> tuple[int, float, float]:
    """Cut the line at every border between cells, in rational numbers, and look at the middle of each piece."""
    (x0, y0), (x1, y1) = (tuple(map(Fraction, point)) for point in (start, end))
    length = math.hypot(float(x1 - x0), float(y1 - y0))
    cuts = {Fraction(0), Fraction(1)}
    for low, high, borders in ((x0, x1, grid.shape[1]), (y0, y1, grid.shape[0])):
        if low != high:
            cuts |= {cut for border in range(borders + 1) if 0 < (cut := (border - low) / (high - low)) < 1}
    walls: list[tuple[Fraction, Fraction]] = []
    metres = loss = 0.0
    for since, until in itertools.pairwise(sorted(cuts)):
        middle = (since + until) / 2
        column, row = math.floor(x0 + middle * (x1 - x0)), math.floor(y0 + middle * (y1 - y0))
        if not (0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]) or grid[row, column] == 0:
            continue
        piece = float(until - since) * length
        metres += piece
        loss += piece * DB_PER_CELL[grid[row, column] - 1]
        if walls and float(since - walls[-1][1]) * length <= GRAZE:
            walls[-1] = walls[-1][0], until
        else:
            walls.append((since, until))
    return sum(float(until - since) * length > GRAZE for since, until in walls), metres, loss


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Scattered cells, or blocks of several cells, of three materials."""
    shape = draw(st.tuples(st.integers(1, 14), st.integers(1, 14)))
    grid: Grid = draw(arrays.arrays(np.uint8, shape, elements=st.sampled_from([0, 0, 0, 1, 1, 2, 3])))
    return np.kron(grid, np.ones((draw(st.integers(1, 4)), draw(st.integers(1, 4))), dtype=np.uint8))


# Corners, edges, middles, and anything on the lattice; some beyond the grid.
COORDINATE = st.one_of(
    st.integers(-3, 30).map(float),
    st.integers(-6, 60).map(lambda half: half / 2),
    st.integers(-2 * LATTICE, 30 * LATTICE).map(lambda place: place / LATTICE),
)
POINT = st.tuples(COORDINATE, COORDINATE)
LAYERS = np.array([[1], [2], [3], [2], [1], [3], [3], [2]], dtype=np.uint8)
CHECKERS = np.indices((6, 6), dtype=np.uint8).sum(axis=0, dtype=np.uint8) % 2


@settings(max_examples=300, deadline=None)
@given(grids(), POINT, POINT)
@example(CHECKERS, (0.0, 0.0), (6.0, 6.0))
@example(CHECKERS, (0.0, 1.0), (5.0, 6.0))
@example(CHECKERS, (6.0, 0.0), (0.0, 6.0))
@example(CHECKERS, (0.0, 3.0), (6.0, 3.0))
@example(CHECKERS, (3.0, 6.0), (3.0, 0.0))
@example(CHECKERS, (0.0, 6.0), (6.0, 6.0))
@example(LAYERS, (0.0, 0.0), (0.0, 3.0 / LATTICE))
@example(LAYERS, (0.3125, 0.3125), (0.3125, 7.8125))
@example(LAYERS.T, (0.3125, 0.3125), (7.8125, 0.3125))
def test_walls_on_any_line_are_those_of_a_slow_version_both_ways(grid: Grid, start: Point, end: Point) -> None:
    walls, length, loss = crossed(grid, start, end)
    expected = crossed_slowly(grid, start, end)
    assert walls == expected[0]
    assert math.isclose(length, expected[1], abs_tol=1e-9)
    assert math.isclose(loss, expected[2], abs_tol=1e-7)
    assert crossed(grid, end, start) == (walls, length, loss)


@settings(max_examples=300, deadline=None)
@given(grids(), POINT, POINT, st.integers(0, 5), st.floats(0.0, 300.0))
def test_line_that_is_not_followed_to_its_end_has_crossed_more_than_allowed(
    grid: Grid, start: Point, end: Point, most_walls: int, most_loss: float
) -> None:
    walls, _, loss = crossed(grid, start, end, most_walls, most_loss)
    all_walls, _, all_loss = crossed(grid, start, end)
    if all_walls <= most_walls and all_loss <= most_loss:
        assert (walls, loss) == (all_walls, all_loss)
    else:
        assert walls > most_walls or loss > most_loss


def test_long_lines_across_a_large_grid_are_exact() -> None:
    rng = np.random.default_rng(3)
    grid = np.kron(rng.choice([0, 0, 0, 1, 2], (40, 60)), np.ones((9, 11))).astype(np.uint8)
    material = np.maximum(grid, 1) - np.uint8(1)
    squares = material_squares(grid > 0, material)
    for _ in range(60):
        points = np.round(rng.uniform((-20, -20), (680, 380), (2, 2)) * LATTICE) / LATTICE
        (x0, y0), (x1, y1) = points.tolist()
        walls, length, loss = cross_line(squares, material, DB_PER_CELL, x0, y0, x1, y1, ANY_NUMBER, math.inf)
        expected = crossed_slowly(grid, (x0, y0), (x1, y1))
        assert walls == expected[0]
        np.testing.assert_allclose((length, loss), expected[1:], atol=1e-6)


def test_line_along_an_edge_belongs_to_the_cell_above_or_right_of_it() -> None:
    grid = np.zeros((4, 4), dtype=np.uint8)
    grid[2, 1] = 1
    assert crossed(grid, (0.0, 2.0), (4.0, 2.0))[:2] == (1, 1.0)
    assert crossed(grid, (0.0, 3.0), (4.0, 3.0))[:2] == (0, 0.0)
    assert crossed(grid, (1.0, 4.0), (1.0, 0.0))[:2] == (1, 1.0)
    assert crossed(grid, (2.0, 4.0), (2.0, 0.0))[:2] == (0, 0.0)


def test_line_through_a_corner_crosses_no_wall() -> None:
    grid = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    assert crossed(grid, (0.25, 0.25), (1.75, 1.75)) == (0, 0.0, 0.0)
    assert crossed(grid, (0.5, 1.5), (1.5, 0.5))[0] == 1


def test_wall_that_is_hardly_touched_does_not_count_but_its_length_does() -> None:
    corner = np.array([[1, 0], [0, 0]], dtype=np.uint8)
    for depth, expected in ((2 / LATTICE, 0), (4 / LATTICE, 1)):
        walls, length, _ = crossed(corner, (0.0, 2.0 - depth), (2.0 - depth, 0.0))
        assert walls == expected
        assert length == pytest.approx(math.sqrt(2.0) * depth)


def squares_slowly(grid: Grid) -> NDArray[np.int8]:
    rows, columns = grid.shape
    squares = np.empty((2, rows, columns), dtype=np.int8)
    for plane, mirrored in enumerate((grid, grid[::-1])):
        for row in range(rows):
            for column in range(columns):
                side = 1
                while (
                    side < min(LARGEST, rows - row, columns - column)
                    and (mirrored[row : row + side + 1, column : column + side + 1] == mirrored[row, column]).all()
                ):
                    side += 1
                squares[plane, row, column] = -side if mirrored[row, column] else side
    return squares


def material_of(grid: Grid) -> Grid:
    # Free cells have a material too, which does not matter.
    return np.where(grid > 0, grid - 1, np.arange(grid.size).reshape(grid.shape) % 3).astype(np.uint8)


@settings(max_examples=50, deadline=None)
@given(grids())
def test_squares_are_the_largest_of_one_material(grid: Grid) -> None:
    assert (material_squares(grid > 0, material_of(grid)) == squares_slowly(grid)).all()


def test_squares_have_a_largest_size() -> None:
    squares = material_squares(np.zeros((200, 200), dtype=np.bool_), np.zeros((200, 200), dtype=np.uint8))
    assert squares[0, 0, 0] == LARGEST
    assert squares[1, 199 - LARGEST, 0] == LARGEST


@settings(max_examples=80, deadline=None)
@given(grids(), st.data())
def test_changed_cells_give_the_squares_of_the_changed_grid(grid: Grid, data: st.DataObject) -> None:
    before = material_squares(grid > 0, material_of(grid))
    rows, columns = (sorted(data.draw(st.tuples(*[st.integers(0, side)] * 2))) for side in grid.shape)
    window = slice(*rows), slice(*columns)
    grid = grid.copy()
    grid[window] = data.draw(st.sampled_from([0, 1, 3]))
    after = with_changed_cells(before, grid > 0, material_of(grid), window)
    assert (after == material_squares(grid > 0, material_of(grid))).all()


def test_wall_in_the_open_shrinks_squares_far_away() -> None:
    grid = np.zeros((300, 300), dtype=np.uint8)
    before = material_squares(grid > 0, grid)
    grid[150:154, 150:154] = 1
    after = with_changed_cells(before, grid > 0, grid, (slice(150, 154), slice(150, 154)))
    assert (after == material_squares(grid > 0, grid)).all()
    assert before[0, 40, 40] > after[0, 40, 40]
