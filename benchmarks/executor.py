"""What running a design adds to the missions themselves: processes, handing out, and writing every result to the disk.

The same missions go through one and two bare loops and one and two workers, in turns, so that what else the machine
does strikes all. Two workers are set beside two loops, since processors share caches: two are not twice as fast as one.
Each is measured from when the first missions are over: until then, workers start and load the kernels, one after the
other so that none compiles what another does.

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
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from expedition.design import Planned

ROUNDS = 2
MISSIONS = 24
WARM = 8
"""Missions before it is measured: by then every worker has started and loaded the kernels."""
LIMIT = 1.05
"""What the executor may take, of what a bare loop takes."""
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
    """Print what the executor takes of what bare loops take, with as many workers as loops."""
    from expedition.bench.executor import LocalExecutor
    from expedition.design import load_design

    loops: dict[int, list[Spent]] = {1: [], 2: []}
    executor: dict[int, list[Spent]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "missions.yaml"
        file.write_text(DESIGN.format(robots=robots, missions=missions + WARM, seconds=seconds))
        planned = load_design(str(file)).missions()
        for number in range(rounds):
            for count in (1, 2):
                loops[count].append(_measure(_bare_loops(planned, count), planned))
                place = f"{folder}/{number}-{count}"
                executor[count].append(_measure(LocalExecutor(count).run(place, planned), planned))
    table = Table(
        "", "a mission, clock, s", "a mission, processors, s", "clock, of the loops", "processors, of the loops",
        title=f"(f) the executor and the store; at most {LIMIT:g} of bare loops",
        caption=f"{missions} missions of {robots} robots; medians of {rounds} rounds, ratios within each round",
    )  # fmt: skip
    for count, words in ((1, "one"), (2, "two")):
        table.add_row(f"{words} bare {'loop' if count == 1 else 'loops'}", *_medians(loops[count]))
        pairs = list(zip(executor[count], loops[count], strict=True))
        wall = statistics.median(mine.wall / loop.wall for mine, loop in pairs)
        cpu = statistics.median(mine.cpu / loop.cpu for mine, loop in pairs)
        name = f"{words} {'worker' if count == 1 else 'workers'}"
        table.add_row(name, *_medians(executor[count]), f"{wall:.3f}", f"{cpu:.3f}")
    console.print(table)


def _medians(spent: list[Spent]) -> tuple[str, str]:
    wall, cpu = (statistics.median(getattr(one, kind) for one in spent) for kind in ("wall", "cpu"))
    return f"{wall:.3f}", f"{cpu:.3f}"


def _bare_loops(planned: list[Planned], count: int) -> Iterator[None]:
    """Run missions in so many processes that share them out beforehand and keep nothing; one item a mission's end."""
    context = multiprocessing.get_context("spawn")
    over = context.SimpleQueue()
    loops = [
        context.Process(target=_loop, args=([one.parameters for one in planned[first::count]], over))
        for first in range(count)
    ]
    for loop in loops:
        loop.start()
    for _ in planned:
        yield over.get()
    for loop in loops:
        loop.join()


def _loop(missions: list[dict[str, Any]], over: Any) -> None:
    from expedition.design import build_mission
    from expedition.mission import run

    for parameters in missions:
        run(build_mission(parameters))
        over.put(None)


def _measure(over: Iterable[object], planned: list[Planned]) -> Spent:
    """Seconds a mission, from when all workers are warm to the end of the last but one, when they are all busy."""
    first = min(WARM, len(planned) - 2)
    last = len(planned) - 1
    moments = {}
    for number, _ in enumerate(over, start=1):
        if number in (first, last):
            moments[number] = (time.perf_counter(), _processor_time())
    (began, used), (ended, spent) = moments[first], moments[last]
    return Spent((ended - began) / (last - first), (spent - used) / (last - first))


def _processor_time() -> float:
    """Seconds of processors that this process and its workers have used."""
    pids = [os.getpid(), *(child.pid for child in multiprocessing.active_children())]
    return sum(time.clock_gettime(_processor_clock(pid)) for pid in pids if pid is not None)


def _processor_clock(pid: int) -> int:
    """Linux's clock of a process's processor time, in nanoseconds; /proc has hundredths, too few for short missions."""
    return (~pid << 3) | 2
