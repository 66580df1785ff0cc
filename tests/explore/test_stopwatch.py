"""The stopwatch: every moment goes into exactly one phase."""

from __future__ import annotations

from contextlib import suppress

from expedition.stopwatch import Stopwatch


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_laps_count_the_time_since_the_last_one() -> None:
    clock = Clock()
    watch = Stopwatch(True, clock)
    for phase, seconds in (("map", 1.0), ("plan", 2.0), ("map", 4.0)):
        clock.now += seconds
        watch.lap(phase)
    assert watch.seconds == {"map": 5.0, "plan": 2.0}


def test_time_within_a_phase_is_not_counted_to_those_around_it() -> None:
    clock = Clock()
    watch = Stopwatch(True, clock)
    clock.now += 1.0
    with watch.within("frontiers"):
        clock.now += 2.0
        for _ in range(2):
            with watch.within("plan"):
                clock.now += 4.0
        clock.now += 16.0
    clock.now += 32.0
    watch.lap("Python")
    assert watch.seconds == {"plan": 8.0, "frontiers": 18.0, "Python": 33.0}


def test_what_raises_within_a_phase_is_counted_too() -> None:
    clock = Clock()
    watch = Stopwatch(True, clock)
    with suppress(ValueError), watch.within("plan"):
        clock.now += 2.0
        raise ValueError
    clock.now += 1.0
    watch.lap("Python")
    assert watch.seconds == {"plan": 2.0, "Python": 1.0}


def test_a_stopwatch_that_is_off_counts_nothing() -> None:
    clock = Clock()
    watch = Stopwatch(False, clock)
    with watch.within("plan"):
        clock.now += 1.0
    watch.lap("map")
    assert watch.seconds == {}
