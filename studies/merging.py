"""Greedy against probabilistic merging of maps: Yan et al. (2015) found that they differ mainly in map quality."""

from __future__ import annotations

from itertools import product

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from expedition.plotstyle import legend, new_figure, robot_colour, tidy
from studies.study import Study, deviation, fleets_of, markdown, mean, share, spread, values_of, written
from studies.table import Row, Run

MERGES = ("greedy", "probabilistic")
COMPARED = {
    "time_s": ("time (s)", ",.0f"),
    "cost_m": ("cost (m)", ",.0f"),
    "efficiency_m2_per_m": ("efficiency (m²/m)", ".2f"),
    "map_error_cells": ("map error (cells)", ",.0f"),
    "map_quality": ("map quality", ".4f"),
}


def runs(seeds: int) -> list[Run]:
    """Both, with the same seeds."""
    cases = product(("cross", "maze"), (4, 8, 16), MERGES, range(1, seeds + 1))
    return [Run(terrain, robots, "nearest-frontier", seed, merge=merge) for terrain, robots, merge, seed in cases]


def report(rows: list[Row]) -> str:
    """Means of both, and how they differ from seed to seed."""
    lines = []
    for terrain, robots, merge in product(values_of(rows, "terrain"), fleets_of(rows), values_of(rows, "merge")):
        if case := select(rows, terrain, robots, merge):
            cells = [spread([row[name] for row in case], pattern) for name, (_, pattern) in COMPARED.items()]
            lines.append([f"{terrain}, {robots}, {merge}", share(case), *cells])
    changes = [_change(rows, name) for name in COMPARED]
    return "\n".join([
        "What probabilistic merging changes against greedy merging, as a share of the mean, over pairs of missions "
        "with the same terrain, fleet and seed; *sure* where it is more than twice its standard error:\n",
        markdown(["metric", "change", "standard error", ""], changes),
        "Means and standard deviations:\n",
        markdown(["terrain, robots, merging", "explored", *(label for label, _ in COMPARED.values())], lines),
    ])  # fmt: skip


def figure(rows: list[Row]) -> Figure:
    """A panel a metric: both side by side in each case, single missions as points."""
    drawing = new_figure(17, 6)
    shown = ("time_s", "map_error_cells", "map_quality")
    cases = [(terrain, robots) for terrain in values_of(rows, "terrain") for robots in fleets_of(rows)]
    handles: list[Artist] = []
    for axes, name in zip(drawing.subplots(1, len(shown)), shown, strict=True):
        handles = []
        for number, merge in enumerate(values_of(rows, "merge")):
            some = [row for row in rows if row.run.merge == merge]
            places = [cases.index((row.run.terrain, row.run.robots)) + 0.3 * number - 0.15 for row in some]
            handles += axes.plot(
                places, [row[name] for row in some], "o", markersize=3, alpha=0.7, markeredgewidth=0,
                color=robot_colour(number), label=merge,
            )  # fmt: skip
        axes.set_xticks(range(len(cases)), [f"{terrain}\n{robots}" for terrain, robots in cases])
        axes.set(title=COMPARED[name][0])
        tidy(axes)
        axes.spines[["top", "right"]].set_visible(False)
    legend(drawing, handles)
    return drawing


def select(rows: list[Row], terrain: str, robots: int, merge: str) -> list[Row]:
    """The rows of a case."""
    wanted = (terrain, robots, merge)
    return [row for row in rows if (row.run.terrain, row.run.robots, row.run.merge) == wanted]


def _change(rows: list[Row], name: str) -> list[str]:
    """How much larger a metric is with probabilistic merging, by pairs."""
    greedy, probabilistic = (
        {(row.run.terrain, row.run.robots, row.run.seed): row[name] for row in rows if row.run.merge == merge}
        for merge in MERGES
    )
    pairs = [(before, probabilistic[case]) for case, before in greedy.items() if case in probabilistic]
    middle = mean(before for before, _ in pairs)
    changes = [(after - before) / middle for before, after in pairs]
    error = deviation(changes) / len(changes) ** 0.5 if changes else float("nan")
    sure = len(changes) > 1 and abs(mean(changes)) > 2 * error
    return [COMPARED[name][0], written(mean(changes), "+.2%"), written(error, ".2%"), "sure" if sure else "not sure"]


STUDY = Study("merging", "Greedy against probabilistic merging", 5, runs, report, figure)
