"""What is said of a strategy, or other code of a user's, that failed: one sentence with its line, and a traceback."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import TypeVar

from expedition.errors import ExpeditionError, shorten
from expedition.guard import Guard, LimitBroken, TooMuchMemory

PACKAGE = f"{Path(__file__).parent}/"
LIBRARY = sysconfig.get_path("stdlib")
BOOKKEEPING = {f"{PACKAGE}{name}" for name in ("guard.py", "decisions.py", "action.py", "strategies/library.py")}
"""Files whose lines say nothing of what the strategy did."""

Returned = TypeVar("Returned")


class StrategyFailed(ExpeditionError):
    """A strategy, or other code of the user's, raised or did what it may not. Plain data, so that it travels."""

    def __init__(self, sentence: str, robot: int | None, time: float, report: str) -> None:
        super().__init__(sentence, robot, time, report)
        self.sentence = sentence
        self.robot = robot
        """Whose strategy it was; None if it was none."""
        self.time = time
        self.report = report
        """The traceback, from the strategy's own first line on."""

    def __str__(self) -> str:
        return self.sentence


def failure_of(robot: int, time: float, error: BaseException, guard: Guard, home: CodeType | None) -> StrategyFailed:
    """The failure of a robot's strategy by an error that was raised in it; `home` is the strategy's own function."""
    frames = _frames(error)
    if not frames and home is not None:
        frames = [traceback.FrameSummary(home.co_filename, home.co_firstlineno, home.co_name)]
    said = _said(error, guard)
    error.__context__ = None if isinstance(error, LimitBroken) else error.__context__
    trace = traceback.TracebackException.from_exception(error)
    trace.stack = traceback.StackSummary.from_list(frames)
    report = "".join(trace.format()).rstrip()
    if said not in report:
        report = f"{report}: {said}"
    if isinstance(error.__cause__, StopIteration):  # Python makes a RuntimeError of it, without the line.
        frames = _frames(error.__cause__)
    sentence = f"the strategy of robot {robot} failed after {time:.1f} s{_place(frames, home)}: {said}"
    return StrategyFailed(sentence, robot, time, f"{report}\n")


def guarded(what: str, time: float, call: Callable[[], Returned]) -> Returned:
    """Call what may be code of the user's that is no strategy; if it raises, the mission has failed."""
    try:
        return call()
    except Exception as error:
        place = "" if isinstance(error, ExpeditionError) else _place(_frames(error), None)
        sentence = f"the {what} failed after {time:.1f} s{place}: {_words(error)}"
        raise StrategyFailed(sentence, None, time, traceback.format_exc()) from None


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in BOOKKEEPING]


def _said(error: BaseException, guard: Guard) -> str:
    if isinstance(error, LimitBroken):
        return guard.sentence(type(error))
    if isinstance(error, MemoryError):
        return guard.sentence(TooMuchMemory)
    return _words(error)


def _words(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = "an error that cannot be printed"
    return text if isinstance(error, ExpeditionError) else f"{type(error).__name__}: {shorten(text, 300)}"


def _place(frames: list[traceback.FrameSummary], home: CodeType | None) -> str:
    """The last line that the strategy's author wrote: not one of this package or of a library that it calls."""
    file = home.co_filename if home is not None else None
    for is_theirs in (
        lambda name: not name.startswith((PACKAGE, LIBRARY, "<")) and "site-packages" not in name,
        lambda name: name == file,
        lambda name: not name.startswith(PACKAGE),
        lambda name: True,
    ):
        for frame in reversed(frames):
            if is_theirs(frame.filename):
                return f" at {frame.filename}:{frame.lineno}"
    return ""
