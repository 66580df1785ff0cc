"""The live view of a running mission: a few lines of a terminal, drawn anew at most four times a second."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from itertools import zip_longest
from types import TracebackType

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from expedition.cli.map_sketch import map_sketch
from expedition.kernels import announce_compilation
from expedition.measure.progress import Progress
from expedition.measure.states import state_words, states_of
from expedition.mission import Mission
from expedition.plotstyle import robot_colour

BETWEEN_DRAWINGS = 0.25
"""Seconds of the machine's clock."""
MOST_OF_TIME = 0.05
"""Drawings that take longer than this share of the time come less often."""
WINDOW = 12
"""The speed is that of the last so many drawings."""
TABLE_WIDTH, LEAST_MAP = 60, (20, 8)
"""Characters that the robots' rows take, and the smallest map worth drawing."""
STYLES = {"blocked": "red", "lost": "bold red", "gives way": "yellow", "done": "dim", "standing": "dim"}


class LiveView:
    """Shows a mission while it runs. Use it as a context, and hand `tell` to the mission.

    It appears with the first thing there is to show, so that a mission refused before it began leaves no trace.
    """

    def __init__(self, mission: Mission, console: Console) -> None:
        self._mission = mission
        self._console = console
        self._plain = console.no_color or console.color_system is None or not console.encoding.lower().startswith("utf")
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")
        self._progress: Progress | None = None
        self._compiling = ""
        self._drawn: deque[tuple[float, float]] = deque(maxlen=WINDOW)
        self._next_drawing = 0.0

    def __enter__(self) -> LiveView:
        self._announced_before = announce_compilation(self._tell_compilation)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        announce_compilation(self._announced_before)
        if self._live.is_started:
            self._compiling = ""
            self._draw()
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Take how the mission stands, and draw it if the last drawing is old enough."""
        self._progress = progress
        now = time.monotonic()
        if now >= self._next_drawing:
            self._drawn.append((now, progress.time))
            self._draw()
            self._next_drawing = now + max(BETWEEN_DRAWINGS, (time.monotonic() - now) / MOST_OF_TIME)

    def _tell_compilation(self, sentence: str) -> None:
        self._compiling = sentence
        self._draw()

    def _draw(self) -> None:
        if not self._live.is_started:
            self._live.start()
        self._live.update(self._view(), refresh=True)

    def _view(self) -> RenderableType:
        mission, progress = self._mission, self._progress
        title = f"{mission.terrain.name}, {_robots(len(mission.fleet))}, {mission.strategy_name}, seed {mission.seed}"
        lines: list[RenderableType] = [Text(title, style="bold", no_wrap=True, overflow="ellipsis")]
        if progress is not None:
            lines += [self._bar(progress), Text(), self._middle(progress)]
        if self._compiling:
            lines.append(Text(self._compiling, style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*lines)

    def _bar(self, progress: Progress) -> RenderableType:
        explored = float(progress.explored.max())
        told = f"{explored:6.1%} explored{_at_base(progress)}"
        row = Table.grid(padding=(0, 2))
        row.add_row(
            ProgressBar(self._mission.explored, explored, width=min(40, max(10, self._console.width - 34 - len(told)))),
            told,
            f"{progress.time:,.0f} s{self._speed()}",
        )
        return row

    def _speed(self) -> str:
        """Simulated seconds for each second of the machine's clock; compilation would make it say nothing."""
        (first_wall, first), (last_wall, last) = self._drawn[0], self._drawn[-1]
        if last_wall - first_wall < BETWEEN_DRAWINGS or self._compiling:
            return ""
        speed = (last - first) / (last_wall - first_wall)
        return f", {speed:,.{1 if speed < 10 else 0}f} times real time"

    def _middle(self, progress: Progress) -> RenderableType:
        """The map beside the robots, or the robots alone where there is no room for it."""
        height = self._console.height - 5
        width = min(self._console.width - TABLE_WIDTH - 2, 100)
        rows = robot_rows(progress, max(3, height - 1))
        if width < LEAST_MAP[0] or height < LEAST_MAP[1]:
            return Group(*rows)
        best = int(np.argmax(progress.explored))
        controller, monitor = progress.controller, progress.monitor
        drawing = map_sketch(
            monitor.in_world(best, controller.grids.state[best]), monitor.frame, self._mission.terrain.extent,
            monitor.poses_in_world(controller.localiser.pose), width, height, self._plain,
        )  # fmt: skip
        blank = Text(" " * len(drawing[0]))
        beside = zip_longest(drawing, rows, fillvalue=None)
        return Group(*(Text.assemble(left or blank, "  ", right or "") for left, right in beside))


class QuietLines:
    """Where there is no terminal: a line every hundred simulated seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._next = 100.0

    def tell(self, progress: Progress) -> None:
        """Take how the mission stands, and write a line if it is time."""
        if progress.time < self._next:
            return
        self._next += 100.0
        lost = int(np.count_nonzero(progress.controller.localiser.lost))
        more = f", {_robots(lost)} lost" if lost else ""
        self._console.print(f"{progress.time:,.0f} s: {progress.explored.max():.1%} explored{_at_base(progress)}{more}")


def robot_rows(progress: Progress, most: int) -> list[Text]:
    """A line a robot beneath a header; the last of at most `most` counts the states of those that are left over.

    Plain lines of fixed columns: a table that measures its cells would cost more than the mission itself.
    """
    controller, travelled = progress.controller, progress.monitor.travelled
    words = state_words(controller.robots)
    states = [words[state] for state in states_of(controller).tolist()]
    shown = controller.robots if controller.robots <= most else most - 1
    lines = [Text(f"{'robot':<7}{'state':<19}{'explored':>8}{'driven':>10}{'goal':>16}", style="bold")]
    for robot, state in enumerate(states[:shown]):
        x, y = controller.navigator.goal_points[robot].tolist()
        goal = "" if math.isnan(x) else f"{x:.1f}, {y:.1f}"
        figures = f"{progress.explored[robot]:>8.1%}{f'{travelled[robot]:,.0f} m':>10}{goal:>16}"
        name = (f"{f'● {robot}':<7}", robot_colour(robot))
        lines.append(Text.assemble(name, (f"{state:<19}", _style(state)), figures))
    if shown < controller.robots:
        counted = ", ".join(f"{count} {name}" for name, count in Counter(states[shown:]).most_common())
        lines.append(Text(f"{controller.robots - shown} more: {counted}"))
    return lines


def _style(state: str) -> str:
    return "yellow" if state.startswith("waits for") else STYLES.get(state, "")


def _at_base(progress: Progress) -> str:
    """What the base station knows, if there is one."""
    known = progress.sample.at_base
    return "" if math.isnan(known) else f", {known:.1%} at base"


def _robots(number: int) -> str:
    return f"{number} robot" if number == 1 else f"{number} robots"
