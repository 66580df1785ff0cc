"""Footprint overlap against Shapely, on random shapes and on shapes that just touch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import affinity

from expedition.fleet.footprint import overlap, touches_cells

# Where shapes come closer than this to touching, Shapely's answer (its discs are polygons) decides nothing.
DOUBT = 1e-6

lengths = st.floats(0.05, 3.0)
angles = st.floats(-10.0, 10.0)
places = st.floats(-3.0, 3.0)
footprints = st.one_of(
    st.tuples(lengths, lengths),
    st.tuples(lengths, st.just(-1.0)),
)


def rectangle(x: float, y: float, heading: float, half_length: float, half_width: float) -> shapely.Geometry:
    box = shapely.box(-half_length, -half_width, half_length, half_width)
    return affinity.translate(affinity.rotate(box, heading, origin=(0, 0), use_radians=True), x, y)


def clearance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """How far two footprints are apart; negative where they overlap for sure. Discs are points with a radius."""
    reach = sum(shape[3] for shape in (a, b) if shape[4] < 0)
    shapes = [shapely.Point(shape[:2]) if shape[4] < 0 else rectangle(*shape) for shape in (a, b)]
    distance = shapes[0].distance(shapes[1]) - reach
    if distance > 0 or reach > 0:
        return float(distance)
    return -math.sqrt(shapes[0].intersection(shapes[1]).area)


@given(st.tuples(places, places, angles), footprints, st.tuples(places, places, angles), footprints)
@settings(max_examples=600)
def test_overlap_agrees_with_shapely(pose1, size1, pose2, size2):
    gap = clearance((*pose1, *size1), (*pose2, *size2))
    assume(abs(gap) > DOUBT)
    assert overlap(*pose1, *size1, *pose2, *size2) == (gap < 0)
    assert overlap(*pose2, *size2, *pose1, *size1) == (gap < 0)


@given(st.data())
@settings(max_examples=300)
def test_wall_contact_agrees_with_shapely_cell_by_cell(data):
    seed = data.draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    solid = rng.random((12, 15)) < rng.choice([0.0, 0.02, 0.1, 0.4])
    resolution = float(rng.uniform(0.05, 1.0))
    origin = rng.uniform(-5, 5, 2)
    size = data.draw(footprints)
    x, y = origin + rng.uniform(-0.1, 1.1, 2) * resolution * np.array([15, 12])
    heading = data.draw(angles)

    gaps = [
        clearance(
            (x, y, heading, *size), (*(origin + resolution * (np.array([c, r]) + 0.5)), 0.0, *[resolution / 2] * 2)
        )
        for r, c in np.argwhere(solid)
    ]
    left, bottom, right, top = (
        (x - size[0], y - size[0], x + size[0], y + size[0]) if size[1] < 0 else rectangle(x, y, heading, *size).bounds
    )
    edges = [
        left - origin[0],
        bottom - origin[1],
        origin[0] + 15 * resolution - right,
        origin[1] + 12 * resolution - top,
    ]
    assume(all(abs(gap) > DOUBT for gap in [*gaps, *edges]))
    expected = min(edges) < 0 or any(gap < 0 for gap in gaps)
    for dtype in (np.bool_, np.uint8):
        assert touches_cells(solid.astype(dtype), resolution, *origin, x, y, heading, *size) == expected


@pytest.mark.parametrize("size", [(0.5, 0.5), (0.5, -1.0)])
@pytest.mark.parametrize("heading", [0.0, math.pi / 2, math.pi, -math.pi / 2])
def test_body_may_touch_a_wall_along_its_edge_but_not_enter_it(size, heading):
    solid = np.zeros((30, 30), dtype=bool)
    solid[:, 20:] = True
    assert not touches_cells(solid, 0.1, -1.0, -1.0, 0.5, 0.5, heading, *size)
    assert touches_cells(solid, 0.1, -1.0, -1.0, 0.5 + 1e-6, 0.5, heading, *size)


@pytest.mark.parametrize("size", [(0.5, 0.5), (0.5, -1.0)])
def test_body_may_touch_the_edge_of_the_grid_but_not_leave_it(size):
    free = np.zeros((10, 10), dtype=bool)
    assert not touches_cells(free, 0.1, 0.0, 0.0, 0.5, 0.5, 0.0, *size)
    for dx, dy in ((1e-6, 0), (-1e-6, 0), (0, 1e-6), (0, -1e-6)):
        assert touches_cells(free, 0.1, 0.0, 0.0, 0.5 + dx, 0.5 + dy, 0.0, *size)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
def test_pose_that_is_no_place_counts_as_outside(bad):
    free = np.zeros((10, 10), dtype=bool)
    assert touches_cells(free, 0.1, 0.0, 0.0, bad, 0.5, 0.0, 0.1, -1.0)
    assert touches_cells(free, 0.1, 0.0, 0.0, 0.5, bad, 0.0, 0.1, 0.1)


@pytest.mark.parametrize("size1", [(0.5, 0.5), (0.5, -1.0)])
@pytest.mark.parametrize("size2", [(0.25, 0.25), (0.25, -1.0)])
def test_bodies_side_by_side_do_not_overlap(size1, size2):
    assert not overlap(0.0, 0.0, 0.0, *size1, 0.75, 0.0, 0.0, *size2)
    assert overlap(0.0, 0.0, 0.0, *size1, 0.75 - 1e-6, 0.0, 0.0, *size2)


def test_body_inside_another_overlaps_it():
    assert overlap(0.0, 0.0, 0.3, 2.0, 1.0, 0.1, 0.1, 1.0, 0.1, 0.1)
    assert overlap(0.0, 0.0, 0.3, 2.0, 1.0, 0.1, 0.1, 1.0, 0.1, -1.0)
    assert overlap(0.0, 0.0, 0.0, 2.0, -1.0, 0.0, 0.0, 1.0, 0.1, -1.0)
