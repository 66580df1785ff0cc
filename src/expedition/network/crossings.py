"""What lies on the lines between the nodes of a channel, tick after tick: a line is followed again if an end moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network.material_squares import Bytes, MaterialSquares
from expedition.network.obstacles import Obstacles
from expedition.network.walls import LATTICE, Bearable, Crossed, Floats, Integers, cross_line

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
        _follow_all(
            obstacles.squares, obstacles.material, obstacles.db_per_m, obstacles.resolution, obstacles.corner,
            positions, self.places, self.first, self.second, self.bore, bearable, self.crossed,
        )  # fmt: skip
        return self.crossed

    def look_at(self, obstacles: Obstacles, nodes: int) -> None:
        """These are the obstacles from now on; where they are others than before, nothing is known of any line."""
        if obstacles is not self._obstacles:
            self._obstacles, self.places = obstacles, np.full((nodes, 2), np.nan)


@kernel
def _follow_all(
    squares: MaterialSquares, material: Bytes, db_per_m: Floats, resolution: float, corner: Floats,
    positions: Floats, places: Floats, first: Integers, second: Integers,
    bore: Bearable, bears: Bearable, crossed: Crossed,
) -> None:  # fmt: skip
    """Follow each line that may not cross what it did when it was last followed."""
    moved = note_moves(positions, corner, resolution, places)
    for line in range(len(first)):
        crossed.walls[line], crossed.metres[line], crossed.loss_db[line] = follow_line(
            squares, material, db_per_m, resolution, places, moved, first[line], second[line],
            line, bore, bears.walls[line], bears.loss_db[line], crossed,
        )  # fmt: skip


@kernel
def note_moves(positions: Floats, corner: Floats, resolution: float, places: Floats) -> Booleans:
    """Bring the places of nodes, in cells on the lattice, up to date; returns which have changed."""
    scale = LATTICE / resolution
    moved = np.zeros(len(places), np.bool_)
    for node in range(len(places)):
        for axis in range(2):
            place = np.round((positions[node, axis] - corner[axis]) * scale) / LATTICE
            moved[node] |= place != places[node, axis]
            places[node, axis] = place
    return moved


@kernel
def follow_line(
    squares: MaterialSquares, material: Bytes, db_per_m: Floats, resolution: float, places: Floats, moved: Booleans,
    one: int, other: int, line: int, bore: Bearable, walls: int, loss_db: float, crossed: Crossed,
) -> tuple[int, float, float]:  # fmt: skip
    """What a line crosses, which bears so many walls and decibels: followed if an end moved or it bore otherwise."""
    if not moved[one] and not moved[other] and walls == bore.walls[line] and loss_db == bore.loss_db[line]:
        return crossed.walls[line], crossed.metres[line], crossed.loss_db[line]
    bore.walls[line], bore.loss_db[line] = walls, loss_db
    if walls < 0:
        return 0, 0.0, 0.0
    number, length, loss = cross_line(
        squares, material, db_per_m, places[one, 0], places[one, 1], places[other, 0], places[other, 1],
        walls, loss_db / resolution,
    )  # fmt: skip
    return number, length * resolution, loss * resolution
