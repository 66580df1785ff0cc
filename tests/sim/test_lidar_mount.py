"""Where a lidar is mounted, and the bounds of what it measures."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from tests.sim.robots import drive, fleet, hall, robot


def first_scan(*poses: tuple[float, float, float], **lidar: float) -> np.ndarray:
    """What robot 0 measures at the start."""
    (scans,) = FlatSimulator().reset(hall(), fleet(*poses, model=robot(lidar=lidar)), seed=0).scans(robots=[0])
    return scans.ranges[0]


def test_a_lidar_off_the_middle_measures_from_where_it_turns_with_the_robot() -> None:
    """At heading 1, (0.1, 0.15) on the robot is 0.1 cos 1 - 0.15 sin 1 to the east, 0.1 sin 1 + 0.15 cos 1 north."""
    mount = {"beams": 1, "x": 0.1, "y": 0.15}
    east = first_scan((4, 5, 1), heading=-1.0, **mount)
    north = first_scan((4, 5, 1), heading=math.pi / 2 - 1.0, **mount)
    assert float(east[0]) == pytest.approx(6.0 + 0.0721904, abs=1e-5)
    assert float(north[0]) == pytest.approx(5.0 - 0.1651925, abs=1e-5)


def test_a_lidar_off_the_middle_sees_bodies_from_where_it_is() -> None:
    ranges = first_scan((4, 5, math.pi / 2), (4, 8, 0), beams=1, x=0.1, y=0.05)
    assert float(ranges[0]) == pytest.approx(3.0 - 0.1 - math.sqrt(0.2**2 - 0.05**2), abs=1e-5)


@pytest.mark.parametrize(("other", "distance"), [(0.0, 3.8), (0.15, 3.8), (0.25, 8.0), (1.0, 8.0)])
def test_a_lidar_sees_no_robot_that_flies_above_its_plane(other: float, distance: float) -> None:
    models = (robot(lidar={"beams": 1, "height": 0.2}), robot(body={"altitude": other}, lidar=None))
    (scans,) = FlatSimulator().reset(hall(), Fleet(models, fleet((2, 5, 0), (6, 5, 0)).poses), seed=0).scans()
    assert float(scans.ranges[0, 0]) == pytest.approx(distance, abs=1e-5)


@pytest.mark.parametrize(("altitude", "distance"), [(0.2, 3.8), (0.4, 8.0), (1.0, 8.0)])
def test_a_lidar_that_flies_sees_no_robot_below_its_plane(altitude: float, distance: float) -> None:
    models = (robot(lidar={"beams": 1, "height": 0.2}, body={"altitude": altitude}), robot(lidar=None))
    (scans,) = FlatSimulator().reset(hall(), Fleet(models, fleet((2, 5, 0), (6, 5, 0)).poses), seed=0).scans()
    assert float(scans.ranges[0, 0]) == pytest.approx(distance, abs=1e-5)


def test_what_is_nearer_than_the_least_range_reads_as_that() -> None:
    assert first_scan((9.5, 5, 0), beams=1, min_range=1.0)[0] == 1.0
    assert float(first_scan((8.5, 5, 0), beams=1, min_range=1.0)[0]) == pytest.approx(1.5, abs=1e-5)


def test_noise_takes_no_measurement_out_of_the_range() -> None:
    model = robot(lidar={"beams": 1, "range": 5.0, "min_range": 4.8, "rate": 60, "sigma_range": 0.5})
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5.1, 5, 0), model=model), seed=0)
    (scans,) = simulator.advance(drive(), 2.0).scans()
    assert scans.ranges.min() == np.float32(4.8)
    assert scans.ranges.max() == np.float32(5.0)
    assert len(np.unique(scans.ranges)) > 5


def test_of_a_body_at_the_end_of_the_range_only_the_nearer_part_is_seen() -> None:
    """A disc 3.1 m away, and a range of 3 m: its rim lies beyond."""
    angles = np.linspace(-0.1, 0.1, 201)
    aside = 3.1 * np.sin(angles)
    with np.errstate(invalid="ignore"):
        met = 3.1 * np.cos(angles) - np.sqrt(0.2**2 - aside**2)
    expected = np.where(met <= 3.0, met, np.inf)
    assert np.isfinite(met).sum() > np.isfinite(expected).sum() > 20
    ranges = first_scan((2, 5, 0), (5.1, 5, 0), beams=201, field_of_view=0.2, range=3.0)
    assert ranges == pytest.approx(expected, abs=1e-5)


def test_a_lidar_that_reaches_out_of_the_grid_sees_no_walls() -> None:
    assert np.isinf(first_scan((9.5, 5, 0), x=2.0)).all()


def test_a_lidar_inside_a_wall_sees_nothing_but_the_wall() -> None:
    assert (first_scan((9.8, 5, 0), x=0.25) == 0.0).all()


def test_a_lidar_off_the_grid_sees_nothing_at_all() -> None:
    """Not even robots: the outer wall stands between."""
    outside = robot(lidar={"x": 2.0, "heading": math.pi, "beams": 1, "field_of_view": 1.0, "range": 20})
    observations = FlatSimulator().reset(hall(), fleet((9.5, 5, 0), (5, 5, 0), model=outside), seed=0)
    assert np.isinf(observations.scans(robots=[0])[0].ranges).all()
