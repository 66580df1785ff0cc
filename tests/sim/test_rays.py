"""The ray caster against an exact one, for every beam, on random terrains."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from expedition.sim.rays import cast_ray, in_sight, on_grid
from expedition.terrain.squares import LARGEST, clearance, free_squares, with_changed_cells
from tests.sim.exact import exact_range

SIDE = 24
# Rays that pass a corner nearer than this may go either way: rounding moves them by less.
GRAZE = Fraction(1, 10**9)

sparse = st.floats(0.0, 0.5)
coordinates = st.one_of(st.floats(0.0, SIDE - 1e-6), st.integers(0, SIDE - 1).map(float), st.just(0.5 * SIDE))
angles = st.one_of(
    st.floats(-math.pi, math.pi),
    st.integers(-8, 8).map(lambda eighth: eighth * math.pi / 4),
    st.integers(-4, 4).flatmap(lambda quarter: st.floats(-1e-3, 1e-3).map(lambda off: quarter * math.pi / 2 + off)),
)


@st.composite
def terrains(draw: st.DrawFn) -> np.ndarray:
    share = draw(sparse)
    seed = draw(st.integers(0, 2**32 - 1))
    return np.random.default_rng(seed).random((SIDE, SIDE)) < share


@settings(max_examples=1500)
@given(terrains(), coordinates, coordinates, angles)
def test_every_ray_is_within_one_cell_of_the_exact_intersection(
    solid: np.ndarray, x: float, y: float, angle: float
) -> None:
    dx, dy = math.cos(angle), math.sin(angle)
    fast = cast_ray(free_squares(solid), x, y, dx, dy, 1000.0)
    at_least = exact_range(solid, x, y, dx, dy, grow=GRAZE)
    at_most = exact_range(solid, x, y, dx, dy, grow=-GRAZE)
    if math.isinf(fast):
        assert math.isinf(at_most)
    else:
        assert at_least - 1.0 <= fast <= at_most + 1.0
        # It is in fact the intersection itself, but for rounding.
        assert at_least - 1e-6 <= fast <= at_most + 1e-6


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.floats(1e-12, 1e-2), st.integers(1, SIDE - 2))
def test_rays_that_graze_a_long_wall_are_exact(seed: int, slope: float, row: int) -> None:
    """Beams almost parallel to a wall are where a distance field alone goes wrong."""
    solid = np.zeros((SIDE, SIDE), dtype=bool)
    solid[row] = np.random.default_rng(seed).random(SIDE) < 0.7
    field = free_squares(solid)
    for start in (row - 0.001, row + 1.001, row - 1e-7):
        for sign in (1.0, -1.0):
            dx, dy = sign * math.cos(slope), (1.0 if start < row else -1.0) * math.sin(slope)
            x = 0.25 if sign > 0 else SIDE - 0.25
            fast = cast_ray(field, x, start, dx, dy, 1000.0)
            at_least = exact_range(solid, x, start, dx, dy, grow=GRAZE)
            at_most = exact_range(solid, x, start, dx, dy, grow=-GRAZE)
            assert math.isinf(fast) == math.isinf(at_most) or at_least <= 1000.0
            if not math.isinf(fast):
                assert at_least - 1e-6 <= fast <= at_most + 1e-6


@settings(max_examples=200)
@given(terrains(), coordinates, coordinates, angles, st.floats(0.0, 30.0))
def test_nothing_is_seen_beyond_the_limit(solid: np.ndarray, x: float, y: float, angle: float, limit: float) -> None:
    dx, dy = math.cos(angle), math.sin(angle)
    whole = cast_ray(free_squares(solid), x, y, dx, dy, 1000.0)
    limited = cast_ray(free_squares(solid), x, y, dx, dy, limit)
    assert limited == (whole if whole <= limit else math.inf)


def test_a_ray_from_inside_a_wall_has_no_length() -> None:
    assert cast_ray(free_squares(np.ones((3, 3), dtype=bool)), 1.5, 1.5, 1.0, 0.0, 10.0) == 0.0


def test_from_outside_the_grid_nothing_is_seen() -> None:
    field = free_squares(np.zeros((3, 3), dtype=bool))
    for x, y in ((-1.0, 1.0), (1.0, 3.0), (3.5, 1.0), (math.nan, 1.0)):
        assert not on_grid(field, x, y)
        assert not in_sight(field, x, y, 1.0, 1.0)


def test_a_negative_zero_direction_is_no_direction() -> None:
    solid = np.zeros((5, 5), dtype=bool)
    solid[4, 2] = True
    assert cast_ray(free_squares(solid), 2.5, 0.5, -0.0, 1.0, 10.0) == 3.5


@settings(max_examples=200)
@given(terrains(), coordinates, coordinates, coordinates, coordinates)
def test_sight_ends_at_the_first_wall(solid: np.ndarray, x0: float, y0: float, x1: float, y1: float) -> None:
    distance = math.hypot(x1 - x0, y1 - y0)
    if distance < 1e-6:
        return
    dx, dy = (x1 - x0) / distance, (y1 - y0) / distance
    sees = in_sight(free_squares(solid), x0, y0, x1, y1)
    if exact_range(solid, x0, y0, dx, dy, grow=GRAZE) > distance + 1e-6:
        assert sees
    if exact_range(solid, x0, y0, dx, dy, grow=-GRAZE) < distance - 1e-6:
        assert not sees


def largest_square(solid: np.ndarray, row: int, column: int, step_x: int, step_y: int) -> int:
    """The side of the largest free square that starts at a cell, by trying them all."""
    side = 0
    while True:
        far_row, far_column = row + step_y * side, column + step_x * side
        if not (0 <= far_row < solid.shape[0] and 0 <= far_column < solid.shape[1]):
            return side
        rows = slice(min(row, far_row), max(row, far_row) + 1)
        columns = slice(min(column, far_column), max(column, far_column) + 1)
        if solid[rows, columns].any():
            return side
        side += 1


@settings(max_examples=100)
@given(hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)))
@example(np.zeros((1, 1), dtype=bool))
@example(np.zeros((9, 4), dtype=bool))
def test_free_squares_are_the_largest_in_each_quadrant(solid: np.ndarray) -> None:
    field = free_squares(solid)
    for row, column in np.ndindex(solid.shape):
        for quadrant, (step_x, step_y) in enumerate(((1, 1), (-1, 1), (1, -1), (-1, -1))):
            plane = field[quadrant, ::step_y, ::step_x]
            assert plane[row + 1, column + 1] == largest_square(solid, row, column, step_x, step_y)
        nearest = np.abs(np.argwhere(np.pad(solid, 1, constant_values=True)) - (row + 1, column + 1)).max(axis=1).min()
        assert clearance(field, row, column) == nearest
    assert (field[:, [0, -1]] == 0).all()
    assert (field[:, :, [0, -1]] == 0).all()


def test_squares_on_wide_ground_stop_at_255_cells() -> None:
    field = free_squares(np.zeros((700, 700), dtype=bool))
    assert field.max() == LARGEST == 255
    assert field[:, 1:-1, 1:-1].min() > 0
    assert field[0, 650, 1] == 51


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([0.0, 0.01, 0.05]))
def test_a_changed_window_gives_the_same_squares_as_starting_over(seed: int, opens: bool, share: float) -> None:
    rng = np.random.default_rng(seed)
    before = rng.random((60, 50)) < share
    after = before.copy()
    row, column = rng.integers(0, 50), rng.integers(0, 40)
    window = (slice(row, row + 5), slice(column, column + 5))
    after[window] = not opens
    if opens:
        before[window] = True
    assert np.array_equal(with_changed_cells(free_squares(before), after, window), free_squares(after))


@pytest.mark.parametrize("opens", [True, False])
@pytest.mark.parametrize(
    ("shape", "window"),
    [
        ((60, 81), (slice(0, 60), slice(40, 41))),
        ((81, 60), (slice(40, 41), slice(0, 60))),
        ((120, 120), (slice(60, 61), slice(60, 61))),
        ((300, 400), (slice(2, 3), slice(396, 398))),
    ],
    ids=["upright wall", "level wall", "post", "post in a corner"],
)
def test_squares_far_from_a_wall_that_comes_or_goes_are_right_too(
    shape: tuple[int, int], window: tuple[slice, slice], opens: bool
) -> None:
    before, after = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    (before if opens else after)[window] = True
    assert np.array_equal(with_changed_cells(free_squares(before), after, window), free_squares(after))


def test_the_near_face_of_a_wall_is_in_sight_and_what_lies_behind_it_is_not() -> None:
    solid = np.zeros((4, 8), dtype=bool)
    solid[:, 3] = True
    field = free_squares(solid)
    for y in (0.5, 2.0):
        assert in_sight(field, 0.5, y, 3.0, y)
        assert not in_sight(field, 0.5, y, 3.01, y)
        assert in_sight(field, 6.5, y, 4.0, y)
        assert not in_sight(field, 6.5, y, 3.99, y)
