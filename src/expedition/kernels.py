"""The one way to write a kernel: `@kernel` on a small, pure, typed function over arrays.

Kernels are compiled by Numba on first use and kept on disk. `announce_compilation` tells the user what is
going on during that first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` in nopython mode, cached on disk and without the interpreter lock."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


class _Announcer(event.Listener):
    """Hears of each compilation as it starts; loading from the cache is not one."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell

    def on_start(self, compilation: Any) -> None:
        function = compilation.data["dispatcher"].py_func
        if function.__module__.startswith("expedition."):
            name = function.__name__.strip("_").replace("_", " ")
            self.tell(f"compiling {name} (first run only)")

    def on_end(self, compilation: Any) -> None:
        pass


def announce_compilation(tell: Callable[[str], None]) -> None:
    """Call `tell` with a sentence whenever a kernel is compiled from now on."""
    event.register("numba:compile", _Announcer(tell))  # type: ignore[no-untyped-call]
