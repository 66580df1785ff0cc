"""Runs missions in processes of their own, so that one that hangs or dies costs itself and no other."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from expedition.bench.threads import one_thread_for_children
from expedition.exploring import explore
from studies.maps.mission import Done, Job, carry_out, raised

Work = Callable[[Job], Done]
PATIENCE = 3600.0
"""Wall-clock seconds after which a mission is given up: a hundred times what a long one takes."""
LOOK = 1.0


def each(jobs: Sequence[Job], workers: int, patience: float = PATIENCE, work: Work = carry_out) -> Iterator[Done]:
    """What comes of each mission, as they are done. One worker is this process, which is easier to debug."""
    if workers == 1 or len(jobs) < 2:
        yield from map(work, jobs)
        return
    waiting = list(reversed(jobs))
    at_work: list[_Worker] = []
    try:
        while waiting or at_work:
            while waiting and len(at_work) < workers:
                at_work.append(_Worker(waiting.pop(), work))
            wait([worker.pipe for worker in at_work], LOOK)
            for worker in list(at_work):
                if (done := worker.done(patience)) is None:
                    continue
                yield done
                if waiting and worker.lives:
                    worker.begin(waiting.pop())
                else:
                    worker.end()
                    at_work.remove(worker)
    finally:
        for worker in at_work:
            worker.end()


class _Worker:
    """A process that runs one mission after the other."""

    def __init__(self, job: Job, work: Work) -> None:
        # Forking would copy the thread that draws the progress bar in the middle of whatever it does.
        fresh = multiprocessing.get_context("spawn")
        self.pipe, theirs = fresh.Pipe()
        self.process = fresh.Process(target=_serve, args=(theirs, work), daemon=True)
        with one_thread_for_children():
            self.process.start()
        theirs.close()
        self.lives, self.is_ready = True, False
        self.begin(job)

    def begin(self, job: Job) -> None:
        """Hand it a mission."""
        self.job, self.began = job, time.monotonic()
        with suppress(OSError):  # It has just died, of which `done` is about to hear.
            self.pipe.send(job)

    def done(self, patience: float) -> Done | None:
        """What came of its mission, if it is over."""
        try:
            if self.pipe.poll():
                heard = self.pipe.recv()
                if isinstance(heard, Done):
                    return heard
                self.is_ready, self.began = True, time.monotonic()
        except (EOFError, OSError):
            self.lives = False
            self.process.join(LOOK)
            return Done(raised(self.job.case, f"its process died with exit code {self.process.exitcode}"))
        if time.monotonic() - self.began > (patience if self.is_ready else PATIENCE):
            self.lives = False
            return Done(raised(self.job.case, f"given up after {patience:g} s of computing"))
        return None

    def end(self) -> None:
        """End it at once; between missions it has nothing to lose."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(pipe: Connection, work: Work) -> None:
    """The life of a worker: it says that it is ready, then what comes of each mission that it is handed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits for the workers.
    with suppress(Exception):
        # A moment of a mission first: compiling and loading kernels is no part of what a mission takes.
        explore("cross", 2, time_limit=2.0)
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            pipe.send(work(pipe.recv()))
