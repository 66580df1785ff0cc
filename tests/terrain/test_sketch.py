"""The terrain in characters, for the terminal."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from expedition.terrain import Terrain, find_terrain
from expedition.terrain.sketch import sketch


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (3, 2), (79, 81), (900, 900)])
def test_a_sketch_fits_the_terminal_whatever_the_shape(shape: tuple[int, int]) -> None:
    lines = sketch(Terrain.from_occupied("any", np.ones(shape, dtype=bool)), width=80, height=60).split("\n")
    assert len({len(line) for line in lines}) == 1
    assert 1 <= len(lines[0]) <= 80
    assert 1 <= len(lines) <= 60


def test_a_thin_wall_shows_as_one_line_wherever_it_falls() -> None:
    for column in range(100, 120):
        occupied = np.zeros((400, 800), dtype=bool)
        occupied[:, column : column + 2] = True
        for line in sketch(Terrain.from_occupied("line", occupied), width=80, height=60).split("\n"):
            assert line.count("█") == 1


@pytest.mark.parametrize("name", ["maze", "zigzag", "loop", "cross", "building", "cave"])
@pytest.mark.parametrize("width", [80, 100])
def test_a_sketch_is_as_connected_as_the_terrain(name: str, width: int) -> None:
    """No wall closes a way that is open, and the outer walls have no gap."""
    lines = sketch(find_terrain(name), width=width, height=60).split("\n")
    halves = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}
    dark = np.array([[halves[c][half] for c in line] for line in lines for half in (0, 1)], dtype=bool)
    regions, _ = ndimage.label(~dark)
    assert np.bincount(regions.ravel())[1:].max() > 0.97 * np.count_nonzero(~dark)
    for edge in (dark[0], dark[-1], dark[:, 0], dark[:, -1]):
        assert edge.all()


def test_walls_of_the_maze_have_no_gaps_at_junctions() -> None:
    lines = sketch(find_terrain("maze"), width=80, height=60).split("\n")
    # The wall at y = -16 from x = -32 to -16 meets one from above at x = -24.
    assert " " not in lines[28][8:23]
