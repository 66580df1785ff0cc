"""Who receives what on a channel that loses some of it: draws by counter, in one stream a pair of nodes and purpose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.streams import mix, uniform

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Keys = NDArray[np.uint64]

FRAGMENTS, DELAYS, BEACONS, BEACON_DELAYS, ANNOUNCEMENTS, REQUESTS = range(6)
"""What is drawn: each has streams of its own."""


@kernel
def pair_keys(keys: Keys) -> Keys:
    """(nodes, nodes): one for what node [column] sends to node [row], from the nodes' own keys."""
    nodes = len(keys)
    pairs = np.empty((nodes, nodes), np.uint64)
    for receiver in range(nodes):
        for sender in range(nodes):
            pairs[receiver, sender] = mix(keys[sender], keys[receiver])
    return pairs


@kernel
def streams(pairs: Keys, purpose: int) -> Keys:
    """The streams of some pairs for one purpose."""
    keys = np.empty(len(pairs), np.uint64)
    for k in range(len(pairs)):
        keys[k] = mix(pairs[k], np.uint64(purpose))
    return keys


@kernel
def who_sends(pairs: Keys, purpose: int, counter: int, share: Floats) -> Booleans:
    """(nodes,): whose frame goes out, where there is air for a `share` of each node's. What is drawn is its own."""
    sends = np.empty(len(share), np.bool_)
    for node in range(len(share)):
        sends[node] = uniform(mix(pairs[node, node], np.uint64(purpose)), np.uint64(counter)) < share[node]
    return sends


@kernel
def who_hears(pairs: Keys, purpose: int, counter: int, reception: Floats, share: float, sizes: Integers) -> Booleans:
    """(nodes, nodes): whether node [row] hears the frame of `sizes[column]` bytes that node [column] sends to all.

    Its chance is the reception times the `share` of frames that is not lost. Cost: the pairs.
    """
    nodes = len(reception)
    heard = np.zeros((nodes, nodes), dtype=np.bool_)
    for receiver in range(nodes):
        for sender in range(nodes):
            chance = reception[receiver, sender] * share if sizes[sender] > 0 else 0.0
            if chance >= 1.0:
                heard[receiver, sender] = True
            elif chance > 0.0:
                stream = mix(pairs[receiver, sender], np.uint64(purpose))
                heard[receiver, sender] = uniform(stream, np.uint64(counter)) < chance
    return heard


@kernel
def evenly(pairs: Keys, purpose: int, counter: int) -> Floats:
    """(nodes, nodes): a number from 0 to 1 for what node [column] sends to node [row]. Cost: the pairs."""
    drawn = np.empty(pairs.shape)
    for receiver in range(pairs.shape[0]):
        for sender in range(pairs.shape[1]):
            stream = mix(pairs[receiver, sender], np.uint64(purpose))
            drawn[receiver, sender] = uniform(stream, np.uint64(counter))
    return drawn
