"""Teammates whose place nobody knows are told from walls by where they stand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.belief.mapping import Beams
from expedition.belief.strangers import beams_on_strangers

ANGLES = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 181)
BEAMS = Beams(np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]), math.pi / 180, 20.0, 0.0, 0.0)
GRID = (-10.0, -10.0, 0.2)


def scan(*things: tuple[float, float, float]) -> np.ndarray:
    """Ranges before a wall at x = 8 with discs (x, y, radius) in front of it."""
    ranges = np.minimum(8.0 / np.maximum(np.cos(ANGLES), 1e-6), np.inf)
    ranges[ranges > 20.0] = np.inf
    for x, y, radius in things:
        away, bearing = math.hypot(x, y), math.atan2(y, x)
        aside = away * np.sin(ANGLES - bearing)
        hit = (np.abs(aside) < radius) & (np.cos(ANGLES - bearing) > 0)
        near = away * np.cos(ANGLES - bearing) - np.sqrt(np.maximum(radius**2 - aside**2, 0.0))
        ranges = np.where(hit, np.minimum(near, ranges), ranges)
    return np.asarray(ranges, dtype=np.float32)[None]


def ignored(ranges: np.ndarray, state: int, strangers: bool = True) -> np.ndarray:
    ignore = np.zeros(ranges.shape, dtype=np.uint8)
    maps = np.full((1, 128, 128), state, dtype=np.uint8)
    beams_on_strangers(BEAMS, np.array([0]), ranges, np.zeros((1, 3)), np.array([strangers]), maps, GRID, 0.7, ignore)
    first: np.ndarray = ignore[0]
    return first


def test_a_robot_on_open_ground_is_ignored_and_the_wall_is_not() -> None:
    ranges = scan((4.0, 1.0, 0.3))
    assert np.array_equal(ignored(ranges, FREE) == 1, ranges[0] < 4.3)


@pytest.mark.parametrize("state", [UNKNOWN, OCCUPIED])
def test_what_stood_there_from_the_start_stays(state: int) -> None:
    assert not ignored(scan((4.0, 1.0, 0.3)), state).any()


def test_without_strangers_around_nothing_is_ignored() -> None:
    assert not ignored(scan((4.0, 1.0, 0.3)), FREE, strangers=False).any()


def test_larger_things_are_no_robots() -> None:
    assert not ignored(scan((4.0, 1.0, 0.8)), FREE).any()


def test_beams_that_dropped_out_join_nothing() -> None:
    ranges = scan((4.0, 1.0, 0.3))
    ranges[0, ::7] = np.nan
    assert np.isnan(ranges[0, ignored(ranges, FREE) == 1]).sum() == 0
    assert not ignored(np.full((1, 181), np.nan, dtype=np.float32), FREE).any()
