"""The parts of scan matching, each against a slow and obvious version of itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.slam.closing import come_back
from expedition.belief.slam.hits import FIRM, HitMap, add_hit, hit_map_of, is_charted, means, nearest_hit, wear
from expedition.belief.slam.matching import Rules, invert, make_definite, match
from expedition.belief.slam.points import beams_of, end_points, surface_points
from expedition.belief.slam.relocate import agreement, relocate
from expedition.belief.slam.track import carry_over, look_back, track_of
from expedition.fleet import Lidar
from tests.sim.robots import fleet, robot

FRAME = Frame((-1.0, -1.0), 0.2, 64, 64)
RULES = Rules(0.05, 0.3, 10, 0.5, 0.3, 0.4, 5, 1.5, 0.5, 0.25, 0.15, 4)
EXACT = np.zeros((3, 3))
Floats = NDArray[np.float64]


def walls_of_room() -> HitMap:
    """A hit map of a room from (0, 0) to (8, 5), seen at every centimetre."""
    hits = hit_map_of(1, FRAME, 0.2)
    for along in np.arange(0.0, 8.0, 0.01):
        add_hit(hits, 0, along, 0.0, 0.0, 1.0, EXACT)
        add_hit(hits, 0, along, 5.0, 0.0, -1.0, EXACT)
    for along in np.arange(0.0, 5.0, 0.01):
        add_hit(hits, 0, 0.0, along, 1.0, 0.0, EXACT)
        add_hit(hits, 0, 8.0, along, -1.0, 0.0, EXACT)
    return hits


def scan_of_room(lidar: Lidar, x: float, y: float, heading: float) -> NDArray[np.float32]:
    """What a lidar in the middle of a robot at a pose reads in that room."""
    ranges = []
    for angle in heading + lidar.angles:
        c, s = math.cos(angle), math.sin(angle)
        across = (8.0 - x) / c if c > 1e-12 else -x / c if c < -1e-12 else math.inf
        along = (5.0 - y) / s if s > 1e-12 else -y / s if s < -1e-12 else math.inf
        ranges.append(min(across, along))
    return np.array(ranges, dtype=np.float32)


def lidar_of(beams: int = 120, sigma: float = 0.0) -> Lidar:
    return Lidar(beams=beams, field_of_view=math.tau, range=20, rate=10, sigma_range=sigma)


def surface_of(lidar: Lidar, ranges: NDArray[np.float32]) -> Floats:
    number = len(ranges)
    points = np.empty((number, 5))
    beams = beams_of(lidar, 25.0)
    found = surface_points(beams, ranges, np.empty((number, 2)), np.empty((number + 1, 5)), points, RULES.sigma)
    return points[:found]


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 1.0))
def test_nearest_mean_is_the_one_that_a_look_at_all_means_finds(seed: int, gate: float) -> None:
    rng = np.random.default_rng(seed)
    hits = hit_map_of(1, FRAME, 0.2)
    for x, y in rng.uniform(0.0, 2.0, (40, 2)):
        add_hit(hits, 0, x, y, 1.0, 0.0, EXACT)
    known = means(hits, 0)
    for x, y in rng.uniform(0.0, 2.0, (20, 2)):
        column, row = (x - hits.origin_x) / 0.2, (y - hits.origin_y) / 0.2
        dx, dy, found, behind = nearest_hit(hits.cells[0], column, row, gate, 1.0, 0.0)
        assert not behind
        distance = np.hypot(known[:, 0] - x, known[:, 1] - y)
        assert found == bool(distance.min() < gate * 0.2) or abs(distance.min() - gate * 0.2) < 1e-3
        if found:
            assert 0.2 * math.hypot(dx, dy) == pytest.approx(distance.min(), abs=1e-3)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0.0, 0.199), st.floats(0.0, 0.199)), min_size=1, max_size=40))
def test_cell_keeps_the_mean_of_its_first_hits(offsets: list[tuple[float, float]]) -> None:
    hits = hit_map_of(1, FRAME, 0.2)
    x, y = hits.origin_x + 2.0, hits.origin_y + 3.0
    for dx, dy in offsets:
        add_hit(hits, 0, x + dx, y + dy, 1.0, 0.0, EXACT)
    expected = np.mean(offsets[:FIRM], axis=0) + np.array([x, y])
    assert means(hits, 0) == pytest.approx(expected[None], abs=1e-3)


@settings(max_examples=40)
@given(st.floats(-math.pi, math.pi), st.floats(0.0, 0.12))
def test_wall_seen_from_its_other_side_is_another_face(angle: float, thickness: float) -> None:
    hits = hit_map_of(1, FRAME, 0.2)
    nx, ny = math.cos(angle), math.sin(angle)
    for along in np.arange(-1.0, 1.0, 0.01):
        add_hit(hits, 0, 4.0 - ny * along, 4.0 + nx * along, nx, ny, EXACT)
    before = hits.cells.copy()
    x, y = 4.0 - thickness * nx, 4.0 - thickness * ny
    column, row = (x - hits.origin_x) / 0.2, (y - hits.origin_y) / 0.2
    assert nearest_hit(hits.cells[0], column, row, 0.9, nx, ny)[2:] == (True, False)
    assert nearest_hit(hits.cells[0], column, row, 0.9, -nx, -ny)[2:] == (False, True)
    for _ in range(FIRM):  # What is seen of the other side moves no mean of this one.
        add_hit(hits, 0, 4.0, 4.0, -nx, -ny, EXACT)
    assert np.array_equal(hits.cells, before)


def test_match_is_not_drawn_by_the_other_side_of_a_wall() -> None:
    lidar = lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, 4.0, 2.5, 0.0))
    covariance = np.diag([0.01, 0.01, 1e-4])
    behind = hit_map_of(1, FRAME, 0.2)
    for along in np.arange(0.0, 5.0, 0.01):  # the next room's side of the wall at x = 8, seen before this room was
        add_hit(behind, 0, 8.1, along, 1.0, 0.0, EXACT)
    pose = np.array([4.0, 2.5, 0.0])
    met, expected = match(behind, RULES, 0, points, len(points), pose, covariance.copy(), np.empty((3, 3)))
    assert met == expected == 0
    assert pose.tolist() == [4.0, 2.5, 0.0]


def test_hit_outside_the_map_is_left_out() -> None:
    hits = hit_map_of(1, FRAME, 0.2)
    for x, y in ((-50.0, 1.0), (50.0, 1.0), (1.0, -50.0), (1.0, 50.0)):
        add_hit(hits, 0, x, y, 1.0, 0.0, EXACT)
        assert not is_charted(hits, 0, (x - hits.origin_x) / 0.2, (y - hits.origin_y) / 0.2)
    assert not hits.cells.any()


def test_worn_off_hit_is_forgotten() -> None:
    hits = hit_map_of(1, FRAME, 0.2)
    for _ in range(5):
        add_hit(hits, 0, 1.0, 1.0, 1.0, 0.0, EXACT)
    ((row, column),) = np.argwhere(hits.cells[0])
    wear(hits, 0, row, column, 4)
    assert len(means(hits, 0)) == 1
    wear(hits, 0, row, column, 4)
    assert len(means(hits, 0)) == 0
    assert not hits.blocks.any()


def test_wall_charted_well_gets_no_double_from_a_pose_known_badly() -> None:
    hits = walls_of_room()
    before = hits.cells.copy()
    for along in np.arange(1.0, 4.0, 0.1):
        add_hit(hits, 0, 8.4, along, -1.0, 0.0, np.diag([0.5, 0.0, 0.0]))
    assert np.array_equal(hits.cells, before)
    for along in np.arange(1.0, 4.0, 0.1):  # well known across the wall, if not along it: another wall
        add_hit(hits, 0, 8.4, along, -1.0, 0.0, np.diag([0.001, 0.5, 0.0]))
    assert not np.array_equal(hits.cells, before)


@settings(max_examples=30)
@given(st.floats(1, 7), st.floats(1, 4), st.floats(-3, 3))
def test_surface_points_lie_on_the_walls_with_the_walls_normals(x: float, y: float, heading: float) -> None:
    lidar = lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, x, y, heading))
    assert len(points) > 20
    c, s = math.cos(heading), math.sin(heading)
    at_x, at_y = x + c * points[:, 0] - s * points[:, 1], y + s * points[:, 0] + c * points[:, 1]
    normals = np.column_stack([c * points[:, 2] - s * points[:, 3], s * points[:, 2] + c * points[:, 3]])
    clean = np.zeros(len(points), dtype=bool)
    walls = ((at_x, (1.0, 0.0)), (at_x - 8.0, (-1.0, 0.0)), (at_y, (0.0, 1.0)), (at_y - 5.0, (0.0, -1.0)))
    for off, inwards in walls:
        clean |= (np.abs(off) < 1e-4) & (normals @ inwards > 0.998)
    assert clean.mean() > 0.9  # next to a corner a line may bend a little


def test_beams_without_an_end_give_no_points() -> None:
    lidar = Lidar(beams=5, field_of_view=2.0, range=30, min_range=0.1, rate=10)
    points = np.empty((5, 2))
    ranges = np.array([math.inf, math.nan, 26.0, 0.1, 3.0], dtype=np.float32)
    assert end_points(beams_of(lidar, 25.0), ranges, points) == 1
    assert np.hypot(*points[0]) == pytest.approx(3.0)


def slow_match(hits: HitMap, points: Floats, pose: Floats, covariance: Floats) -> Floats:
    """The same estimate in plain NumPy, from the residuals to the mean nearest in the whole map."""
    known = means(hits, 0)
    prior = np.linalg.inv(covariance)
    estimate = pose.copy()
    for iteration in range(RULES.iterations):
        scale = max(RULES.gate * 0.5**iteration, 1.5 * RULES.sigma) ** 2
        gate = RULES.gate if iteration < 2 else 0.5 * RULES.gate
        c, s = math.cos(estimate[2]), math.sin(estimate[2])
        turn = np.array([[c, -s], [s, c]])
        total, gradient = prior.copy(), prior @ (estimate - pose)
        for x, y, nx, ny, weight in points:
            lever = turn @ (x, y)
            normal = turn @ (nx, ny)
            offsets = known - (estimate[:2] + lever)
            nearest = offsets[np.argmin(np.hypot(*offsets.T))]
            if np.hypot(*nearest) >= gate:
                continue
            residual = -normal @ nearest
            slope = np.array([normal[0], normal[1], normal[1] * lever[0] - normal[0] * lever[1]])
            strength = (scale / (scale + residual**2)) ** 2 * weight
            total += strength * np.outer(slope, slope)
            gradient += strength * residual * slope
        estimate = estimate - np.linalg.solve(total, gradient)
    return estimate


@settings(max_examples=12)
@given(st.floats(2, 6), st.floats(1.5, 3.5), st.floats(-3, 3), st.floats(-0.06, 0.06), st.floats(-0.06, 0.06))
def test_match_agrees_with_plain_gauss_newton(x: float, y: float, heading: float, dx: float, dy: float) -> None:
    hits, lidar = walls_of_room(), lidar_of(60)
    points = surface_of(lidar, scan_of_room(lidar, x, y, heading))
    covariance = np.diag([0.03**2, 0.03**2, 0.015**2])
    pose = np.array([x + dx, y + dy, heading + 0.01])
    expected = slow_match(hits, points, pose, covariance)
    estimate, after = pose.copy(), covariance.copy()
    met, expected_points = match(hits, RULES, 0, points, len(points), estimate, after, np.empty((3, 3)))
    assert estimate == pytest.approx(expected, abs=3e-3)
    assert estimate == pytest.approx([x, y, heading], abs=0.02)
    assert met <= expected_points <= len(points)
    assert (np.linalg.eigvalsh(covariance - after) > -1e-12).all()


def test_match_moves_no_farther_than_allowed() -> None:
    hits, lidar = walls_of_room(), lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, 4.0, 2.5, 0.0))
    pose, covariance = np.array([4.15, 2.5, 0.0]), np.diag([1.0, 1.0, 1e-4])
    match(hits, RULES._replace(max_shift=0.05), 0, points, len(points), pose, covariance, np.empty((3, 3)))
    assert pose[0] == pytest.approx(4.1, abs=1e-3)


def test_match_without_any_known_wall_keeps_the_prior() -> None:
    lidar = lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, 4.0, 2.5, 0.0))
    pose, covariance = np.array([4.1, 2.5, 0.0]), np.diag([0.01, 0.01, 0.01])
    empty = hit_map_of(1, FRAME, 0.2)
    assert match(empty, RULES, 0, points, len(points), pose, covariance, np.empty((3, 3))) == (0, 0)
    assert pose.tolist() == [4.1, 2.5, 0.0]
    assert np.array_equal(covariance, np.diag([0.01, 0.01, 0.01]))


@given(st.integers(0, 2**32 - 1))
def test_inverse_is_the_inverse(seed: int) -> None:
    root = np.random.default_rng(seed).normal(size=(3, 3))
    matrix, inverse = root @ root.T + 0.1 * np.eye(3), np.empty((3, 3))
    invert(matrix, inverse)
    assert inverse == pytest.approx(np.linalg.inv(matrix), rel=1e-6, abs=1e-9)


@settings(max_examples=5)
@given(st.floats(-1.3, 1.3), st.floats(-1.3, 1.3), st.floats(-0.45, 0.45))
def test_search_finds_the_place_of_a_scan(dx: float, dy: float, turn: float) -> None:
    hits, lidar = walls_of_room(), lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, 3.0, 2.0, 0.4))
    pose = np.array([3.0 + dx, 2.0 + dy, 0.4 + turn])
    relocate(hits, 0, points, len(points), pose, 1.5, 0.5)
    assert pose == pytest.approx([3.0, 2.0, 0.4], abs=0.12)
    assert agreement(hits, 0, points, len(points), 1, *pose) > 0.8 * len(points)


def test_robot_that_returns_with_a_wrong_pose_comes_back_along_its_uncertain_direction() -> None:
    hits, lidar = walls_of_room(), lidar_of()
    points = surface_of(lidar, scan_of_room(lidar, 4.0, 2.5, 0.0))
    pose = np.array([4.9, 2.5, 0.0])
    assert not come_back(hits, 0, points, len(points), pose, np.diag([0.001, 0.001, 0.0]))
    assert come_back(hits, 0, points, len(points), pose, np.diag([0.25, 0.001, 0.0]))
    assert pose == pytest.approx([4.0, 2.5, 0.0], abs=0.15)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(-0.5, 1.0))
def test_carrying_a_scan_pose_over_undoes_looking_back(
    forward: float, sideways: float, turn: float, ago: float
) -> None:
    track = track_of(fleet((2, 3, 0.5), model=robot()), "odometry")
    track.reading[0] = forward, sideways, turn, 0.2, 1.0
    before = track.pose.copy()
    look_back(track, 0, 1.0 - ago)
    track.pose[:] = 0.0
    carry_over(track, 0, 1.0 - ago)
    assert track.pose == pytest.approx(before, abs=1e-9)


@settings(max_examples=60)
@given(st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6))
def test_any_symmetric_matrix_becomes_a_covariance(entries: list[float]) -> None:
    a, b, c, d, e, f = entries
    matrix = np.array([[a, b, c], [b, d, e], [c, e, f]])
    make_definite(matrix)
    assert (matrix == matrix.T).all()
    assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_covariance_stays_as_it_is() -> None:
    rng = np.random.default_rng(1)
    root = rng.normal(size=(3, 3))
    covariance = root @ root.T + 0.5 * np.eye(3)
    kept = covariance.copy()
    make_definite(covariance)
    assert (covariance == kept).all()
