"""The one way to write a kernel: `@kernel` on a small, pure, typed function over arrays.

Kernels are compiled by Numba on first use and kept on disk. A terminal shows what is being compiled meanwhile;
`announce_compilation` sends that elsewhere.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` in nopython mode, cached on disk and without the interpreter lock."""
    return cast(Function, _with_stamp(_compiled()(function)))


def inlined(function: Function) -> Function:
    """A kernel that is copied into those that call it: for a step of a loop, so that what it works on stays at hand.

    The compiler does so by itself with short ones that are called in few places.
    """
    return cast(Function, _with_stamp(_compiled(forceinline=True)(function)))


_compiled = partial(numba.njit, cache=True, nogil=True, error_model="numpy")


def _with_stamp(dispatcher: Any) -> Any:
    """Let what is kept of a kernel depend on the kernels and constants that its module imports.

    Numba looks at the kernel's own file only: edited, those would go on as they were inside whoever calls them.
    """
    if (kept := _kept(dispatcher)) is not None:
        imported = {name: _trace(value) for name, value in dispatcher.py_func.__globals__.items()}
        stamp = sorted((name, trace) for name, trace in imported.items() if trace)
        kept._source_stamp = hashlib.sha256(repr((kept._source_stamp, stamp)).encode()).hexdigest()
    return dispatcher


def _trace(value: object) -> str:
    """What compiled code takes over of a value: of a kernel its stamp, of a constant the value."""
    if (kept := _kept(value)) is not None:
        return str(kept._source_stamp)
    return repr(value) if isinstance(value, int | float | tuple) else ""


def _kept(value: object) -> Any:
    """The file in which Numba keeps a kernel, or None of what is none."""
    return getattr(getattr(value, "_cache", None), "_cache_file", None)


def announce_compilation(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Call `tell` with a sentence whenever a kernel is compiled from now on; `""` when all are done.

    Returns what was called before, so that it can be put back.
    """
    before, _announcer.tell = _announcer.tell, tell
    return before


def _tell_terminal(sentence: str) -> None:
    """One line that is overwritten, and gone when all is done; plain lines where a progress bar has the terminal."""
    terminal = sys.stderr
    if terminal is None or not terminal.isatty():
        return
    taken = terminal is not sys.__stderr__
    terminal.write((f"{sentence}\n" if sentence else "") if taken else f"\r\x1b[2K{sentence}")
    terminal.flush()


class _Announcer(event.Listener):
    """Hears of each compilation as it starts and ends; loading from the cache is not one.

    It tells of the kernels that Python calls, not of those that they call in turn.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.depth = 0

    def on_start(self, compilation: Any) -> None:
        self.depth += 1
        function = compilation.data["dispatcher"].py_func
        if self.depth == 1 and str(function.__module__).startswith("expedition."):
            name = function.__name__.strip("_").replace("_", " ")
            self.tell(f"compiling kernels, on the first run only: {name}")

    def on_end(self, compilation: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.tell("")


_announcer = _Announcer(_tell_terminal)
event.register("numba:compile", _announcer)  # type: ignore[no-untyped-call]
