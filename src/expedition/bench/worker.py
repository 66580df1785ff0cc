"""A process that carries out missions, one at a time, and the end of it that its parent holds.

Messages go through a pipe. The worker listens to it also while a mission runs: when the parent is gone, however it
went, the pipe closes and the worker ends at once. What it had begun to write was under a temporary name.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Literal, NamedTuple

from expedition.bench.durable import StoreError
from expedition.bench.provenance import code_digest
from expedition.bench.threads import one_thread_for_children
from expedition.errors import ExpeditionError

if TYPE_CHECKING:
    from expedition.bench.work import Work
    from expedition.design import Planned

Prepare = Callable[["Planned", Callable[[str], None]], None]
"""What a worker does before its first mission; it may tell of it in sentences."""

LAST_WORDS = 5.0
"""Seconds that a worker gets to end by itself."""


class Message(NamedTuple):
    """What a worker says: it is ready; a sentence for the user; a mission's ending, its error, or that of the store."""

    kind: Literal["ready", "sentence", "ending", "error", "store error"]
    text: str = ""


class Worker:
    """A worker as its parent sees it."""

    def __init__(self, folder: str, work: Work, prepare: tuple[Prepare, Planned] | None = None) -> None:
        self.ready = False
        self.planned: Planned | None = None
        """The mission that it is carrying out."""
        # A fresh interpreter: forking would copy threads, such as one that draws a progress bar, in the middle of
        # whatever they do. Its pipe must not be inherited by the other workers, or it would outlive the parent.
        fresh = multiprocessing.get_context("spawn")
        self.pipe, theirs = fresh.Pipe()
        self._process = fresh.Process(target=serve, args=(theirs, folder, work, prepare), daemon=True)
        resource_tracker.ensure_running()  # Starting it would let the signals through that are held back below.
        # Ctrl-C in a terminal goes to all processes; it is for the parent alone. Blocked here, it is so in the worker
        # from its first moment; the parent gets it when both are out of the way.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with one_thread_for_children():
                self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.sentinel = self._process.sentinel

    def hand(self, planned: Planned) -> None:
        """Give it a mission to carry out."""
        self.planned = planned
        with suppress(OSError):  # It has just died, of which its parent is about to hear.
            self.pipe.send(planned)

    def messages(self) -> list[Message]:
        """What it has said since the last time."""
        heard = []
        try:
            while self.pipe.poll():
                heard.append(self.pipe.recv())
        except (EOFError, OSError):
            # It is ending, or has closed the pipe and can no longer be told anything.
            self._process.join(LAST_WORDS)
            self.kill()
        return heard

    @property
    def dead(self) -> bool:
        """Whether the process has ended."""
        return not self._process.is_alive()

    def death(self) -> str:
        """How the process ended, in words."""
        code = self._process.exitcode
        if code == -signal.SIGKILL:
            return "its worker was killed (SIGKILL), as the system does when memory runs out"
        if code is not None and code < 0:
            return f"its worker was killed by {signal.Signals(-code).name}"
        return f"its worker ended with exit code {code}"

    def dismiss(self) -> None:
        """Let it end: it has nothing to do any more."""
        self.pipe.close()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def join(self) -> None:
        """Wait until it has ended, not for long."""
        self._process.join(LAST_WORDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()
        self._process.close()


def serve(pipe: Connection, folder: str, work: Work, prepare: tuple[Prepare, Planned] | None) -> None:
    """Carry out missions that come through the pipe until it closes: the life of a worker."""
    waiting: queue.SimpleQueue[Planned] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, waiting), daemon=True, name="expedition worker").start()
    code_digest()  # Of what is about to be loaded: by the time a mission is written, files may have been edited.
    if prepare is not None:
        begin, first = prepare
        # A mission that fails here fails again when it is its turn, and is reported then.
        with suppress(Exception):
            begin(first, lambda sentence: _say(pipe, Message("sentence", sentence)))
    _say(pipe, Message("ready"))
    while True:
        _say(pipe, attempt(work, folder, waiting.get()))


def attempt(work: Work, folder: str, planned: Planned) -> Message:
    """Carry out a mission; what came of it, whatever that is."""
    try:
        return Message("ending", work(folder, planned))
    except StoreError as error:
        return Message("store error", str(error))
    except ExpeditionError as error:
        return Message("error", str(error))
    except BaseException:
        # Whatever it was, the worker goes on; even `SystemExit`, which would pass for its death. As text, since an
        # exception may not survive the way home.
        return Message("error", traceback.format_exc())


def _listen(pipe: Connection, waiting: queue.SimpleQueue[Planned]) -> None:
    """Take missions from the pipe; when it closes, end the process in the middle of what it does."""
    try:
        while True:
            waiting.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _say(pipe: Connection, message: Message) -> None:
    try:
        pipe.send(message)
    except OSError:
        os._exit(0)
