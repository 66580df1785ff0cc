"""Names in a store: a mission's files, finished missions, and those being run, by whom.

STORE/missions/<key>/                      a finished mission
STORE/missions/.<key>.<host>.<pid>.<n>/    one that process `pid` on `host` is running; renamed when complete
STORE/designs/.<...>.<host>.<pid>.<n>      a file that is being written, and so in given-up
STORE/.seen...<host>.<pid>.<n>             a file by which a cluster's worker finds out whether it sees the store
"""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from expedition.bench.durable import remove_folder

MISSION, RESULT, SERIES, EVENTS, MAPS = "mission.json", "result.json", "series.parquet", "events.jsonl", "maps.npz"
RESOURCES, MEASURED, SUMS = "resources.parquet", "measured.json", "SHA256SUMS"
CONTACTS = "contacts.parquet"
"""Of a mission whose design asks for it; the same in every run as well."""
LOG = "log.mcap"
"""Of a mission that was recorded; no part of what is compared."""
PAGE_PORT = 8080
"""Where `expedition view` serves its page, unless that is taken."""
SAME_IN_EVERY_RUN = (EVENTS, MAPS, MISSION, RESULT, SERIES)
"""Files of a mission that have the same bytes whenever it is run from the same folder."""
PROBE = "seen"
OLD = 24 * 3600.0
"""Seconds after which a folder of a process on another machine, of which nothing can be known, counts as left behind.

Should the process live after all, it makes the folder anew when it has something to write."""

_numbers = itertools.count()


@dataclass(frozen=True)
class Running:
    """A mission that a process is running, or was running when it was killed."""

    folder: Path
    key: str
    host: str
    pid: int
    since: float
    """Seconds since 1970."""

    @property
    def left_behind(self) -> bool:
        """Whether the process is surely gone."""
        if self.host == this_host() and not _alive(self.pid):
            return True
        return time.time() - self.since > OLD


def temporary_name(name: str) -> str:
    """A name that no other process, here or elsewhere, uses, and that tells whose it is."""
    return f".{name.replace('.', '-')}.{this_host()}.{os.getpid()}.{next(_numbers)}"


def running_in(missions: Path) -> Iterator[Running]:
    """All folders of missions that are being run; in other folders, what is being written there."""
    for entry in scan(missions):
        if not entry.name.startswith("."):
            continue
        # A host's name may have dots in it; the other parts have none.
        key, _, rest = entry.name[1:].partition(".")
        host, *numbers = rest.rsplit(".", 2)
        if len(numbers) == 2 and numbers[0].isdigit():
            with suppress(FileNotFoundError):  # It was completed in this very moment.
                yield Running(Path(entry.path), key, host, int(numbers[0]), entry.stat().st_mtime)


def remove_left_behind(store: Path) -> int:
    """Remove what processes that were killed had begun to write; how many such files and folders there were."""
    begun = [one for folder in ("missions", "designs", "given-up") for one in running_in(store / folder)]
    begun += [one for one in running_in(store) if one.key.startswith(PROBE)]
    gone = [one.folder for one in begun if one.left_behind]
    for path in gone:
        if path.is_dir():
            remove_folder(path)
        else:
            with suppress(OSError):
                path.unlink()
    return len(gone)


def scan(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The entries of a folder; none if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except (FileNotFoundError, NotADirectoryError):
        return


def this_host() -> str:
    """The name of this machine as it stands in folder names."""
    return socket.gethostname().replace("/", "-") or "localhost"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
