"""One core a mission: missions run side by side, so the libraries inside each must not start threads of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_VARIABLES = (
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
ONE_THREAD = dict.fromkeys(_VARIABLES, "1")
"""Environment of a process that runs missions. Libraries read it once, when they are imported."""


@contextmanager
def one_thread_for_children() -> Iterator[None]:
    """Processes that are started within have the libraries' threads off; this one keeps its own environment."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
