"""Watches over strategies: one that never awaits, or eats the memory, ends its own mission and nothing else.

A thread looks four times a second at how long the strategy's current step has taken and how much memory strategies have
gained. The exception is raised inside the strategy, so that its traceback shows the line: in the main thread by a
signal, which also ends `time.sleep` and `input`; in other threads by the interpreter, between two lines of Python.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Annotated, Any

from numba.core import event
from pydantic import Field

from expedition.spec import Spec

LOOKS_PER_SECOND = 4.0
PAGE = os.sysconf("SC_PAGE_SIZE")
ROOM_FOR_COMPILERS = 1_000_000_000
"""Bytes that the process may take beyond what a strategy may, so that compiling a kernel never runs out of memory."""


class LimitBroken(BaseException):
    """A strategy broke one of the guard's limits. Not an `Exception`, so that `except Exception` does not hide it."""


class StepTooLong(LimitBroken):
    """A strategy computed for too long without awaiting anything."""


class TooMuchMemory(LimitBroken):
    """Strategies have taken more memory than they may."""


class GuardSettings(Spec):
    """What strategies may take of the machine. A mission within these limits never notices them."""

    step_seconds: Annotated[float, Field(gt=0, le=1e6)] = 10.0
    """How long a strategy may compute from one await to the next, in seconds during which the machine attends to it."""
    memory_mb: Annotated[float, Field(gt=0, le=1e9)] = 1000.0
    """How much memory a mission's strategies may gain, in MB."""


class Guard:
    """Use it as a context around a mission, and `begin_step`, `end_step` around each step of a strategy."""

    def __init__(self, settings: GuardSettings) -> None:
        self._settings = settings
        self._step_began: float | None = None
        self._complaint: type[LimitBroken] | None = None
        self._resists = False
        """The strategy caught a first complaint and goes on."""
        self._gained = 0
        """Bytes that strategies have gained in the steps that are over."""
        self._resident_before = 0
        self._interrupted_by_user = False
        self._is_undisturbed = False
        self._trace_before: tuple[Any] | None = None
        """The debugger's or coverage tool's trace function, while ours is in its place."""
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="expedition guard")
        self._watched = threading.get_ident()
        self._in_main_thread = threading.current_thread() is threading.main_thread()
        self._handlers_before: dict[int, Any] = {}
        self._ours: set[str] = {__file__}

    def __enter__(self) -> Guard:
        self._statm = os.open("/proc/self/statm", os.O_RDONLY)
        if self._in_main_thread:
            self._address_space = resource.getrlimit(resource.RLIMIT_AS)
            self._handlers_before[signal.SIGUSR1] = signal.signal(signal.SIGUSR1, self._raise)
            if callable(before := signal.getsignal(signal.SIGINT)):
                self._handlers_before[signal.SIGINT] = before
                signal.signal(signal.SIGINT, self._note_interrupt)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_step()
        self._over.set()
        self._thread.join()
        for number, handler in self._handlers_before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        os.close(self._statm)

    def run(self, step: Callable[[], Any], ours: str) -> Any:
        """Let a strategy compute. Code of the file `ours` is never interrupted: it keeps the books."""
        self._ours.add(ours)
        try:
            self._begin_step()
            return step()
        finally:
            self.end_step()
            if self._interrupted_by_user:  # Even if the strategy caught it.
                raise KeyboardInterrupt

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Ctrl-C waits until this is over: what is being measured and written is to be whole. Then it strikes."""
        self._is_undisturbed = True
        try:
            yield
        finally:
            self._is_undisturbed = False
        if self._interrupted_by_user:
            raise KeyboardInterrupt

    @property
    def interrupted_by_user(self) -> bool:
        """Whether Ctrl-C was pressed, as against a strategy that raises KeyboardInterrupt itself.

        Behind `nohup` and the like nobody can press it.
        """
        if signal.SIGINT in self._handlers_before or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            return self._interrupted_by_user
        return True

    @property
    def memory_is_used_up(self) -> bool:
        """Whether strategies have gained too much over many steps, each too short to be looked at."""
        return self._gained > self._settings.memory_mb * 1e6

    def sentence(self, complaint: type[BaseException]) -> str:
        """What to say of a strategy that broke a limit."""
        if issubclass(complaint, StepTooLong):
            return (
                f"computed for more than {self._settings.step_seconds:g} s without awaiting anything; "
                "await robot.wait(), go_to() or the like in every loop"
            )
        return f"took more than {self._settings.memory_mb:g} MB of memory"

    def _begin_step(self) -> None:
        self._complaint, self._resists = None, False
        size, self._resident_before = self._memory()
        if self._in_main_thread:
            left = max(0, int(self._settings.memory_mb * 1e6) - self._gained)
            soft, hard = self._address_space
            wanted = size + left + ROOM_FOR_COMPILERS
            soft = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        self._step_began = time.monotonic()

    def end_step(self) -> None:
        """The strategy awaits something, or has ended."""
        with self._lock:
            if self._step_began is None:
                return
            self._step_began = None
            if not self._in_main_thread:  # An exception that has not struck yet is not to strike the mission.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), None)
        if self._trace_before is not None:
            sys.settrace(self._trace_before[0])
            self._trace_before = None
        if self._in_main_thread:
            resource.setrlimit(resource.RLIMIT_AS, self._address_space)
        self._gained += self._memory()[1] - self._resident_before

    def _watch(self) -> None:
        """Count looks, not the clock: a process that was halted, or starved by others, is not looking either."""
        looked_at, looks = None, 0
        while not self._over.wait(1.0 / LOOKS_PER_SECOND):
            began = self._step_began
            if began is None:
                continue
            looks = 0 if began != looked_at or _compilations.depth > 0 else looks + 1
            looked_at = began
            if _compilations.depth > 0:
                continue
            if self._gained + self._memory()[1] - self._resident_before > self._settings.memory_mb * 1e6:
                self._complain(TooMuchMemory)
            elif looks > self._settings.step_seconds * LOOKS_PER_SECOND:
                self._complain(StepTooLong)

    def _complain(self, complaint: type[LimitBroken]) -> None:
        self._resists = self._complaint is not None
        self._complaint = complaint
        self._interrupt(complaint)
        if self._resists and not self._in_main_thread:
            self._insist(complaint)

    def _insist(self, complaint: type[LimitBroken]) -> None:
        """A strategy that catches all exceptions in a loop is struck while it handles one, sooner or later."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            while self._step_began is not None:
                self._interrupt(complaint)
        finally:
            sys.setswitchinterval(before)

    def _interrupt(self, complaint: type[LimitBroken]) -> None:
        with self._lock:
            if self._step_began is None:
                return
            if self._in_main_thread:
                signal.pthread_kill(self._watched, signal.SIGUSR1)
            else:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(complaint))

    def _raise(self, number: int, frame: FrameType | None) -> None:
        ours = frame is not None and frame.f_code.co_filename in self._ours
        if self._step_began is None or self._complaint is None or ours:
            return
        if self._resists:
            self._strike_twice(frame)
        raise self._complaint(self.sentence(self._complaint))

    def _strike_twice(self, frame: FrameType | None) -> None:
        """Let the next line raise as well: that of the `except` clause which would go on."""

        def strike(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and self._complaint is not None:
                raise self._complaint(self.sentence(self._complaint))
            return strike

        if self._trace_before is None:
            self._trace_before = (sys.gettrace(),)
        while frame is not None and frame.f_code.co_filename not in self._ours:
            frame.f_trace = strike
            frame = frame.f_back
        sys.settrace(lambda *_: None)

    def _note_interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C strikes a strategy or a compiler, which may take long; all else comes to its end first.

        Who presses it again does not care.
        """
        again, self._interrupted_by_user = self._interrupted_by_user, True
        of_strategy = self._step_began is not None and frame is not None and frame.f_code.co_filename not in self._ours
        compiles = _compilations.depth > 0 and not self._is_undisturbed
        if again or of_strategy or compiles:
            self._handlers_before[signal.SIGINT](number, frame)

    def _memory(self) -> tuple[int, int]:
        """Bytes of address space and of memory that the process occupies."""
        size, resident, _ = os.pread(self._statm, 100, 0).split(maxsplit=2)
        return int(size) * PAGE, int(resident) * PAGE


class _Compilations(event.Listener):
    """Whether a kernel is being compiled: that takes seconds, and is no fault of the strategy that needs it first."""

    depth = 0

    def on_start(self, compilation: Any) -> None:
        self.depth += 1

    def on_end(self, compilation: Any) -> None:
        self.depth -= 1


_compilations = _Compilations()
event.register("numba:compile", _compilations)  # type: ignore[no-untyped-call]
