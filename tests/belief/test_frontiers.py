"""Frontiers: found where the free meets the unknown, and found again only where maps changed."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from expedition.belief.finder import FrontierFinder
from expedition.belief.gain import NO_PRIOR, beams_within, unknown_in_view
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame, Grids

FRAME = Frame((0.0, 0.0), 0.2, 48, 64)
OPEN = np.zeros(FRAME.shape, dtype=np.uint8)
SHUT = 253
AROUND = np.ones((3, 3), dtype=bool)


def grids_with(state: NDArray[np.uint8]) -> Grids:
    grids = Grids(1, FRAME)
    grids.state[0] = state
    grids.state_stamp[:] = 0
    return grids


def blobs(seed: int) -> NDArray[np.uint8]:
    """A random map whose parts hang together a little."""
    noise = ndimage.gaussian_filter(np.random.default_rng(seed).normal(size=FRAME.shape), 2.0)
    state = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    state[noise > -0.02] = FREE
    state[noise > 0.12] = OCCUPIED
    return state


def frontier_cells(state: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """By definition: free, an unknown cell around, no occupied one."""
    unknown = ndimage.binary_dilation(state == UNKNOWN, AROUND)
    occupied = ndimage.binary_dilation(state == OCCUPIED, AROUND)
    return np.asarray((state == FREE) & unknown & ~occupied)


def found_cells(finder: FrontierFinder, tick: int) -> NDArray[np.bool_]:
    cells = np.zeros(FRAME.shape, dtype=bool)
    rows, columns = finder.find(0, tick, OPEN, SHUT).cells.T
    cells[rows, columns] = True
    return cells


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_clusters_are_the_connected_parts_of_the_frontier_cells(seed: int) -> None:
    state = blobs(seed)
    clusters = FrontierFinder(grids_with(state)).find(0, 0, OPEN, SHUT)
    labels, number = ndimage.label(frontier_cells(state), AROUND)
    assert len(clusters) == number
    for k, (centroid, goal) in enumerate(zip(clusters.centroids, clusters.targets, strict=True)):
        cells = clusters.cells_of(k)
        label = labels[tuple(cells[0])]
        assert label > 0
        assert sorted(map(tuple, cells.tolist())) == sorted(map(tuple, np.argwhere(labels == label).tolist()))
        np.testing.assert_allclose(centroid, cells.mean(axis=0))
        away = np.hypot(*(cells - centroid).T)
        target = np.hypot(*(goal - centroid))
        assert math.isclose(float(target), float(away.min()))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_looking_again_only_where_the_map_changed_finds_the_same(first: int, second: int) -> None:
    grids = grids_with(blobs(first))
    finder = FrontierFinder(grids)
    finder.find(0, 0, OPEN, SHUT)
    after = blobs(second)
    row, column = second % 30, first % 50
    window = (slice(row, row + 9), slice(column, column + 12))
    grids.state[0][window] = after[window]
    grids.state_stamp[0][row // 16 : (row + 8) // 16 + 1, column // 16 : (column + 11) // 16 + 1] = 1
    assert (found_cells(finder, 1) == frontier_cells(grids.state[0])).all()


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_what_is_in_view_is_counted_anew_once_something_around_has_changed(first: int, second: int) -> None:
    grids = grids_with(blobs(first))
    finder = FrontierFinder(grids)
    rng = np.random.default_rng([first, second])
    for tick in range(4):
        for row, column in ((3, 5), (24, 30), (40, 60), (24, 33)):
            counted = finder.unknown_in_view_by(0, tick, row, column, 9.0)
            assert counted == finder.unknown_in_view(0, row, column, 9.0)
        row, column = int(rng.integers(44)), int(rng.integers(60))
        grids.state[0, row : row + 4, column : column + 4] = rng.choice([UNKNOWN, FREE, OCCUPIED])
        grids.state_stamp[0, row // 16 : (row + 3) // 16 + 1, column // 16 : (column + 3) // 16 + 1] = tick + 1


def test_tiles_without_a_stamp_are_not_looked_at() -> None:
    grids = grids_with(np.full(FRAME.shape, UNKNOWN, dtype=np.uint8))
    finder = FrontierFinder(grids)
    assert len(finder.find(0, 0, OPEN, SHUT)) == 0
    grids.state[0, 10:20, 10:20] = FREE
    assert len(finder.find(0, 1, OPEN, SHUT)) == 0


def test_target_is_a_cell_on_which_the_robot_can_stand() -> None:
    state = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    state[10:20, 10:20] = FREE
    cost = OPEN.copy()
    cost[10:20, 10:18] = SHUT
    clusters = FrontierFinder(grids_with(state)).find(0, 0, cost, SHUT)
    assert clusters.targets[0, 1] >= 18
    assert clusters.room[0] < len(clusters.cells_of(0))
    cost[:] = SHUT
    assert FrontierFinder(grids_with(state)).find(0, 0, cost, SHUT).room[0] == 0


def test_share_of_a_frontier_that_is_left_falls_as_it_is_explored() -> None:
    state = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    state[:, :20] = FREE
    grids = grids_with(state)
    finder = FrontierFinder(grids)
    cells = finder.find(0, 0, OPEN, SHUT).cells_of(0)
    assert finder.remaining(0, cells) == 1.0
    grids.state[0, :24, 20:30] = FREE
    grids.state_stamp[0] = 1
    assert 0.4 < finder.remaining(0, cells) < 0.6


def test_gain_counts_unknown_cells_that_no_wall_hides() -> None:
    state = np.full(FRAME.shape, FREE, dtype=np.uint8)
    state[:, 32:] = UNKNOWN
    marks = np.zeros(FRAME.shape, dtype=np.int32)
    free_view = unknown_in_view(state, NO_PRIOR, 24, 30, 10.0, beams_within(10.0), marks, 1)
    rows, columns = np.ogrid[: FRAME.rows, : FRAME.columns]
    within = ((rows - 24) ** 2 + (columns - 30) ** 2 <= 100) & (state == UNKNOWN)
    assert abs(free_view - int(within.sum())) < 0.12 * within.sum()
    state[:, 31] = OCCUPIED
    assert unknown_in_view(state, NO_PRIOR, 24, 30, 10.0, beams_within(10.0), marks, 2) == 0


def test_unknown_cells_are_transparent_to_the_gain() -> None:
    state = np.full(FRAME.shape, UNKNOWN, dtype=np.uint8)
    marks = np.zeros(FRAME.shape, dtype=np.int32)
    assert unknown_in_view(state, NO_PRIOR, 24, 30, 5.0, beams_within(5.0), marks, 1) > 60
