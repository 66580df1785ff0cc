"""Who can talk to whom: groups, hops to the base station, and when and how long nodes were in contact.

Links are those of the channel of maps and count where they work both ways. The base station is the node after the
robots; it forwards, as robots do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


class Contacts:
    """When and how long pairs of nodes were in contact, and each robot with the base station, directly or over others.

    It looks now and then; what it sees holds until it looks again.
    """

    def __init__(self, robots: int, has_base: bool) -> None:
        nodes = robots + has_base
        self.pairs_s: Floats = np.zeros((nodes, nodes))
        """Seconds in which two nodes heard each other."""
        self.with_base_s: Floats = np.zeros(robots)
        """(robots,): seconds in contact with the base, directly or over others."""
        self.longest_away_s: Floats = np.zeros(robots)
        """(robots,): the longest time out of contact with it, in seconds."""
        self.events: list[dict[str, Any]] = []
        """When contact with the base began and ended."""
        self._has_base = has_base
        self._time: float | None = None
        self._pairs: Booleans = np.zeros((nodes, nodes), dtype=np.bool_)
        self._since: Floats = np.zeros((nodes, nodes))
        self._over: list[Floats] = []
        self._reached: Booleans = np.zeros(robots, dtype=np.bool_)
        self._away: Floats = np.zeros(robots)

    @property
    def direct_s(self) -> Floats:
        """(robots,): seconds in which each robot and the base heard each other; nothing without a base."""
        return self.pairs_s[:-1, -1] if self._has_base else np.zeros(0)

    @property
    def table(self) -> Floats:
        """(contacts, 4): node, other node, and from when to when they heard each other, in seconds, as they began.

        Of two nodes the one with the lower number is first; what still lasts goes up to the last look.
        """
        rows = np.concatenate([*self._over, self._rows(self._pairs, self._time or 0.0)])
        return rows[np.lexsort((rows[:, 1], rows[:, 0], rows[:, 2]))]

    def _rows(self, pairs: Booleans, until: float) -> Floats:
        """Rows of the table for contacts that last until some time. Cost: the pairs of nodes."""
        node, other = np.nonzero(np.triu(pairs, 1))
        return np.column_stack([node, other, self._since[node, other], np.full(len(node), until)])

    def look(self, time: float, links: Booleans) -> None:
        """See who is in contact now; `links[r, o]` says whether node r hears node o."""
        seconds = 0.0 if self._time is None else time - self._time
        self._time = time
        self.pairs_s += seconds * self._pairs
        pairs = links & links.T
        if (changed := pairs != self._pairs).any():
            self._over.append(self._rows(changed & self._pairs, time))
            self._since[changed & pairs] = time
        self._pairs = pairs
        if not self._has_base:
            return
        self.with_base_s[self._reached] += seconds
        self._away = np.where(self._reached, 0.0, self._away + seconds)
        self.longest_away_s = np.maximum(self.longest_away_s, self._away)
        hops = hops_to(links, len(links) - 1)[:-1]
        reached = hops > 0
        for robot in np.flatnonzero(reached != self._reached).tolist():
            event = {"time_s": time, "event": "contact" if reached[robot] else "lost contact", "robot": robot}
            self.events.append({**event, "hops": int(hops[robot])} if reached[robot] else event)
        self._reached = reached


@kernel
def hops_to(links: Booleans, target: int) -> Integers:
    """(nodes,): over how many links each node reaches the target at least, -1 if it cannot. Cost: the pairs."""
    nodes = len(links)
    hops = np.full(nodes, -1)
    waiting = np.empty(nodes, np.int64)
    hops[target] = 0
    waiting[0] = target
    begin, end = 0, 1
    while begin < end:
        node = waiting[begin]
        begin += 1
        for other in range(nodes):
            if hops[other] < 0 and links[node, other] and links[other, node]:
                hops[other] = hops[node] + 1
                waiting[end] = other
                end += 1
    return hops


@kernel
def largest_group(links: Booleans, robots: int) -> float:
    """The share of robots in the largest group joined by links that work both ways. Cost: the pairs of nodes.

    Robots are the first `robots` nodes; the others join groups without being counted.
    """
    nodes = len(links)
    is_grouped = np.zeros(nodes, np.bool_)
    waiting = np.empty(nodes, np.int64)
    largest = 0
    for first in range(nodes):
        if is_grouped[first]:
            continue
        is_grouped[first] = True
        waiting[0] = first
        begin, end, counted = 0, 1, 0
        while begin < end:
            node = waiting[begin]
            begin += 1
            counted += node < robots
            for other in range(nodes):
                if not is_grouped[other] and links[node, other] and links[other, node]:
                    is_grouped[other] = True
                    waiting[end] = other
                    end += 1
        largest = max(largest, counted)
    return largest / robots
