"""How a run of a design goes, while it goes: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

if TYPE_CHECKING:
    from expedition.bench.executor import Done

BETWEEN_LINES = 30.0
"""Seconds of the machine's clock."""
DRAWINGS_PER_SECOND = 2.0


class RunProgress:
    """Use it as a context; `over` takes each mission that is over, `tell` a sentence.

    Missions count by what they are expected to cost, so that the bar and the time left are not misled by small ones.
    """

    def __init__(self, console: Console, missions: int, costs: dict[str, float], quiet: bool = False) -> None:
        self.finished = missions - len(costs)
        """Missions that are in the store."""
        self.failed = self.given_up = 0
        self._missions, self._costs, self._quiet = missions, costs, quiet
        self._total = self._left = sum(costs.values())
        self._began = self._last_line = time.monotonic()
        self._console = console
        self._bar = bar_on(console, quiet)
        self._task = self._bar.add_task(self.words(), total=max(self._left, 1e-9))

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def over(self, done: Done) -> None:
        """Take note of a mission that is over."""
        if done.error is not None:
            self.given_up += 1
        else:
            self.finished += 1
            self.failed += done.ending == "failed"
        self._left -= self._costs[done.planned.key]
        self._bar.update(self._task, advance=self._costs[done.planned.key], description=self.words())
        now = time.monotonic()
        if not self._bar.disable or self._quiet or now - self._last_line < BETWEEN_LINES:
            return
        self._last_line = now
        self._console.print(self.words())

    def tell(self, sentence: str) -> None:
        """Say something between two drawings of the bar."""
        if sentence and not self._quiet:
            self._console.print(sentence, markup=False)

    def words(self) -> str:
        """How the run stands."""
        parts = [f"{self.finished} of {self._missions} missions done"]
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += [f"{self.given_up} given up"] if self.given_up else []
        elapsed, spent = time.monotonic() - self._began, self._total - self._left
        here = self.finished + self.given_up - (self._missions - len(self._costs))
        if here and elapsed > 0.0:
            rate = 60.0 * here / elapsed
            parts.append(f"{rate:,.{0 if rate >= 10 else 1}f} a minute")
        if 0 < here < len(self._costs) and spent > 0.0:
            parts.append(f"{duration(elapsed * self._left / spent)} left")
        return ", ".join(parts)


def bar_on(console: Console, quiet: bool) -> Progress:
    """The one bar, which is there on terminals only."""
    return Progress(
        BarColumn(bar_width=30),
        TextColumn("{task.description}"),
        console=console,
        refresh_per_second=DRAWINGS_PER_SECOND,
        disable=quiet or not console.is_terminal,
    )


def duration(seconds: float) -> str:
    """A time as one says it: the two largest units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s" if whole < 600 else f"{round(whole / 60)} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
