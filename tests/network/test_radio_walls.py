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

from expedition.network.material_rectangles import LARGEST, WALL, material_rectangles, tall, wide, with_changed_cells
from expedition.network.walls import ANY_NUMBER, GRAZE, LATTICE, Bearable, Crossed, cross_lines

DB_PER_CELL = np.array([14.9, 6.7, 0.3])

Point = tuple[float, float]
Grid = NDArray[np.uint8]
"""0 is free, else one more than the number of the material."""


def crossed(grid: Grid, start: Point, end: Point, walls: int = ANY_NUMBER, loss: float = math.inf) -> tuple[float, ...]:
    found = all_crossed(grid, np.array([[*start, *end]]), walls, loss)
    return int(found.walls[0]), float(found.metres[0]), float(found.loss_db[0])


def all_crossed(grid: Grid, lines: NDArray[np.float64], walls: int = ANY_NUMBER, loss: float = math.inf) -> Crossed:
    """What lies on lines (n, 4), followed together."""
    material = np.maximum(grid, 1) - np.uint8(1)
    number, every = len(lines), np.arange(len(lines))
    found = Crossed(np.full(number, -1), np.zeros(number), np.zeros(number))
    cross_lines(
        material_rectangles(grid > 0, material), material, DB_PER_CELL, 1.0, lines[:, :2].copy(), lines[:, 2:].copy(),
        every, every, every, Bearable(np.full(number, walls), np.full(number, loss)), found,
    )  # fmt: skip
    return found


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


@settings(max_examples=300)
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


@settings(max_examples=300)
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
    for number in (60, 1):  # An even number, and an odd one.
        lines = np.round(rng.uniform((-20, -20) * 2, (680, 380) * 2, (number, 4)) * LATTICE) / LATTICE
        found = all_crossed(grid, lines)
        expected = np.array([crossed_slowly(grid, (x0, y0), (x1, y1)) for x0, y0, x1, y1 in lines.tolist()])
        assert found.walls.tolist() == expected[:, 0].tolist()
        np.testing.assert_allclose(np.stack([found.metres, found.loss_db], axis=1), expected[:, 1:], atol=1e-6)


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


def side_slowly(grid: Grid, row: int, column: int) -> int:
    """Of the largest square of one material that starts at a cell."""
    most = min(LARGEST, grid.shape[0] - row, grid.shape[1] - column)
    side = 1
    while side < most and (grid[row : row + side + 1, column : column + side + 1] == grid[row, column]).all():
        side += 1
    return side


def material_of(grid: Grid) -> Grid:
    # Free cells have a material too, which does not matter.
    return np.where(grid > 0, grid - 1, np.arange(grid.size).reshape(grid.shape) % 3).astype(np.uint8)


@settings(max_examples=50)
@given(grids())
def test_rectangles_are_the_largest_squares_of_one_material_drawn_out(grid: Grid) -> None:
    for plane, mirrored in zip(
        material_rectangles(grid > 0, material_of(grid)).astype(int), (grid, grid[::-1]), strict=True
    ):
        for (row, column), rectangle in np.ndenumerate(plane):
            rows, columns = tall(rectangle), wide(rectangle)
            here = mirrored[row : row + rows, column : column + columns]
            assert here.shape == (rows, columns)
            assert (here == mirrored[row, column]).all()
            assert min(rows, columns) == side_slowly(mirrored, row, column)
            assert bool(rectangle & WALL) == bool(mirrored[row, column])


def test_rectangles_of_a_corridor_end_where_it_does() -> None:
    grid = np.ones((9, 90), dtype=np.uint8)
    grid[2:7, 10:80] = 0
    for corridor, plane in ((grid, 0), (grid, 1), (grid.T, 0), (grid.T, 1)):
        rectangles = material_rectangles(corridor > 0, corridor)[plane].astype(int)
        row, column = (2, 10) if corridor is grid else (10, 2)
        assert {tall(rectangles[row, column]), wide(rectangles[row, column])} == {5, 70}


def test_rectangles_have_a_largest_size() -> None:
    rectangles = material_rectangles(np.zeros((200, 300), dtype=np.bool_), np.zeros((200, 300), dtype=np.uint8))
    assert rectangles[0, 0, 0] == rectangles[1, 199 - LARGEST, 0] == 129 * LARGEST


@settings(max_examples=80)
@given(grids(), st.data())
def test_changed_cells_give_the_rectangles_of_the_changed_grid(grid: Grid, data: st.DataObject) -> None:
    before = material_rectangles(grid > 0, material_of(grid))
    rows, columns = (sorted(data.draw(st.tuples(*[st.integers(0, side)] * 2))) for side in grid.shape)
    window = slice(*rows), slice(*columns)
    grid = grid.copy()
    grid[window] = data.draw(st.sampled_from([0, 1, 3]))
    after = with_changed_cells(before, grid > 0, material_of(grid), window)
    assert (after == material_rectangles(grid > 0, material_of(grid))).all()


def test_wall_in_the_open_shrinks_rectangles_far_away() -> None:
    grid = np.zeros((300, 300), dtype=np.uint8)
    before = material_rectangles(grid > 0, grid)
    grid[150:154, 150:154] = 1
    after = with_changed_cells(before, grid > 0, grid, (slice(150, 154), slice(150, 154)))
    assert (after == material_rectangles(grid > 0, grid)).all()
    assert wide(int(before[0, 140, 40])) > wide(int(after[0, 140, 40]))


@pytest.mark.parametrize("seed", range(3))
def test_wall_that_goes_lets_rectangles_far_away_grow(seed: int) -> None:
    grid = (np.random.default_rng(seed).random((280, 300)) < 0.0004).astype(np.uint8)
    grid[140:160, 130:134] = 1
    before = material_rectangles(grid > 0, grid)
    grid[140:160, 130:134] = 0
    after = with_changed_cells(before, grid > 0, grid, (slice(140, 160), slice(130, 134)))
    assert (after == material_rectangles(grid > 0, grid)).all()
    assert (after != before).any()
