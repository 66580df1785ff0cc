"""What running a design adds to the missions themselves: processes, handing out, and writing every result to the disk.

The same missions go through a bare loop, one worker and two, in turns, so that what else the machine does strikes all.
Each is measured from when the first missions are over: until then, workers start and load the kernels.

    python -m benchmarks executor
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from expedition.design import Planned

ROUNDS = 2
MISSIONS = 12
LIMIT = 1.05
"""What the executor may take, of what a bare loop takes."""
TICKS = os.sysconf("SC_CLK_TCK")
DESIGN = """
parameters: {{terrain: maze, robots: {robots}, strategy: nearest-frontier, localiser: scan-matching}}
iterations: {missions}
stop: {{explored: 1.0, time: {seconds}}}
"""


@dataclass(frozen=True)
class Spent:
    """Seconds a mission, by the clock and by the processors of all processes that take part."""

    wall: float
    cpu: float


def overhead(
    console: Console, rounds: int = ROUNDS, missions: int = MISSIONS, robots: int = 4, seconds: float = 80.0
) -> None:
    """Print what the executor takes of what a bare loop takes: of processors with one worker, of the clock with two."""
    from expedition.bench.executor import LocalExecutor
    from expedition.design import build_mission, load_design
    from expedition.mission import run

    found: dict[int, list[Spent]] = {0: [], 1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "missions.yaml"
        file.write_text(DESIGN.format(robots=robots, missions=missions + 2, seconds=seconds))
        planned = load_design(str(file)).missions()
        for number in range(rounds):
            bare: Iterator[object] = (run(build_mission(one.parameters)) for one in planned)
            found[0].append(_measure(bare, planned))
            for workers in (1, 2):
                place = f"{folder}/{number}-{workers}"
                found[workers].append(_measure(LocalExecutor(workers).run(place, planned), planned))
    table = Table(
        "", "a mission, clock, s", "a mission, processors, s", "of the bare loop",
        title=f"(f) the executor and the store; at most {LIMIT:g} of a bare loop",
        caption=f"{missions} missions of {robots} robots; medians of {rounds} rounds, ratios within each round",
    )  # fmt: skip
    for workers, spent in found.items():
        pairs = list(zip(spent, found[0], strict=True))
        ratio = {
            0: "",
            1: f"{statistics.median(mine.cpu / loop.cpu for mine, loop in pairs):.3f}, processors",
            2: f"{statistics.median(2.0 * mine.wall / loop.wall for mine, loop in pairs):.3f} of its half, clock",
        }[workers]
        table.add_row(
            ("bare loop", "one worker", "two workers")[workers],
            f"{statistics.median(one.wall for one in spent):.3f}",
            f"{statistics.median(one.cpu for one in spent):.3f}",
            ratio,
        )
    console.print(table)


def _measure(over: Iterable[object], planned: list[Planned]) -> Spent:
    """Seconds a mission, from the end of the second to the end of the last but one, when workers are all busy."""
    first, last = 2, max(3, len(planned) - 1)
    moments = {}
    for number, _ in enumerate(over, start=1):
        if number in (first, last):
            moments[number] = (time.perf_counter(), _processor_time())
    (began, used), (ended, spent) = moments[first], moments[last]
    return Spent((ended - began) / (last - first), (spent - used) / (last - first))


def _processor_time() -> float:
    """Seconds of processors that this process and its workers have used."""
    pids = [os.getpid(), *(child.pid for child in multiprocessing.active_children())]
    return sum(_processor_time_of(pid) for pid in pids if pid is not None)


def _processor_time_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
