"""A teammate's evidence in the own frame, against a slow obvious version."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.alignment import Alignment
from expedition.belief.grid import TILE, Frame
from expedition.belief.resample import transform_tiles
from expedition.errors import ExpeditionError
from expedition.streams import generator

THEIRS = Frame((-8.0, -6.4), 0.2, 4 * TILE, 5 * TILE)
MINE = Frame((-12.8, -9.6), 0.2, 6 * TILE, 8 * TILE)


def moved(rotation: float, x: float, y: float) -> Alignment:
    return Alignment(rotation, x, y, overlap=100.0, walls=100.0, agreement=1.0, margin=1.0)


def slowly(evidence: np.ndarray, frame: Frame, alignment: Alignment, target: Frame) -> tuple[np.ndarray, np.ndarray]:
    """The whole target, cell by cell, and the source tile that each cell draws from (-1 if none)."""
    values, source = np.zeros(target.shape, dtype=np.int16), np.full((*target.shape, 2), -1)
    c, s = math.cos(alignment.rotation), math.sin(alignment.rotation)
    for row in range(target.rows):
        for column in range(target.columns):
            x, y = target.centre(row, column)
            x, y = x - alignment.x, y - alignment.y
            at = frame.cell(c * x + s * y, c * y - s * x)
            if frame.holds(*at):
                values[row, column] = evidence[at]
                source[row, column] = at[0] // TILE, at[1] // TILE
    return values, source


@settings(max_examples=15)
@given(
    st.integers(0, 10_000),
    st.floats(-math.pi, math.pi),
    st.floats(-9.0, 9.0),
    st.floats(-9.0, 9.0),
    st.sampled_from([0.2, 0.3, 0.15]),
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=20),
)
def test_tiles_are_those_of_the_slow_version(
    seed: int, rotation: float, x: float, y: float, resolution: float, changed: set[tuple[int, int]]
) -> None:
    evidence = generator(seed, "evidence").integers(-70, 71, THEIRS.shape).astype(np.int16)
    target = Frame(MINE.origin, resolution, MINE.rows, MINE.columns)
    alignment = moved(rotation, x + 1e-4, y + 1e-4)
    values, source = slowly(evidence, THEIRS, alignment, target)
    tiles, cells = transform_tiles(evidence, np.array(sorted(changed)), THEIRS, alignment, target)
    touched = []
    for row in range(target.tiles[0]):
        for column in range(target.tiles[1]):
            part = source[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE].reshape(-1, 2)
            if changed & set(map(tuple, part.tolist())):
                touched.append([row, column])
    assert tiles.tolist() == touched
    for (row, column), found in zip(tiles, cells, strict=True):
        expected = values[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        # A middle that lies on the edge between two cells may fall to either, by rounding.
        assert np.count_nonzero(found != expected) <= 1


def test_rotated_ground_has_no_holes() -> None:
    evidence = np.full(THEIRS.shape, 40, dtype=np.int16)
    everything = np.argwhere(np.ones(THEIRS.tiles, dtype=bool))
    tiles, cells = transform_tiles(evidence, everything, THEIRS, moved(math.radians(31.0), 0.0, 0.0), MINE)
    grid = np.zeros(MINE.shape, dtype=np.int16)
    for (row, column), found in zip(tiles, cells, strict=True):
        grid[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE] = found
    for line in (*grid, *grid.T):
        known = np.flatnonzero(line)
        assert len(known) == 0 or (line[known[0] : known[-1] + 1] == 40).all()


def test_a_map_in_the_same_frame_comes_out_as_it_was() -> None:
    evidence = generator(1, "evidence").integers(-70, 71, THEIRS.shape).astype(np.int16)
    tiles, cells = transform_tiles(evidence, np.array([[2, 3]]), THEIRS, moved(0.0, 0.0, 0.0), THEIRS)
    assert tiles.tolist() == [[2, 3]]
    assert (cells[0] == evidence[32:48, 48:64]).all()


def test_no_news_touch_no_tile() -> None:
    evidence = np.ones(THEIRS.shape, dtype=np.int16)
    tiles, cells = transform_tiles(evidence, np.empty((0, 2), dtype=np.int64), THEIRS, moved(1.0, 0.0, 0.0), MINE)
    assert tiles.shape == (0, 2)
    assert cells.shape == (0, TILE, TILE)


def test_news_beyond_the_own_map_touch_no_tile() -> None:
    evidence = np.ones(THEIRS.shape, dtype=np.int16)
    tiles, _ = transform_tiles(evidence, np.array([[0, 0]]), THEIRS, moved(1.0, 500.0, 0.0), MINE)
    assert len(tiles) == 0


def test_evidence_of_another_shape_is_refused_with_a_sentence() -> None:
    with pytest.raises(ExpeditionError, match=r"must have the frame's shape \(64, 80\), found \(3, 3\)"):
        transform_tiles(np.ones((3, 3), dtype=np.int16), np.array([[0, 0]]), THEIRS, moved(0.0, 0.0, 0.0), MINE)


def test_tiles_beyond_the_map_are_refused_with_a_sentence() -> None:
    with pytest.raises(ExpeditionError, match=r"must lie within the \(4, 5\) tiles"):
        transform_tiles(np.ones(THEIRS.shape, dtype=np.int16), np.array([[4, 0]]), THEIRS, moved(0, 0, 0), MINE)
