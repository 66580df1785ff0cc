"""Noise has the spread that it claims, and no two draws have anything to do with each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.fleet import RobotModel
from expedition.sim import FlatSimulator
from expedition.sim.odometry import MOTION, measure_motion
from expedition.streams import stream_key
from expedition.terrain import Landmark
from tests.sim.robots import drive, fleet, hall, robot

SIGMA = 0.05


def sensing(sigma: float) -> RobotModel:
    """A robot with every sensor at 60 Hz and one noise on all that they measure."""
    sight = {"range": 9, "rate": 60, "sigma_range": sigma, "sigma_bearing": sigma}
    return robot(
        drive={"max_turn_acceleration": 1000.0},
        lidar={"beams": 3, "rate": 60, "range": 20, "sigma_range": sigma},
        odometry={"rate": 60, "noise": {"kind": "gaussian", "sigma_position": sigma, "sigma_heading": sigma}},
        robot_detector=sight,
        landmark_camera=sight | {"sigma_descriptor": sigma},
    )


def measured(sigma: float, seconds: int = 40) -> dict[str, np.ndarray]:
    """Every number that robots which turn on the spot measure: one column a number, one row a reading."""
    landmarks = (Landmark(3.0, 8.0, (1.0, 2.0)), Landmark(8.0, 8.0, (3.0, 4.0)))
    robots = fleet((2, 2, 0), (7, 2, 1), (5, 7, 2), model=sensing(sigma))
    simulator = FlatSimulator()
    simulator.reset(hall(landmarks=landmarks), robots, seed=7)
    columns: dict[str, list[np.ndarray]] = {}
    for _ in range(seconds):
        observations = simulator.advance(drive(turn=1.0, robots=3), 1.0)
        scan, odometry = observations.scans()[0], observations.odometry()
        seen, sighted = observations.detections(), observations.sightings()
        for k in range(3):
            own = odometry.increments[odometry.robots == k].T
            told = dict(zip(("odometry forward", "odometry sideways", "odometry turn"), own, strict=True))
            told |= {f"beam {beam}": ranges for beam, ranges in enumerate(scan.ranges[scan.robots == k].T)}
            for other in {0, 1, 2} - {k}:
                rows = (seen.robots == k) & (seen.others == other)
                told |= {f"range of robot {other}": seen.ranges[rows], f"bearing of robot {other}": seen.bearings[rows]}
            for landmark in range(2):
                # Each reading sees both landmarks, in order.
                rows = np.flatnonzero(sighted.robots == k)[landmark::2]
                told |= {
                    f"range of landmark {landmark}": sighted.ranges[rows],
                    f"bearing of landmark {landmark}": sighted.bearings[rows],
                    f"element 0 of landmark {landmark}": sighted.descriptors[rows, 0],
                    f"element 1 of landmark {landmark}": sighted.descriptors[rows, 1],
                }
            for name, values in told.items():
                columns.setdefault(f"robot {k}: {name}", []).append(values.astype(np.float64))
    return {name: np.concatenate(values) for name, values in columns.items()}


@pytest.fixture(scope="module")
def errors() -> dict[str, np.ndarray]:
    """What noise does to each of these numbers, reading by reading."""
    clean, noisy = measured(0.0), measured(SIGMA)
    apart = {name: noisy[name] - clean[name] for name in clean}
    return {name: np.array([math.remainder(value, math.tau) for value in apart[name]]) for name in apart}


def test_every_measured_number_has_noise_of_its_sigma_and_no_bias(errors: dict[str, np.ndarray]) -> None:
    assert len(errors) == 3 * (3 + 3 + 4 + 8)
    for name, values in errors.items():
        assert len(values) == 2400, name
        assert values.std() == pytest.approx(SIGMA, rel=0.07), name
        assert abs(values.mean()) < 4.5 * SIGMA / math.sqrt(len(values)), name


@pytest.mark.parametrize("lag", [0, 1])
def test_no_two_errors_are_correlated_within_or_across_sensors_robots_and_readings(
    errors: dict[str, np.ndarray], lag: int
) -> None:
    names = list(errors)
    values = np.array([errors[name] for name in names])
    readings = values.shape[1] - lag
    both = np.corrcoef(values[:, :readings], values[:, lag:])[: len(names), len(names) :]
    if lag == 0:
        both -= np.eye(len(names))
    # Thousands of pairs: five standard deviations are still a surprise.
    linked = np.argwhere(np.abs(both) > 5 / math.sqrt(readings))
    assert [(names[one], names[other]) for one, other in linked] == []


def scan_of(model: RobotModel) -> np.ndarray:
    """The first scan of a robot in an empty hall."""
    return FlatSimulator().reset(hall(), fleet((4, 3, 0), model=model), seed=0).scans()[0].ranges[0]


def test_noise_has_the_spread_it_claims_and_no_bias_from_beam_to_beam() -> None:
    noisy = robot(lidar={"sigma_range": 0.05, "beams": 3600})
    clean = robot(lidar={"beams": 3600})
    errors = scan_of(noisy) - scan_of(clean)
    assert abs(errors.mean()) < 4 * 0.05 / math.sqrt(3600)
    assert errors.std() == pytest.approx(0.05, rel=0.05)
    lag = np.corrcoef(errors[:-1], errors[1:])[0, 1]
    assert abs(lag) < 4 / math.sqrt(3600)


def test_dropouts_read_nan_at_their_rate_whatever_the_noise_of_the_beam() -> None:
    noisy = robot(lidar={"sigma_range": 0.05, "dropout": 0.2, "beams": 3600})
    clean = robot(lidar={"beams": 3600})
    ranges = scan_of(noisy)
    kept = ~np.isnan(ranges)
    assert kept.mean() == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / 3600))
    errors = (ranges - scan_of(clean))[kept]
    assert abs(errors.mean()) < 4 * 0.05 / math.sqrt(len(errors))
    assert errors.std() == pytest.approx(0.05, rel=0.05)


def test_odometry_noise_rests_with_the_wheels() -> None:
    simulator = FlatSimulator()
    simulator.reset(hall(), fleet((5, 5, 0), model=sensing(SIGMA)), seed=0)
    assert (simulator.advance(drive(), 0.5).odometry().increments == 0).all()
    moved = simulator.advance(drive(turn=1.0), 0.5).odometry().increments
    assert (moved[:, :2] != 0).all()


def test_motion_noise_grows_with_the_motion() -> None:
    noise = {"kind": "motion", "alpha1": 0.04, "alpha2": 0.04, "alpha3": 0.04, "alpha4": 0.04}
    spreads = []
    for speed in (0.1, 0.8):
        model = robot(odometry={"noise": noise}, drive={"max_acceleration": 1000.0})
        robots = fleet(*((1.0 + 0.5 * k, 1.0, math.pi / 2) for k in range(16)), model=model)
        simulator = FlatSimulator()
        simulator.reset(hall(), robots, seed=1)
        forward = [simulator.advance(drive(speed, robots=16), 0.1).odometry().increments[:, 0] for _ in range(50)]
        spreads.append(np.concatenate(forward).std())
    assert spreads[0] == pytest.approx(0.2 * 0.01, rel=0.15)
    assert spreads[1] == pytest.approx(0.2 * 0.08, rel=0.15)


def slipped(way: float, turn1: float, turn2: float, alpha: list[float], count: int = 4000) -> np.ndarray:
    """What `count` odometers make of one motion, as rows (turn1, way, turn2): turn, drive `way` metres, turn again."""
    before = np.zeros((count, 3))
    before[:, 2] = 2.5
    moved = (way * math.cos(2.5 + turn1), way * math.sin(2.5 + turn1), turn1 + turn2)
    after = before + np.array(moved)
    keys = np.array([stream_key(3, f"odometer/{k}") for k in range(count)], dtype=np.uint64)
    told = np.empty((count, 3))
    measure_motion(before, after, np.arange(count), keys, np.uint64(5), MOTION, np.array(alpha), told)
    forward, sideways, turn = told.T
    first = np.arctan2(sideways, forward) if way >= 0 else np.arctan2(-sideways, -forward)
    return np.column_stack([first, forward * np.cos(first) + sideways * np.sin(first), turn - first])


@pytest.mark.parametrize("way", [0.5, -0.5], ids=["forwards", "backwards"])
@pytest.mark.parametrize(("turn1", "turn2"), [(0.3, 0.6), (-0.6, 0.3), (0.0, 0.4), (0.0, 0.0)])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_alpha_blurs_what_it_should_and_nothing_else(way: float, turn1: float, turn2: float, number: int) -> None:
    """Thrun, Burgard and Fox: alpha1 and alpha2 blur turns, alpha3 and alpha4 the way."""
    per = {
        1: (abs(turn1), 0.0, abs(turn2)),
        2: (abs(way), 0.0, abs(way)),
        3: (0.0, abs(way), 0.0),
        4: (0.0, math.hypot(turn1, turn2), 0.0),
    }
    alpha = [0.0, 0.0, 0.0, 0.0]
    alpha[number - 1] = 0.01
    rows = slipped(way, turn1, turn2, alpha)
    assert rows.mean(axis=0) == pytest.approx([turn1, way, turn2], abs=4 * 0.1 / math.sqrt(len(rows)))
    assert rows.std(axis=0) == pytest.approx(np.multiply(0.1, per[number]), rel=0.06, abs=1e-9)


def test_a_turn_on_the_spot_is_blurred_by_alpha1_and_moves_the_robot_by_alpha4() -> None:
    cases = (([0.01, 0, 0, 0], (0.0, 0.08)), ([0, 0.01, 0.01, 0], (0.0, 0.0)), ([0, 0, 0, 0.01], (0.08, 0.0)))
    for alpha, spread in cases:
        first, way, second = slipped(0.0, 0.0, 0.8, alpha).T
        forward = way * np.cos(first)
        assert (forward.std(), (first + second).std()) == pytest.approx(spread, rel=0.06, abs=1e-9)


def test_the_three_parts_of_a_motion_slip_independently() -> None:
    rows = slipped(0.5, 0.3, 0.6, [0.01, 0.01, 0.01, 0.01])
    linked = np.corrcoef(rows.T) - np.eye(3)
    assert (np.abs(linked) < 4 / math.sqrt(len(rows))).all()
