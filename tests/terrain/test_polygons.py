"""Polygons of floor plans against Shapely, on random input."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.terrain.floorplan.polygons import Box, Canvas, Frame, apart, hull, inner_radius

quick = settings(max_examples=40)
points = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), min_size=3, max_size=8).map(
    lambda corners: np.array(corners) / 10
)
frames = st.builds(Frame, st.floats(2, 6), st.floats(2, 6), st.floats(-4, 4), mirrored=st.booleans())
boxes = st.builds(
    lambda u, v, width, depth: Box(u, v, u + width, v + depth),
    st.floats(-2, 0),
    st.floats(-2, 0),
    st.floats(0.1, 3),
    st.floats(0.1, 3),
)


@quick
@given(points)
def test_hull_is_that_of_shapely(corners: np.ndarray) -> None:
    expected = shapely.MultiPoint(corners).convex_hull
    if expected.area > 0:
        assert shapely.Polygon(hull(corners)).equals_exact(expected, 1e-9, normalize=True)


@quick
@given(frames, boxes, frames, boxes)
def test_polygons_that_are_apart_do_not_touch_in_shapely(one: Frame, box: Box, other: Frame, second: Box) -> None:
    first_corners, second_corners = one.corners(box), other.corners(second)
    distance = shapely.Polygon(first_corners).distance(shapely.Polygon(second_corners))
    assert apart(first_corners, second_corners, 0.0) == (distance > 0)
    assert not apart(first_corners, second_corners, distance + 1e-6)


@quick
@given(frames, boxes, st.floats(0, 0.5))
def test_cells_of_a_polygon_are_those_whose_middles_lie_in_it(frame: Frame, box: Box, margin: float) -> None:
    canvas = Canvas((80, 80), 0.1)
    window, inside = canvas.cells(frame.corners(box), margin)
    drawn = np.zeros(canvas.shape, dtype=bool)
    drawn[window] = inside
    grown = shapely.Polygon(frame.corners(box.grown(margin)))
    x, y = np.meshgrid(*[(np.arange(80) + 0.5) * 0.1] * 2)
    clear = shapely.distance(grown.exterior, shapely.points(x, y)) > 1e-6
    assert (drawn == shapely.contains_xy(grown, x, y))[clear].all()


@quick
@given(frames, boxes)
def test_touched_cells_are_all_that_a_polygon_covers_in_part(frame: Frame, box: Box) -> None:
    canvas = Canvas((80, 80), 0.1)
    window, inside = canvas.cells(frame.corners(box), cells=0.5)
    drawn = np.zeros(canvas.shape, dtype=bool)
    drawn[window] = inside
    x, y = np.meshgrid(*[np.arange(80) * 0.1] * 2)
    covered = shapely.area(
        shapely.intersection(shapely.box(x, y, x + 0.1, y + 0.1), shapely.Polygon(frame.corners(box)))
    )
    assert drawn[covered > 1e-9].all()


def test_inner_radius_is_the_distance_to_the_nearest_side() -> None:
    square = Frame(1.0, 1.0, math.pi / 4).corners(Box(-1, -1, 1, 1))
    assert inner_radius(square, 1.0, 1.0) == pytest.approx(1.0)
    assert inner_radius(square, 5.0, 1.0) < 0
