"""Map exchange between robots that meet and part, against a fleet that keeps everything it was ever told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.changes import HEADER, Changes, decode_changes, encode_changes
from expedition.belief.evidence import GREEDY, KINDS, LIMIT, SURE, THRESHOLD, TOTAL_LIMIT, believed, own_changed
from expedition.belief.exchange import FORGETS_EVERY, REQUEST_BYTES, Exchange
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, Grids
from expedition.belief.merging import merges

FRAME = Frame((0.0, 0.0), 0.2, 2 * TILE, 3 * TILE)


class Fleet:
    """Grids, their exchange, and random own evidence that enters maps as the mapper would bring it in."""

    def __init__(self, robots: int, merge: str, kind: str = "log-odds", frame: Frame = FRAME) -> None:
        self.grids = Grids(robots, frame, kind)  # type: ignore[arg-type]
        self.merge = merges.make(merge)
        self.exchange = Exchange(self.grids, self.merge)
        self.tick = 0

    def see(self, robot: int, cell: tuple[int, int], value: int) -> None:
        """Set the robot's own evidence of a cell."""
        grids, kind = self.grids, KINDS[self.grids.kind]
        at = (robot, *cell)
        fused = own_changed(self.merge.own, kind, int(grids.evidence[at]), value, int(grids.fused[at]))
        grids.evidence[at], grids.fused[at], grids.state[at] = value, fused, believed(kind, value, fused)
        tile = (robot, cell[0] // TILE, cell[1] // TILE)
        grids.evidence_stamp[tile] = grids.state_stamp[tile] = self.tick

    def see_anywhere(self, robot: int, rng: np.random.Generator, cells: int = 40) -> None:
        """Set random evidence in random cells."""
        for _ in range(cells):
            cell = (int(rng.integers(self.grids.frame.rows)), int(rng.integers(self.grids.frame.columns)))
            value = int(rng.integers(1, 71)) * int(rng.choice([-1, 1]))
            if self.grids.kind == "counters":
                total = int(rng.integers(1, 21))
                value = int(rng.integers(0, total + 1)) + 256 * total
            self.see(robot, cell, value)

    def meet(self, *pairs: tuple[int, int]) -> int:
        """One round with these pairs in contact; returns the bytes of maps that travelled."""
        robots = len(self.grids.evidence)
        links = np.zeros((robots, robots), dtype=bool)
        for one, other in pairs:
            links[one, other] = links[other, one] = True
        traffic = self.exchange.round(links, self.tick)
        self.tick += 1
        assert traffic.bytes_sent.sum() <= traffic.bytes_received.sum()  # A request goes out once and reaches many.
        return int(traffic.bytes_received.sum()) - int(links.sum()) * (REQUEST_BYTES + 4 * robots)

    def meet_all(self) -> int:
        """One round in which everyone is in contact with everyone."""
        robots = range(len(self.grids.evidence))
        return self.meet(*((one, other) for one in robots for other in robots if one < other))

    def sum_of_evidence(self) -> np.ndarray:
        """Everyone's evidence, added up."""
        return wide(self.grids.evidence, self.grids.kind).sum(axis=0)


def wide(evidence: np.ndarray, kind: str) -> np.ndarray:
    """Own evidence in the units of merged evidence."""
    evidence = evidence.astype(np.int64)
    return evidence if kind == "log-odds" else evidence % 256 + 65536 * (evidence // 256)


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1]), max_size=5)
HISTORY = st.lists(st.tuples(st.lists(st.integers(0, 4), max_size=3), PAIRS), max_size=12)


@settings(max_examples=60)
@given(HISTORY, st.integers(0, 2**32 - 1), st.sampled_from(sorted(KINDS)))
def test_after_any_meetings_probabilistic_maps_are_the_sum_of_all_evidence_once_all_have_met(
    history: list[tuple[list[int], list[tuple[int, int]]]], seed: int, kind: str
) -> None:
    fleet, rng = Fleet(5, "probabilistic", kind), np.random.default_rng(seed)
    for seeing, pairs in history:
        for robot in seeing:
            fleet.see_anywhere(robot, rng, 15)
        fleet.meet(*pairs)
    fleet.meet_all()
    for fused in fleet.grids.fused:
        np.testing.assert_array_equal(fused, fleet.sum_of_evidence())
    check_states(fleet)
    for _ in range(FORGETS_EVERY):
        fleet.meet_all()
    assert all(not versions.links for versions in fleet.exchange.versions)


@settings(max_examples=60)
@given(HISTORY, st.integers(0, 2**32 - 1), st.sampled_from(sorted(KINDS)))
def test_at_any_moment_a_probabilistic_map_is_the_own_evidence_and_what_was_heard_of_each_origin_once(
    history: list[tuple[list[int], list[tuple[int, int]]]], seed: int, kind: str
) -> None:
    fleet, rng = Fleet(5, "probabilistic", kind), np.random.default_rng(seed)
    for seeing, pairs in history:
        for robot in seeing:
            fleet.see_anywhere(robot, rng, 15)
        fleet.meet(*pairs)
        for robot in range(5):
            heard = [fleet.exchange.known(robot, origin) for origin in range(5) if origin != robot]
            expected = wide(fleet.grids.evidence[robot], kind) + sum(wide(evidence, kind) for evidence in heard)
            np.testing.assert_array_equal(fleet.grids.fused[robot], expected)
        check_states(fleet)


@settings(max_examples=60)
@given(HISTORY, st.integers(0, 2**32 - 1), st.sampled_from(sorted(KINDS)))
def test_greedy_maps_hold_own_evidence_where_there_is_any_and_else_what_someone_said(
    history: list[tuple[list[int], list[tuple[int, int]]]], seed: int, kind: str
) -> None:
    fleet, rng = Fleet(5, "greedy", kind), np.random.default_rng(seed)
    for seeing, pairs in history:
        for robot in seeing:
            fleet.see_anywhere(robot, rng, 15)
        fleet.meet(*pairs)
        for robot in range(5):
            own, fused = wide(fleet.grids.evidence[robot], kind), fleet.grids.fused[robot]
            told = np.array([fleet.exchange.known(robot, origin) for origin in range(5) if origin != robot])
            heard = wide(told, kind)
            np.testing.assert_array_equal(fused[own != 0], own[own != 0])
            unseen = own == 0
            np.testing.assert_array_equal((fused != 0)[unseen], (heard != 0).any(axis=0)[unseen])
            assert ((fused == heard).any(axis=0) | ~unseen).all()
        check_states(fleet)


def check_states(fleet: Fleet) -> None:
    """Robots act on what they are sure of themselves, else on merged evidence."""
    fused, own = fleet.grids.fused, fleet.grids.evidence
    if fleet.grids.kind == "log-odds":
        cases = [own >= SURE, own <= -LIMIT, fused >= THRESHOLD, fused <= -THRESHOLD]
        expected = np.select(cases, [OCCUPIED, FREE, OCCUPIED, FREE], UNKNOWN)
    else:
        hits, total = fused % 65536, fused // 65536
        sure, own_hits = own // 256 >= TOTAL_LIMIT, own % 256
        cases = [sure & (2 * own_hits > own // 256), sure, total == 0, 2 * hits > total]
        expected = np.select(cases, [OCCUPIED, FREE, UNKNOWN, OCCUPIED], FREE)
    np.testing.assert_array_equal(fleet.grids.state, expected)


def test_news_travels_one_hop_a_round() -> None:
    fleet = Fleet(4, "greedy")
    fleet.see(0, (3, 4), -20)
    chain = ((0, 1), (1, 2), (2, 3))
    for reached in (1, 2, 3):
        fleet.meet(*chain)
        assert (fleet.grids.fused[:, 3, 4] == -20).tolist() == [robot <= reached for robot in range(4)]


def test_a_map_handed_on_by_a_relay_is_as_the_relay_got_it() -> None:
    fleet = Fleet(3, "probabilistic")
    fleet.see(0, (0, 0), -20)
    fleet.meet((0, 1))
    fleet.see(0, (0, 0), -40)
    fleet.meet((1, 2))
    assert fleet.grids.fused[:, 0, 0].tolist() == [-40, -20, -20]
    fleet.meet((0, 2))
    fleet.meet((1, 2))
    assert fleet.grids.fused[:, 0, 0].tolist() == [-40, -40, -40]


def test_of_two_relays_the_one_with_more_news_answers() -> None:
    fleet = Fleet(4, "probabilistic")
    for value, relays in ((-20, (1, 2)), (-40, (1,))):
        fleet.see(0, (0, 0), value)
        fleet.meet(*((0, relay) for relay in relays))
    fleet.meet((1, 3), (2, 3))
    assert fleet.grids.fused[:, 0, 0].tolist() == [-40, -40, -20, -40]
    fleet.meet((1, 3), (2, 3))
    assert fleet.grids.fused[2, 0, 0] == -40


def test_nothing_travels_twice() -> None:
    fleet = Fleet(4, "probabilistic")
    for robot in range(4):
        fleet.see_anywhere(robot, np.random.default_rng(robot))
    assert fleet.meet_all() > 0
    assert fleet.meet_all() == 0
    assert fleet.meet((0, 1), (2, 3)) == 0


@pytest.mark.parametrize("merge", ["greedy", "probabilistic"])
def test_robot_that_was_away_for_long_gets_exactly_what_it_missed(merge: str) -> None:
    fleet, rng = Fleet(3, merge), np.random.default_rng(1)
    fleet.see_anywhere(0, rng)
    fleet.meet_all()
    before = fleet.grids.evidence[0].copy()
    for _ in range(100):
        fleet.see_anywhere(0, rng, 3)
        fleet.meet((0, 1))
    after = fleet.grids.evidence[0]
    # A greedy merge asks for the cells whose state changed, a probabilistic one for every change of evidence.
    changed = np.sign(before) != np.sign(after) if merge == "greedy" else before != after
    taken = len(fleet.exchange.versions[0].between(1, 101))
    assert taken == changed.sum()
    fleet.meet((1, 2))
    if merge == "greedy":
        np.testing.assert_array_equal(np.sign(fleet.exchange.known(2, 0)), np.sign(after))
    else:
        np.testing.assert_array_equal(fleet.exchange.known(2, 0), after)
    np.testing.assert_array_equal(fleet.grids.fused[2], fleet.grids.fused[1])


def test_chain_of_versions_stays_short_while_a_robot_is_away() -> None:
    fleet, rng = Fleet(3, "probabilistic"), np.random.default_rng(1)
    for _ in range(200):
        fleet.see_anywhere(0, rng, 3)
        fleet.meet((0, 1))
    links = fleet.exchange.versions[0].links
    assert len(links) <= 12
    assert sum(len(link.changes) for link in links) <= 2 * FRAME.rows * FRAME.columns
    assert len(fleet.exchange.versions[0]._updates) <= FORGETS_EVERY


def test_robot_alone_keeps_no_versions() -> None:
    fleet, rng = Fleet(2, "probabilistic"), np.random.default_rng(1)
    for _ in range(5):
        fleet.see_anywhere(0, rng)
        assert fleet.meet() == 0
    assert fleet.exchange.versions[0].latest == 0
    fleet.meet((0, 1))
    assert fleet.exchange.versions[0].latest == 1
    np.testing.assert_array_equal(fleet.grids.fused[1], fleet.grids.evidence[0])


def test_evidence_of_a_scan_that_follows_the_exchange_in_the_same_tick_is_told_next_time() -> None:
    fleet = Fleet(2, "probabilistic")
    fleet.see(0, (1, 1), 17)
    fleet.meet((0, 1))
    fleet.tick -= 1
    fleet.see(0, (1, 2), 17)
    fleet.tick += 1
    fleet.meet((0, 1))
    assert fleet.grids.fused[1, 1, 2] == 17


def test_who_only_hears_takes_no_part() -> None:
    fleet = Fleet(2, "probabilistic")
    fleet.see(0, (1, 1), 17)
    traffic = fleet.exchange.round(np.array([[False, False], [True, False]]), 0)
    assert traffic.bytes_received.sum() == 0
    assert fleet.grids.fused[1, 1, 1] == 0


def test_only_tiles_whose_state_changed_are_stamped() -> None:
    fleet = Fleet(2, "probabilistic")
    fleet.see(1, (20, 40), 34)
    fleet.see(0, (3, 20), -8)
    fleet.see(0, (20, 40), 17)
    fleet.tick = 7
    fleet.meet((0, 1))
    assert np.argwhere(fleet.grids.state_stamp[1] == 7).tolist() == [[0, 1]]
    assert not (fleet.grids.evidence_stamp[1] == 7).any()


def test_bytes_counted_are_those_encoded() -> None:
    fleet = Fleet(3, "probabilistic")
    fleet.see_anywhere(0, np.random.default_rng(5))
    fleet.see_anywhere(2, np.random.default_rng(6))
    links = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    first = fleet.exchange.round(links, 0)
    request = REQUEST_BYTES + 4 * 3
    maps = [len(encoded(fleet, origin)) for origin in range(3)]
    assert first.bytes_sent.tolist() == [request + maps[0], request, request + maps[2]]
    assert first.bytes_received.tolist() == [request, 2 * request + maps[0] + maps[2], request]
    assert first.messages_sent.tolist() == [2, 1, 2]
    second = fleet.exchange.round(links, 1)
    assert second.bytes_sent.tolist() == [request, request + maps[0] + maps[2], request]


def encoded(fleet: Fleet, origin: int) -> bytes:
    """What brings who knows nothing of `origin` up to date, from its evidence."""
    cells, new = [], []
    for tile in range(6):
        top, left = tile // 3 * TILE, tile % 3 * TILE
        values = fleet.grids.evidence[origin, top : top + TILE, left : left + TILE].ravel()
        cells.extend((tile * 256 + np.flatnonzero(values)).tolist())
        new.extend(values[values != 0].tolist())
    after = np.array(new, dtype=np.int16)
    return encode_changes(Changes(np.array(cells, dtype=np.int32), np.zeros_like(after), after), origin, 0, 1)


CELLS = st.dictionaries(st.integers(0, 40_000_000), st.integers(-(2**15), 2**15 - 1), max_size=300)


@settings(max_examples=100)
@given(CELLS)
def test_changes_arrive_as_they_were_sent(values: dict[int, int]) -> None:
    cells = np.array(sorted(values), dtype=np.int32)
    new = np.array([values[cell] for cell in cells.tolist()], dtype=np.int16)
    data = encode_changes(Changes(cells, np.zeros_like(new), new), 3, 4, 9)
    arrived, told = decode_changes(data)
    np.testing.assert_array_equal(arrived, cells)
    np.testing.assert_array_equal(told, new)
    assert np.frombuffer(data[: HEADER.size], dtype="<u4").tolist() == [3, 4, 9]


@settings(max_examples=100)
@given(st.lists(st.dictionaries(st.integers(0, 12), st.integers(-2, 2), max_size=8), max_size=4))
def test_changes_one_after_another_are_what_a_dictionary_says(steps: list[dict[int, int]]) -> None:
    first = dict.fromkeys(range(13), 0)
    now = dict(first)
    joined = changes_of({}, {})
    for step in steps:
        following = {**now, **step}
        joined = joined.then(changes_of(now, following))
        now = following
    expected = changes_of(first, now)
    for one, other in ((joined.cells, expected.cells), (joined.old, expected.old), (joined.new, expected.new)):
        np.testing.assert_array_equal(one, other)


def changes_of(before: dict[int, int], after: dict[int, int]) -> Changes:
    cells = sorted(cell for cell in after if after[cell] != before[cell])
    return Changes(
        np.array(cells, dtype=np.int32),
        np.array([before[cell] for cell in cells], dtype=np.int16),
        np.array([after[cell] for cell in cells], dtype=np.int16),
    )


def test_work_follows_the_change_and_not_the_map() -> None:
    for size in (2, 8):
        fleet = Fleet(3, "probabilistic", frame=Frame((0.0, 0.0), 0.2, size * TILE, size * TILE))
        fleet.see(0, (1, 1), 17)
        fleet.see(0, (20, 20), 17)
        fleet.meet((0, 1))
        assert len(fleet.exchange.versions[0].between(0, 1)) == 2
        fleet.see(0, (20, 20), 34)
        fleet.meet((0, 1))
        assert len(fleet.exchange.versions[0].between(0, 2)) == 2
        assert fleet.meet((0, 1)) == 0


def test_fleet_of_one_exchanges_nothing_and_keeps_nothing() -> None:
    fleet = Fleet(1, "greedy")
    assert fleet.merge.own == GREEDY
    fleet.see(0, (1, 1), 17)
    traffic = fleet.exchange.round(np.zeros((1, 1), dtype=bool), 0)
    assert traffic.bytes_sent.tolist() == [0]
    assert fleet.exchange._published.size == 0
