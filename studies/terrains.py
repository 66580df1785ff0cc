"""Every strategy in the four terrains of Yan et al. (2017), with fleets of 1 to 30: do missions succeed, how fast?"""

from __future__ import annotations

from itertools import product

from matplotlib.figure import Figure

from expedition.plotstyle import legend, new_figure, robot_colour, tidy
from studies.study import TERRAINS, Study, fleets_of, markdown, mean, share, spread, times, values_of, written
from studies.table import Row, Run

STRATEGIES = ("nearest-frontier", "cost-utility", "coordinated", "market", "min-pos", "hungarian")
FLEETS = (1, 2, 4, 8, 16, 30)
REQUIRED = 0.95
LISTED = 40
"""Missions that failed are listed up to so many."""


def runs(seeds: int) -> list[Run]:
    """All combinations."""
    cases = product(TERRAINS, STRATEGIES, FLEETS, range(1, seeds + 1))
    return [Run(terrain, robots, strategy, seed) for terrain, strategy, robots, seed in cases]


def report(rows: list[Row]) -> str:
    """How many missions succeeded, and their times."""
    explored = sum(row.explored for row in rows) / len(rows)
    parts = [
        f"**{share(rows)} explored ({explored:.1%}), required {REQUIRED:.0%}.**\n",
        "Missions that explored 99 % in time, and how long they took (s, mean ± standard deviation):\n",
        _by_terrain_and_strategy(rows),
        "By fleet, all strategies:\n",
        _by_fleet(rows),
        "Each case, by fleet: the mean time in seconds, and how many explored where not all did:\n",
        _each_case(rows),
    ]
    if failed := [row for row in rows if not row.explored]:
        parts += [f"The first of {len(failed)} missions that did not get there:\n", _failed(failed[:LISTED])]
    return "\n".join(parts)


def figure(rows: list[Row]) -> Figure:
    """Time over fleet size: a panel a terrain, a line a strategy."""
    drawing = new_figure(17, 12)
    terrains, strategies = values_of(rows, "terrain"), values_of(rows, "strategy")
    panels = list(drawing.subplots(-(-len(terrains) // 2), min(2, len(terrains)), squeeze=False).flat)
    handles = {}
    for axes, terrain in zip(panels, terrains, strict=False):
        for number, strategy in enumerate(strategies):
            cases = [_select(rows, terrain, strategy, robots) for robots in fleets_of(rows)]
            points = [
                (case[0].run.robots, mean(times(case)), all(row.explored for row in case)) for case in cases if case
            ]
            colour = robot_colour(number)
            fleets, means, complete = zip(*points, strict=True)
            (handles[strategy],) = axes.plot(fleets, means, color=colour, linewidth=1.0, label=strategy)
            faces = [colour if all_explored else "white" for all_explored in complete]
            axes.scatter(fleets, means, s=9, c=faces, edgecolors=colour, linewidths=0.8, zorder=3)
        axes.set_xscale("log", base=2)
        axes.set_xticks(fleets_of(rows), [str(robots) for robots in fleets_of(rows)])
        axes.minorticks_off()
        axes.set(title=terrain, xlabel="robots", ylabel="time to 99 % (s)", ylim=(0, None))
        tidy(axes)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels[len(terrains) :]:
        axes.set_visible(False)
    legend(drawing, list(handles.values()))
    return drawing


def _select(rows: list[Row], terrain: str, strategy: str | None = None, robots: int | None = None) -> list[Row]:
    return [
        row
        for row in rows
        if row.run.terrain == terrain and strategy in (None, row.run.strategy) and robots in (None, row.run.robots)
    ]


def _by_terrain_and_strategy(rows: list[Row]) -> str:
    terrains = values_of(rows, "terrain")
    lines = []
    for strategy in values_of(rows, "strategy"):
        cases = [_select(rows, terrain, strategy) for terrain in terrains]
        lines.append([strategy, *(f"{share(case)}, {spread(times(case))}" for case in cases)])
    return markdown(["strategy", *terrains], lines)


def _by_fleet(rows: list[Row]) -> str:
    terrains = values_of(rows, "terrain")
    lines = []
    for robots in fleets_of(rows):
        cases = [_select(rows, terrain, None, robots) for terrain in terrains]
        lines.append([str(robots), *(f"{share(case)}, {spread(times(case))}" for case in cases)])
    return markdown(["robots", *terrains], lines)


def _each_case(rows: list[Row]) -> str:
    fleets = fleets_of(rows)
    lines = []
    for terrain, strategy in product(values_of(rows, "terrain"), values_of(rows, "strategy")):
        cases = [_select(rows, terrain, strategy, robots) for robots in fleets]
        lines.append([f"{terrain}, {strategy}", *map(_cell, cases)])
    return markdown(["terrain, strategy", *map(str, fleets)], lines)


def _cell(case: list[Row]) -> str:
    time = written(mean(times(case)))
    return time if all(row.explored for row in case) else f"{time} ({share(case)})"


def _failed(rows: list[Row]) -> str:
    lines = [
        [
            f"{row.run.terrain}, {row.run.strategy}", str(row.run.robots), str(row.run.seed), row.ending,
            f"{row['completeness']:.1%}", written(row["time_s"]),
        ]
        for row in rows
    ]  # fmt: skip
    return markdown(["terrain, strategy", "robots", "seed", "ending", "explored", "time (s)"], lines)


STUDY = Study("terrains", "Six strategies, four terrains, fleets of 1 to 30", 5, runs, report, figure)
