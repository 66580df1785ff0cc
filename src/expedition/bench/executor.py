"""Executors bring missions to their ends: here, on the cores of this machine."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from typing import TYPE_CHECKING, Protocol

from expedition.bench.durable import StoreError
from expedition.bench.work import Work, carry_out, warm_up
from expedition.bench.worker import Message, Prepare, Worker
from expedition.errors import ExpeditionError

if TYPE_CHECKING:
    from expedition.design import Planned

TRIES = 3
"""A mission that was on a worker each of so many times when that died is given up."""


@dataclass(frozen=True)
class Done:
    """A mission that is over: with its ending, or given up with the reason."""

    planned: Planned
    ending: str | None = None
    error: str | None = None
    """A sentence, or the traceback of an error in the testbed."""


class Executor(Protocol):
    """Carries out missions. What cannot be brought to an end comes back with an error, and the rest goes on.

    A `StoreError` ends it all, since it concerns all missions. Workers end when the iterator is closed.
    """

    def run(self, folder: str, planned: Sequence[Planned], work: Work = carry_out) -> Iterator[Done]:
        """Carry out missions into the store in `folder`; each as it is over."""
        ...


class LocalExecutor:
    """Missions side by side, each in a process of its own, handed out one by one in the order given."""

    def __init__(
        self, workers: int, tell: Callable[[str], None] | None = None, prepare: Prepare | None = warm_up
    ) -> None:
        if workers < 1:
            raise ExpeditionError(f"workers: at least 1, found {workers}")
        self._number = workers
        self._tell = tell or (lambda sentence: None)
        self._prepare = prepare

    def run(self, folder: str, planned: Sequence[Planned], work: Work = carry_out) -> Iterator[Done]:
        """Carry out missions into the store in `folder`; each as it is over."""
        return _Run(folder, planned, work, self._number, self._tell, self._prepare).results()


class _Run:
    """The state of one run."""

    def __init__(
        self,
        folder: str,
        planned: Sequence[Planned],
        work: Work,
        workers: int,
        tell: Callable[[str], None],
        prepare: Prepare | None,
    ) -> None:
        self._folder, self._work, self._tell = folder, work, tell
        self._waiting = deque(planned)
        self._deaths: Counter[str] = Counter()
        self._failed_starts = 0
        self._workers: list[Worker] = []
        self._number = min(workers, len(planned))
        self._prepare = (prepare, planned[0]) if prepare is not None and planned else None
        self._preparing: Worker | None = None
        """The first worker, until it is ready; the others are started meanwhile, and wait for it."""

    def results(self) -> Iterator[Done]:
        """Hand out missions until all are over."""
        try:
            while self._waiting or any(worker.planned for worker in self._workers):
                self._fill()
                over = [done for worker in self._heard() for done in self._answers(worker)]
                self._fill()  # Before anyone looks at what is over, so that no worker waits for that.
                yield from over
            for worker in self._workers:
                worker.dismiss()
        except BaseException:
            for worker in self._workers:
                worker.kill()
            raise
        finally:
            for worker in self._workers:
                worker.join()

    def _fill(self) -> None:
        """Have enough workers, all of them busy."""
        busy = sum(worker.planned is not None for worker in self._workers)
        while len(self._workers) < min(self._number, busy + len(self._waiting)):
            self._workers.append(Worker(self._folder, self._work, self._prepare))
            if self._prepare is not None:
                self._prepare, self._preparing = None, self._workers[-1]
        if self._preparing is None:
            for worker in self._workers:
                if worker.ready and worker.planned is None and self._waiting:
                    worker.hand(self._waiting.popleft())

    def _heard(self) -> list[Worker]:
        """Wait until some workers have said something or have died."""
        ready = set(connection.wait([end for worker in self._workers for end in (worker.pipe, worker.sentinel)]))
        return [worker for worker in self._workers if worker.pipe in ready or worker.sentinel in ready]

    def _answers(self, worker: Worker) -> Iterator[Done]:
        # Whether it is dead is asked first: what it said before it died must still be heard.
        dead = worker.dead
        for message in worker.messages():
            yield from self._answer(worker, message)
        if dead:
            yield from self._bury(worker)

    def _answer(self, worker: Worker, message: Message) -> Iterator[Done]:
        if message.kind == "sentence":
            self._tell(message.text)
        elif message.kind == "ready":
            worker.ready, self._failed_starts = True, 0
            self._open(worker)
        elif message.kind == "store error":
            raise StoreError(message.text)
        else:
            planned, worker.planned = worker.planned, None
            assert planned is not None
            if message.kind == "ending":
                yield Done(planned, ending=message.text)
            else:
                yield Done(planned, error=message.text)

    def _bury(self, worker: Worker) -> Iterator[Done]:
        """A worker died: another takes its place, and its mission is tried again after the others, or given up."""
        self._workers.remove(worker)
        planned, death = worker.planned, worker.death()
        worker.join()
        if planned is None:
            self._failed_starts += worker is not self._preparing
            self._open(worker)
            if self._failed_starts >= TRIES:
                raise ExpeditionError(f"workers die before their first mission: {death}")
        elif self._died(planned.key) < TRIES:
            self._tell(f"{planned.key[:8]}: {death}; it is tried again")
            self._waiting.append(planned)
        else:
            yield Done(planned, error=f"{death}, {TRIES} times")

    def _died(self, key: str) -> int:
        self._deaths[key] += 1
        return self._deaths[key]

    def _open(self, worker: Worker) -> None:
        if worker is self._preparing:
            self._preparing = None
