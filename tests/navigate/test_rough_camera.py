"""The ground camera: what it sees, from where, and what walls hide."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from expedition.fleet import GroundCamera
from expedition.sim import FlatSimulator
from expedition.sim.protocol import GroundViews
from expedition.terrain import Collapse, Rectangle, Terrain
from tests.sim.robots import drive, fleet, hall, robot

SIDE = 102
CAMERA = {"range": 3, "rate": 10, "resolution": 0.25}


def view(terrain: Terrain, pose: tuple[float, float, float], seed: int = 0, **camera: object) -> GroundViews:
    model = robot(ground_camera=CAMERA | camera)
    (seen,) = FlatSimulator().reset(terrain, fleet(pose, model=model), seed=seed).ground_views()
    return seen


def points(seen: GroundViews, pose: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Where the points of a reading lie in the world: (rays, steps) each."""
    angles = seen.camera.angles[:, None] + pose[2]
    return pose[0] + np.cos(angles) * seen.camera.distances, pose[1] + np.sin(angles) * seen.camera.distances


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_a_camera_sees_the_speed_of_the_ground_up_to_the_first_wall_of_each_ray(seed: int) -> None:
    rng = np.random.default_rng(seed)
    walls = np.zeros((SIDE, SIDE), dtype=np.uint16)
    walls[[0, -1]] = walls[:, [0, -1]] = 200
    for row, column in rng.integers(5, 95, (25, 2)):
        walls[row : row + 3, column : column + 3] = 200
    walls[44:58, 44:58] = 0
    speed = rng.integers(1, 101, walls.shape).astype(np.uint8)
    terrain = Terrain("random", walls, 0.1, (-0.1, -0.1), speed_percent=speed)
    pose = (*rng.uniform(4.8, 5.2, 2).tolist(), float(rng.uniform(-3, 3)))
    seen = view(terrain, pose)
    x, y = points(seen, pose)
    shares = np.linspace(0.0, 1.0, 2001)[:, None, None]
    rows = np.floor((pose[1] + shares * (y - pose[1]) + 0.1) / 0.1).astype(int)
    columns = np.floor((pose[0] + shares * (x - pose[0]) + 0.1) / 0.1).astype(int)
    in_wall = terrain.occupied[rows, columns].sum(axis=0)
    found = seen.speed_percent[0]
    there = speed[rows[-1], columns[-1]]
    # A ray that grazes a corner may end there or not.
    assert ((found == there) | (found == 0))[in_wall == 0].all()
    assert (found[in_wall == 0] == 0).mean() < 0.02
    assert (found[in_wall > 2] == 0).all()
    assert np.count_nonzero(found) > 100


def test_a_camera_sees_no_farther_than_its_range_and_no_wider_than_its_field_of_view() -> None:
    camera = GroundCamera(range=3, rate=1, field_of_view=math.pi / 2, resolution=0.25)
    assert camera.distances[-1] == 3.0
    assert np.abs(camera.angles).max() < math.pi / 4
    assert len(camera.distances) == 12
    spacing = (camera.angles[1] - camera.angles[0]) * camera.range
    assert spacing <= 0.25


def test_readings_of_a_camera_come_at_its_rate_and_from_where_the_robot_was_then() -> None:
    speed = np.full((SIDE, SIDE), 100, dtype=np.uint8)
    speed[:, 60:] = 40
    model = robot(ground_camera={"range": 1, "rate": 5, "resolution": 0.5})
    simulator = FlatSimulator()
    simulator.reset(hall(speed_percent=speed), fleet((4, 5, 0), model=model), seed=0)
    (seen,) = simulator.advance(drive(1.0), 3.0).ground_views()
    assert seen.times == pytest.approx(np.arange(1, 16) / 5)
    ahead = seen.speed_percent[:, np.argmin(np.abs(seen.camera.angles)), -1]
    assert set(ahead.tolist()) == {40, 100}
    assert (np.diff(ahead.astype(int)) <= 0).all()
    (last,) = simulator.advance(drive(0.0), 1.0).ground_views(latest=True)
    assert len(last.times) == 1


def test_a_camera_looks_over_low_walls_and_not_over_high_ones() -> None:
    for height, sees in ((0.3, True), (2.0, False)):
        rubble = Collapse(area=Rectangle(left=6, bottom=0, right=6.2, top=10), time=0.0, height=height)
        seen = view(hall(changes=(rubble,)), (5, 5, 0))
        x, _ = points(seen, (5, 5, 0))
        assert bool(seen.speed_percent[0][(x > 6.3) & (x < 7.5)].any()) == sees


def test_noise_is_of_the_size_asked_for_and_of_the_seed() -> None:
    rough = hall(speed_percent=50)
    seen = view(rough, (5, 5, 0), sigma_speed=0.05)
    assert abs(seen.speed_percent.mean() - 50) < 1
    assert 4 < seen.speed_percent.std() < 6
    assert np.array_equal(seen.speed_percent, view(rough, (5, 5, 0), sigma_speed=0.05).speed_percent)
    assert not np.array_equal(seen.speed_percent, view(rough, (5, 5, 0), 1, sigma_speed=0.05).speed_percent)
    assert (view(rough, (5, 5, 0)).speed_percent == 50).all()


def test_a_camera_moves_no_other_reading() -> None:
    scans = []
    for camera in (None, {"range": 3, "rate": 10, "sigma_speed": 0.1}):
        model = robot(lidar={"sigma_range": 0.05}, ground_camera=camera)
        observations = FlatSimulator().reset(hall(), fleet((5, 5, 0), model=model), seed=0)
        observations.ground_views()
        scans.append(observations.scans()[0].ranges)
    without, with_camera = scans
    assert np.array_equal(without, with_camera)


def test_a_robot_without_a_camera_sees_no_ground() -> None:
    assert FlatSimulator().reset(hall(), fleet((5, 5, 0)), seed=0).ground_views() == []


def test_a_camera_with_millions_of_points_is_refused() -> None:
    with pytest.raises(ValidationError, match="shorter range"):
        GroundCamera(range=500, rate=1, resolution=0.1)
