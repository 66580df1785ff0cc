"""Things to do in place of missions: they answer at once, or break in ways that missions rarely do."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from expedition.bench.durable import StoreError
from expedition.bench.executor import Done
from expedition.bench.store import Store
from tests.bench.tiny_work import asked


def deeds(number: int, **special: dict[str, Any]) -> list[Any]:
    """So many, named d0, d1, ...; what is particular about some is given by name."""
    return [asked(f"d{i}", **special.get(f"d{i}", {})) for i in range(number)]


def do(folder: str, planned: Any) -> str:
    """Do one, after a line of a file says in which process."""
    what = planned.parameters
    with (Path(folder) / f"{planned.key}.tries").open("a") as file:
        file.write(f"{os.getpid()}\n")
    if "raise" in what:
        raise ValueError(what["raise"])
    if "store error" in what:
        raise StoreError(what["store error"])
    if "exit" in what:
        raise SystemExit(what["exit"])
    if what.get("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if what.get("kill once") and tries(folder, planned.key) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    with Store(folder).begin(planned.key) if what.get("begin") else nullcontext():
        deadline = time.monotonic() + 30
        while "wait for" in what and not (Path(folder) / what["wait for"]).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
    return "done"


class Undeliverable:
    """A way to do them that no worker can take out of its parcel."""

    def __call__(self, folder: str, planned: Any) -> str:
        return "done"

    def __reduce__(self) -> Any:
        return (_broken, ())


def _broken() -> None:
    raise RuntimeError("broken on the way")


def tries(folder: str | Path, key: str) -> int:
    """How often one was begun."""
    path = Path(folder) / f"{key}.tries"
    return len(path.read_text().splitlines()) if path.exists() else 0


@contextmanager
def in_background(results: Iterator[Done]) -> Iterator[list[Done]]:
    """Let an executor go on while the test does something else; it is waited for at the end."""
    found: list[Done] = []
    running = threading.Thread(target=lambda: found.extend(results), daemon=True)
    running.start()
    yield found
    running.join(120)
    assert not running.is_alive()
