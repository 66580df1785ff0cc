"""The greedy merge of many updates into many maps: who tells of a cell first is believed, others are passed over.

Robots that explore together are told of most cells many times over, and only the first time counts. So a bit a cell
says whether a robot may still know nothing of it, and four words a tile find what is news among 256 cells. Only changes
of mind, where who tells had told otherwise before, are looked at one by one; they are few.

Holds where no robot forgets what it knows: in terrains that stand still.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expedition.belief.changes import CELLS, Int16s, Int32s, in_a_row, starts_of, tile_of
from expedition.belief.evidence import believed, widened
from expedition.belief.grid import TILE, WORDS, Words
from expedition.belief.versions import Update
from expedition.kernels import kernel

Integers = NDArray[np.int64]
Layers = tuple[Int16s, Int32s, NDArray[np.uint8], Integers]
"""Evidence, merged evidence, state and the state's stamps of all robots."""

WORD = 64
FEW, ONE, NOTHING = np.uint64(58), np.uint64(1), np.uint64(0)
SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
"""Of de Bruijn: shifted left by 0 to 63, its upper six bits are different each time."""
NUMBER_OF = np.zeros(WORD, dtype=np.int64)
"""The number of a bit, by the upper six bits of the sequence times that bit."""
for _bit in range(WORD):
    NUMBER_OF[((int(SEQUENCE) << _bit) % 2**WORD) >> int(FEW)] = _bit


class Told(NamedTuple):
    """Updates one after the other, each of several links, and where the parts of each link start.

    Several updates may have links in common, which are there once.
    """

    step_starts: Integers
    """Where the links of each update start in the next two."""
    links: Integers
    versions: Integers
    """From which each link leads on, ..."""
    following: Integers
    """... and to which."""
    tile_starts: Integers
    tiles: Words
    value_starts: Integers
    values: Int16s
    revised_starts: Integers
    revised: Int32s
    """(cells, 3): those of which who tells had told otherwise before, what it had told, and what it tells."""


def take_first_told(
    kind: int,
    tick: int,
    layers: Layers,
    untold: Words,
    receivers: Integers,
    updates: Sequence[Update],
    which: Integers,
    had: Integers,
    versions: Integers,
) -> None:
    """Bring `updates[which[k]]` from `had[k]` to `versions[k]` into the map of `receivers[k]`, for k in order."""
    steps = [step for update in updates for step in update.steps]
    links = {id(step): step for step in steps}
    numbers = dict(zip(links, range(len(links)), strict=True))
    changes = [link.changes for link in links.values()]
    tiles, values, revised = zip(*[(each.tiles, each.new, each.revised) for each in changes], strict=True)
    _take_all(
        kind, tick, layers, untold, receivers, which, had, versions,
        Told(
            starts_of([len(update.steps) for update in updates]),
            np.array([numbers[id(step)] for step in steps]),
            np.array([step.version for step in steps]),
            np.array([step.following for step in steps]),
            *in_a_row(tiles), *in_a_row(values), *in_a_row(revised),
        ),
    )  # fmt: skip


@kernel
def _take_all(
    kind: int,
    tick: int,
    layers: Layers,
    untold: Words,
    receivers: Integers,
    which: Integers,
    had: Integers,
    versions: Integers,
    news: Told,
) -> None:
    """Update merged evidence and state; stamp the tiles whose state changed.

    Invariant: a bit of `untold` is clear only where a robot has evidence, its own or merged, and merged evidence is not
    zero where own is not. Cost: the tiles told, and the cells that are news.
    """
    evidence, fused, state, stamp = layers
    own, merged, states, stamps = evidence.ravel(), fused.ravel(), state.ravel(), stamp.ravel()
    tiles = news.tiles
    rows, columns = fused.shape[1:]
    across = columns // TILE
    for k in range(len(receivers)):
        receiver, update = receivers[k], which[k]
        # Indices into everyone's layers: views of one robot's would cost more than what is done with them.
        tile_0, cell_0 = receiver * untold.shape[1], receiver * rows * columns
        for step in range(news.step_starts[update], news.step_starts[update + 1]):
            if news.versions[step] < had[k] or news.following[step] > versions[k]:
                continue
            link = news.links[step]
            for at in range(news.tile_starts[link], news.tile_starts[link + 1]):
                tile, start = tile_of(tiles[at, 0])
                # Mostly there is no news in a tile: one look at all words, without branches, is enough for that.
                news_there = NOTHING
                for word in range(WORDS):
                    news_there |= untold[receiver, tile, word] & tiles[at, 1 + word]
                if news_there == 0:
                    continue
                start += news.value_starts[link]
                corner = cell_0 + tile // across * (TILE * columns) + tile % across * TILE
                for word in range(WORDS):
                    bits = tiles[at, 1 + word]
                    first = untold[receiver, tile, word] & bits
                    untold[receiver, tile, word] ^= first
                    while first != 0:
                        bit = first & (~first + ONE)
                        first ^= bit
                        inside = word * WORD + NUMBER_OF[(bit * SEQUENCE) >> FEW]
                        cell = corner + inside // TILE * columns + inside % TILE
                        if merged[cell] == 0:
                            merged[cell] = widened(kind, news.values[start + _count(bits & (bit - ONE))])
                            states[cell] = believed(kind, 0, merged[cell])
                            stamps[tile_0 + tile] = tick
                    start += _count(bits)
            for index in range(news.revised_starts[link], news.revised_starts[link + 1]):
                told, before, now = news.revised[index]
                tile, inside = told // CELLS, told % CELLS
                corner = cell_0 + tile // across * TILE * columns + tile % across * TILE
                cell = corner + inside // TILE * columns + inside % TILE
                # As `told` says; and mostly somebody else has told of the cell, for which one look is enough.
                if merged[cell] != 0 and merged[cell] != widened(kind, before):
                    continue
                if own[cell] == 0:
                    merged[cell] = widened(kind, now)
                    seen = believed(kind, 0, merged[cell])
                    if seen != states[cell]:
                        states[cell] = seen
                        stamps[tile_0 + tile] = tick


@kernel
def _count(bits: np.uint64) -> np.int64:
    """How many bits are set: by pairs, by fours, by bytes, and all bytes added up."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))
