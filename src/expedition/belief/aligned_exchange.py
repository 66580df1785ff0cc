"""Map exchange between robots that do not know how the others started.

Everything told is kept, and enters a robot's map when it knows where the teller's frame lies in its own; from then on
each change is drawn into it as it comes. When a place turns out to be a little different, or wrong, the merged map is
made anew from what was told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from expedition.belief.acquaintance import Acquaintance
from expedition.belief.aligning import Aligner
from expedition.belief.changes import CELLS, Changes, Int16s
from expedition.belief.evidence import KINDS, state_of, widened
from expedition.belief.exchange import Booleans, Exchange, Integers, Traffic
from expedition.belief.grid import TILE, Grids
from expedition.belief.merging import AlignedMerge, as_held
from expedition.belief.resample import Tiles, transform_tiles
from expedition.belief.transform import Transform
from expedition.belief.versions import Update
from expedition.kernels import kernel


class AlignedExchange(Exchange):
    """The exchange between robots whose maps have frames of their own; `period` is the seconds of a tick."""

    def __init__(self, grids: Grids, merge: AlignedMerge, period: float) -> None:
        super().__init__(grids, merge)
        robots = len(grids.evidence)
        self.acquaintance = Acquaintance(robots)
        self._aligner = Aligner(grids, self.acquaintance, merge.certainty, merge.patience)
        self._period = period
        self._drawn: dict[tuple[int, int], Transform] = {}

    def round(self, links: Booleans, tick: int) -> Traffic:
        """As for all; then robots try to find each other's frames and tell what they found."""
        traffic = super().round(links, tick)
        contact = links & links.T
        if len(self.have) == 1 or not contact.any():
            return traffic
        sent, received = self.acquaint(contact, contact, tick)
        traffic.bytes_sent[:] += sent
        traffic.bytes_received[:] += received
        return traffic

    def acquaint(self, told: Booleans, contact: Booleans, tick: int) -> tuple[Integers, Integers]:
        """Robots look at each other's maps as far as they were told, and tell what they found."""
        self._aligner.look(told, self._published, tick * self._period)
        sent, received = self.acquaintance.tell(contact)
        for robot in range(len(self.have)):
            self._follow(robot, tick)
        return sent, received

    @property
    def merged_until(self) -> Integers:
        """Nothing is merged of those whose frame is not known."""
        return np.where(self.acquaintance.known, self.told_until, -1)

    def take(
        self, receivers: Integers, origins: Integers, had: Integers, versions: Integers, updates: Sequence[Update],
        which: Integers, tick: int,
    ) -> None:  # fmt: skip
        """Draw what arrives into the maps of those who know where it belongs."""
        whose, drawn, cut_at = [], [], []
        updates, which = as_held(updates, which, had, versions)
        for robot, origin, version, update in zip(
            receivers.tolist(), origins.tolist(), versions.tolist(), which.tolist(), strict=True
        ):
            if transform := self._drawn.get((robot, origin)):
                whose.append(robot)
                drawn.append(self._turned(origin, version, updates[update].changes, transform))
                cut_at.append(updates[update].cut_at)
        self._enter(whose, drawn, tick, cut_at)

    def _turned(self, origin: int, version: int, changes: Changes, transform: Transform) -> Changes:
        """Changes that lead to a version of an origin's evidence as they are in a frame where that lies elsewhere.

        Cost: follows the changes.
        """
        frame = self.grids.frame
        marked, changes = changes, changes.plain()
        tiles = np.unique(changes.cells // CELLS).astype(np.int64)
        news = np.stack([tiles // frame.tiles[1], tiles % frame.tiles[1]], axis=1)
        flat = changes.flat(frame.columns)
        with self._at(origin, version) as evidence:
            places, new = transform_tiles(evidence, news, frame, transform, frame)
            evidence.ravel()[flat] = changes.old
            _, old = transform_tiles(evidence, news, frame, transform, frame)
            evidence.ravel()[flat] = changes.new
        if marked is not changes:
            marks = np.zeros(frame.shape, dtype=np.int16)
            marks.ravel()[flat] = marked.new - changes.new
            new += transform_tiles(marks, news, frame, transform, frame)[1]
        return _as_changes(places, old, new, frame.tiles[1])

    @contextmanager
    def _at(self, origin: int, version: int) -> Iterator[Int16s]:
        """An origin's evidence at some version: later changes are undone, and made again at the end."""
        evidence = self._published[origin]
        versions = self.versions[origin]
        if version == versions.latest:
            yield evidence
            return
        later = versions.between(version, versions.latest).plain()
        flat = later.flat(self.grids.frame.columns)
        evidence.ravel()[flat] = later.old
        yield evidence
        evidence.ravel()[flat] = later.new

    def _follow(self, robot: int, tick: int) -> None:
        """Make a robot's map show all evidence where the robot now knows it belongs."""
        robots = len(self.have)
        now = {other: place for other in range(robots) if (place := self.acquaintance.transform(robot, other))}
        del now[robot]
        drawn = {other: place for other in range(robots) if (place := self._drawn.get((robot, other)))}
        if now == drawn:
            return
        grids = self.grids
        before = None
        if any(now.get(other) != place for other, place in drawn.items()):
            before = grids.state[robot].copy()
            _own_only(KINDS[grids.kind], grids.evidence[robot], grids.fused[robot], grids.state[robot])
            grids.forget(robot)
            drawn = {}
        added = [other for other in now if other not in drawn]
        whole = [self._whole(robot, other, now[other]) for other in added]
        self._enter([robot] * len(added), whole, tick, [tick] * len(added))
        if before is not None:
            changed = _tiles_of(before != grids.state[robot])
            grids.state_stamp[robot][changed[:, 0], changed[:, 1]] = tick
        for other in range(robots):
            self._drawn.pop((robot, other), None)
        self._drawn.update({(robot, other): place for other, place in now.items()})

    def _whole(self, robot: int, origin: int, transform: Transform) -> Changes:
        """All that a robot was told of an origin's evidence, in the robot's frame."""
        frame = self.grids.frame
        evidence = self.known(robot, origin)
        places, new = transform_tiles(evidence, _tiles_of(evidence != 0), frame, transform, frame)
        return _as_changes(places, np.zeros_like(new), new, frame.tiles[1])

    def _enter(self, receivers: Sequence[int], changes: Sequence[Changes], tick: int, cut_at: Sequence[int]) -> None:
        """Merge changes that are in the receivers' own frames."""
        if receivers:
            updates = [Update.of(change, at) for change, at in zip(changes, cut_at, strict=True)]
            every = np.arange(len(updates))
            had, versions = np.array([(update.version, update.following) for update in updates]).T
            self.merge.take(self.grids, np.array(receivers), updates, every, had, versions, tick)


def _as_changes(places: Tiles, old: Int16s, new: Int16s, across: int) -> Changes:
    """The cells of tiles (n, TILE, TILE) whose values differ."""
    which, row, column = np.nonzero(old != new)
    cells = (places[which, 0] * across + places[which, 1]) * CELLS + row * TILE + column
    return Changes(cells.astype(np.int32), old[which, row, column], new[which, row, column])


def _tiles_of(cells: Booleans) -> Tiles:
    """(n, 2): the tiles that hold any of the cells."""
    rows, columns = cells.shape
    found: Tiles = np.argwhere(cells.reshape(rows // TILE, TILE, columns // TILE, TILE).any(axis=(1, 3)))
    return found


@kernel
def _own_only(kind: int, evidence: Int16s, fused: NDArray[np.int32], state: NDArray[np.uint8]) -> None:
    """The merged map of a robot that was told nothing. All it knows is its own. Cost: every cell."""
    for row in range(evidence.shape[0]):
        for column in range(evidence.shape[1]):
            fused[row, column] = widened(kind, evidence[row, column])
            state[row, column] = state_of(kind, fused[row, column])
