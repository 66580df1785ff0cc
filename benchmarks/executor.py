"""What running a design adds to the missions themselves: processes, handing out, and writing every result to the disk.

The same missions go through a bare loop and through the executor, each in an interpreter of its own, in turns, so that
what else the machine does strikes both. The first half of the missions is not counted: in it, kernels are loaded.

    python -m benchmarks executor
"""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROUNDS = 5
LIMIT = 1.05
"""What the executor may take, of what a bare loop takes."""
TICKS = os.sysconf("SC_CLK_TCK")
DESIGNS = {
    "tiny": (40, "terrain: cross\n  robots: 1\n  localiser: perfect", "{explored: 0.15, time: 60}"),
    "small": (8, "terrain: maze\n  robots: 4\n  localiser: scan-matching", "{explored: 0.5, time: 200}"),
}
"""Missions of a round that count, their parameters, and when they end."""


@dataclass(frozen=True)
class Spent:
    """Seconds a mission, by the clock and by the processors of all processes that take part."""

    wall: float
    cpu: float


def overhead(console: Console, rounds: int = ROUNDS, designs: dict[str, tuple[int, str, str]] = DESIGNS) -> None:
    """Print what the executor takes, of what bare loops take: with one worker, and with two beside two loops."""
    table = Table(
        "missions", "workers", "bare loop, ms", "executor, ms", "of the loop, clock", "of the loop, processors",
        title=f"(f) the executor and the store; at most {LIMIT:g} of a bare loop",
        caption=f"a mission's share of the clock; medians of {rounds} rounds, ratios within each round",
    )  # fmt: skip
    for name, (missions, parameters, stop) in designs.items():
        with tempfile.TemporaryDirectory() as folder:
            design = Path(folder) / f"{name}.yaml"
            design.write_text(
                f"parameters:\n  strategy: nearest-frontier\n  {parameters}\niterations: {missions}\nstop: {stop}\n"
            )
            for workers in (1, 2):
                pairs = [
                    (_measure("bare", design, workers), _measure("executor", design, workers)) for _ in range(rounds)
                ]
                bare, executor = ([pair[side] for pair in pairs] for side in (0, 1))
                table.add_row(
                    name,
                    str(workers),
                    f"{1e3 * statistics.median(one.wall for one in bare):.1f}",
                    f"{1e3 * statistics.median(one.wall for one in executor):.1f}",
                    f"{statistics.median(mine.wall / loop.wall for loop, mine in pairs):.3f}",
                    f"{statistics.median(mine.cpu / loop.cpu for loop, mine in pairs):.3f}",
                )
    console.print(table)


def _measure(way: str, design: Path, workers: int) -> Spent:
    """Run a design's missions one way, in fresh interpreters: bare loops side by side share the missions."""
    shares = [(way, share, workers) for share in range(workers)] if way == "bare" else [(way, 0, workers)]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.executor", str(design), *map(str, share)], stdout=subprocess.PIPE
        )
        for share in shares
    ]
    spent = []
    for process in running:
        written, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"the {way} ended with exit code {process.returncode}")
        spent.append(Spent(**json.loads(written)))
    # Each loop has a part of the missions, so that a mission's share of the clock is less by as much.
    return Spent(statistics.mean(one.wall for one in spent) / len(spent), statistics.mean(one.cpu for one in spent))


def _steady(endings: Iterator[object], missions: int) -> Spent:
    """Seconds a mission, over the second half of the missions: in the first, workers start and load the kernels."""
    began = used = 0.0
    for number, _ in enumerate(endings, start=1):
        if number == missions // 2:
            began, used = time.perf_counter(), _processor_time()
        elif number == missions:
            taken, spent = time.perf_counter() - began, _processor_time() - used
    measured = missions - missions // 2
    return Spent(taken / measured, spent / measured)


def _processor_time() -> float:
    """Seconds of processors that this process and its workers have used."""
    pids = [os.getpid(), *(child.pid for child in multiprocessing.active_children())]
    return sum(_processor_time_of(pid) for pid in pids if pid is not None)


def _processor_time_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main(file: str, way: str, share: int, workers: int) -> None:
    """One side of the comparison, in this process; what it took goes to the output as JSON."""
    from expedition.bench.executor import LocalExecutor
    from expedition.bench.work import warm_up
    from expedition.design import build_mission, load_design
    from expedition.mission import run

    missions = load_design(file).missions()
    if way == "bare":
        warm_up(missions[0], lambda sentence: None)
        own = missions[share::workers]
        spent = _steady((run(build_mission(one.parameters)).ending for one in own), len(own))
    else:
        with tempfile.TemporaryDirectory(dir=Path(file).parent) as folder:
            spent = _steady(LocalExecutor(workers).run(folder, missions), len(missions))
    print(json.dumps({"wall": spent.wall, "cpu": spent.cpu}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
