"""How long it takes a browser to show any moment of a long log, from the seek to the frame with its map."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from expedition.exploring import plan_mission
from expedition.log.recorder import Recorder
from expedition.mission import run

AIM_SEEK = 0.3
ROBOTS, SECONDS, SEEKS = 30, 2000.0, 100

GO = """time => new Promise(done => {
    const watch = window.expedition, begun = performance.now();
    const isThere = () => watch.shown === time && watch.state.time === time && !watch.isWaiting
        && watch.panes.every(({ keeper, sheets }) => Math.abs(keeper?.time - time) < 1e-6 && !sheets.ground.stale);
    const look = () => {
        // A frame is drawn before it is called shown; the next animation frame sees both.
        if (isThere()) done((performance.now() - begun) / 1000); else requestAnimationFrame(look);
    };
    watch.clock.seek(time, false);
    requestAnimationFrame(look);
})"""


def seek(
    console: Console, robots: int = ROBOTS, seconds: float = SECONDS, seeks: int = SEEKS, log: Path | None = None
) -> None:
    """Print (n): seconds from a seek to its frame, the map included; `log` may be one that is there."""
    with tempfile.TemporaryDirectory() as folder:
        if log is None or not log.exists():
            log = log or Path(folder) / "log.mcap"
            mission = plan_mission(
                "maze", robots, "random-walk", 1, base="start", stop={"explored": 1.0, "time": seconds}
            )
            run(mission, record=Recorder(log))
        took = np.sort(_seeks(log, folder, seeks))
    table = Table(
        "robots", "log, s", "seeks", "median, s", "95 %, s", "longest, s",
        title="(n) seeking in a log: Chromium, from the seek to the frame with its map",
        caption=f"random moments, usual layers; the aim is {AIM_SEEK:g} s",
    )  # fmt: skip
    marks = [np.median(took), np.quantile(took, 0.95), took[-1]]
    table.add_row(str(robots), f"{seconds:g}", str(seeks), *(f"{value:.3f}" for value in marks))
    console.print(table)


def _seeks(log: Path, folder: str, seeks: int) -> list[float]:
    from playwright.sync_api import sync_playwright

    words = ["view", str(log), "--store", folder, "--port", "0", "--no-open"]
    server = subprocess.Popen([sys.executable, "-m", "expedition", *words], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        found = re.search(r"http\S+", server.stdout.readline())
        assert found is not None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(found.group())
            page.wait_for_function("() => window.expedition?.frames > 0", timeout=120_000)
            end = page.evaluate("() => window.expedition.mission.end")
            times = np.random.default_rng(1).uniform(0.0, end, seeks)
            took = [float(page.evaluate(GO, float(time))) for time in times]
            browser.close()
        return took
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()
