"""Missions on the workers of a Dask cluster.

Each worker holds one mission at a time and gets the next when it has answered, so the scheduler never knows of more
missions than there are workers, however large the design is. Results go from the worker into the store, and only a word
comes back.
"""

from __future__ import annotations

import queue
import sys
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expedition.bench.crew import DaskFuture, Greeting, Worker, WorkerReplaced, carry_out_here, greet
from expedition.bench.durable import StoreError, remove_folder, writing
from expedition.bench.executor import TRIES, Done
from expedition.bench.places import PROBE, temporary_name
from expedition.bench.provenance import code_digest, versions
from expedition.bench.store import Store
from expedition.bench.work import Work, carry_out
from expedition.errors import ExpeditionError

if TYPE_CHECKING:
    from expedition.bench.cluster import Workplace
    from expedition.bench.worker import Message
    from expedition.design import Planned

LOOK_EVERY_S = 0.5
"""How often to see which workers came and went."""
FETCH_S = 30.0
"""How long an answer may take from a worker that has one."""
CLOSED_BY_ORDER = 20
"""A mission whose worker was closed by order so many times, as at the end of a lifetime, is given up."""
ROOM = 1.5
"""A worker gets a mission if its job has so many times the longest mission's time left."""
SLOW_FILE_SYSTEM_S = 15.0
"""How long a shared file system may take to show a new file on another machine."""
PATIENCE_S = 30.0
"""Seconds without any worker after which the user is told what is being waited for, or why none is any use."""


class DaskExecutor:
    """Missions side by side, each on a worker of a Dask cluster, handed out one by one in the order given."""

    def __init__(
        self,
        opened: Callable[[Path], AbstractContextManager[Workplace]],
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._opened = opened
        self._tell = tell or (lambda sentence: print(sentence, file=sys.stderr))

    def run(self, folder: str, planned: Sequence[Planned], work: Work = carry_out) -> Iterator[Done]:
        """Carry out missions into the store in `folder`; each as it is over."""
        if not planned:
            return
        store = Path(folder).absolute()  # A worker has another current folder.
        with _marker(store) as marker, ExitStack() as after, self._opened(store) as workplace:
            run = _Run(workplace, Store(store), marker, planned, work, self._tell)
            after.callback(run.clear_up)  # When jobs are cancelled, and their workers write no more.
            yield from run.results()


@dataclass(frozen=True)
class _Answer:
    """A task that is over, and the worker that had it."""

    worker: Worker
    future: DaskFuture


class _Run:
    """The state of one run."""

    def __init__(
        self,
        workplace: Workplace,
        store: Store,
        marker: str,
        planned: Sequence[Planned],
        work: Work,
        tell: Callable[[str], None],
    ) -> None:
        self._workplace, self._client = workplace, workplace.client
        self._store, self._folder, self._marker = store, str(store.folder), marker
        self._work, self._tell = work, tell
        self._waiting = deque(planned)
        self._crew: dict[str, Worker] = {}
        self._refused: dict[str, str] = {}
        """Workers that are given nothing, and why."""
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._deaths: Counter[str] = Counter()
        self._closed: Counter[str] = Counter()
        self._failed_starts = 0
        self._undelivered: Counter[str] = Counter()
        """How often Dask could not bring a mission to its worker."""
        self._undelivered_in_a_row = 0
        self._hosts_told_of: set[str] = set()
        self._longest_s = 0.0
        self._next_look = 0.0
        self._last_worker_at = time.monotonic()
        self._told_to_wait = False
        self._id = uuid.uuid4().hex[:8]
        self._sent = 0

    def results(self) -> Iterator[Done]:
        """Hand out missions until all are over."""
        try:
            yield from self._rounds()
        except (OSError, ValueError, CancelledError) as error:
            # In these ways Dask says, in whatever it is asked, that nobody answers.
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise ExpeditionError(
                f"lost the Dask scheduler: {reason}; finished missions are kept, give the same command again to go on"
            ) from error

    def clear_up(self) -> None:
        """Remove what workers that are there for this run only had begun to write when it ended."""
        if self._workplace.own:
            for worker in self._at_work():
                self._clear_up_after(worker)

    def _rounds(self) -> Iterator[Done]:
        while self._waiting or self._at_work():
            if time.monotonic() >= self._next_look:
                yield from self._look_around()
                self._next_look = time.monotonic() + LOOK_EVERY_S
            self._hand_out()
            yield from self._heard()

    def _at_work(self) -> list[Worker]:
        return [worker for worker in self._crew.values() if worker.mission is not None]

    # Workers

    def _look_around(self) -> Iterator[Done]:
        """Greet the workers that came, and take back the missions of those that went."""
        present = self._client.nthreads()
        for address in [address for address in self._crew if address not in present]:
            yield from self._bury(self._crew.pop(address))
        self._refused = {address: why for address, why in self._refused.items() if address in present}
        for address in present:
            if address not in self._crew and address not in self._refused:
                future = self._send(address, greet, self._folder, self._marker, SLOW_FILE_SYSTEM_S)
                self._crew[address] = Worker(address, future, time.monotonic())
                self._listen_to(self._crew[address])
        names = [worker.greeting.name for worker in self._crew.values() if worker.greeting]
        if self._waiting:
            self._workplace.keep_up(names, len(self._waiting) + len(self._at_work()))
        self._mind_absence()

    def _mind_absence(self) -> None:
        """After a while without a worker: an error if those there are were refused and no other is to come, or a word.

        Not at once: a worker that died is back in a moment, and the first to come may be the only one that is no use.
        """
        now = time.monotonic()
        if self._crew:
            self._last_worker_at = now
        elif now - self._last_worker_at > PATIENCE_S:
            if self._refused and not self._workplace.more_to_come(len(self._refused)):
                raise ExpeditionError(next(iter(self._refused.values())))
            if not self._told_to_wait:
                self._told_to_wait = True
                self._tell(self._workplace.waiting_for())

    def _welcome(self, worker: Worker, future: DaskFuture) -> None:
        """A worker has answered the greeting, or could not."""
        if future.status == "error" and not self._lost(future):
            self._refuse(worker, f"cannot run expedition: {self._reason(future)}")
            return
        greeting: Greeting | None = self._fetch(future) if future.status == "finished" else None
        if greeting is None:
            del self._crew[worker.address]  # It died; if not, it is greeted again.
        elif greeting.problem is not None:
            self._refuse(worker, f"{greeting.problem} ({self._folder})", greeting.host)
        elif greeting.code != code_digest():
            self._refuse(worker, "has another version of expedition's code than this machine", greeting.host)
        else:
            self._admit(worker, greeting)

    def _admit(self, worker: Worker, greeting: Greeting) -> None:
        self._failed_starts = 0
        worker.greeting = greeting
        if greeting.job_age_s is not None:
            worker.ends = time.monotonic() + self._workplace.walltime_s - greeting.job_age_s
        here, there = versions(), greeting.versions
        differing = sorted(name for name in here | there if here.get(name) != there.get(name))
        other = [f"{name} {there[name]}" if name in there else f"no {name}" for name in differing]
        if other and greeting.host not in self._hosts_told_of:
            self._hosts_told_of.add(greeting.host)
            self._tell(f"workers on {greeting.host} have {', '.join(other)}, other than here: results may differ")

    def _refuse(self, worker: Worker, why: str, host: str = "") -> None:
        place = f"{host} ({worker.address})" if host else worker.address
        del self._crew[worker.address]
        self._refused[worker.address] = f"worker on {place} {why}"
        self._tell(self._refused[worker.address])

    def _bury(self, worker: Worker) -> Iterator[Done]:
        """A worker went: its mission is tried again after the others, or given up."""
        worker.future.cancel()
        planned = worker.mission
        if planned is None:
            self._failed_starts += worker.greeting is None
            if self._failed_starts >= TRIES:
                raise ExpeditionError(f"workers die before their first mission, the last on {worker.address}")
            return
        key = planned.key
        if self._work is carry_out and self._store.has(key):  # It went after its work was done.
            yield Done(planned, ending=str(self._store.outcome(key)["ending"]))
        elif self._was_closed(worker.address):
            self._closed[key] += 1
            self._clear_up_after(worker)
            if self._closed[key] < CLOSED_BY_ORDER:
                self._waiting.append(planned)
            else:
                yield Done(planned, error=f"its worker was closed before it ended, {CLOSED_BY_ORDER} times")
        else:
            # It takes at least as long as it had; with a wall time too short for it, the next job must be a fresh one.
            self._longest_s = max(self._longest_s, time.monotonic() - worker.began)
            self._deaths[key] += 1
            self._clear_up_after(worker)
            if self._deaths[key] < TRIES:
                self._waiting.append(planned)
                self._tell(f"{key[:8]}: {self._death(worker)}; it is tried again")
            else:
                yield Done(planned, error=f"{self._death(worker)}, {TRIES} times")

    def _clear_up_after(self, worker: Worker) -> None:
        """Remove what a dead worker had begun to write; from another machine, nobody could tell that it is dead."""
        if worker.greeting is not None and worker.mission is not None:
            begun = (worker.mission.key, worker.greeting.host, worker.greeting.pid)
            for running in self._store.running():
                if (running.key, running.host, running.pid) == begun:
                    remove_folder(running.folder)

    def _was_closed(self, address: str) -> bool:
        """Whether the scheduler expected a worker to leave, as one does at the end of its lifetime."""
        events = [event for _, event in self._client.get_events(address)]
        farewells = [event for event in events if isinstance(event, dict) and event.get("action") == "remove-worker"]
        return bool(farewells) and bool(farewells[-1].get("expected"))

    def _death(self, worker: Worker) -> str:
        if time.monotonic() > worker.ends:
            return f"its job came to the end of its wall time on {worker.place}"
        return f"its worker died on {worker.place}, killed or out of memory"

    # Missions

    def _hand_out(self) -> None:
        """Give each worker that has none a mission; one that cannot be given any more goes home, if it is ours."""
        idle = [worker for worker in self._crew.values() if worker.greeting and worker.mission is None]
        # Never so much room that a fresh job has too little.
        room = min(ROOM * self._longest_s, 0.9 * self._workplace.walltime_s)
        for worker in idle:
            assert worker.greeting is not None
            if self._waiting and time.monotonic() + room < worker.ends:
                planned = self._waiting.popleft()
                worker.mission, worker.began = planned, time.monotonic()
                arguments = (worker.greeting.pid, self._folder, planned, self._work)
                worker.future = self._send(worker.address, carry_out_here, *arguments)
                self._listen_to(worker)
            elif self._workplace.own:
                self._client.retire_workers([worker.address], close_workers=True)
                del self._crew[worker.address]

    def _heard(self) -> Iterator[Done]:
        """Wait until a worker has said something, or it is time to look around."""
        try:
            answer = self._answers.get(timeout=max(0.0, self._next_look - time.monotonic()))
            while True:
                yield from self._answer(answer.worker, answer.future)
                answer = self._answers.get_nowait()
        except queue.Empty:
            return

    def _answer(self, worker: Worker, future: DaskFuture) -> Iterator[Done]:
        if self._crew.get(worker.address) is not worker or worker.future is not future:
            return  # It was buried, and its mission is in other hands.
        if worker.greeting is None:
            self._welcome(worker, future)
        elif future.status == "finished" and (message := self._fetch(future)) is not None:
            yield from self._over(worker, message)
        elif future.status == "error" and not self._lost(future):
            yield from self._not_delivered(worker, self._reason(future))
        else:
            yield from self._bury(self._crew.pop(worker.address))

    def _not_delivered(self, worker: Worker, reason: str) -> Iterator[Done]:
        """Dask says that a task went wrong, while a mission's own errors come as messages: the mission never began."""
        planned, worker.mission = worker.mission, None
        assert planned is not None
        self._undelivered[planned.key] += 1
        self._undelivered_in_a_row += 1
        if self._undelivered_in_a_row >= TRIES:
            raise ExpeditionError(f"Dask cannot hand missions to its workers, the last on {worker.place}: {reason}")
        if self._undelivered[planned.key] < TRIES:
            self._waiting.append(planned)
        else:
            yield Done(planned, error=f"Dask could not hand it to a worker, {TRIES} times: {reason}")

    def _over(self, worker: Worker, message: Message) -> Iterator[Done]:
        self._undelivered_in_a_row = 0
        if message.kind == "store error":
            raise StoreError(message.text)
        planned, worker.mission = worker.mission, None
        assert planned is not None
        self._longest_s = max(self._longest_s, time.monotonic() - worker.began)
        if message.kind == "ending":
            yield Done(planned, ending=message.text)
        else:
            yield Done(planned, error=message.text)

    # The way there and back

    def _send(self, address: str, task: Callable[..., Any], *arguments: object) -> DaskFuture:
        self._sent += 1
        # A name of its own for each try, so that Dask does not take one for the repetition of another.
        return self._client.submit(
            task, *arguments, workers=[address], key=f"expedition-{self._id}-{self._sent}", pure=False, retries=0
        )

    def _listen_to(self, worker: Worker) -> None:
        worker.future.add_done_callback(lambda future: self._answers.put(_Answer(worker, future)))

    def _fetch(self, future: DaskFuture) -> Any:
        """What a task returned; `None` if its worker died with it."""
        from distributed import TimeoutError

        try:
            return future.result(timeout=FETCH_S)
        except TimeoutError:
            return None

    @staticmethod
    def _lost(future: DaskFuture) -> bool:
        from distributed import KilledWorker

        return isinstance(future.exception(), KilledWorker | WorkerReplaced)

    @staticmethod
    def _reason(future: DaskFuture) -> str:
        error = future.exception() if future.status == "error" else future.status
        if not isinstance(error, BaseException):
            return str(error)
        error = error.__cause__ or error  # What went wrong, rather than that something did.
        return " ".join(f"{type(error).__name__}: {error}".split())


@contextmanager
def _marker(folder: Path) -> Iterator[str]:
    """The name of a file in the store for workers to find."""
    path = folder / temporary_name(f"{PROBE}-{uuid.uuid4().hex}")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        path.touch()
    try:
        yield path.name
    finally:
        path.unlink(missing_ok=True)
