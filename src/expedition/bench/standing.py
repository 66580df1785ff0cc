"""How the designs of a store stand: what is done and how it ended, what was given up, what is being run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from expedition.bench.places import Running, scan
from expedition.bench.records import GivenUp
from expedition.bench.store import Store
from expedition.errors import ExpeditionError

UNREADABLE = "unreadable"
"""Stands for the ending of a mission whose result cannot be read; the next run makes it anew."""


@dataclass(frozen=True)
class Standing:
    """How a design stands."""

    design: str
    missions: int
    endings: Counter[str]
    """Of those that are done."""
    given_up: tuple[GivenUp, ...]
    running: tuple[Running, ...]
    last: float | None
    """When the last mission was finished, in seconds since 1970."""

    @property
    def done(self) -> int:
        """Missions that need not be run again."""
        return self.endings.total() - self.endings[UNREADABLE]


def standings(store: Store) -> list[Standing]:
    """How each design of a store stands."""
    times: dict[str, float] = {}
    for entry in scan(store.missions):
        if not entry.name.startswith("."):
            with suppress(FileNotFoundError):
                times[entry.name] = entry.stat().st_mtime
    running = [one for one in store.running() if not one.left_behind]
    given_up = store.given_up()
    ending_of: dict[str, str] = {}
    found = []
    for name in store.designs():
        # A mission that stands twice in a design is run once.
        keys = list(dict.fromkeys(listed.key for listed in store.design(name).missions))
        wanted = set(keys)
        there = [key for key in keys if key in times]
        ending_of.update((key, _ending(store, key)) for key in there if key not in ending_of)
        found.append(
            Standing(
                name,
                len(keys),
                Counter(ending_of[key] for key in there),
                tuple(given_up[key] for key in keys if key in given_up and key not in times),
                tuple(one for one in running if one.key in wanted),
                max((times[key] for key in there), default=None),
            )
        )
    return found


def endings(store: Store, keys: Iterable[str]) -> Counter[str]:
    """How those of some missions that are finished ended."""
    there = store.finished()
    return Counter(_ending(store, key) for key in keys if key in there)


def _ending(store: Store, key: str) -> str:
    try:
        return str(store.outcome(key)["ending"])
    except (ExpeditionError, KeyError):
        return UNREADABLE
