"""What Yan et al. (2017) found with fleets of 1 to 30, each beside the figures of missions here that bear on it."""

from __future__ import annotations

import math

from studies.study import fleets_of, markdown, mean, times, written
from studies.table import Row

TERRAINS = ("loop", "cross", "zigzag", "maze")
OPEN = ("loop", "cross")
"""Terrains in which robots see far, and get into each other's way when they are many."""
NO_HELP = 1.25
"""A fleet that is less than so many times as fast as a single robot is no help."""


def beside(rows: list[Row]) -> str:
    """The findings in a table. What cannot be said of a subset is left out."""
    fleets = fleets_of(rows)
    if len(fleets) < 2 or {row.run.terrain for row in rows} != set(TERRAINS):
        return "This needs all four terrains and two fleet sizes or more.\n"
    by_case = {
        (terrain, robots): [row for row in rows if (row.run.terrain, row.run.robots) == (terrain, robots)]
        for terrain in TERRAINS
        for robots in fleets
    }
    time = {case: mean(times(some)) for case, some in by_case.items()}
    cost = {case: mean(row["cost_m"] for row in some) for case, some in by_case.items()}
    few, many = fleets[0], fleets[-1]
    slowest = [n for n in fleets if time["zigzag", n] >= max(time[terrain, n] for terrain in TERRAINS)]
    gain = time["zigzag", few] / time["zigzag", many]
    best = min(fleets, key=lambda n: math.inf if math.isnan(time["maze", n]) else time["maze", n])
    longer = {terrain: time[terrain, many] / time[terrain, few] for terrain in OPEN}
    dearer = {terrain: cost[terrain, many] / cost[terrain, few] for terrain in OPEN}
    findings = [
        ("the zigzag is the slowest terrain", f"with {len(slowest)} of {len(fleets)} fleet sizes", slowest == fleets),
        (
            "larger fleets do not help in the zigzag",
            f"{many} robots are {written(gain, '.2f')} times as fast as {few}",
            gain < NO_HELP,
        ),
        (
            "the best fleet for the maze has 11 robots",
            f"of {', '.join(map(str, fleets))} robots, {best} take least: {written(time['maze', best])} s",
            best in (8, 16),
        ),
        ("in the other terrains time grows with the fleet", _ratios(longer, few, many), min(longer.values()) > 1.0),
        ("and so does the cost", _ratios(dearer, few, many), min(dearer.values()) > 1.0),
    ]
    return markdown(
        ["Yan et al.", "here", ""],
        [[published, here, "agrees" if agrees else "differs"] for published, here, agrees in findings],
    )


def _ratios(ratios: dict[str, float], few: int, many: int) -> str:
    listed = ", ".join(f"{terrain} {written(ratio, '.2f')}" for terrain, ratio in ratios.items())
    return f"{many} robots take so many times as much as {few}: {listed}"
