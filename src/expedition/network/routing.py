"""Over whom a message travels: along the fewest links, those that hold now.

A routing protocol that knows the links of the moment stands behind it, whose own traffic is not counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.network.frames import Frame

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

NO_WAY = 1_000_000


class Routes:
    """The ways over the links of one moment, `links[r, s]` telling whether r hears s; worked out when asked for."""

    def __init__(self, links: Booleans) -> None:
        self._links = links
        self._distances: dict[int, Integers] = {}

    def next_hop(self, node: int, destination: int, hops: int) -> int | None:
        """To whom to hand a message for `destination` that may take `hops` links; of equals the first."""
        if destination not in self._distances:
            self._distances[destination] = links_to(self._links, destination)
        distances = self._distances[destination]
        if distances[node] > hops:
            return None
        nearer = self._links[:, node] & (distances == distances[node] - 1)
        return int(np.argmax(nearer))

    def choose_way(self, frame: Frame) -> bool:
        """Choose to whom a frame goes that has a destination; whether there is a way."""
        if frame.destination is None:
            return True
        following: int | None = frame.destination
        if frame.hops > 1:
            following = self.next_hop(frame.sender, frame.destination, frame.hops)
        if following is None:
            return False
        frame.to = np.array([following])
        return True


@kernel
def links_to(links: Booleans, destination: int) -> Integers:
    """The fewest links from each node to the destination; `NO_WAY` where there is none. Cost: the pairs."""
    nodes = len(links)
    distances = np.full(nodes, NO_WAY, np.int64)
    queue = np.empty(nodes, np.int64)
    distances[destination] = 0
    queue[0] = destination
    first, last = 0, 1
    while first < last:
        at = queue[first]
        first += 1
        for sender in range(nodes):
            if links[at, sender] and distances[sender] == NO_WAY:
                distances[sender] = distances[at] + 1
                queue[last] = sender
                last += 1
    return distances
