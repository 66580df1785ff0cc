"""What can be watched: logs by name. A page only ever asks by name, so that no address can lead to another file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expedition.bench.places import LOG
from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from expedition.viewer.watch.source import Source

if TYPE_CHECKING:
    from expedition.viewer.setup.runs import Runs


@dataclass
class Shelf:
    """Logs that were named on the command line or started on the page, and those in the store."""

    store: Store
    logs: dict[str, Path] = field(default_factory=dict)
    """By name, those that are not in the store."""
    live: set[str] = field(default_factory=set)
    """Names of those whose missions may still be running."""
    runs: Runs | None = None
    """Missions that were started on the page."""
    _sources: dict[str, Source] = field(default_factory=dict)

    def add(self, path: Path, live: bool = False) -> str:
        """Put a log on the shelf; its name."""
        stem = path.parent.name if path.name == LOG and path.parent.name else path.stem
        name = base = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in stem) or "log"
        number = 1
        while name in self.logs or self._in_store(name) is not None:
            number += 1
            name = f"{base}-{number}"
        self.logs[name] = path
        if live:
            self.live.add(name)
        return name

    def find(self, name: str) -> Path | None:
        """The log of that name, if it is there."""
        return self.logs.get(name) or self._in_store(name)

    def source(self, name: str) -> Source:
        """The log of that name, opened once for all who watch it."""
        path = self.find(name)
        if path is None:
            raise ExpeditionError(f"no log named {name[:80]!r} here")
        if name not in self._sources:
            self._sources[name] = Source(path)
        return self._sources[name]

    def stored(self) -> list[str]:
        """Keys of the store's missions that have a log."""
        return sorted(key for key in self.store.finished() if (self.store.missions / key / LOG).is_file())

    def close(self) -> None:
        """Close all logs."""
        for source in self._sources.values():
            source.close()
        self._sources.clear()

    def about(self, key: str) -> dict[str, Any]:
        """What a mission of the store was: its `mission.json`."""
        return self.store.parameters(key)

    def _in_store(self, name: str) -> Path | None:
        if not (name.isalnum() and name.isascii()):
            return None
        path = self.store.missions / name / LOG
        return path if path.is_file() else None
