"""Where missions of a cluster run: with a Dask scheduler that is there already, or one with workers in a queue's jobs.

The second kind keeps its jobs up: one that ended, at its wall time or otherwise, is replaced as long as there are
missions for it, and workers without missions go home, so that no node is held for nothing.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from expedition.bench.cluster_settings import DaskSettings, Settings, load_settings
from expedition.bench.crew import DaskClient
from expedition.bench.jobs import Jobs, logs_folder, start_scheduler
from expedition.errors import ExpeditionError

if TYPE_CHECKING:
    from expedition.bench.dask_executor import DaskExecutor

CONNECT_S = 20


class Workplace(Protocol):
    """Workers, and the way to them."""

    client: DaskClient
    own: bool
    """Whether the workers are there for this run only."""
    walltime_s: float
    """How long a worker's job runs at most."""

    def keep_up(self, present: Collection[str], missions: int) -> None:
        """Have as many workers as so many unfinished missions can use; `present` are the names of those there are."""
        ...

    def more_to_come(self, workers: int) -> bool:
        """Whether others may still come when so many are there."""
        ...

    def waiting_for(self) -> str:
        """What to tell a user who sees no worker."""
        ...


def make_executor(text: str, tell: Callable[[str], None] | None = None) -> DaskExecutor:
    """The executor for what stands after `--cluster`: a cluster file or the address of a Dask scheduler."""
    settings = load_settings(text)
    require_dask()
    from expedition.bench.dask_executor import DaskExecutor

    return DaskExecutor(lambda folder: opened(settings, folder), tell)


def require_dask() -> None:
    """An error with the way out if Dask is not installed."""
    # Importing dask-jobqueue makes Ctrl-C end the process without a word, before jobs are cancelled; it is given back.
    on_interrupt = signal.getsignal(signal.SIGINT)
    try:
        import dask_jobqueue  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as error:
        raise ExpeditionError(
            f"--cluster needs {error.name}, which is not installed: pip install 'expedition[cluster]'"
        ) from None
    if on_interrupt is not None and signal.getsignal(signal.SIGINT) is not on_interrupt:
        signal.signal(signal.SIGINT, on_interrupt)


@contextmanager
def opened(settings: Settings, folder: Path) -> Iterator[Workplace]:
    """A workplace for missions whose store is `folder`; its jobs are cancelled at the end."""
    with _quiet():
        if isinstance(settings, DaskSettings):
            with _connected(settings.address) as client:
                yield Running(client, settings.address)
            return
        logs = logs_folder(settings, folder)
        cluster = start_scheduler(settings, logs)
        try:
            with _connected(cluster) as client:
                yield Jobs(client, cluster, settings, Path(logs))
        finally:
            cluster.close()


class Running:
    """A Dask cluster that someone else has started and will stop."""

    own = False
    walltime_s = float("inf")

    def __init__(self, client: DaskClient, address: str) -> None:
        self.client = client
        self._address = address

    def keep_up(self, present: Collection[str], missions: int) -> None:
        """Nothing: the workers are not ours."""

    def more_to_come(self, workers: int) -> bool:
        """None that anyone here knows of."""
        return False

    def waiting_for(self) -> str:
        """What to tell a user who sees no worker."""
        return f"the scheduler at {self._address} has no workers; start some: dask worker {self._address} --nthreads 1"


@contextmanager
def _connected(target: Any) -> Iterator[DaskClient]:
    import distributed

    make_client: Any = distributed.Client
    try:
        client = make_client(target, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ExpeditionError(f"{target}: no Dask scheduler answers there: {reason}") from None
    try:
        yield client
    finally:
        with suppress(Exception):  # The scheduler may be gone, which by now is no news.
            client.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's log on the terminal: what of it a user must know is said in other words."""
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
