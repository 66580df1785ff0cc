"""What lies on straight lines between radios: how many walls, how much of them, and what they take of a signal.

A line visits the rectangles of one material that it crosses in order and adds up the exact lengths between their
borders. A wall is a stretch of wall cells without a gap, whatever they are made of. Ground beyond the grid is free.

Two rules keep rounding from deciding: points are placed to a `LATTICE` of a cell, so that one on an edge lies on the
edge and belongs to the cell above or right of it; and walls and gaps shorter than `GRAZE` do not count, as where a
line runs through the corner of a cell. Their lengths do.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import inlined, kernel
from expedition.network.material_rectangles import WALL, Bytes, MaterialRectangles, tall, wide

LATTICE = 4096
"""Places within a cell, along each axis."""
GRAZE = 1.0 / 1024.0
"""The shortest stretch of wall, or of free ground between two, that counts, in cells."""
ANY_NUMBER = np.iinfo(np.int64).max

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Crossed(NamedTuple):
    """What lies on lines, an array over lines each."""

    walls: Integers
    metres: Floats
    """Of the line that lie within walls."""
    loss_db: Floats
    """What the walls take, by material and length."""


class Bearable(NamedTuple):
    """What a line may cross before it is of no use to follow it further, an array over lines each."""

    walls: Integers
    """-1 where the line is of no use whatever it crosses."""
    loss_db: Floats


class Course(NamedTuple):
    """How a line runs, in cells: to the right, and upwards in the rectangles' plane for lines of its kind."""

    x: float
    y: float
    dx: float
    dy: float
    per_x: float
    per_y: float
    """The share of the line that a cell takes, along each axis."""
    limit: float
    """The share of the line up to which there is ground."""
    distance: float
    graze: float
    plane: np.uint64
    most_walls: int
    most_loss: float


class Followed(NamedTuple):
    """What is known of a line that has been followed for the share `travelled`, where it enters a cell."""

    travelled: float
    row: np.int64
    column: np.int64
    walls: int
    since: float
    until: float
    """Of the wall that was met last, which does not count among `walls` yet."""
    length: float
    loss: float
    goes_on: bool


@kernel
def cross_lines(
    rectangles: MaterialRectangles, material: Bytes | None, db_per_m: Floats, resolution: float,
    starts: Floats, ends: Floats, first: Integers, second: Integers, lines: Integers, bears: Bearable, crossed: Crossed,
) -> None:  # fmt: skip
    """Follow some `lines`, each from `starts[first[line]]` to `ends[second[line]]`, in cells, and note what they cross.

    Without `material` walls are only counted, which is faster, and the others are 0. A line ends where there is more
    than it bears. The same for both directions, as lines are always followed to the right. Two at a time, as long as
    neither has ended: a processor has time for the other while it waits for what is on one. Cost: one look-up a
    rectangle.
    """
    for at in range(0, len(lines), 2):
        one, other = lines[at], lines[min(at + 1, len(lines) - 1)]
        course, so_far = _begin(rectangles, resolution, starts[first[one]], ends[second[one]], bears, one)
        course_2, so_far_2 = _begin(rectangles, resolution, starts[first[other]], ends[second[other]], bears, other)
        while so_far.goes_on and so_far_2.goes_on:
            so_far = _go_on(rectangles, material, db_per_m, course, so_far)
            so_far_2 = _go_on(rectangles, material, db_per_m, course_2, so_far_2)
        while so_far.goes_on:
            so_far = _go_on(rectangles, material, db_per_m, course, so_far)
        while so_far_2.goes_on:
            so_far_2 = _go_on(rectangles, material, db_per_m, course_2, so_far_2)
        _note(course, so_far, resolution, crossed, one)
        _note(course_2, so_far_2, resolution, crossed, other)


@kernel
def _begin(
    rectangles: MaterialRectangles, resolution: float, start: Floats, end: Floats, bears: Bearable, line: int
) -> tuple[Course, Followed]:
    """A line of which nothing is known yet; one that bears not even no wall is not followed at all."""
    x0, y0, x1, y1 = start[0], start[1], end[0], end[1]
    most_walls, most_loss = bears.walls[line], bears.loss_db[line] / resolution
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    rows, columns = rectangles.shape[1], rectangles.shape[2]
    down = y1 < y0
    if down:
        y0, y1 = rows - y0, rows - y1
    dx, dy = x1 - x0, y1 - y0
    distance = math.sqrt(dx * dx + dy * dy)
    per_x = 1.0 / dx if dx > 0.0 else math.inf
    per_y = 1.0 / dy if dy > 0.0 else math.inf
    travelled, limit = 0.0, 1.0
    if dx > 0.0:
        travelled, limit = max(travelled, -x0 * per_x), min(limit, (columns - x0) * per_x)
    elif not 0.0 <= x0 < columns:
        limit = 0.0
    if dy > 0.0:
        travelled, limit = max(travelled, -y0 * per_y), min(limit, (rows - y0) * per_y)
    elif not 0.0 <= y0 < rows:
        limit = 0.0
    column = min(np.int64(x0 + travelled * dx), columns - 1)
    row = min(np.int64(y0 + travelled * dy), rows - 1)
    course = Course(
        x0, y0, dx, dy, per_x, per_y, limit, distance, GRAZE / distance, np.uint64(1 if down else 0),
        most_walls, most_loss / distance,
    )  # fmt: skip
    goes_on = travelled < limit and distance > 0.0 and most_walls >= 0
    return course, Followed(travelled, row, column, 0, 0.0, -math.inf, 0.0, 0.0, goes_on)


@inlined
def _go_on(
    rectangles: MaterialRectangles, material: Bytes | None, db_per_m: Floats, line: Course, so_far: Followed
) -> Followed:
    """Through one rectangle. Neither what was travelled nor row or column ever fall.

    Without branches where it can be: which side of a rectangle a line leaves by is anyone's guess.
    """
    travelled, row, column, walls, since, until, length, loss, _ = so_far
    rows, columns = rectangles.shape[1], rectangles.shape[2]
    here, there = np.uint64(row), np.uint64(column)
    rectangle = np.int64(rectangles[line.plane, here, there])
    next_row, next_column = row + tall(rectangle), column + wide(rectangle)
    t_x, t_y = (next_column - line.x) * line.per_x, (next_row - line.y) * line.per_y
    to_right = t_x < t_y
    t = t_x if to_right else t_y
    row_there = min(max(np.int64(line.y + t * line.dy), row), next_row - 1)
    column_there = min(max(np.int64(line.x + t * line.dx), column), next_column - 1)
    row = row_there if to_right else next_row
    column = next_column if to_right else column_there
    reached = min(max(travelled, t), line.limit)
    goes_on = reached < line.limit and row < rows and column < columns
    if rectangle & WALL:
        if material is not None:
            grid_row = np.uint64(rows - 1) - here if line.plane != 0 else here
            length += reached - travelled
            loss += (reached - travelled) * db_per_m[material[grid_row, there]]
        if travelled - until > line.graze:
            walls += until - since > line.graze
            since = travelled
        until = reached
        goes_on &= loss <= line.most_loss and walls + (until - since > line.graze) <= line.most_walls
    return Followed(reached, row, column, walls, since, until, length, loss, goes_on)


@kernel
def _note(line: Course, so_far: Followed, resolution: float, crossed: Crossed, number: int) -> None:
    """What was met on a line, in metres."""
    crossed.walls[number] = so_far.walls + (so_far.until - so_far.since > line.graze)
    crossed.metres[number] = so_far.length * line.distance * resolution
    crossed.loss_db[number] = so_far.loss * line.distance * resolution
