"""What lies on the lines between the nodes of a channel, tick after tick: a line is followed again if an end moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network.material_rectangles import Bytes, MaterialRectangles
from expedition.network.obstacles import Obstacles
from expedition.network.walls import LATTICE, Bearable, Crossed, Floats, Integers, cross_lines

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
    """Follow the lines of which an end is not where it was, or that now bear other than what they bore."""
    moved = _note_moves(positions, corner, resolution, places)
    lines, count = np.empty(len(first), np.int64), 0
    for line in range(len(first)):
        bears_the_same = bears.walls[line] == bore.walls[line] and bears.loss_db[line] == bore.loss_db[line]
        if bears_the_same and not moved[first[line]] and not moved[second[line]]:
            continue
        bore.walls[line], bore.loss_db[line] = bears.walls[line], bears.loss_db[line]
        lines[count] = line
        count += 1
    cross_lines(
        rectangles, material, db_per_m, resolution, places, places, first, second, lines[:count], bears, crossed
    )


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
