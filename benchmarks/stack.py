"""Robot-seconds a second with everything running: simulate, localise, map, exchange, plan, avoid, decide."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.missions import median_and_best, time_missions, warm_up
from benchmarks.speed import OTHERS
from expedition.exploring import plan_mission
from expedition.measure.stops import DEFAULTS

FLEETS = (1, 10, 30)
LOCALISERS = ("perfect", "scan-matching")
SEEDS = (1, 2)
ROUNDS = 3
TARGET = 500.0
# The bare lidar of ARGoS3, without mapping and planning, for those fleets.
BARE_LIDAR = dict(zip(FLEETS, OTHERS["ARGoS3"], strict=False))


def stack(
    console: Console,
    fleets: Sequence[int] = FLEETS,
    localisers: Sequence[str] = LOCALISERS,
    seeds: Sequence[int] = SEEDS,
    rounds: int = ROUNDS,
    time_limit: float = 2000.0,
) -> None:
    """Print (d): the speed of whole missions by fleet, localiser, and the scans that are worked out."""
    table = Table(
        "robots", "localiser", "scans/s", "robot-s/s", "best", f"of {TARGET:g}", "ARGoS3, lidar only", "of ARGoS3",
        "x real time", "mission s", "ended",
        title="(d) the whole stack: maze, pioneer-3dx, nearest-frontier; lidar 25 Hz, control 10 Hz, replanning 1 Hz",
        caption=(
            f"processor time of one thread; median and best of {rounds} rounds of {len(seeds)} missions, run to their "
            "ends. Of the 25 scans a second the robots take the newest of each control period, 10 a second, and "
            "the simulator works out only those; in the rows of 25 it works out all."
        ),
    )  # fmt: skip
    for robots in fleets:
        for localiser in localisers:
            missions = [
                plan_mission(
                    "maze",
                    robots,
                    "nearest-frontier",
                    seed,
                    stop={**DEFAULTS, "time": time_limit},
                    settings={"localiser": localiser},
                )
                for seed in seeds
            ]
            warm_up(missions[0])
            for every_scan in (False, True):
                median, best = median_and_best(rounds, lambda: time_missions(missions, every_scan))  # noqa: B023
                bare = BARE_LIDAR.get(robots)
                table.add_row(
                    str(robots),
                    localiser,
                    "25" if every_scan else "10",
                    f"{median.speed:,.0f}",
                    f"{best.speed:,.0f}",
                    f"{median.speed / TARGET:.2f}",
                    f"{bare:,}" if bare else "",
                    f"{median.speed / bare:.2f}" if bare else "",
                    f"{median.times_real_time:,.0f}",
                    f"{median.simulated / len(missions):,.0f}",
                    ", ".join(sorted(set(median.endings))),
                )
    console.print(table)
