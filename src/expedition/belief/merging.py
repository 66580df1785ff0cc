"""How evidence that teammates tell enters a robot's merged map.

A merge is one of two rules for the robot's own evidence (`own`: it has precedence, or it is added; mapping applies it
as scans come in) and one verb, `take`, for what arrives from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.belief.aligning import Patience
from expedition.belief.alignment import Certainty
from expedition.belief.changes import CELLS, Changes, Int16s, Int32s
from expedition.belief.evidence import (
    GREEDY,
    KINDS,
    PROBABILISTIC,
    TOTAL_LIMIT,
    believed,
    state_of,
    told,
    widened,
)
from expedition.belief.first_told import Layers, take_first_told
from expedition.belief.grid import TILE, Grids
from expedition.belief.versions import Update
from expedition.errors import ExpeditionError
from expedition.kernels import kernel
from expedition.registry import Registry

Integers = NDArray[np.int64]
Share = Annotated[float, Field(ge=0, le=1)]

LIMITS, PATIENCE = Certainty(), Patience()


class Merge(Protocol):
    """Takes teammates' evidence into merged maps."""

    @property
    def own(self) -> int:
        """GREEDY if own evidence has precedence over what others tell, PROBABILISTIC if it is added to it."""

    def take(
        self, grids: Grids, receivers: Integers, updates: Sequence[Update], which: Integers, had: Integers,
        versions: Integers, tick: int,
    ) -> None:  # fmt: skip
        """Bring `updates[which[k]]` from `had[k]` to `versions[k]` into the map of `receivers[k]`, for k in order."""


merges: Registry[Merge] = Registry("merge")


@merges("greedy")
def greedy() -> Merge:
    """Cells that a robot has not seen itself take the value of the first who tells (Yamauchi 1998)."""
    return CellMerge(GREEDY)


@merges("probabilistic")
def probabilistic() -> Merge:
    """The sum of everyone's newest evidence, each counted once (Burgard et al. 2005)."""
    return CellMerge(PROBABILISTIC)


@merges("aligned")
def aligned(
    *,
    min_overlap: Annotated[
        float, Field(ge=0, description="open ground that both maps know, in m2")
    ] = LIMITS.min_overlap,
    min_walls: Annotated[float, Field(ge=0, description="metres of wall in both, times the margin")] = LIMITS.min_walls,
    min_agreement: Annotated[Share, Field(description="share of these walls where both agree")] = LIMITS.min_agreement,
    min_margin: Annotated[Share, Field(description="how far every rival must stay behind")] = LIMITS.min_margin,
    interval: Annotated[float, Field(ge=0, description="seconds between a robot's tries")] = PATIENCE.interval,
    growth: Annotated[float, Field(ge=1, description="of the maps' areas multiplied, between tries")] = PATIENCE.growth,
) -> Merge:
    """Start poses unknown to others: greedy once the maps' overlap shows how they lie (Birk and Carpin 2006)."""
    certainty = Certainty(min_overlap, min_walls, min_agreement, min_margin)
    return AlignedMerge(GREEDY, certainty, Patience(interval, growth))


def starts_known(spec: str) -> bool:
    """Whether robots of such a merge know how the others started, so that all maps have one frame."""
    return not isinstance(merges.make(spec), AlignedMerge)


@dataclass(frozen=True)
class CellMerge:
    """A merge that looks at each changed cell by itself, by the rules in `evidence`."""

    own: int

    def take(
        self, grids: Grids, receivers: Integers, updates: Sequence[Update], which: Integers, had: Integers,
        versions: Integers, tick: int,
    ) -> None:  # fmt: skip
        """All updates of all receivers in one kernel call."""
        if grids.kind == "counters" and len(grids.evidence) * TOTAL_LIMIT > 32767:
            raise ExpeditionError(
                f"counters of {len(grids.evidence)} robots do not fit into a merged map; allowed: up to "
                f"{32767 // TOTAL_LIMIT} robots, or log-odds"
            )
        kind, layers = KINDS[grids.kind], (grids.evidence, grids.fused, grids.state, grids.state_stamp)
        if self.own == GREEDY and not grids.flips.size:
            take_first_told(kind, tick, layers, grids.untold, receivers, updates, which, had, versions)
            return
        updates, which = as_held(updates, which, had, versions)
        if grids.flips.size:
            updates = self._notice(grids, receivers, updates, which, tick)
        _take(
            self.own,
            kind,
            tick,
            layers,
            receivers,
            which,
            np.cumsum([len(update.changes) for update in updates]),
            np.concatenate([update.changes.cells for update in updates]),
            np.concatenate([update.changes.old for update in updates]),
            np.concatenate([update.changes.new for update in updates]),
        )

    def _notice(
        self, grids: Grids, receivers: Integers, updates: Sequence[Update], which: Integers, tick: int
    ) -> list[Update]:
        """Let receivers notice where tellers saw a cell change; returns the updates without those cells."""
        others = []
        for number, update in enumerate(updates):
            changes, plain = update.changes, update.changes.plain()
            if changes is plain:
                others.append(update)
                continue
            marked = changes.new != plain.new
            told_cells = Changes(plain.cells[marked], plain.old[marked], plain.new[marked])
            flat = told_cells.flat(grids.frame.columns)
            for receiver in receivers[which == number].tolist():
                _notice_cells(
                    self.own, KINDS[grids.kind], tick, update.cut_at, grids.evidence[receiver], grids.fused[receiver],
                    grids.state[receiver], grids.evidence_stamp[receiver], grids.state_stamp[receiver], flat,
                    told_cells.old, told_cells.new,
                )  # fmt: skip
            others.append(
                Update.of(Changes(plain.cells[~marked], plain.old[~marked], plain.new[~marked]), update.cut_at)
            )
        return others


@dataclass(frozen=True)
class AlignedMerge(CellMerge):
    """A merge of what was drawn into the own frame before, and what it takes to know where that is."""

    certainty: Certainty = LIMITS
    patience: Patience = PATIENCE


def as_held(
    updates: Sequence[Update], which: Integers, had: Integers, versions: Integers
) -> tuple[list[Update], Integers]:
    """The different updates among `updates[which[k]]` from `had[k]` to `versions[k]`, and which of them each is."""
    most = int(versions.max(initial=0)) + 1
    different, which = np.unique((which * most + had) * most + versions, return_inverse=True)
    return [
        updates[number // most**2].part(number // most % most, number % most) for number in different.tolist()
    ], which


@kernel
def _take(
    merge: int,
    kind: int,
    tick: int,
    layers: Layers,
    receivers: Integers,
    which: Integers,
    ends: Integers,
    cells: Int32s,
    old: Int16s,
    new: Int16s,
) -> None:
    """Update merged evidence and state of the changed cells; stamp the tiles whose state changed.

    Invariant: `state` is `believed` of own and merged evidence in every cell. Linear in changed cells times receivers.
    """
    evidence, fused, state, stamp = layers
    flat, tiles, tile_starts, update_starts = _by_tiles(cells, ends, fused.shape[2])
    for k in range(len(receivers)):
        own = evidence[receivers[k]].ravel()
        merged = fused[receivers[k]].ravel()
        states = state[receivers[k]].ravel()
        stamps = stamp[receivers[k]].ravel()
        for tile in range(update_starts[which[k]], update_starts[which[k] + 1]):
            part = (tile_starts[tile], tile_starts[tile + 1])
            if merge == GREEDY:
                changed = _take_cells(GREEDY, kind, own, merged, states, part, flat, old, new)
            else:
                changed = _take_cells(PROBABILISTIC, kind, own, merged, states, part, flat, old, new)
            if changed:
                stamps[tiles[tile]] = tick


@kernel
def _take_cells(
    merge: int,
    kind: int,
    own: Int16s,
    merged: Int32s,
    states: NDArray[np.uint8],
    part: tuple[int, int],
    flat: NDArray[np.uint32],
    old: Int16s,
    new: Int16s,
) -> int:
    """The cells of one tile of one receiver; returns whether a state changed.

    Made to be inlined with `merge` known, which takes a third off its time.
    """
    changed = 0
    for index in range(part[0], part[1]):
        cell = flat[index]
        after = told(merge, kind, own[cell], old[index], new[index], merged[cell])
        merged[cell] = after
        seen = believed(kind, own[cell], after)
        changed |= seen ^ states[cell]
        states[cell] = seen
    return changed


@kernel
def _notice_cells(
    merge: int,
    kind: int,
    tick: int,
    cut_at: int,
    evidence: Int16s,
    fused: Int32s,
    state: NDArray[np.uint8],
    evidence_stamp: Integers,
    state_stamp: Integers,
    flat: Int32s,
    old: Int16s,
    new: Int16s,
) -> None:
    """Cells that a teammate saw change: the receiver takes back what it saw itself, unless that is from later.

    What it takes back it publishes as such, so that it stops to count for all others. Cost: the cells.
    """
    columns = state.shape[1]
    for index in range(len(flat)):
        row, column = flat[index] // columns, flat[index] % columns
        own, merged = int(evidence[row, column]), int(fused[row, column])
        value = widened(kind, int(new[index]))
        if evidence_stamp[row // TILE, column // TILE] > cut_at:
            merged = told(merge, kind, own, int(old[index]), int(new[index]), merged)
        else:
            taken_back = 0
            if own != 0 and state_of(kind, widened(kind, own)) != state_of(kind, value):
                taken_back = widened(kind, own)
                own = 0
                evidence[row, column] = 0
                evidence_stamp[row // TILE, column // TILE] = tick
            if merge != GREEDY:
                merged += value - widened(kind, int(old[index])) - taken_back
            elif own == 0:
                merged = value
        fused[row, column] = merged
        seen = believed(kind, own, merged)
        if seen != state[row, column]:
            state[row, column] = seen
            state_stamp[row // TILE, column // TILE] = tick


@kernel
def _by_tiles(cells: Int32s, ends: Integers, columns: int) -> tuple[NDArray[np.uint32], Integers, Integers, Integers]:
    """Where cells lie in the grid, the tiles they are in, and where each tile's cells and each update's tiles start.

    `ends` is where each update's cells end. Linear in cells.
    """
    flat = np.empty(len(cells), np.uint32)
    tiles, tile_starts = np.empty(len(cells), np.int64), np.empty(len(cells) + 1, np.int64)
    update_starts = np.zeros(len(ends) + 1, np.int64)
    across = columns // TILE
    count = index = corner = 0
    for update in range(len(ends)):
        tile = -1
        while index < ends[update]:
            if cells[index] // CELLS != tile:
                tile = cells[index] // CELLS
                corner = (tile // across) * TILE * columns + (tile % across) * TILE
                tiles[count], tile_starts[count] = tile, index
                count += 1
            inside = cells[index] % CELLS
            flat[index] = corner + inside // TILE * columns + inside % TILE
            index += 1
        update_starts[update + 1] = count
    tile_starts[count] = index
    return flat, tiles[:count], tile_starts[: count + 1], update_starts
