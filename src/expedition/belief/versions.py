"""The versions of one robot's evidence that others hold or may still be handed, as a chain of changes.

A version is cut when a teammate is there to take it, so that a robot alone pays nothing. Changes are kept between
versions, never whole maps; versions that nobody holds any more disappear into longer changes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from expedition.belief.changes import Changes, encode_changes, join_all


@dataclass(frozen=True, eq=False)
class Link:
    """Changes of an origin's evidence from one version to the next that is kept."""

    origin: int
    version: int
    following: int
    changes: Changes
    cut_at: int = 0
    """The tick in which the later version was cut: nothing in it was seen after."""

    @cached_property
    def data(self) -> bytes:
        """The changes as they travel."""
        return encode_changes(self.changes, self.origin, self.version, self.following)


@dataclass(frozen=True, eq=False)
class Update:
    """What brings a holder of one version to a later one."""

    steps: Sequence[Link]
    """What a holder takes one after the other, from the version that it has on."""

    @classmethod
    def of(cls, changes: Changes, cut_at: int = 0) -> Update:
        """Changes that need not travel any more."""
        return cls([Link(0, 0, 1, changes, cut_at)])

    @cached_property
    def data(self) -> bytes:
        """The bytes that travel."""
        return b"".join([step.data for step in self.steps])

    @property
    def cut_at(self) -> int:
        """The tick in which the last version was cut."""
        return self.steps[-1].cut_at

    @property
    def version(self) -> int:
        """Who holds this is told all of it."""
        return self.steps[0].version

    @property
    def following(self) -> int:
        """The version it leads to."""
        return self.steps[-1].following

    @cached_property
    def changes(self) -> Changes:
        """All steps as one."""
        return join_all([step.changes for step in self.steps])

    def part(self, version: int, following: int) -> Update:
        """Its steps from one version to another, for who has the one and gets no further than the other."""
        if version == self.version and following == self.following:
            return self
        return Update(steps_between(self.steps, version, following))


class Versions:
    """The chain of one origin."""

    def __init__(self, origin: int) -> None:
        self.origin = origin
        self.latest = 0
        self.links: list[Link] = []
        self._updates: dict[tuple[int, int], Update] = {}
        self._cut_at = [0]

    def cut(self, changes: Changes, tick: int = 0) -> None:
        """A new version, which differs from the latest by `changes`."""
        self._cut_at.append(tick)
        self.links.append(Link(self.origin, self.latest, self.latest + 1, changes, tick))
        self.latest += 1

    def between(self, version: int, following: int) -> Changes:
        """What changed from one version to another; both must still be held by someone."""
        return join_all([link.changes for link in steps_between(self.links, version, following)])

    def update(self, version: int, following: int) -> Update:
        """What a teammate sends to who has `version`; encoded once, however many get it."""
        update = self._updates.get((version, following))
        if update is None:
            changes = self.between(version, following)
            whole = Link(self.origin, version, following, changes, self._cut_at[following])
            update = self._updates[version, following] = Update([whole])
        return update

    def update_in_steps(self, version: int, following: int) -> Update:
        """As `update`, link by link: who has a later version needs the later ones only, and each is encoded once."""
        return Update(steps_between(self.links, version, following))

    def forget(self, held: set[int]) -> None:
        """Keep only what leads from one of the versions `held` to a later one.

        Neighbours join where nobody holds the version between them, once the later has grown to half the earlier: so a
        chain is about as long as the logarithm of its size, and joining costs as much per change, over a long absence.
        """
        oldest = min(held)
        links = [link for link in self.links if link.version >= oldest]
        while len(links) > 1 and links[-1].version not in held:
            later, earlier = links[-1], links[-2]
            if 2 * len(later.changes) < len(earlier.changes):
                break
            joined = earlier.changes.then(later.changes)
            links[-2:] = [Link(self.origin, earlier.version, later.following, joined, later.cut_at)]
        self.links = links
        if self._updates:
            self._updates = {pair: update for pair, update in self._updates.items() if held.issuperset(pair)}


def steps_between(steps: Sequence[Link], version: int, following: int) -> Sequence[Link]:
    """Those of steps that follow each other which lead on from one version and no further than another."""
    first = bisect_left(steps, version, key=attrgetter("version"))
    return steps[first : bisect_right(steps, following, first, key=attrgetter("following"))]
