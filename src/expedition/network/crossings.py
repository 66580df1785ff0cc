"""What lies on the lines between the nodes of a channel, tick after tick: a line is followed again if an end moved."""

from __future__ import annotations

import numpy as np

from expedition.kernels import kernel
from expedition.network.material_squares import Bytes, MaterialSquares
from expedition.network.obstacles import Obstacles
from expedition.network.walls import Bearable, Crossed, Floats, Integers, cross_line

NOT_FOLLOWED = -2
"""Walls that no line can bear, so that what is known of it is of no use."""


class Crossings:
    """The lines from `first` to `second`, numbers of nodes."""

    def __init__(self, first: Integers, second: Integers) -> None:
        lines = len(first)
        self._first = first
        self._second = second
        self._obstacles: Obstacles | None = None
        self._places: Floats = np.zeros((0, 2))
        self._bearable = Bearable(np.full(lines, NOT_FOLLOWED), np.zeros(lines))
        self._crossed = Crossed(np.zeros(lines, dtype=np.int64), np.zeros(lines), np.zeros(lines))

    def follow(self, positions: Floats, obstacles: Obstacles, bearable: Bearable) -> Crossed:
        """As `Obstacles.crossed`, between nodes at `positions`; it holds until the next call."""
        places = obstacles.places(positions)
        if obstacles is not self._obstacles:
            self._obstacles, self._places = obstacles, np.full_like(places, np.nan)
        _follow_moved(
            obstacles.squares, obstacles.material, obstacles.db_per_m, obstacles.resolution,
            self._places, places, self._first, self._second, self._bearable, bearable, self._crossed,
        )  # fmt: skip
        self._places, self._bearable = places, bearable
        return self._crossed


@kernel
def _follow_moved(
    squares: MaterialSquares, material: Bytes, db_per_m: Floats, resolution: float,
    before: Floats, places: Floats, first: Integers, second: Integers,
    bore: Bearable, bears: Bearable, crossed: Crossed,
) -> None:  # fmt: skip
    """Follow the lines of which an end is not where it was `before`, or that now bear other than what they bore."""
    moved = np.zeros(len(places), np.bool_)
    for node in range(len(places)):
        moved[node] = places[node, 0] != before[node, 0] or places[node, 1] != before[node, 1]
    for line in range(len(first)):
        one, other = first[line], second[line]
        bears_the_same = bears.walls[line] == bore.walls[line] and bears.loss_db[line] == bore.loss_db[line]
        if bears_the_same and not moved[one] and not moved[other]:
            continue
        walls, length, loss = 0, 0.0, 0.0
        if bears.walls[line] >= 0:
            walls, length, loss = cross_line(
                squares, material, db_per_m, places[one, 0], places[one, 1], places[other, 0], places[other, 1],
                bears.walls[line], bears.loss_db[line] / resolution,
            )  # fmt: skip
        crossed.walls[line] = walls
        crossed.metres[line] = length * resolution
        crossed.loss_db[line] = loss * resolution
