"""The terrain in characters, for the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.terrain import Terrain, find_terrain
from expedition.terrain.sketch import sketch


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (3, 2), (79, 81), (900, 900)])
def test_a_sketch_fits_the_terminal_whatever_the_shape(shape: tuple[int, int]) -> None:
    lines = sketch(Terrain.from_occupied("any", np.ones(shape, dtype=bool)), width=80).split("\n")
    assert len({len(line) for line in lines}) == 1
    assert 1 <= len(lines[0]) <= 80
    assert 1 <= len(lines) <= 61


def test_a_thin_wall_shows_as_one_line_wherever_it_falls() -> None:
    for column in range(100, 120):
        occupied = np.zeros((400, 800), dtype=bool)
        occupied[:, column : column + 2] = True
        for line in sketch(Terrain.from_occupied("line", occupied), width=80).split("\n"):
            assert line.count("█") == 1


def test_the_sketch_of_the_maze_has_all_its_walls() -> None:
    lines = sketch(find_terrain("maze"), width=80).split("\n")
    dark = sum(character != " " for line in lines for character in line)
    # 73 unit walls of 8 m and four outer ones of 80 m; a character is 1 m wide and 2 m high.
    assert 450 < dark < 800
