"""Where the time of a mission goes, and how each part grows with the fleet and with the terrain."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.missions import Cost, time_missions, warm_up
from expedition.exploring import plan_mission
from expedition.measure.stops import DEFAULTS
from expedition.mission import Mission
from expedition.stopwatch import PHASES

FLEETS = (1, 10, 30)
GROWING_FLEETS = (1, 2, 4, 8, 16, 30)
SIDES = (20, 40, 80, 160)
LOCALISER = "scan-matching"
ROBOTS_ON_SIDES = 4
TIME_ON_SIDES = 300.0


def phases(
    console: Console,
    fleets: Sequence[int] = FLEETS,
    growing: Sequence[int] = GROWING_FLEETS,
    sides: Sequence[int] = SIDES,
    time_limit: float = 2000.0,
) -> None:
    """Print (e): shares of the phases, and microseconds for one robot's second as fleet and terrain grow."""
    costs = {robots: _measure(_in_maze(robots, time_limit)) for robots in sorted({*fleets, *growing})}
    share = Table("phase", *(f"{n} robots" for n in fleets), title=f"(e) share of each phase: the maze, {LOCALISER}")
    for phase in PHASES:
        share.add_row(phase, *(f"{costs[robots].share(phase):.1%}" for robots in fleets))
    console.print(share)
    _print_growth(console, "fleet", {f"{robots}": costs[robots] for robots in growing}, "robots in the maze")
    on_sides = {f"{side} m": _measure(_in_office(side, min(time_limit, TIME_ON_SIDES))) for side in sides}
    _print_growth(
        console, "terrain", on_sides,
        f"offices of that side, {ROBOTS_ON_SIDES} robots, at most {TIME_ON_SIDES:g} s of each",
    )  # fmt: skip


def _in_maze(robots: int, time_limit: float) -> Mission:
    return plan_mission(
        "maze", robots, "nearest-frontier", 1, stop={**DEFAULTS, "time": time_limit}, settings={"localiser": LOCALISER}
    )


def _in_office(side: int, time_limit: float) -> Mission:
    return plan_mission(
        f"office:size={side},seed=1", ROBOTS_ON_SIDES, "nearest-frontier", 1, placement="grouped:radius=3",
        stop={**DEFAULTS, "time": time_limit}, settings={"localiser": LOCALISER},
    )  # fmt: skip


def _measure(mission: Mission) -> Cost:
    warm_up(mission)
    return time_missions([mission], profile=True)


def _print_growth(console: Console, what: str, costs: dict[str, Cost], of_what: str) -> None:
    """A row a phase, and at its end by how much it grew from the first column to the last."""
    table = Table(
        "phase", *costs, "last / first", title=f"(e) µs a robot-second as the {what} grows", caption=of_what
    )  # fmt: skip
    rows = {phase: [cost.microseconds(phase) for cost in costs.values()] for phase in PHASES}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    for phase, row in rows.items():
        grown = f"{row[-1] / row[0]:.1f}" if row[0] >= 1.0 else ""
        table.add_row(phase, *(f"{one:,.0f}" for one in row), grown)
    console.print(table)
