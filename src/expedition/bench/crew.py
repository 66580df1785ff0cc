"""Workers of a Dask cluster: what runs in them, and what is asked of each before it is given missions.

A worker runs one mission at a time, and each mission is sent to one worker by name. So when a worker dies, exactly one
mission was running in it, and no mission that merely waited its turn is suspected.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expedition.bench.places import PROBE, temporary_name, this_host
from expedition.bench.provenance import code_digest, versions
from expedition.bench.worker import Message, attempt

if TYPE_CHECKING:
    from expedition.bench.work import Work
    from expedition.design import Planned

# Dask's types are its own: only parts of its functions say what they take and return.
DaskClient = Any
DaskFuture = Any

JOB_BEGAN = "EXPEDITION_JOB_BEGAN"
"""Environment variable of a job: when it began, in seconds since 1970 by the clock of its node."""


class WorkerReplaced(Exception):
    """The worker died, and the one that took its address was sent what the first was doing."""


@dataclass(frozen=True)
class Greeting:
    """What a worker says about itself."""

    host: str
    pid: int
    name: str
    problem: str | None
    """Why it cannot write into the store, if it cannot."""
    code: str
    versions: dict[str, str]
    job_age_s: float | None
    """How long its job has been running."""


@dataclass
class Worker:
    """A worker as this end of the line knows it."""

    address: str
    future: DaskFuture
    """The task that it was sent last: its greeting or a mission."""
    began: float
    """When that was, on this machine's monotonic clock."""
    greeting: Greeting | None = None
    mission: Planned | None = None
    ends: float = field(default=float("inf"))
    """When its job reaches the wall time, on this machine's monotonic clock."""

    @property
    def place(self) -> str:
        """The worker in words."""
        return f"{self.greeting.host} ({self.address})" if self.greeting else self.address


def greet(folder: str, marker: str, patience_s: float) -> Greeting:
    """Runs in a worker: who it is, and whether it sees the store and may write there."""
    from distributed import get_worker

    began = os.environ.get(JOB_BEGAN, "")
    return Greeting(
        host=this_host(),
        pid=os.getpid(),
        name=str(get_worker().name),
        problem=_problem_with(Path(folder), marker, patience_s),
        code=code_digest(),
        versions=versions(),
        job_age_s=max(0.0, time.time() - int(began)) if began else None,
    )


def carry_out_here(pid: int, folder: str, planned: Planned, work: Work) -> Message:
    """Runs in a worker: one mission, if this is still the process that was meant to run it."""
    if os.getpid() != pid:
        raise WorkerReplaced
    return attempt(work, folder, planned)


def _problem_with(folder: Path, marker: str, patience_s: float) -> str | None:
    deadline = time.monotonic() + patience_s
    while not (folder / marker).exists():
        if time.monotonic() > deadline:
            return "does not see the store; it must lie on a file system that the nodes share"
        time.sleep(0.2)
    own = folder / temporary_name(PROBE)
    try:
        own.touch()
        own.unlink()
    except OSError as error:
        return f"cannot write into the store: {error.strerror or error}"
    return None
