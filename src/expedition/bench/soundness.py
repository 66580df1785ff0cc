"""Whether what a store holds can be believed: every file is there and has the bytes that were written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from expedition.bench.places import CONTACTS, MEASURED, MISSION, RESOURCES, SAME_IN_EVERY_RUN, SUMS

READERS = 8
"""Files read at the same time: on a network file system most of the time is waiting."""


@dataclass
class Checked:
    """Missions of which the store has a folder."""

    sound: dict[str, str] = field(default_factory=dict)
    """Those that can be believed, each with the digest of the code that ran it."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Those that cannot, each with what is wrong."""


def check(missions: Path, keys: Iterable[str]) -> Checked:
    """Read the missions' files and compare them with the digests that were written beside them."""
    checked = Checked()
    keys = list(keys)
    with ThreadPoolExecutor(READERS) as readers:
        found = readers.map(lambda key: fault_of(missions / key), keys, chunksize=16)
        for key, (fault, code) in zip(keys, found, strict=True):
            if fault:
                checked.damaged[key] = fault
            else:
                checked.sound[key] = code
    return checked


def fault_of(folder: Path) -> tuple[str, str]:
    """What is wrong with a mission's files, empty if nothing; and the digest of the code that ran it."""
    try:
        text = (folder / SUMS).read_text()
        if not text.endswith("\n"):
            return f"{SUMS} is cut off", ""
        lines = (line.split("  ", 1) for line in text.splitlines())
        sums = {name: digest for digest, name in lines}
        measured = json.loads((folder / MEASURED).read_bytes())
        code = ""
        for name, digest in (
            *((name, sums[name]) for name in SAME_IN_EVERY_RUN),
            *((name, sums[name]) for name in (CONTACTS,) if name in sums),
            (RESOURCES, measured["resources_sha256"]),
        ):
            content = (folder / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                return f"{name} is not what was written", ""
            if name == MISSION:
                code = json.loads(content)["code"]
    except FileNotFoundError as error:
        return f"{Path(error.filename).name} is missing", ""
    except OSError as error:
        return f"{Path(error.filename or folder).name} cannot be read: {error.strerror}", ""
    except (ValueError, KeyError, TypeError):
        return f"{SUMS} or {MEASURED} cannot be read", ""
    return "", code
