"""What lies on the lines between the nodes of a channel, tick after tick: a line is followed again if an end moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network.material_rectangles import Bytes, MaterialRectangles
from expedition.network.obstacles import Obstacles
from expedition.network.walls import (
    LATTICE,
    Bearable,
    Course,
    Crossed,
    Floats,
    Followed,
    Integers,
    begin_line,
    end_line,
    follow_line,
)

Booleans = NDArray[np.bool_]

NOT_FOLLOWED = -2
"""Walls that no line can bear, so that what is known of it is of no use."""


class Crossings:
    """The lines from `first` to `second`, numbers of nodes, and what is known of each since it was last followed."""

    def __init__(self, first: Integers, second: Integers) -> None:
        lines = len(first)
        self.first = first
        self.second = second
        self.places: Floats = np.zeros((0, 2))
        """(nodes, 2): where nodes were last, in cells on the lattice; NaN before the first time."""
        self.bore = Bearable(np.full(lines, NOT_FOLLOWED), np.zeros(lines))
        """What lines could bear when they were last followed."""
        self.crossed = Crossed(np.zeros(lines, dtype=np.int64), np.zeros(lines), np.zeros(lines))
        self._obstacles: Obstacles | None = None

    def follow(self, positions: Floats, obstacles: Obstacles, bearable: Bearable) -> Crossed:
        """As `Obstacles.crossed`, between nodes at `positions`; it holds until the next call."""
        self.look_at(obstacles, len(positions))
        follow_moved(
            obstacles.rectangles, obstacles.material, obstacles.db_per_m, obstacles.resolution, obstacles.corner,
            positions, self.places, self.first, self.second, self.bore, bearable, self.crossed,
        )  # fmt: skip
        return self.crossed

    def look_at(self, obstacles: Obstacles, nodes: int) -> None:
        """These are the obstacles from now on; where they are others than before, nothing is known of any line."""
        if obstacles is not self._obstacles:
            self._obstacles, self.places = obstacles, np.full((nodes, 2), np.nan)


@kernel
def follow_moved(
    rectangles: MaterialRectangles, material: Bytes | None, db_per_m: Floats, resolution: float, corner: Floats,
    positions: Floats, places: Floats, first: Integers, second: Integers,
    bore: Bearable, bears: Bearable, crossed: Crossed,
) -> None:  # fmt: skip
    """Follow the lines of which an end is not where it was, or that now bear other than what they bore.

    Two at a time, as long as neither has ended: a processor has time for the other while it waits for what is on one.
    """
    moved = _note_moves(positions, corner, resolution, places)
    lines, count = np.empty(len(first), np.int64), 0
    for line in range(len(first)):
        bears_the_same = bears.walls[line] == bore.walls[line] and bears.loss_db[line] == bore.loss_db[line]
        if bears_the_same and not moved[first[line]] and not moved[second[line]]:
            continue
        bore.walls[line], bore.loss_db[line] = bears.walls[line], bears.loss_db[line]
        lines[count] = line
        count += 1
    for at in range(0, count, 2):
        one, other = lines[at], lines[min(at + 1, count - 1)]
        course, so_far = _begin(rectangles, resolution, places[first[one]], places[second[one]], bears, one)
        course_2, so_far_2 = _begin(rectangles, resolution, places[first[other]], places[second[other]], bears, other)
        while so_far.goes_on and so_far_2.goes_on:
            so_far = follow_line(rectangles, material, db_per_m, course, so_far)
            so_far_2 = follow_line(rectangles, material, db_per_m, course_2, so_far_2)
        while so_far.goes_on:
            so_far = follow_line(rectangles, material, db_per_m, course, so_far)
        while so_far_2.goes_on:
            so_far_2 = follow_line(rectangles, material, db_per_m, course_2, so_far_2)
        _note(end_line(course, so_far), resolution, crossed, one)
        _note(end_line(course_2, so_far_2), resolution, crossed, other)


@kernel
def _begin(
    rectangles: MaterialRectangles, resolution: float, start: Floats, end: Floats, bears: Bearable, line: int
) -> tuple[Course, Followed]:
    most_loss = bears.loss_db[line] / resolution
    return begin_line(rectangles, start[0], start[1], end[0], end[1], bears.walls[line], most_loss)


@kernel
def _note(met: tuple[int, float, float], resolution: float, crossed: Crossed, line: int) -> None:
    crossed.walls[line], crossed.metres[line], crossed.loss_db[line] = met[0], met[1] * resolution, met[2] * resolution


@kernel
def _note_moves(positions: Floats, corner: Floats, resolution: float, places: Floats) -> Booleans:
    """Bring the places of nodes, in cells on the lattice, up to date; returns which have changed."""
    scale = LATTICE / resolution
    moved = np.zeros(len(places), np.bool_)
    for node in range(len(places)):
        for axis in range(2):
            place = np.round((positions[node, axis] - corner[axis]) * scale) / LATTICE
            moved[node] |= place != places[node, axis]
            places[node, axis] = place
    return moved
