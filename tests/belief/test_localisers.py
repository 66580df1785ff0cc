"""Localisers: what all have in common, and how well each knows where robots are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from expedition.belief.grid import Frame
from expedition.belief.slam import Localiser, slam
from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.sim import FlatSimulator, Odometry
from expedition.sim.odometry import GAUSSIAN, MOTION, measure_motion
from expedition.streams import stream_key
from expedition.terrain import Terrain
from tests.sim.robots import drive, fleet, hall, robot

NOISY = {"rate": 10, "noise": {"kind": "gaussian", "sigma_position": 0.02, "sigma_heading": 0.02}}


def frame_of(terrain: Terrain) -> Frame:
    rows, columns = terrain.shape
    left, bottom = terrain.origin
    return Frame.around((left, left + columns * terrain.resolution, bottom, bottom + rows * terrain.resolution))


class Drive:
    """A fleet that drives through a terrain while localisers follow it."""

    def __init__(self, terrain: Terrain, robots: Fleet, *specs: str, seed: int = 1) -> None:
        self.simulator = FlatSimulator()
        self.observations = self.simulator.reset(terrain, robots, seed)
        self.localisers = [slam.make(spec, robots, frame_of(terrain), self.true_poses) for spec in specs]
        self.errors: list[NDArray[np.float64]] = []
        self._follow()

    def true_poses(self) -> NDArray[np.float64]:
        return self.simulator.truth().poses

    def go(self, commands: NDArray[np.float64], seconds: float) -> None:
        for _ in range(round(10 * seconds)):
            self.observations = self.simulator.advance(commands, 0.1)
            self._follow()

    def _follow(self) -> None:
        scans = self.observations.scans(latest=True)
        ignore = [np.zeros(scan.ranges.shape, dtype=np.uint8) for scan in scans]
        for localiser in self.localisers:
            localiser.predict(self.observations.odometry(), self.observations.time)
            localiser.correct(scans)
            localiser.learn(scans, ignore)
        self.errors.append(np.array([localiser.pose - self.true_poses() for localiser in self.localisers]))

    def distances(self) -> NDArray[np.float64]:
        """(periods, localisers, robots): how far from the truth."""
        errors = np.array(self.errors)
        return np.hypot(errors[..., 0], errors[..., 1])


def tour(drive_along: Drive, seconds: float) -> None:
    """Straight on and around, to and fro, as a robot explores a hall."""
    for _ in range(round(seconds / 10)):
        drive_along.go(drive(0.5, 0.0), 3)
        drive_along.go(drive(0.3, 0.8), 4)
        drive_along.go(drive(-0.4, 0.3), 3)


def test_registry_knows_the_three_localisers() -> None:
    assert slam.names() == ["odometry", "perfect", "scan-matching"]


def test_misspelt_localiser_is_named_with_the_nearest() -> None:
    with pytest.raises(ExpeditionError, match="did you mean 'scan-matching'"):
        slam.make("scan-matchin", fleet((5, 5, 0)), frame_of(hall()), None)


@pytest.mark.parametrize("parameter", ["gate=-1", "iterations=0", "cell=nan", "least_share=2", "gait=1"])
def test_bad_parameter_of_scan_matching_is_refused(parameter: str) -> None:
    with pytest.raises(ExpeditionError, match="scan-matching"):
        slam.make(f"scan-matching:{parameter}", fleet((5, 5, 0)), frame_of(hall()), None)


@pytest.mark.parametrize("name", ["odometry", "scan-matching"])
def test_robot_without_odometry_is_refused_by_those_that_need_it(name: str) -> None:
    with pytest.raises(ExpeditionError, match=r"robot 0 \(tester\): has no odometry"):
        slam.make(name, fleet((5, 5, 0), model=robot(odometry=None)), frame_of(hall()), None)


@pytest.mark.parametrize("name", ["odometry", "perfect", "scan-matching"])
def test_start_is_known_exactly(name: str) -> None:
    robots = fleet((5, 5, 0.3), (2, 3, -2))
    localiser: Localiser = slam.make(name, robots, frame_of(hall()), lambda: robots.poses)
    assert np.array_equal(localiser.pose, robots.poses)
    assert not localiser.covariance.any()
    assert not localiser.lost.any()


@pytest.mark.parametrize("odometry", [None, {"rate": 1}, {"rate": 20}])
def test_perfect_positioning_is_the_truth_and_knows_where_scans_were_taken(odometry: dict[str, Any] | None) -> None:
    model = robot(lidar={"rate": 25}, odometry=odometry)
    trial = Drive(hall(), fleet((3, 5, 0), model=model), "perfect")
    trial.go(drive(0.5, 1.0), 2.0)
    before = trial.true_poses()
    trial.go(drive(0.5, 1.0), 0.1)  # the latest scan is one of six ticks before the end of this odd period
    (localiser,) = trial.localisers
    assert np.array_equal(localiser.pose, trial.true_poses())
    time = trial.observations.scans(latest=True)[0].times[0]
    share = (time - 2.0) / 0.1
    assert 0.7 < share < 0.9
    assert localiser.scan_pose == pytest.approx(before + share * (localiser.pose - before), abs=1e-9)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-2, 2)), min_size=1, max_size=5))
def test_exact_odometry_is_followed_exactly(commands: list[tuple[float, float]]) -> None:
    trial = Drive(hall(), fleet((5, 5, 0)), "odometry")
    for forward, turn in commands:
        trial.go(drive(forward, turn), 0.5)
    error = trial.localisers[0].pose - trial.true_poses()
    assert np.abs(error[:, :2]).max() < 1e-9
    assert abs(math.remainder(error[0, 2], math.tau)) < 1e-9
    assert not trial.localisers[0].covariance.any()


@pytest.mark.parametrize(
    ("noise", "kind", "numbers"),
    [
        ({"kind": "gaussian", "sigma_position": 0.01, "sigma_heading": 0.01}, GAUSSIAN, [0.01, 0.01]),
        (
            {"kind": "motion", "alpha1": 0.02, "alpha2": 0.01, "alpha3": 0.03, "alpha4": 0.02},
            MOTION,
            [0.02, 0.01, 0.03, 0.02],
        ),
    ],
)
def test_covariance_of_dead_reckoning_is_the_spread_of_many_robots(
    noise: dict[str, Any], kind: int, numbers: list[float]
) -> None:
    number = 3000
    robots = fleet(*[(5, 5, 0.4)] * number, model=robot(odometry={"rate": 10, "noise": noise}))
    localiser = slam.make("odometry", robots, frame_of(hall()), None)
    keys = np.array([stream_key(1, f"robot/{k}/odometry") for k in range(number)])
    everyone = np.arange(number)
    pose = robots.poses.copy()
    for reading in range(30):
        after = pose.copy()
        after[:, 0] += 0.08 * np.cos(pose[:, 2])
        after[:, 1] += 0.08 * np.sin(pose[:, 2])
        after[:, 2] += 0.06
        increments = np.empty((number, 3))
        measure_motion(pose, after, everyone, keys, np.uint64(reading), kind, np.array(numbers), increments)
        now = 0.1 * (reading + 1)
        localiser.predict(Odometry(everyone, np.full(number, now), increments), now)
        pose = after
    spread = np.cov((localiser.pose - pose).T)
    claimed = localiser.covariance.mean(axis=0)
    assert np.allclose(claimed, spread, atol=0.12 * np.sqrt(np.outer(np.diag(spread), np.diag(spread))))


def test_scan_matching_is_ten_times_better_than_odometry() -> None:
    model = robot(odometry=NOISY, lidar={"beams": 90})
    trial = Drive(hall(), fleet((2, 3, 0), model=model), "odometry", "scan-matching")
    tour(trial, 60)
    odometry, matching = trial.distances().mean(axis=(0, 2))
    assert matching < 0.1 * odometry
    assert matching < 0.05
    assert np.abs(np.array(trial.errors)[:, 1, 0, 2]).mean() < 0.01
    assert not trial.localisers[1].lost.any()


def test_noisy_lidar_with_dropouts_is_good_enough() -> None:
    lidar = {"beams": 180, "sigma_range": 0.05, "dropout": 0.2}
    trial = Drive(hall(), fleet((2, 3, 0), model=robot(odometry=NOISY, lidar=lidar)), "odometry", "scan-matching")
    tour(trial, 40)
    odometry, matching = trial.distances().mean(axis=(0, 2))
    assert matching < 0.1
    assert matching < 0.2 * odometry


def test_mount_of_the_lidar_is_respected() -> None:
    lidar = {"beams": 90, "field_of_view": 4.0, "x": 0.15, "y": -0.1, "heading": 1.0}
    trial = Drive(hall(), fleet((2, 3, 0), model=robot(odometry=NOISY, lidar=lidar)), "scan-matching")
    tour(trial, 30)
    assert trial.distances().mean() < 0.05


def test_robot_without_lidar_keeps_to_its_odometry() -> None:
    models = (robot(odometry=NOISY, lidar=None), robot(odometry=NOISY))
    robots = Fleet(models, np.array([(2.0, 2.0, 0.0), (8.0, 8.0, 3.0)]))
    trial = Drive(hall(), robots, "odometry", "scan-matching")
    trial.go(drive(0.3, 0.2, robots=2), 5)
    odometry, matching = trial.localisers
    assert np.array_equal(odometry.pose[0], matching.pose[0])
    assert not np.array_equal(odometry.pose[1], matching.pose[1])


def test_covariance_grows_along_a_corridor_without_end_and_not_across() -> None:
    model = robot(odometry=NOISY, lidar={"beams": 90, "range": 8})
    trial = Drive(hall(60, 4), fleet((12, 2, 0), model=model), "scan-matching")
    trial.go(drive(1.0), 10)
    first = trial.localisers[0].covariance[0].copy()
    trial.go(drive(1.0), 20)
    last = trial.localisers[0].covariance[0]
    assert last[0, 0] == pytest.approx(3 * first[0, 0], rel=0.3)
    assert last[0, 0] == pytest.approx(300 * 0.02**2, rel=0.3)
    assert last[1, 1] < 0.05 * last[0, 0]
    error = np.array(trial.errors)[-1, 0, 0]
    assert abs(error[0]) < 4 * math.sqrt(last[0, 0])
    assert abs(error[1]) < 0.05


@pytest.mark.parametrize("moved", [(1.1, -0.9, 0.35), (0.5, 0.6, -0.2)])
def test_kidnapped_robot_finds_its_place_again(moved: tuple[float, float, float]) -> None:
    model = robot(odometry=NOISY, lidar={"beams": 180})
    trial = Drive(hall(), fleet((3, 4, 0), model=model), "scan-matching")
    tour(trial, 20)
    (localiser,) = trial.localisers
    localiser.pose[0] += moved
    for _ in range(30):
        trial.go(drive(0.2, 0.2), 0.1)
    assert not localiser.lost[0]
    assert trial.distances()[-1].max() < 0.1


def test_teammates_that_are_to_be_ignored_leave_no_hits() -> None:
    terrain = hall()
    robots = fleet((3, 5, 0), (5, 5, 0), model=robot(lidar={"beams": 90}))
    scans = FlatSimulator().reset(terrain, robots, 1).scans(latest=True)
    seen: list[int] = []
    for masked in (False, True):
        localiser: Any = slam.make("scan-matching", robots, frame_of(terrain), None)
        ignore = [(masked & (scans[0].ranges < 2.5)).astype(np.uint8)]
        localiser.correct(scans)
        localiser.learn(scans, ignore)
        points = localiser.known_walls(0)
        seen.append(int(np.count_nonzero(np.hypot(points[:, 0] - 5, points[:, 1] - 5) < 0.5)))
    assert seen[0] > 0
    assert seen[1] == 0


def test_walls_that_are_gone_are_forgotten_and_others_kept() -> None:
    terrain = hall()
    walls = terrain.wall_height_cm.copy()
    walls[40:60, 60:63] = 200
    with_wall = Terrain("hall with a wall", walls, terrain.resolution, terrain.origin)
    robots = fleet((3, 5, 0), model=robot(lidar={"beams": 180, "rate": 25}))
    trial = Drive(with_wall, robots, "scan-matching")
    localiser: Any = trial.localisers[0]

    def at_the_wall() -> int:
        points = localiser.known_walls(0)
        return int(np.count_nonzero((np.abs(points[:, 0] - 5.9) < 0.2) & (np.abs(points[:, 1] - 4.9) < 0.8)))

    trial.go(drive(0.3, 0.5), 10)
    assert at_the_wall() >= 5
    kept = len(localiser.known_walls(0)) - at_the_wall()
    trial.simulator = FlatSimulator()
    trial.simulator.reset(hall(), Fleet(robots.models, localiser.pose.copy()), 1)
    trial.go(drive(0.3, 0.5), 40)
    assert at_the_wall() == 0
    assert len(localiser.known_walls(0)) >= 0.95 * kept


def test_the_same_drive_gives_the_same_bytes() -> None:
    model = robot(odometry=NOISY, lidar={"beams": 60})
    trials = [Drive(hall(), fleet((2, 3, 0), model=model), "scan-matching") for _ in range(2)]
    for trial in trials:
        trial.go(drive(0.3, 0.2), 5)
    first, second = (trial.localisers[0] for trial in trials)
    assert first.pose.tobytes() == second.pose.tobytes()
    assert first.covariance.tobytes() == second.covariance.tobytes()
