"""What nodes lack of answers, against sets of the fragments that each has."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.changes import Changes
from expedition.belief.parts import Answer, Parts
from expedition.belief.versions import Link, Update

NODES = 6
NOTHING = Changes(np.zeros(0, np.int32), np.zeros(0, np.int16), np.zeros(0, np.int16))


def answer_of(links: list[Link], fragments: list[int], first: int, last: int) -> Answer:
    """The links from `first` up to `last`, of which each has so many fragments."""
    starts = np.cumsum([0, *fragments[first:last]])
    ends = np.array([link.following for link in links[first:last]])
    return Answer(0, links[first].version, Update(b"", links[first:last]), starts, ends, ends)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nodes_lack_what_leads_beyond_their_version_and_is_not_in_the_part_they_keep(seed: int) -> None:
    rng = np.random.default_rng(seed)
    links = [Link(0, 2 * number, 2 * number + 2, NOTHING) for number in range(6)]
    fragments = rng.integers(1, 4, len(links)).tolist()
    parts, nodes = Parts(NODES), np.arange(NODES)
    have = np.zeros(NODES, dtype=np.int64)
    kept: list[set[tuple[int, int]]] = [set() for _ in range(NODES)]
    for _ in range(5):
        first, last = sorted(rng.choice(len(links) + 1, 2, replace=False).tolist())
        answer = answer_of(links, fragments, first, last)
        rows = [(number, piece) for number in range(first, last) for piece in range(fragments[number])]
        receivers = np.sort(rng.permutation(NODES)[: rng.integers(1, NODES + 1)])
        missing = parts.missing(answer, receivers, have[receivers])
        for column, node in enumerate(receivers.tolist()):
            lacks = [links[row[0]].following > have[node] and row not in kept[node] for row in rows]
            assert missing[:, column].tolist() == lacks
        missing &= rng.random(missing.shape) < 0.6
        columns = np.flatnonzero(rng.random(len(receivers)) < 0.7)
        parts.keep(answer, receivers[columns], missing, columns)
        for column in columns.tolist():
            kept[receivers[column]] = {row for row, lacks in zip(rows, missing[:, column], strict=True) if not lacks}
        gone = nodes[rng.random(NODES) < 0.2]
        parts.drop(gone, 0)
        for node in gone.tolist():
            kept[node] = set()
            have[node] = min(have[node] + 2, 2 * len(links))
        parts.versions(0)
    parts.drop(nodes, 0)
    assert parts.versions(0) == set()
    assert not parts.bytes.any()
