"""Scan matching against odometry alone, over whole missions in all four terrains with the papers' odometry noise.

Odometry is judged twice: in missions of its own, whose robots go astray and so drive other ways; and along the very
ways of the scan-matching missions, by summing up the same odometry readings, which compares like with like.
"""

from __future__ import annotations

import math
from itertools import product

from matplotlib.figure import Figure

from expedition.plotstyle import legend, new_figure, robot_colour, tidy
from studies.study import TERRAINS, Study, fleets_of, markdown, mean, share, values_of, written
from studies.table import Row, Run

FLEETS = (1, 8)
REQUIRED = 10.0
ODOMETRY_LIMIT = 600.0
"""Seconds after which the missions of odometry end: their maps are useless long before, and few ever succeed."""
ERRORS = (
    "terrain, robots", "explored", "scan matching, mean", "largest", "odometry, mean", "largest", "ratio",
    "least ratio",
)  # fmt: skip
MAPS = (
    "terrain, robots, localiser", "explored", "trajectory error, mean (m)", "largest (m)", "map error", "map quality",
    "completeness",
)  # fmt: skip
LOCALISERS = {"scan-matching": 2000.0, "odometry": ODOMETRY_LIMIT}


def runs(seeds: int) -> list[Run]:
    """Both localisers in all terrains, with a single robot and with a fleet."""
    cases = product(LOCALISERS, TERRAINS, FLEETS, range(1, seeds + 1))
    return [
        Run(terrain, robots, "nearest-frontier", seed, localiser=localiser, time_limit=LOCALISERS[localiser])
        for localiser, terrain, robots, seed in cases
    ]


def report(rows: list[Row]) -> str:
    """Errors of both, how many times smaller scan matching's is, and how good their maps are."""
    matching = [row for row in rows if row.run.localiser == "scan-matching"]
    ratios = [ratio(row) for row in matching]
    lost = [row for row in matching if not row.explored]
    return "\n".join([
        f"**Along the same ways, the mean trajectory error of scan matching is {written(mean(ratios))} times smaller "
        f"than that of odometry on average, and {written(min(ratios, default=math.nan))} times in the worst of "
        f"{len(matching)} missions (required: {REQUIRED:.0f}). Missions lost: {len(lost)} of {len(matching)}.**\n",
        "Trajectory errors along the same ways in metres, means over missions; *largest* is the worst of all:\n",
        markdown(ERRORS, [_errors(terrain, robots, case) for terrain, robots, case in _cases(matching)]),
        "Each localiser in missions of its own, those of odometry ended after "
        f"{ODOMETRY_LIMIT:.0f} s; the map's error in cells, its quality as a share of the ground:\n",
        markdown(MAPS, [line for terrain, robots, case in _cases(rows) for line in _maps(terrain, robots, case)]),
    ])  # fmt: skip


def ratio(row: Row) -> float:
    """How many times odometry is farther off on a mission's ways than the mission's own localiser."""
    return row["reckoning_error_mean_m"] / row["trajectory_error_mean_m"]


def figure(rows: list[Row]) -> Figure:
    """Each mission's mean trajectory error, on a logarithmic scale."""
    drawing = new_figure(17, 7)
    matching = [row for row in rows if row.run.localiser == "scan-matching"]
    odometry = [row for row in rows if row.run.localiser == "odometry"]
    kinds = {
        "scan matching": (matching, "trajectory_error_mean_m"),
        "odometry, same ways": (matching, "reckoning_error_mean_m"),
        "odometry, its own missions": (odometry, "trajectory_error_mean_m"),
    }
    cases = [(terrain, robots) for terrain, robots, _ in _cases(rows)]
    axes = drawing.subplots()
    handles = []
    for number, (name, (some, figure)) in enumerate(kinds.items()):
        places = [cases.index((row.run.terrain, row.run.robots)) + 0.2 * (number - 1) for row in some]
        handles += axes.plot(
            places, [row[figure] for row in some], "o", markersize=3.2, alpha=0.7, markeredgewidth=0,
            color=robot_colour(number), label=name,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_xticks(range(len(cases)), [f"{terrain}\n{robots}" for terrain, robots in cases])
    axes.set(xlabel="terrain and robots", ylabel="mean trajectory error (m)")
    tidy(axes)
    axes.spines[["top", "right"]].set_visible(False)
    legend(drawing, handles)
    return drawing


def _cases(rows: list[Row]) -> list[tuple[str, int, list[Row]]]:
    """The rows by terrain and fleet."""
    cases = [
        (terrain, robots, [row for row in rows if (row.run.terrain, row.run.robots) == (terrain, robots)])
        for terrain, robots in product(values_of(rows, "terrain"), fleets_of(rows))
    ]
    return [case for case in cases if case[2]]


def _errors(terrain: str, robots: int, case: list[Row]) -> list[str]:
    ratios = [ratio(row) for row in case]
    return [
        f"{terrain}, {robots}", share(case),
        written(mean(row["trajectory_error_mean_m"] for row in case), ".3f"),
        written(max(row["trajectory_error_max_m"] for row in case), ".2f"),
        written(mean(row["reckoning_error_mean_m"] for row in case), ".1f"),
        written(max(row["reckoning_error_max_m"] for row in case), ".0f"),
        written(mean(ratios)), written(min(ratios)),
    ]  # fmt: skip


def _maps(terrain: str, robots: int, case: list[Row]) -> list[list[str]]:
    lines = []
    for localiser in values_of(case, "localiser"):
        some = [row for row in case if row.run.localiser == localiser]
        lines.append([
            f"{terrain}, {robots}, {localiser}", share(some),
            written(mean(row["trajectory_error_mean_m"] for row in some), ".2f"),
            written(max(row["trajectory_error_max_m"] for row in some), ".2f"),
            written(mean(row["map_error_cells"] for row in some)),
            written(mean(row["map_quality"] for row in some), ".3f"),
            written(mean(row["completeness"] for row in some), ".1%"),
        ])  # fmt: skip
    return lines


STUDY = Study("localisation", "Scan matching against odometry", 5, runs, report, figure)
