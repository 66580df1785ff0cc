"""Who can talk to whom: groups and hops against slow versions, and contact times worked out by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from expedition.measure.connectivity import Contacts, hops_to, largest_group

Case = tuple[int, list[tuple[int, int]]]

PAIRS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n)
    )
)  # fmt: skip


def linked(nodes: int, *pairs: tuple[int, int]) -> NDArray[np.bool_]:
    links = np.zeros((nodes, nodes), dtype=np.bool_)
    for a, b in pairs:
        links[a, b] = links[b, a] = a != b
    return links


def joined(nodes: int, pairs: list[tuple[int, int]]) -> list[set[int]]:
    groups = [{node} for node in range(nodes)]
    for a, b in pairs:
        both = next(g for g in groups if a in g) | next(g for g in groups if b in g)
        groups = [g for g in groups if not g & both] + [both]
    return groups


@settings(max_examples=60)
@given(PAIRS)
def test_largest_group_is_what_joining_pairs_one_by_one_gives(case: Case) -> None:
    robots, pairs = case
    assert largest_group(linked(robots, *pairs), robots) == max(map(len, joined(robots, pairs))) / robots


@settings(max_examples=60)
@given(PAIRS)
def test_base_joins_robots_and_is_not_counted(case: Case) -> None:
    nodes, pairs = case
    if nodes > 1:
        groups = [group - {nodes - 1} for group in joined(nodes, pairs)]
        assert largest_group(linked(nodes, *pairs), nodes - 1) == max(map(len, groups)) / (nodes - 1)


@settings(max_examples=60)
@given(PAIRS)
def test_hops_are_the_powers_of_the_links(case: Case) -> None:
    nodes, pairs = case
    links = linked(nodes, *pairs)
    reached, expected = np.eye(nodes, dtype=bool), np.full(nodes, -1)
    for count in range(nodes):
        expected[reached[:, -1] & (expected < 0)] = count
        reached = reached | (reached.astype(int) @ links.astype(int) > 0)
    assert hops_to(links, nodes - 1).tolist() == expected.tolist()


def test_links_that_work_one_way_join_nobody() -> None:
    links = np.zeros((2, 2), dtype=np.bool_)
    links[0, 1] = True
    assert largest_group(links, 2) == 0.5
    assert hops_to(links, 1).tolist() == [-1, 0]


def test_contact_with_the_base_counts_directly_and_over_others() -> None:
    contacts = Contacts(2, has_base=True)
    contacts.look(0.0, linked(3, (0, 2)))
    contacts.look(1.0, linked(3, (0, 2), (0, 1)))
    contacts.look(2.0, linked(3, (0, 1)))
    contacts.look(5.0, linked(3, (1, 2)))
    contacts.look(6.0, linked(3, (1, 2)))
    assert contacts.direct_s.tolist() == [2.0, 1.0]
    assert contacts.with_base_s.tolist() == [2.0, 2.0]
    assert contacts.longest_away_s.tolist() == [4.0, 3.0]
    assert contacts.pairs_s[0, 1] == contacts.pairs_s[1, 0] == 4.0
    assert contacts.events == [
        {"time_s": 0.0, "event": "contact", "robot": 0, "hops": 1},
        {"time_s": 1.0, "event": "contact", "robot": 1, "hops": 2},
        {"time_s": 2.0, "event": "lost contact", "robot": 0},
        {"time_s": 2.0, "event": "lost contact", "robot": 1},
        {"time_s": 5.0, "event": "contact", "robot": 1, "hops": 1},
    ]


def test_contacts_are_told_with_their_beginning_and_end() -> None:
    contacts = Contacts(2, has_base=True)
    assert contacts.table.shape == (0, 4)
    contacts.look(0.0, linked(3, (0, 2)))
    contacts.look(1.0, linked(3, (1, 0), (0, 2)))
    contacts.look(2.0, linked(3, (0, 1)))
    contacts.look(5.0, linked(3, (1, 2)))
    contacts.look(6.0, linked(3, (1, 2), (0, 1)))
    contacts.look(8.0, linked(3, (1, 2), (0, 1)))
    expected = [[0, 2, 0, 2], [0, 1, 1, 5], [1, 2, 5, 8], [0, 1, 6, 8]]
    assert contacts.table.tolist() == expected
    assert contacts.table.tolist() == expected  # Asking changes nothing.
    contacts.look(9.0, linked(3))
    assert contacts.table.tolist() == [[0, 2, 0, 2], [0, 1, 1, 5], [1, 2, 5, 9], [0, 1, 6, 9]]


@settings(max_examples=60)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_graph_of_every_moment_can_be_drawn_from_the_contacts(nodes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    contacts, graphs = Contacts(nodes - 1, has_base=True), []
    for time in range(12):
        links = rng.random((nodes, nodes)) < 0.8
        contacts.look(float(time), links)
        graphs.append(links & links.T)
    seconds = np.zeros((nodes, nodes))
    drawn = np.zeros((12, nodes, nodes), dtype=bool)
    for node, other, begin, end in contacts.table.tolist():
        drawn[int(begin) : int(end), int(node), int(other)] = True
        seconds[int(node), int(other)] += end - begin
    for time, graph in enumerate(graphs[:-1]):
        assert (drawn[time] == np.triu(graph, 1)).all()
    assert (seconds == np.triu(contacts.pairs_s, 1)).all()


def test_without_a_base_pairs_alone_are_followed() -> None:
    contacts = Contacts(2, has_base=False)
    contacts.look(0.0, linked(2, (0, 1)))
    contacts.look(3.0, linked(2))
    contacts.look(9.0, linked(2))
    assert contacts.pairs_s.tolist() == [[0.0, 3.0], [3.0, 0.0]]
    assert contacts.events == []
    assert contacts.direct_s.size == 0
