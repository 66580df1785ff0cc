"""Where a mission's computing time goes, phase by phase; measured, and never part of a result."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

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
        self.robot: int | None = None
        """Whose software is at work; None while it is that of all robots together, or none."""
        self._spent: defaultdict[tuple[int | None, str], float] = defaultdict(float)
        self._on = on
        self._clock = clock
        self._last = clock()

    @property
    def seconds(self) -> dict[str, float]:
        """What was counted to each phase."""
        seconds: defaultdict[str, float] = defaultdict(float)
        for (_, phase), spent in self._spent.items():
            seconds[phase] += spent
        return dict(seconds)

    @property
    def together(self) -> dict[str, float]:
        """What was counted to each phase while no single robot's software was at work."""
        return {phase: spent for (robot, phase), spent in self._spent.items() if robot is None}

    @property
    def by_robot(self) -> defaultdict[int, float]:
        """What was counted while some robot's software was at work, in whichever phase."""
        seconds: defaultdict[int, float] = defaultdict(float)
        for (robot, _), spent in self._spent.items():
            if robot is not None:
                seconds[robot] += spent
        return seconds

    def lap(self, phase: str) -> None:
        """The time since the last lap went into this phase."""
        if self._on:
            now = self._clock()
            self._spent[self.robot, phase] += now - self._last
            self._last = now

    def within(self, phase: str) -> AbstractContextManager[None]:
        """What is done in this context goes into the phase, and not into the lap or the context around it.

        There is no lap inside of it.
        """
        return _Within(self, phase) if self._on else _NOTHING


class _Within:
    """A context whose time goes into a phase. Contexts inside it move the last lap on by what they took."""

    def __init__(self, watch: Stopwatch, phase: str) -> None:
        self._watch = watch
        self._phase = phase

    def __enter__(self) -> None:
        self._last = self._watch._last
        self._began = self._watch._clock()

    def __exit__(self, *_: object) -> None:
        watch = self._watch
        spent = watch._clock() - self._began - (watch._last - self._last)
        watch._spent[watch.robot, self._phase] += spent
        watch._last += spent
