"""How a frame goes out: fragment by fragment, each perhaps lost and sent again."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.streams import mix, uniform

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Keys = NDArray[np.uint64]

HEADER_BYTES = 16
"""Of each message, and of each of its fragments: sender, receiver, time and length."""


def fragments_of(load: int, fragment_bytes: int) -> int:
    """Into how many fragments a load is cut."""
    return max(1, math.ceil(load / fragment_bytes))


def fragment_sizes(loads: Sequence[int], fragment_bytes: int) -> tuple[Integers, list[tuple[int, int]]]:
    """The bytes of the fragments into which loads that follow each other are cut, and which each load lies in.

    Small loads share a fragment; larger ones have fragments of their own, the same whatever stands before them.
    """
    sizes: list[int] = []
    spans = []
    room = 0
    for load in loads:
        if load <= room:
            sizes[-1] += load
            room -= load
            spans.append((len(sizes) - 1, len(sizes)))
            continue
        count = fragments_of(load, fragment_bytes)
        spans.append((len(sizes), len(sizes) + count))
        sizes += [fragment_bytes] * (count - 1)
        sizes.append(load - (count - 1) * fragment_bytes)
        room = fragment_bytes - load if count == 1 else 0
    return np.array(sizes, dtype=np.int64), spans


@kernel
def send_fragments(
    progress: Floats,
    missing: Booleans,
    to: Integers,
    worst: Floats,
    chances: Floats,
    sizes: Integers,
    tries: int,
    budget: float,
    keys: Keys,
    serial: int,
    received: Integers,
) -> tuple[float, int]:
    """Send on a frame with `budget` bytes of air; how many of them it took, and the bytes of all tries that were ended.

    `sizes` are those of the fragments without headers. `keys[r]` is the stream of the pair of the sender and node r,
    whose chance to receive now is `chances[r]`. Who is out of reach during any part of a fragment misses it. Cost: the
    tries times the receivers.
    """
    fragments = missing.shape[0]
    fragment, turn, left = int(progress[0]), int(progress[1]), progress[2]
    spent, sent = 0.0, 0
    while fragment < fragments:
        size = sizes[fragment] + HEADER_BYTES
        if left <= 0.0:
            if not missing[fragment].any():
                fragment += 1
                continue
            left = float(size)
            worst[:] = 1.0
        part = min(left, budget - spent)
        if part <= 0.0:
            break
        for k in range(len(to)):
            worst[k] = min(worst[k], chances[to[k]])
        spent += part
        left -= part
        if left > 1e-6:
            break
        left = 0.0
        sent += size
        for k in range(len(to)):
            if missing[fragment, k] and worst[k] > 0.0:
                counter = np.uint64(fragment) * np.uint64(tries) + np.uint64(turn)
                if uniform(mix(keys[to[k]], np.uint64(serial)), counter) < worst[k]:
                    missing[fragment, k] = False
                    received[to[k]] += size
        turn += 1
        if turn == tries or not missing[fragment].any():
            fragment += 1
            turn = 0
    progress[0], progress[1], progress[2] = fragment, turn, left
    return spent, sent
