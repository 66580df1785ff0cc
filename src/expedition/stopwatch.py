"""Where a mission's computing time goes, phase by phase; measured, and never part of a result."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

PHASES = (
    "set up", "sense", "localise", "map", "exchange", "frontiers", "plan", "avoid", "Python", "move", "monitor",
)  # fmt: skip
"""What the time goes into: "Python" is the strategies' own code and what resumes them, "move" is the simulator's."""

_NOTHING = nullcontext()


class Stopwatch:
    """Counts the processor time since the last lap to a phase, so that other programs do not disturb it.

    One that is off counts nothing and costs nothing.
    """

    def __init__(self, on: bool = False, clock: Callable[[], float] = time.thread_time) -> None:
        self.seconds: dict[str, float] = {}
        self.robot: int | None = None
        """Whose software is at work; None while it is that of all robots together, or none."""
        self.by_robot: defaultdict[int, float] = defaultdict(float)
        """What was counted while some robot's software was at work, in whichever phase."""
        self.together: defaultdict[str, float] = defaultdict(float)
        """What was counted to each phase while no single robot's was."""
        self._on = on
        self._clock = clock
        self._last = clock()

    def lap(self, phase: str) -> None:
        """The time since the last lap went into this phase."""
        if self._on:
            now = self._clock()
            self._count(phase, now - self._last)
            self._last = now

    def within(self, phase: str) -> AbstractContextManager[None]:
        """What is done in this context goes into the phase, and not into the lap or the context around it.

        There is no lap inside of it.
        """
        return self._within(phase) if self._on else _NOTHING

    @contextmanager
    def _within(self, phase: str) -> Iterator[None]:
        began, last = self._clock(), self._last
        try:
            yield
        finally:
            # Contexts inside this one have moved the last lap on by what they took.
            spent = self._clock() - began - (self._last - last)
            self._count(phase, spent)
            self._last += spent

    def _count(self, phase: str, seconds: float) -> None:
        self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds
        if self.robot is None:
            self.together[phase] += seconds
        else:
            self.by_robot[self.robot] += seconds
