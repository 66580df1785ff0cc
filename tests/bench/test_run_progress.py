"""What is shown while a design runs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from expedition.bench.executor import Done
from expedition.cli.run_progress import RunProgress, duration
from tests.bench.tiny_work import asked


def progress_of(terminal: bool = False, quiet: bool = False) -> tuple[RunProgress, io.StringIO]:
    """A run of five missions of which two are there; the three others cost 6, 3 and 1."""
    written = io.StringIO()
    console = Console(file=written, force_terminal=terminal, width=120, highlight=False)
    return RunProgress(console, 5, {"a": 6.0, "b": 3.0, "c": 1.0}, quiet), written


def test_missions_done_failed_and_given_up_are_counted() -> None:
    progress, _ = progress_of()
    assert progress.words() == "2 of 5 missions done"
    progress.over(Done(asked("a"), ending="failed"))
    progress.over(Done(asked("b"), error="its worker was killed"))
    assert progress.words().startswith("3 of 5 missions done, 1 failed, 1 given up, ")
    assert " a minute, " in progress.words()
    assert progress.words().endswith(" left")
    progress.over(Done(asked("c"), ending="explored"))
    assert progress.words().startswith("4 of 5 missions done, 1 failed, 1 given up, ")
    assert "left" not in progress.words()


def test_a_terminal_shows_a_bar_and_sentences_above_it() -> None:
    progress, written = progress_of(terminal=True)
    with progress:
        progress.tell("compiling kernels [first run]")
        progress.over(Done(asked("a"), ending="explored"))
    assert "compiling kernels [first run]" in written.getvalue()
    assert "3 of 5 missions done" in written.getvalue()
    assert "━" in written.getvalue()


def test_elsewhere_there_is_no_bar() -> None:
    progress, written = progress_of()
    with progress:
        progress.tell("compiling kernels")
        progress.over(Done(asked("a"), ending="explored"))
    assert written.getvalue() == "compiling kernels\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_is_quiet(terminal: bool) -> None:
    progress, written = progress_of(terminal, quiet=True)
    with progress:
        progress.tell("compiling kernels")
        progress.over(Done(asked("a"), ending="explored"))
    assert written.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (700, "12 min"), (3600, "1 h 00 min"), (36_060, "10 h 01 min")],
)
def test_times_are_said_in_their_largest_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words
