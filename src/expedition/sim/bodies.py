"""Everything that moves, as arrays: robots first, then people.

Kernels take these records of arrays instead of objects: one row a body, the same order everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.fleet import Fleet
from expedition.streams import stream_key
from expedition.terrain import Person

TOUCHED = 6
"""How many others a body can be known to touch at a time: six discs of one size fit around a seventh."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Shapes(NamedTuple):
    """What bodies are: their footprints, the heights they fill, and the slice of the terrain that stops them."""

    half_length: Floats  # the radius of a disc
    half_width: Floats  # -1 for a disc
    circumradius: Floats
    low: Floats
    high: Floats
    slice: Integers


class Limits(NamedTuple):
    """How robots may move: speeds in m/s and rad/s, accelerations in m/s2 and rad/s2, curvature in 1/m."""

    forward: Floats
    reverse: Floats
    sideways: Floats
    turn: Floats
    acceleration: Floats
    turn_acceleration: Floats
    curvature: Floats  # infinite for robots that turn on the spot


class State(NamedTuple):
    """Where bodies are and what they touch. Kernels change it in place."""

    pose: Floats  # x, y, heading
    velocity: Floats  # forward, sideways, turning
    touches_wall: NDArray[np.bool_]
    touches_body: Integers  # (bodies, TOUCHED): those it is in contact with, then -1


class Walkers(NamedTuple):
    """Where people are going. `leg` counts waypoints, or a wanderer's turns; kernels change it in place."""

    first: Integers  # person k walks points first[k] to first[k + 1]
    points: Floats
    speed: Floats
    mean_leg: Floats
    key: NDArray[np.uint64]
    leg: Integers
    leg_ends: Floats  # when a wanderer next turns of its own accord


def shapes_of(fleet: Fleet, people: Sequence[Person], slices: Sequence[int]) -> Shapes:
    """The shapes of all bodies; `slices` says which slice of the terrain stops each."""
    footprints = [model.body.footprint for model in fleet.models] + [(person.radius, -1.0) for person in people]
    spans = [(model.body.altitude, model.body.top) for model in fleet.models]
    spans += [(0.0, person.height) for person in people]
    half_length, half_width = np.array(footprints, dtype=np.float64).reshape(-1, 2).T.copy()
    low, high = np.array(spans, dtype=np.float64).reshape(-1, 2).T.copy()
    circumradius = np.where(half_width < 0, half_length, np.hypot(half_length, half_width))
    return Shapes(half_length, half_width, circumradius, low, high, np.array(slices, dtype=np.int64))


def limits_of(fleet: Fleet) -> Limits:
    """The limits of every robot's drive."""
    rows = []
    for model in fleet.models:
        drive = model.drive
        sideways = drive.max_speed if drive.kind == "holonomic" else 0.0
        curvature = 1.0 / drive.min_turn_radius if drive.min_turn_radius > 0.0 else math.inf
        rows.append(
            (
                drive.max_speed,
                drive.max_reverse_speed,
                sideways,
                drive.max_turn_rate,
                drive.max_acceleration,
                drive.max_turn_acceleration,
                curvature,
            )
        )
    return Limits(*np.array(rows, dtype=np.float64).reshape(-1, 7).T.copy())


def initial_state(fleet: Fleet, people: Sequence[Person]) -> State:
    """All bodies at rest where they start."""
    starts = [(*person.waypoints[0], 0.0) for person in people]
    pose = np.concatenate([fleet.poses, np.array(starts, dtype=np.float64).reshape(-1, 3)])
    pose[:, 2] -= math.tau * np.floor(pose[:, 2] / math.tau + 0.5)
    count = len(pose)
    touches_body = np.full((count, TOUCHED), -1, dtype=np.int64)
    return State(pose, np.zeros((count, 3)), np.zeros(count, dtype=bool), touches_body)


def walkers_of(people: Sequence[tuple[int, Person]], seed: int) -> Walkers:
    """The people of a terrain, each with its place among the terrain's changes."""
    counts = [len(person.waypoints) for _, person in people]
    points = [point for _, person in people for point in person.waypoints]
    return Walkers(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.array(points, dtype=np.float64).reshape(-1, 2),
        np.array([person.speed for _, person in people], dtype=np.float64),
        np.array([person.mean_leg for _, person in people], dtype=np.float64),
        np.array([stream_key(seed, f"terrain/change/{index}") for index, _ in people], dtype=np.uint64),
        np.zeros(len(people), dtype=np.int64),
        np.zeros(len(people), dtype=np.float64),
    )
