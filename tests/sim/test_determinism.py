"""Same seed, same bytes; and one thing added moves nothing else."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np

from expedition.fleet import Fleet
from expedition.sim import FlatSimulator
from expedition.terrain import Change, Collapse, Door, Landmark, Person, Rectangle, find_terrain
from tests.sim.robots import drive, fleet, hall, robot

NOISY = robot(
    lidar={"sigma_range": 0.03, "dropout": 0.05, "rate": 25},
    odometry={"noise": {"kind": "gaussian", "sigma_position": 0.02, "sigma_heading": 0.02}},
    robot_detector={"range": 9, "rate": 10, "sigma_range": 0.1, "sigma_bearing": 0.05},
    landmark_camera={"range": 9, "rate": 5, "sigma_range": 0.1, "sigma_bearing": 0.05, "sigma_descriptor": 0.1},
)
PLACES = ((2, 2, 0.3), (7, 2, 2.0), (5, 7, -1.0))
LIVELY = hall(
    changes=(
        Person(waypoints=((8.0, 8.0),)),
        Door(area=Rectangle(left=4, bottom=4, right=4.5, top=5), mean_open=1.0, mean_closed=1.0),
    ),
    landmarks=tuple(Landmark(float(k), 9.5, (float(k), 1.0)) for k in range(1, 9)),
)


def run(robots: Fleet, terrain=LIVELY, seed=4, periods=30, take=lambda period: True):
    """Everything that the sensors of a run say, by kind."""
    simulator = FlatSimulator()
    simulator.reset(terrain, robots, seed)
    told: dict[str, list[np.ndarray]] = {"scan": [], "odometry": [], "detection": [], "sighting": [], "pose": []}
    for period in range(periods):
        observations = simulator.advance(drive(0.3, turn=0.4, robots=len(robots)), 0.1)
        told["pose"].append(simulator.truth().poses)
        if take(period):
            told["scan"] += [scan.ranges[scan.robots == 0] for scan in observations.scans()[:1]]
            odometry = observations.odometry(robots=[0])
            told["odometry"].append(odometry.increments)
            seen = observations.detections(robots=[0])
            told["detection"] += [seen.others, seen.ranges, seen.bearings]
            sightings = observations.sightings(robots=[0])
            told["sighting"] += [sightings.ranges, sightings.bearings, sightings.descriptors]
    return told


def same(one, two) -> bool:
    """Equal to the last bit, NaN included."""
    return len(one) == len(two) and all(a.tobytes() == b.tobytes() for a, b in zip(one, two, strict=True))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    one, two, other = (run(fleet(*PLACES, model=NOISY), seed=seed) for seed in (4, 4, 5))
    for kind in one:
        assert same(one[kind], two[kind])
        assert len(one[kind]) > 0
    for kind in ("scan", "odometry", "detection", "sighting"):
        assert not same(one[kind], other[kind])


def test_another_process_gives_the_same_bytes() -> None:
    script = (
        "import hashlib\n"
        "from tests.sim.test_determinism import *\n"
        "told = run(fleet(*PLACES, model=NOISY))\n"
        "print(hashlib.sha256(b''.join(a.tobytes() for kind in told.values() for a in kind)).hexdigest())"
    )
    told = run(fleet(*PLACES, model=NOISY))
    import hashlib

    here = hashlib.sha256(b"".join(a.tobytes() for kind in told.values() for a in kind)).hexdigest()
    there = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here


def test_adding_a_robot_moves_no_stream_of_the_others() -> None:
    # Far enough behind the walls of the maze that the newcomer is neither met nor seen.
    maze = find_terrain("maze")
    near = ((-38, 38, 0.0), (-38, 36, 0.0))
    two = run(fleet(*near, model=NOISY), terrain=maze)
    three = run(fleet(*near, (38, -38, math.pi), model=NOISY), terrain=maze)
    for kind in ("scan", "odometry", "detection", "sighting"):
        assert same(two[kind], three[kind])


def test_adding_a_sensor_moves_no_other_stream() -> None:
    bare = NOISY.model_copy(update={"robot_detector": None, "landmark_camera": None})
    with_all, with_few = run(fleet(*PLACES, model=NOISY)), run(fleet(*PLACES, model=bare))
    for kind in ("scan", "odometry", "pose"):
        assert same(with_all[kind], with_few[kind])


def test_adding_a_door_moves_no_person_and_a_person_no_door() -> None:
    person, door = LIVELY.changes
    with_door, without = hall(changes=(person, door)), hall(changes=(person,))
    walked = []
    for terrain in (with_door, without):
        simulator = FlatSimulator()
        simulator.reset(terrain, fleet((2, 2, 0)), seed=4)
        path = []
        for _ in range(20):
            simulator.advance(drive(), 0.1)
            path.append(simulator.truth().people)
        walked.append(path)
    assert same(*walked)


EQUAL_TWINS = (
    Door(area=Rectangle(left=6, bottom=1, right=6.2, top=2), mean_open=0.5, mean_closed=0.5),
    Door(area=Rectangle(left=6, bottom=7, right=6.2, top=8), mean_open=0.5, mean_closed=0.5),
    Person(waypoints=((3.0, 3.0),), mean_leg=1.0, speed=0.3),
    Person(waypoints=((3.0, 7.0),), mean_leg=1.0, speed=0.3),
    Collapse(area=Rectangle(left=8, bottom=1, right=9, top=2), time=0.5, fill=0.5),
    Collapse(area=Rectangle(left=8, bottom=7, right=9, top=8), time=0.5, fill=0.5),
)
"""Pairs of changes that differ in place only."""


def happened(changes: tuple[Change, ...]) -> dict[str, np.ndarray]:
    """What became of the first six of `changes` in ten seconds."""
    simulator = FlatSimulator()
    simulator.reset(hall(changes=changes), fleet((0.5, 5, 0)), seed=2)
    doors, people = [], []
    for _ in range(100):
        simulator.advance(drive(), 0.1)
        truth = simulator.truth()
        doors.append([truth.terrain.is_free(6.1, y) for y in (1.5, 7.5)])
        people.append(truth.people[:2] - [[3.0, 3.0], [3.0, 7.0]])
    rubble = [~truth.terrain.occupied[truth.terrain.cells_in(change.area)] for change in changes[4:6]]
    return {"doors": np.swapaxes(doors, 0, 1), "people": np.swapaxes(people, 0, 1), "rubble": np.array(rubble)}


def test_equal_changes_draw_from_streams_of_their_own() -> None:
    for kind, (one, other) in happened(EQUAL_TWINS).items():
        assert len(np.unique(one)) > 1, kind
        assert not np.allclose(one, other, atol=0.01), kind


def test_a_change_added_at_the_end_moves_none_before_it() -> None:
    more = (
        Door(area=Rectangle(left=7, bottom=4, right=7.2, top=5), mean_open=0.3, mean_closed=0.3),
        Collapse(area=Rectangle(left=8, bottom=4, right=9, top=5), time=0.2, fill=0.5),
        Person(waypoints=((9.5, 9.5),), speed=0.01),
    )
    before, after = happened(EQUAL_TWINS), happened(EQUAL_TWINS + more)
    for kind in before:
        assert np.array_equal(before[kind], after[kind]), kind


def test_readings_not_taken_do_not_shift_those_that_are() -> None:
    always = run(fleet(*PLACES, model=NOISY))
    rarely = run(fleet(*PLACES, model=NOISY), take=lambda period: period % 7 == 3)
    per_period = {kind: len(always[kind]) // 30 for kind in always if kind != "pose"}
    for kind, count in per_period.items():
        taken = [part for period in range(3, 30, 7) for part in always[kind][period * count : (period + 1) * count]]
        assert same(taken, rarely[kind])
    assert same(always["pose"], rarely["pose"])


def test_readings_taken_late_are_those_of_their_time() -> None:
    """A door that closes, and robots that drive on, must not change a scan of the time before."""
    terrain = hall(changes=(Door(area=Rectangle(left=6, bottom=0, right=6.2, top=10), switches=(0.5,)),))
    simulator = FlatSimulator()
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    observations = [simulator.advance(drive(0.5), 0.1) for _ in range(10)]
    late = [observation.scans()[0].ranges for observation in observations]
    simulator.reset(terrain, fleet((2, 5, 0)), seed=0)
    at_once = [simulator.advance(drive(0.5), 0.1).scans()[0].ranges for _ in range(10)]
    assert same(late, at_once)
    assert late[3][0, 18] > 7.0
    assert late[9][0, 18] < 4.0
