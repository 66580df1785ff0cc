"""Scans enter maps: beams clear what they cross and mark where they end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.evidence import COUNTERS, GREEDY, KINDS, LIMIT, LOG_ODDS, PROBABILISTIC
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, GridKind, Grids
from expedition.belief.mapping import Beams, MappingSettings, layers_of, map_scans, rules_of
from expedition.errors import ExpeditionError

FRAME = Frame((-6.4, -6.4), 0.2, 64, 64)
EVERY_SCAN = MappingSettings(distance=0, turn=0, interval=0)
ROBOTS = np.array([0])
HERE = np.array([[0.1, 0.1, 0.0]])


class Mapper:
    """A map that scans of one robot enter."""

    def __init__(
        self, kind: GridKind = "log-odds", merge: int = GREEDY, settings: MappingSettings = EVERY_SCAN
    ) -> None:
        self.grids = Grids(1, FRAME, kind)
        self.rules = rules_of(FRAME, settings, KINDS[kind], merge)
        self.last = np.full((1, 4), -math.inf)
        self.tick = 0

    def scan(
        self, angles: list[float], ranges: list[float], pose: tuple[float, float, float] = (0.1, 0.1, 0.0),
        ignore: list[int] | None = None, time: float = 0.0, reach: float = 6.0,
    ) -> int:  # fmt: skip
        beams = Beams(np.column_stack([np.cos(angles), np.sin(angles)]), math.inf, reach, 0.0, 0.0)
        mask = np.array([ignore or [0] * len(angles)], dtype=np.uint8)
        self.tick += 1
        return map_scans(
            layers_of(self.grids), self.rules, beams, ROBOTS, np.array([ranges], dtype=np.float32), mask,
            np.array([pose]), np.array([False]), self.last, time, self.tick,
        )  # fmt: skip

    def state(self, x: float, y: float) -> int:
        return int(self.grids.state[0][FRAME.cell(x, y)])

    def evidence(self, x: float, y: float) -> int:
        return int(self.grids.evidence[0][FRAME.cell(x, y)])


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
def test_beam_clears_what_it_crosses_and_marks_its_end(kind: GridKind) -> None:
    mapper = Mapper(kind)
    mapper.scan([0.0], [2.0])
    assert mapper.state(2.1, 0.1) == OCCUPIED
    assert all(mapper.state(0.1 + 0.2 * k, 0.1) == FREE for k in range(10))
    assert mapper.state(2.3, 0.1) == mapper.state(1.1, 0.3) == UNKNOWN


def test_wall_on_the_border_of_two_cells_is_put_into_the_wall() -> None:
    mapper = Mapper()
    mapper.scan([0.0], [1.9])  # The wall's face is at x = 2.0, the border of two cells.
    assert mapper.state(1.9, 0.1) == FREE
    assert mapper.state(2.1, 0.1) == OCCUPIED


def test_beam_without_return_clears_up_to_the_range_used_and_marks_nothing() -> None:
    mapper = Mapper(settings=MappingSettings(distance=0, turn=0, interval=0, max_range=3.0))
    mapper.scan([0.0, math.pi / 2], [math.inf, 4.0])
    assert mapper.state(2.9, 0.1) == mapper.state(0.1, 2.9) == FREE
    assert mapper.state(3.5, 0.1) == mapper.state(0.1, 3.5) == mapper.state(0.1, 4.1) == UNKNOWN
    assert not (mapper.grids.state[0] == OCCUPIED).any()


def test_dropout_says_nothing() -> None:
    mapper = Mapper()
    mapper.scan([0.0], [math.nan])
    assert not mapper.grids.state.any()


def test_teammate_is_not_mapped_but_the_ground_before_it_is() -> None:
    mapper = Mapper()
    mapper.scan([0.0], [2.0], ignore=[1])
    assert mapper.state(1.5, 0.1) == FREE
    assert mapper.state(2.1, 0.1) == mapper.state(1.9, 0.1) == UNKNOWN


def test_person_who_walks_by_leaves_no_wall_behind() -> None:
    mapper = Mapper()
    for _ in range(20):
        mapper.scan([0.0], [4.0])
    for _ in range(3):
        mapper.scan([0.0], [2.0])
    assert mapper.state(2.1, 0.1) == FREE


def test_door_that_closes_is_believed_after_a_while() -> None:
    mapper = Mapper()
    for _ in range(20):
        mapper.scan([0.0], [4.0])
    for _ in range(20):
        mapper.scan([0.0], [2.0])
    assert mapper.state(2.1, 0.1) == OCCUPIED
    for _ in range(20):
        mapper.scan([0.0], [4.0])
    assert mapper.state(2.1, 0.1) == FREE


def test_scan_is_taken_only_after_moving_turning_or_waiting() -> None:
    mapper = Mapper(settings=MappingSettings(distance=0.2, turn=0.15, interval=1.0))
    assert mapper.scan([0.0], [2.0], time=0.0) == 1
    assert mapper.scan([0.0], [2.0], pose=(0.2, 0.1, 0.1), time=0.1) == 0
    assert mapper.scan([0.0], [2.0], pose=(0.31, 0.1, 0.0), time=0.2) == 1
    assert mapper.scan([0.0], [2.0], pose=(0.31, 0.1, 2 * math.pi + 0.16), time=0.3) == 1
    assert mapper.scan([0.0], [2.0], pose=(0.31, 0.1, 0.16), time=0.4) == 0
    assert mapper.scan([0.0], [2.0], pose=(0.31, 0.1, 0.16), time=1.3) == 1


def test_robot_believed_to_be_off_the_map_maps_nothing() -> None:
    mapper = Mapper()
    assert mapper.scan([0.0], [2.0], pose=(100.0, 0.1, 0.0)) == 0
    assert not mapper.grids.state.any()


def test_stamps_tell_which_tiles_changed_and_only_those() -> None:
    mapper = Mapper()
    mapper.scan([0.0], [2.0])
    touched = mapper.grids.evidence[0].reshape(4, TILE, 4, TILE).any(axis=(1, 3))
    assert ((mapper.grids.evidence_stamp[0] == 1) == touched).all()
    for _ in range(30):
        mapper.scan([0.0], [2.0])
    saturated = mapper.grids.evidence_stamp.copy()
    mapper.scan([0.0], [2.0])
    assert (mapper.grids.evidence_stamp == saturated).all()
    assert mapper.evidence(1.1, 0.1) == -LIMIT


def brute_force(angles: list[float], ranges: list[float]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Cells that the beams cross, by many small steps, and where they end."""
    crossed, ends = set(), set()
    for angle, distance in zip(angles, ranges, strict=True):
        for way in np.arange(0.0, distance, 0.002):
            crossed.add(FRAME.cell(0.1 + math.cos(angle) * way, 0.1 + math.sin(angle) * way))
        ends.add(FRAME.cell(0.1 + math.cos(angle) * (distance + 0.05), 0.1 + math.sin(angle) * (distance + 0.05)))
    return crossed, ends


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(-math.pi, math.pi), st.floats(0.3, 5.0)), min_size=1, max_size=5),
    st.sampled_from(["log-odds", "counters"]),
    st.sampled_from([GREEDY, PROBABILISTIC]),
)
def test_map_equals_that_of_many_small_steps(beams: list[tuple[float, float]], kind: GridKind, merge: int) -> None:
    angles, ranges = [angle for angle, _ in beams], [distance for _, distance in beams]
    mapper = Mapper(kind, merge)
    mapper.scan(angles, ranges)
    crossed, ends = brute_force(angles, ranges)
    known = {(int(row), int(column)) for row, column in np.argwhere(mapper.grids.evidence[0] != 0)}
    assert ends <= known
    # Steps may miss a cell whose corner a beam cuts, never the other way round.
    assert crossed - ends <= known
    for row, column in known - crossed - ends:
        assert any((row + i, column + j) in crossed for i in (-1, 0, 1) for j in (-1, 0, 1))


def test_counters_keep_the_share_of_hits_and_saturate() -> None:
    mapper = Mapper("counters")
    for _ in range(100):
        mapper.scan([0.0], [2.0])
    hits, total = mapper.evidence(2.1, 0.1) & 255, mapper.evidence(2.1, 0.1) >> 8
    assert hits == total == 20
    assert COUNTERS != LOG_ODDS


def test_frame_covers_the_area_with_whole_tiles_and_a_margin() -> None:
    frame = Frame.around((-40.2, 40.2, -10.0, 10.0), 0.2)
    left, right, bottom, top = frame.extent
    assert max(left + 42.2, 42.2 - right, bottom + 12.0, 12.0 - top) < 1e-9
    assert frame.rows % TILE == frame.columns % TILE == 0
    assert frame.cell(*frame.centre(7, 9)) == (7, 9)
    # Cells line up with those of terrains whose walls lie at multiples of the resolution.
    assert math.isclose(left / 0.2, round(left / 0.2), abs_tol=1e-6)


def test_maps_too_large_for_memory_are_refused_with_a_way_out() -> None:
    with pytest.raises(ExpeditionError, match="coarser resolution"):
        Grids(1000, Frame((0.0, 0.0), 0.01, 16 * 1000, 16 * 1000))
    with pytest.raises(ExpeditionError, match="resolution must be within"):
        Frame.around((0, 10, 0, 10), math.nan)
