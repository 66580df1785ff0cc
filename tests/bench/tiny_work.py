"""Work that is no mission but does what missions may do to a worker; each leaves a file where it was done.

What a mission is to do stands in its parameters.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expedition.bench.durable import StoreError
from expedition.bench.provenance import code_digest
from expedition.bench.threads import ONE_THREAD
from expedition.errors import ExpeditionError


@dataclass(frozen=True)
class TinyPlanned:
    """A planned mission without what a design would say of it."""

    key: str
    parameters: dict[str, Any]
    vector: dict[str, Any]
    iteration: int
    seed: int


def asked(name: str, **parameters: Any) -> Any:
    """A mission that asks a worker to do something."""
    return TinyPlanned(name, parameters, {}, 0, 0)


def do(folder: str, planned: Any) -> str:
    """Note down who does it, and do it."""
    place = Path(folder) / f"{planned.key}.{os.getpid()}.{time.monotonic_ns()}"
    place.touch()
    wish = planned.parameters
    if wish.get("die_until", 0) >= len(times(folder, planned.key)):
        os.kill(os.getpid(), wish.get("by", signal.SIGKILL))
    if "leave" in wish:
        os._exit(wish["leave"])
    if "quit" in wish:
        raise SystemExit(wish["quit"])
    if "mistake" in wish:
        raise ExpeditionError(wish["mistake"])
    if "full" in wish:
        raise StoreError(wish["full"])
    if "bug" in wish:
        raise ZeroDivisionError(wish["bug"])
    if "hang_up" in wish:
        os.closerange(3, 256)
    time.sleep(wish.get("seconds", 0.0))
    return str(wish.get("ending", "explored"))


def threads(folder: str, planned: Any) -> str:
    """How many threads libraries may have here."""
    import polars as pl

    return ",".join(str(os.environ.get(name)) for name in ONE_THREAD) + f" polars={pl.thread_pool_size()}"


def digests_known(folder: str, planned: Any) -> str:
    """Whether the digest of the code was taken before this began."""
    return f"{code_digest.cache_info().currsize} known"


def times(folder: str | Path, key: str) -> list[Path]:
    """The notes of who has done it."""
    return sorted(Path(folder).glob(f"{key}.*"))


def prepared(planned: Any, tell: Any) -> None:
    """A preparation that may go wrong, and leaves a note when it is over."""
    wish = planned.parameters
    if wish.get("trouble") == "die_until":
        os.kill(os.getpid(), signal.SIGKILL)
    if wish.get("trouble") == "bug":
        raise ZeroDivisionError
    tell(f"preparing {planned.key}")
    time.sleep(1.0)
    (Path(wish["folder"]) / f"ready.{os.getpid()}").touch()


class Unpicklable:
    """Work that arrives at no worker."""

    def __call__(self, folder: str, planned: Any) -> str:
        return "explored"

    def __reduce__(self) -> Any:
        return (_never, ())


def _never() -> None:
    raise SystemExit(3)
