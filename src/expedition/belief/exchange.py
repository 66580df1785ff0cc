"""Map exchange: robots in contact send each other what changed since the other last confirmed.

A robot's evidence has numbered versions, and every robot holds, of every origin, all up to some version: `have[robot,
origin]`. In a round each robot sends that vector to those in contact, which confirms what it has and asks for the
rest, and for each origin the one who has most of it answers with the changes since. So news travels on over those who
were told, nothing is sent to who has it, and evidence stays labelled by whose it is, so that it never counts twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.changes import CELLS, Changes, Int16s, Int32s
from expedition.belief.evidence import GREEDY, KINDS, MARK, state_of, widened
from expedition.belief.grid import TILE, Grids
from expedition.belief.merging import Merge
from expedition.belief.versions import Update, Versions
from expedition.kernels import kernel

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

ANY_CHANGE = -1
REQUEST_BYTES = 8
"""Who asks and the number of entries, before the four bytes of each."""
FORGETS_EVERY = 4
"""Rounds after which versions that nobody needs any more are forgotten: a few more of them cost next to nothing."""


@dataclass(frozen=True, eq=False)
class Traffic:
    """What an exchange put on the air, for each robot. Every answer goes to one robot, a request to all in contact."""

    bytes_sent: Integers
    bytes_received: Integers
    messages_sent: Integers
    messages_received: Integers


class Exchange:
    """The exchange between the robots whose maps are `grids`, merged by `merge`."""

    def __init__(self, grids: Grids, merge: Merge) -> None:
        robots = len(grids.evidence)
        self.grids = grids
        self.merge = merge
        self.have: Integers = np.zeros((robots, robots), dtype=np.int64)
        self.told_until: Integers = np.full((robots, robots), -1, dtype=np.int64)
        """(robots, robots): the tick up to which robot [row] knows the evidence of [column]; -1 if it knows nothing."""
        self.versions = [Versions(origin) for origin in range(robots)]
        shape = grids.evidence.shape if robots > 1 else (0, 0, 0)
        self._published: Int16s = np.zeros(shape, dtype=np.int16)
        self._cut_at: Integers = np.zeros(robots, dtype=np.int64)
        self._rounds = 0
        self._silence = Traffic(*np.broadcast_to(np.int64(0), (4, robots)))

    def round(self, links: Booleans, tick: int) -> Traffic:
        """Let all robots in contact, those that hear each other, bring each other up to date."""
        robots = len(self.have)
        if robots == 1 or not np.any(contact := links & links.T):
            return self._silence
        self.forget_now_and_then(self.held)
        traffic = Traffic(*np.zeros((4, robots), dtype=np.int64))
        partners = np.count_nonzero(contact, axis=1)
        self.publish(partners > 0, tick)
        size = REQUEST_BYTES + 4 * robots
        traffic.bytes_sent[:] = size * (partners > 0)
        traffic.bytes_received[:] = size * partners
        traffic.messages_sent[:] = partners > 0
        traffic.messages_received[:] = partners
        receivers, servers, origins, versions = wanted(self.have, contact)
        if len(receivers) == 0:
            return traffic
        had = self.have[receivers, origins]
        updates, which = self._updates(origins, had, versions)
        sizes = np.array([len(update.data) for update in updates], dtype=np.int64)[which]
        np.add.at(traffic.bytes_sent, servers, sizes)
        np.add.at(traffic.bytes_received, receivers, sizes)
        np.add.at(traffic.messages_sent, servers, 1)
        np.add.at(traffic.messages_received, receivers, 1)
        told = self.knows_until(servers, origins)
        self.take(receivers, origins, had, versions, updates, which, tick)
        self.have[receivers, origins] = versions
        self.told_until[receivers, origins] = told
        return traffic

    def forget_now_and_then(self, held: Callable[[int], set[int]]) -> None:
        """Every few rounds, let go of versions of an origin that are none of those `held`."""
        self._rounds += 1
        if self._rounds % FORGETS_EVERY == 0:
            for origin, chain in enumerate(self.versions):
                if chain.links:
                    chain.forget(held(origin))

    def held(self, origin: int) -> set[int]:
        """The versions of an origin's evidence that someone has."""
        return set(self.have[:, origin].tolist())

    @property
    def merged_until(self) -> Integers:
        """(robots, robots): the tick up to which the evidence of [column] is in the map of robot [row]; -1 if none."""
        return self.told_until

    def known(self, robot: int, origin: int) -> Int16s:
        """The evidence of `origin` as far as `robot` was told (its own as far as it told others)."""
        evidence: Int16s = self._published[origin].copy()
        versions = self.versions[origin]
        if self.have[robot, origin] < versions.latest:
            missing = versions.between(int(self.have[robot, origin]), versions.latest)
            evidence.ravel()[missing.flat(self.grids.frame.columns)] = missing.old
        return evidence

    def knows_now(self, node: int, origin: int) -> int:
        """`knows_until` of one node."""
        return int(self._cut_at[origin] if node == origin else self.told_until[node, origin])

    def knows_until(self, nodes: Integers, origins: Integers) -> Integers:
        """The tick up to which `nodes[k]` knows the evidence of `origins[k]`, as far as it could tell others."""
        return np.where(nodes == origins, self._cut_at[origins], self.told_until[nodes, origins])

    def acquaint(self, told: Booleans, contact: Booleans, tick: int) -> tuple[Integers, Integers] | None:
        """Robots may find out more about each other's frames; the bytes that each sent and received, if any.

        `told[r, o]` tells whether r and o talk and r has all that o published; `contact` who talks to whom.
        """
        return None

    def take(
        self, receivers: Integers, origins: Integers, had: Integers, versions: Integers, updates: Sequence[Update],
        which: Integers, tick: int,
    ) -> None:  # fmt: skip
        """Bring `updates[which[k]]` of `origins[k]`, from `had[k]` to `versions[k]`, into the map of `receivers[k]`."""
        self.merge.take(self.grids, receivers, updates, which, had, versions, tick)

    def publish(self, talking: Booleans, tick: int) -> list[int]:
        """Cut a new version of every robot in contact whose evidence changed since its last; returns those robots."""
        starts, cells, old, new = _changed(
            self.grids.evidence, self.grids.evidence_stamp, self._published, self._cut_at, talking,
            KINDS[self.grids.kind] if self.merge.own == GREEDY else ANY_CHANGE,
        )  # fmt: skip
        self._cut_at[talking] = tick
        changed: list[int] = np.flatnonzero(np.diff(starts)).tolist()
        for origin in changed:
            part = slice(starts[origin], starts[origin + 1])
            changes = Changes(cells[part].copy(), old[part].copy(), new[part].copy())
            self.versions[origin].cut(self._marked(origin, changes) if self.grids.flips.size else changes, tick)
            self.have[origin, origin] += 1
        return changed

    def _marked(self, origin: int, changes: Changes) -> Changes:
        """Changes with marks where the robot saw that a cell is not as it had believed."""
        flips = self.grids.flips[origin].ravel()
        flat = changes.flat(self.grids.frame.columns)
        marked = changes.new + MARK * flips[flat].astype(np.int16)
        flips[flat] = 0
        return Changes(changes.cells, changes.old, marked)

    def _updates(self, origins: Integers, versions: Integers, following: Integers) -> tuple[list[Update], Integers]:
        """The different updates among those asked for, and which of them each is."""
        most = int(following.max()) + 1
        asked = (origins * most + versions) * most + following
        _, first, which = np.unique(asked, return_index=True, return_inverse=True)
        return [
            self.versions[origin].update(version, follow)
            for origin, version, follow in zip(
                origins[first].tolist(), versions[first].tolist(), following[first].tolist(), strict=True
            )
        ], which


@kernel
def _changed(
    evidence: Int16s, stamp: Integers, published: Int16s, cut_at: Integers, talking: Booleans, kind: int
) -> tuple[Integers, Int32s, Int16s, Int16s]:
    """Cells where evidence differs from what was published, robot by robot from `starts`; publishes them.

    Of a `kind` of evidence only cells whose state changed count, which is all that a greedy merge looks at; of
    `ANY_CHANGE`, all. Looks only into tiles stamped at or after the last cut: a scan may follow a cut within a tick.
    """
    robots, down, across = stamp.shape
    size = 0
    for robot in range(robots):
        if talking[robot]:
            size += CELLS * int(np.count_nonzero(stamp[robot] >= cut_at[robot]))
    starts = np.zeros(robots + 1, np.int64)
    cells, old, new = np.empty(size, np.int32), np.empty(size, np.int16), np.empty(size, np.int16)
    count = 0
    for robot in range(robots):
        for tile in range(down * across if talking[robot] else 0):
            if stamp[robot, tile // across, tile % across] < cut_at[robot]:
                continue
            top, left = tile // across * TILE, tile % across * TILE
            for row in range(TILE):
                now = evidence[robot, top + row, left : left + TILE]
                before = published[robot, top + row, left : left + TILE]
                # Most rows hold no news: a look at all cells at once, without branches, is enough for those.
                differs = False
                for column in range(TILE):
                    differs |= _is_news(kind, before[column], now[column])
                for column in range(TILE if differs else 0):
                    if _is_news(kind, before[column], now[column]):
                        cells[count] = tile * CELLS + row * TILE + column
                        old[count], new[count] = before[column], now[column]
                        before[column] = now[column]
                        count += 1
        starts[robot + 1] = count
    return starts, cells[:count], old[:count], new[:count]


@kernel
def _is_news(kind: int, before: int, now: int) -> bool:
    """Whether others should hear of what was `before` and is `now`."""
    if kind == ANY_CHANGE:
        return bool(before != now)
    return bool(state_of(kind, widened(kind, before)) != state_of(kind, widened(kind, now)))


@kernel
def wanted(have: Integers, contact: Booleans) -> tuple[Integers, Integers, Integers, Integers]:
    """Who gets which origin from whom, up to which version: the origin itself if in contact, else who has most of it.

    `contact[r, s]` tells whether r knows what s has. Of equals the first. Quadratic in robots where all are in contact,
    cubic at worst.
    """
    robots = len(have)
    out = np.empty((4, robots * (robots - 1)), np.int64)
    count = 0
    for receiver in range(robots):
        for origin in range(robots):
            if origin == receiver:
                continue
            best = origin if contact[receiver, origin] else -1
            if best < 0:
                most = have[receiver, origin]
                for server in range(robots):
                    if contact[receiver, server] and have[server, origin] > most:
                        best, most = server, have[server, origin]
            if best >= 0 and have[best, origin] > have[receiver, origin]:
                out[:, count] = (receiver, best, origin, have[best, origin])
                count += 1
    return out[0, :count], out[1, :count], out[2, :count], out[3, :count]
