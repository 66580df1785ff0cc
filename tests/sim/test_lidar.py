"""What lidars see: walls, robots, people, and what noise does to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity
from shapely.geometry import LineString, Point, box

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.terrain import Person, Terrain
from tests.sim.robots import drive, fleet, hall, robot


def first_scan(terrain: Terrain, robots: Fleet, seed: int = 0) -> np.ndarray:
    """The scan of robot 0 at time zero."""
    return FlatSimulator().reset(terrain, robots, seed).scans(robots=[0])[0].ranges[0]


def test_lidar_measures_the_distance_to_each_wall_of_a_hall() -> None:
    ranges = first_scan(hall(), fleet((4, 3, 0)))
    # 36 beams over the full circle from -180 degrees on: every ninth looks along an axis.
    assert ranges[[0, 9, 18, 27]] == pytest.approx([4, 3, 6, 7], abs=1e-5)


def test_lidar_turns_with_the_robot_and_its_mount() -> None:
    straight = first_scan(hall(), fleet((4, 3, 0)))
    turned = first_scan(hall(), fleet((4, 3, math.pi / 2)))
    mounted = first_scan(hall(), fleet((4, 3, 0), model=robot(lidar={"heading": math.pi / 2})))
    assert turned == pytest.approx(np.roll(straight, -9), abs=1e-5)
    assert mounted == pytest.approx(turned, abs=1e-5)
    ahead = first_scan(hall(), fleet((4, 3, 0), model=robot(lidar={"x": 0.15})))
    assert ahead[18] == pytest.approx(5.85, abs=1e-5)


def test_what_is_out_of_range_reads_infinity() -> None:
    ranges = first_scan(hall(), fleet((5, 5, 0), model=robot(lidar={"range": 3.0})))
    assert np.isinf(ranges).all()


@settings(max_examples=150)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([2 * math.pi, 3.0, 1.0]), st.integers(1, 90))
def test_lidar_sees_whole_footprints_where_shapely_sees_them(seed: int, disc: bool, view: float, beams: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (
        {"shape": "disc", "radius": 0.3, "height": 0.5, "mass": 5}
        if disc
        else {"shape": "rectangle", "length": 0.9, "width": 0.3, "height": 0.5, "mass": 5}
    )
    model = robot(body=shape, lidar={"beams": beams, "field_of_view": view, "range": 20})
    while True:
        poses = rng.random((4, 3)) * [8, 8, 6.28] + [1, 1, 0]
        if min(math.hypot(*(poses[i, :2] - poses[j, :2])) for i in range(4) for j in range(i)) > 1.0:
            break
    ranges = first_scan(hall(), Fleet((model,) * 4, poses))
    others = [
        Point(x, y).buffer(0.3, quad_segs=256)
        if disc
        else affinity.translate(affinity.rotate(box(-0.45, -0.15, 0.45, 0.15), heading, use_radians=True), x, y)
        for x, y, heading in poses[1:]
    ]
    x, y, heading = poses[0]
    for angle, measured in zip(model.lidar.angles + heading, ranges, strict=True):
        ray = LineString([(x, y), (x + 20 * math.cos(angle), y + 20 * math.sin(angle))])
        near, far = (
            min(
                [_wall(x, y, angle)]
                + [
                    Point(x, y).distance(hit)
                    for other in others
                    if not (hit := ray.intersection(other.buffer(grow))).is_empty
                ]
            )
            for grow in (1e-4, -1e-4)
        )
        assert near - 2e-3 <= measured <= far + 2e-3


@pytest.mark.parametrize("bearing", [-0.05, 0.0, 0.05])
@pytest.mark.parametrize("lidar_heading", [0.0, math.pi / 2, math.pi])
def test_a_body_across_the_first_beam_shows_at_both_ends_of_a_full_circle(bearing: float, lidar_heading: float) -> None:
    """The first beam looks backwards; whatever stands there must be seen by the last beams as well."""
    model = robot(lidar={"beams": 360, "heading": lidar_heading})
    back = math.pi + lidar_heading + bearing
    poses = np.array([[5.0, 5.0, 0.0], [5.0 + 2 * math.cos(back), 5.0 + 2 * math.sin(back), 0.0]])
    ranges = first_scan(hall(), Fleet((model, model), poses))
    off = np.abs([math.remainder(angle - math.pi - bearing, math.tau) for angle in model.lidar.angles])
    assert (ranges[off < math.asin(0.2 / 2) - 1e-9] < 2.0).all()
    assert (ranges[off > math.asin(0.2 / 2) + 1e-9] > 4.0).all()


def _wall(x: float, y: float, angle: float) -> float:
    """The distance to the walls of a hall of 10 x 10 m."""
    c, s = math.cos(angle), math.sin(angle)
    to_x = math.inf if c == 0 else ((10 if c > 0 else 0) - x) / c
    to_y = math.inf if s == 0 else ((10 if s > 0 else 0) - y) / s
    return min(to_x, to_y)


def test_lidar_sees_people() -> None:
    terrain = hall(changes=(Person(waypoints=((7.0, 5.0),), radius=0.3),))
    assert first_scan(terrain, fleet((3, 5, 0)))[18] == pytest.approx(3.7, abs=1e-5)


def test_scans_come_at_their_own_rate_whatever_the_control_period() -> None:
    model = robot(lidar={"rate": 25})
    for period in (0.1, 0.5, 1 / 60):
        simulator = FlatSimulator()
        times = simulator.reset(hall(), fleet((5, 5, 0), model=model), seed=0).scans()[0].times.tolist()
        for _ in range(round(2 / period)):
            times += simulator.advance(drive(0.2), period).scans()[0].times.tolist()
        assert times == pytest.approx([math.ceil(k * 60 / 25 - 1e-9) / 60 for k in range(51)])


def test_latest_takes_the_last_scan_of_the_period() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0), (2, 2, 0), model=robot(lidar={"rate": 30})), seed=0)
    observations = simulator.advance(drive(0.5, robots=2), 0.1)
    everything, last = observations.scans()[0], observations.scans(latest=True)[0]
    assert len(everything.times) == 6
    assert np.array_equal(last.ranges, everything.ranges[-2:])


def test_a_lidar_faster_than_physics_is_refused() -> None:
    with pytest.raises(ExpeditionError, match="lidar rate 100 Hz is above the physics rate of 60 Hz"):
        FlatSimulator().reset(hall(), fleet((5, 5, 0), model=robot(lidar={"rate": 100})), seed=0)
