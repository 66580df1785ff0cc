"""That many updates at once give the maps that each of them gives cell by cell, whatever versions receivers are at."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.changes import Changes, decode_changes, encode_changes, tile_of
from expedition.belief.evidence import GREEDY, KINDS, believed, told, widened
from expedition.belief.grid import TILE, Frame, Grids
from expedition.belief.merging import merges
from expedition.belief.versions import Versions

FRAME = Frame((0.0, 0.0), 0.2, 2 * TILE, 3 * TILE)
CELLS_IN_ALL = FRAME.rows * FRAME.columns
ROBOTS = 5


def some_value(rng: np.random.Generator, kind: str) -> int:
    if kind == "log-odds":
        return int(rng.integers(1, 71)) * int(rng.choice([-1, 1]))
    total = int(rng.integers(1, 21))
    return int(rng.integers(0, total + 1)) + 256 * total


def next_changes(rng: np.random.Generator, evidence: np.ndarray, kind: str) -> Changes:
    """Change some cells of evidence, a vector over cells numbered tile by tile."""
    cells = np.sort(rng.choice(len(evidence), int(rng.integers(1, 300)), replace=False)).astype(np.int32)
    old = evidence[cells].copy()
    new = np.array([some_value(rng, kind) for _ in cells], dtype=np.int16)
    evidence[cells] = new
    differs = old != new
    return Changes(cells[differs], old[differs], new[differs])


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(KINDS)), st.integers(1, 6))
def test_greedy_merge_is_that_of_every_cell_by_itself(seed: int, kind: str, rounds: int) -> None:
    rng = np.random.default_rng(seed)
    grids, slow = (Grids(ROBOTS, FRAME, kind) for _ in range(2))  # type: ignore[arg-type]
    merge = merges.make("greedy")
    evidence = np.zeros((ROBOTS, CELLS_IN_ALL), dtype=np.int16)
    chains = [Versions(origin) for origin in range(ROBOTS)]
    have = np.zeros((ROBOTS, ROBOTS), dtype=np.int64)
    for tick in range(rounds):
        for map_ in (grids, slow):
            see_something(np.random.default_rng((seed, tick)), map_)
        rows = []
        for origin, chain in enumerate(chains):
            chain.cut(next_changes(rng, evidence[origin], kind), tick)
            oldest = int(have[:, origin].min())
            update = chain.update_in_steps(oldest, chain.latest)
            for receiver in rng.permutation(ROBOTS)[: rng.integers(ROBOTS + 1)].tolist():
                had = int(have[receiver, origin])
                have[receiver, origin] = rng.integers(had + 1, chain.latest + 1)
                rows.append((receiver, update, had, int(have[receiver, origin])))
        if rows:
            updates = list(dict.fromkeys(update for _, update, _, _ in rows))
            which = np.array([updates.index(update) for _, update, _, _ in rows])
            receivers, had_each, versions = np.array([(receiver, had, version) for receiver, _, had, version in rows]).T
            merge.take(grids, receivers, updates, which, had_each, versions, tick)
            for receiver, update, had, version in rows:
                for step in update.steps:
                    if had <= step.version < version:
                        take_slowly(slow, receiver, step.changes, tick)
        for layer in ("fused", "state", "state_stamp"):
            np.testing.assert_array_equal(getattr(grids, layer), getattr(slow, layer))


def see_something(rng: np.random.Generator, grids: Grids) -> None:
    """Robots see a few cells themselves, as the mapper would bring it in."""
    kind = KINDS[grids.kind]
    for robot, row, column in rng.integers((ROBOTS, FRAME.rows, FRAME.columns), size=(100, 3)).tolist():
        value = some_value(rng, grids.kind)
        grids.evidence[robot, row, column] = value
        grids.fused[robot, row, column] = widened(kind, value)
        grids.state[robot, row, column] = believed(kind, value, widened(kind, value))


def take_slowly(grids: Grids, receiver: int, changes: Changes, tick: int) -> None:
    kind = KINDS[grids.kind]
    flat = changes.flat(FRAME.columns).tolist()
    for at, old, new in zip(flat, changes.old.tolist(), changes.new.tolist(), strict=True):
        row, column = divmod(at, FRAME.columns)
        cell = (receiver, row, column)
        own = int(grids.evidence[cell])
        grids.fused[cell] = told(GREEDY, kind, own, old, new, int(grids.fused[cell]))
        seen = believed(kind, own, int(grids.fused[cell]))
        if seen != grids.state[cell]:
            grids.state[cell] = seen
            grids.state_stamp[receiver, row // TILE, column // TILE] = tick


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_what_is_merged_is_what_the_bytes_say(seed: int, cuts: int) -> None:
    rng = np.random.default_rng(seed)
    evidence = np.zeros(CELLS_IN_ALL, dtype=np.int16)
    chain = Versions(3)
    for _ in range(cuts):
        chain.cut(next_changes(rng, evidence, "log-odds"))
    update = chain.update(0, cuts)
    cells, new = decode_changes(update.data)
    assert cells.tolist() == update.changes.cells.tolist()
    assert new.tolist() == update.changes.new.tolist()
    assert update.data == encode_changes(update.changes, 3, 0, cuts)
    steps = chain.update_in_steps(0, cuts)
    assert steps.data == b"".join(encode_changes(step.changes, 3, step.version, step.following) for step in steps.steps)
    assert (steps.changes.cells == update.changes.cells).all()
    assert (steps.changes.new == update.changes.new).all()


def test_bits_of_tiles_say_where_cells_and_their_values_are() -> None:
    rng = np.random.default_rng(1)
    for size in (0, 1, 2, 300, CELLS_IN_ALL):
        cells = np.sort(rng.choice(CELLS_IN_ALL, size, replace=False)).astype(np.int32)
        tiles = Changes(cells, np.zeros(size, np.int16), np.ones(size, np.int16)).tiles
        found: list[int] = []
        for where, *words in tiles:
            number, before = tile_of(where)
            assert before == len(found)
            for word, bits in enumerate(words):
                found += [number * TILE * TILE + 64 * word + bit for bit in range(64) if int(bits) >> bit & 1]
        assert found == cells.tolist()
