"""The kernels of the dynamic window against slow and obvious versions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, box

from expedition.navigate.dwa import _candidates, choose_velocity, end_of_arc, nearness, to_path
from expedition.navigate.local_parameters import LocalNavigation, numbers_of
from expedition.navigate.local_records import platforms_of
from expedition.navigate.nearby import gap_to_point
from tests.navigate.local_world import PIONEER

NUMBERS = numbers_of(LocalNavigation())[0]
BODY = platforms_of([PIONEER], [1])[0][0]
NOBODY = np.empty((1, 7))
speeds = st.floats(-1.5, 1.5)
coordinates = st.floats(-3.0, 3.0)


def measured(path: list[tuple[float, float]]) -> np.ndarray:
    """A path with its lengths, as the kernels take it."""
    points = np.array(path)
    steps = np.hypot(*np.diff(points, axis=0).T)
    return np.column_stack([points, np.concatenate([[0.0], np.cumsum(steps)])])


@given(speeds, speeds, st.floats(-5.0, 5.0), st.floats(0.01, 1.5))
def test_the_end_of_an_arc_is_where_many_small_steps_lead(
    forward: float, sideways: float, turn: float, time: float
) -> None:
    steps = 2000
    headings = turn * time * (np.arange(steps) + 0.5) / steps
    x = np.sum(forward * np.cos(headings) - sideways * np.sin(headings)) * time / steps
    y = np.sum(forward * np.sin(headings) + sideways * np.cos(headings)) * time / steps
    assert end_of_arc(forward, sideways, turn, time) == pytest.approx(
        (x, y, math.cos(turn * time), math.sin(turn * time)), abs=1e-5
    )


@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6, unique=True), coordinates, coordinates)
def test_the_distance_to_a_path_is_that_to_the_line(path: list[tuple[float, float]], x: float, y: float) -> None:
    local = measured(path)
    away, along = to_path(local, len(local), x, y)
    line = LineString(path)
    assert away == pytest.approx(line.distance(Point(x, y)), abs=1e-6)
    assert line.interpolate(along).distance(Point(x, y)) == pytest.approx(away, abs=1e-6)


@given(coordinates, coordinates)
def test_the_gap_to_a_point_is_the_distance_from_the_footprint(x: float, y: float) -> None:
    body = box(-0.225, -0.19, 0.225, 0.19)
    gap = gap_to_point(BODY, x, y)
    if body.contains(Point(x, y)):
        assert gap == pytest.approx(-body.exterior.distance(Point(x, y)), abs=1e-9)
    else:
        assert gap == pytest.approx(body.distance(Point(x, y)), abs=1e-9)


def obstacles_of(places: list[tuple[float, float]]) -> np.ndarray:
    return np.array([(x, y, gap_to_point(BODY, x, y)) for x, y in places]).reshape(-1, 3)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=12),
    st.floats(0.0, 1.2),
    st.floats(-2.0, 2.0),
    st.floats(-1.0, 1.0),
)
def test_the_search_in_order_of_cost_finds_what_trying_everything_finds(
    places: list[tuple[float, float]], speed: float, turn: float, bend: float
) -> None:
    points = obstacles_of(places)
    path = measured([(0.0, 0.0), (1.0, 0.2), (2.0, bend)])
    velocity, command = np.array([speed, 0.0, turn]), np.zeros(3)
    candidates = np.empty((70, 5))
    tried = _candidates(BODY, NUMBERS, velocity, 1.2, 1, 0.5, 0.1, candidates)
    best, length = math.inf, path[-1, 2]
    for k in range(tried):
        arc = candidates[k].copy()
        time = 1.0 if arc[0] <= length else length / arc[0]
        arc[4] = time
        x, y, c, s = end_of_arc(arc[0], 0.0, arc[2], time)
        away, along = to_path(path, 3, x, y)
        ahead, _ = to_path(path, 3, x + 0.3 * c, y + 0.3 * s)
        ahead = max(ahead - max(0.3 - (length - along), 0.0), 0.0)
        cost = 0.8 * (length - along) + 0.6 * 0.5 * (away + ahead)
        cost += 0.5 * nearness(BODY, NUMBERS, arc, points, len(points), NOBODY, 0)
        if cost < best - 1e-9:
            best, wanted = cost, arc[:3].copy()
    found = choose_velocity(
        BODY, NUMBERS, velocity, 1.2, 1, 0.5, 0.1, path, 3, points, len(points), NOBODY, 0, candidates, command
    )
    assert found == (best < math.inf)
    if found:
        assert command == pytest.approx(wanted)


@settings(max_examples=60)
@given(st.floats(0.3, 2.0), st.floats(0.1, 1.2))
def test_an_arc_is_admissible_exactly_if_the_robot_can_stop_before_the_obstacle(distance: float, speed: float) -> None:
    points = obstacles_of([(0.225 + distance, 0.0)])
    arc = np.array([speed, 0.0, 0.0, 0.0, 1.0])
    braking = 0.1 * speed + 0.5 * speed**2 / 2.5
    kept = 0.03 + 0.05 * speed
    admissible = nearness(BODY, NUMBERS, arc, points, 1, NOBODY, 0) < math.inf
    # The arc is looked at every tenth of a metre at most.
    if distance - kept > braking + 0.11:
        assert admissible
    if distance - kept < braking - 0.11:
        assert not admissible


def test_what_touches_already_may_be_left_but_not_pushed() -> None:
    points = obstacles_of([(0.226, 0.0)])
    towards, away = np.array([0.2, 0, 0, 0, 1.0]), np.array([-0.2, 0, 0, 0, 1.0])
    assert nearness(BODY, NUMBERS, towards, points, 1, NOBODY, 0) == math.inf
    assert nearness(BODY, NUMBERS, away, points, 1, NOBODY, 0) < math.inf
