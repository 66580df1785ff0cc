"""Evidence, cell by cell: what beams do to it, and what teammates' evidence does to a merged map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expedition.belief.changes import Changes
from expedition.belief.evidence import (
    COUNTERS,
    GREEDY,
    HIT,
    LIMIT,
    LOG_ODDS,
    MISS,
    PROBABILISTIC,
    SURE,
    THRESHOLD,
    TOTAL_LIMIT,
    believed,
    observed,
    own_changed,
    state_of,
    told,
    widened,
)
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, Grids
from expedition.belief.merging import merges
from expedition.belief.versions import Update
from expedition.errors import ExpeditionError

BEAMS = st.lists(st.booleans(), max_size=80)


@given(BEAMS)
def test_log_odds_add_up_within_their_limit_and_never_forget_that_they_were_seen(beams: list[bool]) -> None:
    evidence = 0
    for hit in beams:
        added = evidence + (HIT if hit else MISS)
        evidence = observed(LOG_ODDS, evidence, hit)
        assert evidence == max(-LIMIT, min(LIMIT, added)) or (added == 0 and abs(evidence) == 1)
        assert evidence != 0


def test_log_odds_of_nought_lean_to_what_was_seen_last() -> None:
    assert observed(LOG_ODDS, -HIT, True) == 1
    assert observed(LOG_ODDS, -MISS, False) == -1


@given(BEAMS)
def test_counters_count_until_the_total_saturates_and_then_move_the_hits_only(beams: list[bool]) -> None:
    evidence = hits = total = 0
    for hit in beams:
        if total < TOTAL_LIMIT:
            hits, total = hits + hit, total + 1
        else:
            hits = min(hits + 1, total) if hit else max(hits - 1, 0)
        evidence = observed(COUNTERS, evidence, hit)
        assert evidence == hits + 256 * total
        assert widened(COUNTERS, evidence) == hits + 65536 * total
        assert state_of(COUNTERS, widened(COUNTERS, evidence)) == (OCCUPIED if hits / total > 0.5 else FREE)


@given(st.integers(-9000, 9000))
def test_log_odds_say_occupied_or_free_from_the_threshold_on(fused: int) -> None:
    state = OCCUPIED if fused >= THRESHOLD else FREE if fused <= -THRESHOLD else UNKNOWN
    assert state_of(LOG_ODDS, fused) == state


def test_one_beam_is_enough_to_know_a_cell() -> None:
    for kind in (LOG_ODDS, COUNTERS):
        assert state_of(kind, 0) == UNKNOWN
        assert state_of(kind, widened(kind, observed(kind, 0, True))) == OCCUPIED
        assert state_of(kind, widened(kind, observed(kind, 0, False))) == FREE


VALUES = st.integers(-LIMIT, LIMIT)


@given(VALUES.filter(bool), VALUES, VALUES, st.integers(-500, 500))
def test_greedy_never_overrides_own_knowledge(own: int, old: int, new: int, fused: int) -> None:
    assert told(GREEDY, LOG_ODDS, own, old, new, fused) == fused
    assert own_changed(GREEDY, LOG_ODDS, old, own, fused) == own


@given(VALUES.filter(bool), VALUES.filter(bool), VALUES.filter(bool))
def test_greedy_unseen_cell_takes_the_first_and_follows_it(first: int, later: int, other: int) -> None:
    assert told(GREEDY, LOG_ODDS, 0, 0, first, 0) == first
    assert told(GREEDY, LOG_ODDS, 0, first, later, first) == later
    if other != first:
        assert told(GREEDY, LOG_ODDS, 0, other, later, first) == first


@given(st.lists(st.tuples(st.integers(0, 3), VALUES), max_size=30))
def test_probabilistic_counts_the_newest_of_each_once(sayings: list[tuple[int, int]]) -> None:
    newest, fused = [0, 0, 0, 0], 0
    for who, value in sayings:
        if who == 0:
            fused = own_changed(PROBABILISTIC, LOG_ODDS, newest[0], value, fused)
        else:
            fused = told(PROBABILISTIC, LOG_ODDS, newest[0], newest[who], value, fused)
        newest[who] = value
    assert fused == sum(newest)


def test_merges_have_names() -> None:
    assert {"greedy", "probabilistic"} <= set(merges.names())
    with pytest.raises(ExpeditionError, match="greedy"):
        merges.make("greedi")


def test_counters_of_too_large_a_fleet_are_refused() -> None:
    grids = Grids(32767 // TOTAL_LIMIT + 1, Frame((0.0, 0.0), 0.2, TILE, TILE), "counters")
    nothing = np.empty(0, dtype=np.int64)
    cell = Changes(np.zeros(1, np.int32), np.zeros(1, np.int16), np.ones(1, np.int16))
    with pytest.raises(ExpeditionError, match="log-odds"):
        merges.make("probabilistic").take(grids, nothing, [Update.of(cell)], nothing, nothing, nothing, 0)


def test_robot_acts_on_walls_that_it_saw_itself_whatever_others_sum_up_to() -> None:
    assert believed(LOG_ODDS, SURE, -500) == OCCUPIED
    assert believed(LOG_ODDS, -LIMIT, 500) == FREE
    assert believed(LOG_ODDS, 1, -500) == FREE
    assert believed(LOG_ODDS, 0, 500) == OCCUPIED
    assert believed(LOG_ODDS, 0, 0) == UNKNOWN
    assert believed(COUNTERS, 20 + 256 * TOTAL_LIMIT, 65536 * 400) == OCCUPIED
    assert believed(COUNTERS, 1 + 256, 65536 * 400) == FREE
