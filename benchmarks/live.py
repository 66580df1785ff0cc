"""Watching a large fleet live: the frames that the page shows, and the speed that is left to the mission."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.missions import warm_up
from expedition.exploring import plan_mission
from expedition.log.recorder import WATCHED, Recorder
from expedition.measure.progress import Progress
from expedition.mission import Mission, run
from expedition.viewer.live import LiveViewer

ROBOTS = 120
AIM_FRAMES, AIM_SPEED = 20.0, 0.8
BEGIN, END = 20.0, 80.0
"""Seconds of the mission between which everything is measured."""


class Window:
    """Looks at the clock, and at the browser if there is one, at two moments of a mission."""

    def __init__(self, browser: subprocess.Popen[str] | None, begin: float, end: float) -> None:
        self._browser = browser
        self._moments = [begin, end]
        self.walls: list[float] = []
        self.states: list[dict[str, Any]] = []

    def look(self, progress: Progress) -> None:
        """Called once a simulated second."""
        if self._moments and progress.time >= self._moments[0]:
            self._moments.pop(0)
            self.walls.append(time.perf_counter())
            if self._browser is not None:
                self.states.append(ask(self._browser))

    @property
    def seconds(self) -> float:
        """Of the wall clock."""
        return self.walls[1] - self.walls[0]

    @property
    def frames(self) -> float:
        """That the page drew a second."""
        before, after = self.states
        return float(1e3 * (after["frames"] - before["frames"]) / (after["at"] - before["at"]))


def live(
    console: Console, robots: int = ROBOTS, begin: float = BEGIN, end: float = END, rounds: int = 2, size: int = 75
) -> None:
    """Print (m): frames a second, and the mission's speed alone, recorded, and watched."""
    mission = plan_mission(
        f"cave:size={size},seed=1", robots, "nearest-frontier", 1, placement="grouped:radius=8",
        stop={"explored": 1.0, "time": end + 1.0},
    )  # fmt: skip
    warm_up(mission)
    alone, recorded, watched = [], [], []
    for _ in range(rounds):
        alone.append(_alone(mission, begin, end, False))
        recorded.append(_alone(mission, begin, end, True))
        watched.append(_watched(mission, begin, end))
    best = min(window.seconds for window in alone)
    table = Table(
        "the mission", "x real time", "of its speed alone", "frames a second",
        title=f"(m) {robots} robots in a cave of {size} x {size} m, live: the mission, its server and Chromium",
        caption=f"from {begin:g} to {end:g} s of the mission, in turn, the best of {rounds}; the "
        f"aims are {AIM_SPEED:.0%} and {AIM_FRAMES:g} frames",
    )  # fmt: skip
    for name, windows in (("alone", alone), ("recorded", recorded), ("watched", watched)):
        seconds = min(window.seconds for window in windows)
        frames = f"{min(window.frames for window in windows):.0f}" if windows[0].states else ""
        table.add_row(name, f"{(end - begin) / seconds:.2f}", f"{best / seconds:.0%}", frames)
    console.print(table)


def _alone(mission: Mission, begin: float, end: float, is_recorded: bool) -> Window:
    window = Window(None, begin, end)
    with tempfile.TemporaryDirectory() as folder:
        run(mission, window.look, record=Recorder(Path(folder) / "log.mcap") if is_recorded else None)
    return window


def _watched(mission: Mission, begin: float, end: float) -> Window:
    said: list[str] = []
    with ExitStack() as ending:
        page = LiveViewer(None, 0, False, said.append)
        recorder = Recorder(page.log, flush_every=WATCHED)
        ending.enter_context(page)
        browser = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.onlooker", said[0].split()[-1]], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        window = Window(browser, begin, end)
        run(mission, window.look, record=recorder)
        browser.communicate(timeout=30)
    return window


def ask(browser: subprocess.Popen[str]) -> dict[str, Any]:
    """How the browser goes, by `benchmarks.onlooker`."""
    assert browser.stdin is not None
    assert browser.stdout is not None
    browser.stdin.write("\n")
    browser.stdin.flush()
    state: dict[str, Any] = json.loads(browser.stdout.readline())
    return state
