"""What nodes lack of answers, against sets of the fragments that each has."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.changes import Changes
from expedition.belief.parts import Answer, Parts, drop
from expedition.belief.versions import Link, Update
from expedition.network.fragments import fragment_sizes

NODES = 6
NOTHING = Changes(np.zeros(0, np.int32), np.zeros(0, np.int16), np.zeros(0, np.int16))


FRAGMENT = 10


def answer_of(links: list[Link], loads: list[int], first: int, last: int) -> Answer:
    """The links from `first` up to `last`, which take so many bytes each."""
    _, spans = fragment_sizes(loads[first:last], FRAGMENT)
    ends = np.array([link.following for link in links[first:last]])
    return Answer(0, links[first].version, Update(links[first:last]), np.array(spans), ends, ends)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_nodes_lack_what_leads_beyond_their_version_and_is_not_in_the_part_they_keep(seed: int) -> None:
    rng = np.random.default_rng(seed)
    links = [Link(0, 2 * number, 2 * number + 2, NOTHING) for number in range(6)]
    loads = rng.integers(1, 4 * FRAGMENT, len(links)).tolist()
    parts, nodes = Parts(NODES), np.arange(NODES)
    have = np.zeros(NODES, dtype=np.int64)
    kept: list[set[tuple[int, int]]] = [set() for _ in range(NODES)]
    for _ in range(5):
        first, last = sorted(rng.choice(len(links) + 1, 2, replace=False).tolist())
        answer = answer_of(links, loads, first, last)
        fragments: list[list[tuple[int, int]]] = [[] for _ in range(int(answer.spans[-1, 1]))]
        for number, span in zip(range(first, last), answer.spans.tolist(), strict=True):
            for piece, fragment in enumerate(range(*span)):
                fragments[fragment].append((number, piece))
        receivers = np.sort(rng.permutation(NODES)[: rng.integers(1, NODES + 1)])
        missing = parts.missing(answer, receivers, have)
        for column, node in enumerate(receivers.tolist()):
            needed = [any(links[number].following > have[node] for number, _ in pieces) for pieces in fragments]
            lacks = [need and not kept[node] & set(pieces) for need, pieces in zip(needed, fragments, strict=True)]
            assert missing[:, column].tolist() == lacks
        missing &= rng.random(missing.shape) < 0.6
        columns = np.flatnonzero(rng.random(len(receivers)) < 0.7)
        parts.keep(answer, receivers[columns], missing, columns)
        for column in columns.tolist():
            # Of small steps nothing is kept: they are a fragment, or share one.
            kept[receivers[column]] = {
                piece
                for pieces, lack in zip(fragments, missing[:, column], strict=True)
                for piece in pieces
                if not lack and loads[piece[0]] > FRAGMENT
            }
        gone = nodes[rng.random(NODES) < 0.2]
        for node in gone.tolist():
            drop(parts.number, parts.bytes, node, 0)
            kept[node] = set()
            have[node] = min(have[node] + 2, 2 * len(links))
        parts.versions(0)
    for node in nodes.tolist():
        drop(parts.number, parts.bytes, node, 0)
    assert parts.versions(0) == set()
    assert not parts.bytes.any()
