"""Laying one map over another, and the coarse search, against slow obvious versions."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import map_coordinates

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.belief.hypotheses import COARSE, TURN, hypotheses
from expedition.belief.overlay import AGAINST, Sheet, climb, evidence_for, lay_over, sheet
from expedition.streams import generator

poses = st.tuples(st.floats(-math.pi, math.pi), st.floats(0.0, 40.0), st.floats(0.0, 30.0)).map(np.array)


def random_map(seed: int, rows: int = 30, columns: int = 40) -> np.ndarray:
    """Free ground with blocks on it, and unknown corners."""
    random = generator(seed, "map")
    state = np.full((rows, columns), FREE, dtype=np.uint8)
    for _ in range(5):
        row, column = random.integers(rows), random.integers(columns)
        state[row : row + random.integers(1, 8), column : column + random.integers(1, 8)] = OCCUPIED
    row, column = random.integers(rows), random.integers(columns)
    state[row:, column:] = UNKNOWN
    return state


def slow_evidence(mine: Sheet, theirs: Sheet, pose: np.ndarray, pivot: np.ndarray) -> tuple[float, float]:
    """For and against, wall by wall with matrices and another library's interpolation."""
    c, s = math.cos(pose[0]), math.sin(pose[0])
    turn = np.array([[c, -s], [s, c]])
    agreed = against = 0.0
    for one, other, back in ((theirs, mine, False), (mine, theirs, True)):
        for wall in one.walls:
            spots = []
            for point in (wall[:2], wall[2:]):
                spots.append(turn.T @ (point - pose[1:]) + pivot if back else turn @ (point - pivot) + pose[1:])
            at, before = spots
            rows, columns = other.state.shape
            if not (0.5 <= at[0] < columns - 0.5 and 0.5 <= at[1] < rows - 0.5):
                continue
            worth = map_coordinates(other.worth.astype(float), [[at[1] - 0.5], [at[0] - 0.5]], order=1)[0]
            inside = 0 <= before[0] < columns and 0 <= before[1] < rows
            if worth < 0.0:
                against -= 0.5 * worth / AGAINST
            elif inside and other.state[int(before[1]), int(before[0])] != UNKNOWN:
                agreed += 0.5 * worth
    return agreed, against


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(0, 1000), poses)
def test_evidence_is_that_of_the_slow_version(one: int, two: int, pose: np.ndarray) -> None:
    mine, theirs = sheet(random_map(one)), sheet(random_map(two, 25, 35))
    pivot = np.array([17.3, 12.1])
    agreed, against = slow_evidence(mine, theirs, pose, pivot)
    fit = lay_over(mine, theirs, pose, pivot)
    assert math.isclose(fit.walls, agreed, abs_tol=1e-3)
    assert math.isclose(fit.against, against, abs_tol=1e-3)
    assert math.isclose(evidence_for(mine, theirs, pose, pivot, 1), agreed - AGAINST * against, abs_tol=1e-2)


@settings(max_examples=40)
@given(st.integers(0, 1000), poses)
def test_climbing_never_loses_evidence(seed: int, pose: np.ndarray) -> None:
    mine, theirs, pivot = sheet(random_map(seed)), sheet(random_map(seed + 1)), np.array([20.0, 15.0])
    before = evidence_for(mine, theirs, pose, pivot, 1)
    after = climb(mine, theirs, pose, pivot, np.array([0.03, 1.5, 1.5]), 0.1, 1)
    assert after >= before
    assert math.isclose(after, evidence_for(mine, theirs, pose, pivot, 1), abs_tol=1e-9)


def test_a_map_lies_on_itself_without_contradiction() -> None:
    whole = sheet(random_map(3))
    pivot = np.array([20.0, 15.0])
    fit = lay_over(whole, whole, np.array([0.0, 20.0, 15.0]), pivot)
    assert fit.against == 0.0
    assert fit.open == np.count_nonzero(whole.clear == FREE)
    assert fit.walls > 0.5 * len(whole.walls)


def test_the_sides_of_a_wall_are_told_apart() -> None:
    """Two robots on the two sides of one thin wall: their walls coincide but nothing of what is before them."""
    above = np.full((20, 40), UNKNOWN, dtype=np.uint8)
    above[10, :], above[11:, :] = OCCUPIED, FREE
    below = above[::-1].copy()
    pose, pivot = np.array([0.0, 20.0, 10.5]), np.array([20.0, 9.5])
    assert lay_over(sheet(above), sheet(below), pose, pivot).walls == 0.0
    turned = np.array([math.pi, 20.0, 10.5])
    assert lay_over(sheet(above), sheet(below), turned, pivot).walls > 30.0


@settings(max_examples=15)
@given(st.integers(0, 100), st.integers(0, 119), st.integers(-6, 6), st.integers(-6, 6))
def test_the_coarse_search_finds_a_map_turned_and_moved(seed: int, steps: int, right: int, up: int) -> None:
    state = random_map(seed, 60, 90)
    turn = -math.pi + steps * TURN
    middle = np.array([45.0, 30.0])
    c, s = math.cos(turn), math.sin(turn)
    side = 160
    turned = np.full((side, side), UNKNOWN, dtype=np.uint8)
    rows, columns = np.indices(turned.shape)
    x, y = columns + 0.5 - side / 2 - right * COARSE, rows + 0.5 - side / 2 - up * COARSE
    at_row, at_column = np.floor(c * y - s * x + middle[1]).astype(int), np.floor(c * x + s * y + middle[0]).astype(int)
    inside = (at_row >= 0) & (at_row < 60) & (at_column >= 0) & (at_column < 90)
    turned[inside] = state[at_row[inside], at_column[inside]]
    found = hypotheses(sheet(turned), sheet(state), middle, 20)
    expected = side / 2 + right * COARSE, side / 2 + up * COARSE
    assert any(
        abs(math.remainder(pose[0] - turn, 2.0 * math.pi)) < 2.1 * TURN and math.dist(pose[1:], expected) < 3.0 * COARSE
        for pose in found
    )
