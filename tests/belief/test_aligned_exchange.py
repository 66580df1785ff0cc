"""Maps in frames of their own: nothing is merged before its place is known, and then all of it, change by change."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.belief.aligned_exchange import AlignedExchange
from expedition.belief.evidence import GREEDY
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, GridKind, Grids
from expedition.belief.merging import AlignedMerge
from expedition.belief.transform import Transform
from expedition.streams import generator

FRAME = Frame((-12.8, -12.8), 0.2, 128, 128)
LINKED = np.array([[False, True], [True, False]])
PLACE = Transform(0.7, 1.3, -2.1)


def robots(number: int = 2, kind: GridKind = "log-odds") -> AlignedExchange:
    return AlignedExchange(Grids(number, FRAME, kind), AlignedMerge(GREEDY), 0.1)


def observe(exchange: AlignedExchange, robot: int, tick: int, seed: int, cells: int = 150) -> None:
    """Random evidence in the middle of a robot's map, as mapping would write it."""
    grids = exchange.grids
    random = generator(seed, "observe")
    for row, column in random.integers(40, 88, (cells, 2)).tolist():
        value = int(random.choice([-48, -8, 17, 70]))
        if grids.kind == "counters":
            value = 256 * 3 + int(random.integers(0, 4))
        grids.evidence[robot, row, column] = value
        wide = value if grids.kind == "log-odds" else (value & 255) + 65536 * (value >> 8)
        grids.fused[robot, row, column] = wide
        hits = 2 * (value & 255) > value >> 8 if grids.kind == "counters" else value > 0
        grids.state[robot, row, column] = OCCUPIED if hits else FREE
        grids.evidence_stamp[robot, row // TILE, column // TILE] = tick
        grids.state_stamp[robot, row // TILE, column // TILE] = tick


def expected(exchange: AlignedExchange, robot: int, origin: int, place: Transform) -> np.ndarray:
    """The slow way: own evidence where there is any, else the cell of the other's that holds the middle."""
    grids = exchange.grids
    told = exchange.known(robot, origin)
    back = place.inverse()
    merged: np.ndarray = grids.evidence[robot].astype(np.int64)
    for row, column in np.argwhere(merged == 0).tolist():
        at = FRAME.cell(*back.point(*FRAME.centre(row, column)))
        if FRAME.holds(*at):
            merged[row, column] = told[at]
    if grids.kind == "counters":
        merged = (merged & 255) + 65536 * (merged >> 8)
    return merged


def test_nothing_is_merged_while_frames_are_unknown() -> None:
    exchange = robots()
    observe(exchange, 1, 0, seed=1)
    traffic = exchange.round(LINKED, 0)
    assert traffic.bytes_received[0] > 100
    assert np.array_equal(exchange.known(0, 1), exchange.grids.evidence[1])
    assert not exchange.grids.state[0].any()
    assert exchange.told_until[0, 1] == 0
    assert exchange.merged_until.tolist() == [[-1, -1], [-1, -1]]


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
def test_all_that_was_told_enters_at_once_and_changes_follow(kind: GridKind) -> None:
    exchange = robots(kind=kind)
    observe(exchange, 1, 0, seed=1)
    observe(exchange, 0, 0, seed=2, cells=40)
    exchange.round(LINKED, 0)
    exchange.acquaintance.find(0, 1, PLACE)
    for tick in range(10, 60, 10):
        observe(exchange, 1, tick, seed=tick)
        exchange.round(LINKED, tick)
        assert exchange.merged_until[0, 1] == tick
        assert np.array_equal(exchange.grids.fused[0], expected(exchange, 0, 1, PLACE))
        assert np.array_equal(exchange.grids.fused[1], expected(exchange, 1, 0, PLACE.inverse()))
        assert np.array_equal(exchange.grids.state[0] == UNKNOWN, exchange.grids.fused[0] == 0)


def test_tiles_that_a_change_touches_are_stamped() -> None:
    exchange = robots()
    observe(exchange, 1, 0, seed=1)
    exchange.round(LINKED, 0)
    before = exchange.grids.state[0].copy()
    exchange.acquaintance.find(0, 1, PLACE)
    exchange.round(LINKED, 10)
    changed = np.argwhere(before != exchange.grids.state[0]) // TILE
    assert len(changed)
    assert (exchange.grids.state_stamp[0][changed[:, 0], changed[:, 1]] == 10).all()


def test_a_corrected_place_redraws_the_map_and_a_wrong_one_is_undone() -> None:
    exchange = robots()
    observe(exchange, 1, 0, seed=1)
    observe(exchange, 0, 0, seed=2, cells=40)
    exchange.round(LINKED, 0)
    own = exchange.grids.state[0].copy()
    exchange.acquaintance.find(0, 1, PLACE)
    exchange.round(LINKED, 10)
    better = Transform(0.75, 1.2, -2.0)
    exchange.acquaintance.find(0, 1, better)
    exchange.round(LINKED, 20)
    assert np.array_equal(exchange.grids.fused[0], expected(exchange, 0, 1, better))
    observe(exchange, 1, 30, seed=3)
    exchange.round(LINKED, 30)
    assert np.array_equal(exchange.grids.fused[0], expected(exchange, 0, 1, better))
    drawn = exchange.grids.state[0].copy()
    exchange.acquaintance.find(0, 1, None)
    exchange.round(LINKED, 40)
    assert np.array_equal(exchange.grids.state[0], own)
    changed = np.argwhere(drawn != own) // TILE
    assert (exchange.grids.state_stamp[0][changed[:, 0], changed[:, 1]] == 40).all()


def test_old_news_of_a_robot_out_of_reach_enters_as_far_as_it_was_told() -> None:
    exchange = robots(3)
    observe(exchange, 2, 0, seed=1)
    everyone = ~np.eye(3, dtype=bool)
    exchange.round(everyone, 0)
    observe(exchange, 2, 5, seed=2)
    without_0 = everyone.copy()
    without_0[0] = without_0[:, 0] = False
    exchange.round(without_0, 10)
    assert exchange.have[0, 2] < exchange.have[1, 2]
    published = exchange.known(1, 2)
    exchange.acquaintance.find(0, 2, PLACE)
    apart = everyone.copy()
    apart[2] = apart[:, 2] = apart[0] = apart[:, 0] = False
    exchange.round(apart | apart.T, 20)
    assert not exchange.grids.fused[0].any(), "robot 0 was in contact with nobody"
    contact = np.zeros((3, 3), dtype=bool)
    contact[0, 1] = contact[1, 0] = True
    exchange.round(contact, 30)
    assert np.array_equal(exchange.grids.fused[0], expected(exchange, 0, 2, PLACE))
    assert np.array_equal(exchange.known(0, 2), published)
