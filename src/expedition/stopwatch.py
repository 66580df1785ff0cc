"""Where a mission's computing time goes, phase by phase; measured, and never part of a result."""

from __future__ import annotations

import time


class Stopwatch:
    """Counts the processor time since the last lap to a phase, so that other programs do not disturb it.

    One that is off counts nothing and costs nothing.
    """

    def __init__(self, on: bool = False) -> None:
        self.seconds: dict[str, float] = {}
        self._on = on
        self._last = time.thread_time()

    def lap(self, phase: str) -> None:
        """The time since the last lap went into this phase."""
        if self._on:
            now = time.thread_time()
            self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
            self._last = now
