"""The missions of a store that can be watched, in words: what was run, and how it ended. Found page by page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from expedition.bench.places import LOG
from expedition.bench.store import Store
from expedition.errors import ExpeditionError


@dataclass(frozen=True)
class Entry:
    """A mission of the store."""

    key: str
    design: str
    """Empty if no design of the store has it."""
    terrain: str
    robots: str
    strategy: str
    seed: int | None

    @property
    def words(self) -> str:
        """What a search looks through."""
        return f"{self.design} {self.terrain} {self.robots} {self.strategy} seed {self.seed} {self.key}".lower()


@dataclass(frozen=True)
class Outcome:
    """How a mission ended."""

    ending: str
    succeeded: bool
    time: float | None
    is_distorted: bool = False
    """Whether the map of the robot that knew most is too far off to be used."""


def entries(store: Store) -> list[Entry]:
    """All missions of a store that have a log: the newest design first, and those of no design last."""
    left = {key for key in store.finished() if (store.missions / key / LOG).is_file()}
    found = []
    for name in _newest_first(store):
        with suppress(ExpeditionError):
            for listed in store.design(name).missions:
                if listed.key in left:
                    left.discard(listed.key)
                    found.append(_entry(listed.key, name, listed.vector, listed.seed))
    return found + [_of_no_design(store, key) for key in sorted(left)]


def matching(found: list[Entry], search: str) -> list[Entry]:
    """Those in which every word of a search stands."""
    words = search.lower().split()
    return [entry for entry in found if all(word in entry.words for word in words)]


def outcome(store: Store, key: str) -> Outcome | None:
    """How a mission ended, if that can be read."""
    try:
        told = store.outcome(key)
        metrics = told["metrics"]
        return Outcome(told["ending"], told["succeeded"], metrics.get("time_s"), bool(metrics.get("map_distorted")))
    except (ExpeditionError, KeyError, TypeError, AttributeError):
        return None


def _newest_first(store: Store) -> list[str]:
    def age(name: str) -> float:
        try:
            return -(store.folder / "designs" / f"{name}.json").stat().st_mtime
        except OSError:
            return 0.0

    return sorted(store.designs(), key=lambda name: (age(name), name))


def _entry(key: str, design: str, vector: dict[str, Any], seed: int) -> Entry:
    robots = vector.get("robots") or vector.get("robot") or ""
    return Entry(key, design, str(vector.get("terrain", "")), str(robots), str(vector.get("strategy", "")), seed)


def _of_no_design(store: Store, key: str) -> Entry:
    try:
        about = store.parameters(key)["parameters"]
        robots = str(len(about["fleet"]["robots"]))
        return Entry(key, "", about["terrain"]["name"], robots, about["strategy"]["name"], about["seed"])
    except (ExpeditionError, KeyError, TypeError):
        return Entry(key, "", "", "", "", None)
