"""Eight robots in the maze beside the 349 to 489 s of Yan et al. (2017), and what slower software would cost.

The paper's robots ran gmapping, explore and move_base in real time on shared computers; its Table 2 shows that their
time changes by 140 s with the computer alone. Nothing here is slowed down to match: the cases below change one thing
at a time in missions with the same seeds, to see which differences could explain how much.
"""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from expedition.plotstyle import PALE, new_figure, robot_colour, tidy
from studies.study import Study, markdown, mean, share, spread, times, written
from studies.table import Row, Run

PUBLISHED = (349.0, 489.0)
BASE = Run("maze", 8, "nearest-frontier", 1)
HEAD = (
    "case", "explored", "time (s)", "single missions (s)", "added (s)", "driven (m)", "speed (m/s)", "published (s)",
)  # fmt: skip
CASES = {
    "as shipped": BASE,
    "perfect localisation": replace(BASE, localiser="perfect"),
    "probabilistic merging, as in the paper": replace(BASE, merge="probabilistic"),
    "maps exchanged every 10 s": replace(BASE, settings="exchange_rate=0.1"),
    "paths planned every 5 s": replace(BASE, settings="replan_rate=0.2"),
    "laser 10 m": replace(BASE, robot="pioneer-3dx:lidar.range=10"),
    "turns at 1 rad/s": replace(BASE, robot="pioneer-3dx:drive.max_turn_rate=1.0"),
    "decides only on arrival": replace(BASE, strategy="on-arrival"),
    "stands 2 s before each decision": replace(BASE, strategy="thinking"),
    "decides only on arrival, and stands 2 s": replace(BASE, strategy="thinking-on-arrival"),
    "drives at most 0.6 m/s": replace(BASE, robot="pioneer-3dx:drive.max_speed=0.6"),
    "drives at most 0.4 m/s": replace(BASE, robot="pioneer-3dx:drive.max_speed=0.4"),
}


COMPARED = 5
"""Seeds with which each change is tried; as shipped there are more."""


def runs(seeds: int) -> list[Run]:
    """The software as shipped with all seeds, and each change with the first of them."""
    return [
        replace(case, seed=seed)
        for case in CASES.values()
        for seed in range(1, (seeds if case is BASE else min(seeds, COMPARED)) + 1)
    ]


def report(rows: list[Row]) -> str:
    """Times beside the paper's, what each change costs, and how fast the robots drove."""
    cases = by_case(rows)
    shipped = cases["as shipped"]
    ours, low, high = mean(times(shipped)), *PUBLISHED
    added = {name: mean(_added(case, shipped)) for name, case in cases.items() if case is not shipped}
    ranked = sorted(added, key=lambda name: -added[name])
    verdict = "below" if ours < low else "within" if ours <= high else "above" if ours > high else "not comparable with"
    return "\n".join([
        f"**Maze, 8 robots, nearest frontier, {len(shipped)} seeds: {spread(times(shipped))} s ({_span(shipped)}); "
        f"published: {low:.0f} to {high:.0f} s. The mean is {verdict} the published times.**\n",
        f"Robots drive {written(mean(row.speed for row in shipped), '.2f')} m/s on average, of 1.2 m/s at most; "
        f"the fastest published time is {written(low - ours)} s longer. What each change adds to the mean: "
        + "; ".join(f"{name} {written(added[name], '+,.0f')} s" for name in ranked) + ".\n",
        markdown(HEAD, [_line(name, case, shipped) for name, case in cases.items()]),
    ])  # fmt: skip


def figure(rows: list[Row]) -> Figure:
    """Single missions and means of each case, with the published times as a band."""
    drawing = new_figure(15, 9)
    axes = drawing.subplots()
    axes.axvspan(*PUBLISHED, color=PALE, alpha=0.5, linewidth=0)
    cases = by_case(rows)
    for place, (name, case) in enumerate(cases.items()):
        colour = robot_colour(0 if name == "as shipped" else 1)
        axes.plot(
            times(case), [place] * len(times(case)), "o", markersize=3, color=colour, alpha=0.5, markeredgewidth=0
        )
        axes.plot(mean(times(case)), place, "|", markersize=11, markeredgewidth=1.6, color=colour)
    axes.set_yticks(range(len(cases)), list(cases))
    axes.set_ylim(len(cases) - 0.5, -0.5)
    axes.set(xlabel="time to 99 % (s); grey: published", xlim=(0, None))
    tidy(axes)
    axes.spines[["top", "right"]].set_visible(False)
    return drawing


def by_case(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of each case that has any."""
    found = {
        name: [row for row in rows if replace(row.run, seed=BASE.seed, time_limit=BASE.time_limit) == case]
        for name, case in CASES.items()
    }
    return {name: case for name, case in found.items() if case}


def _line(name: str, case: list[Row], shipped: list[Row]) -> list[str]:
    added = "" if case is shipped else spread(_added(case, shipped), "+,.0f").replace("± +", "± ")
    return [
        name, share(case), spread(times(case)), _span(case), added, spread(row["cost_m"] for row in case),
        written(mean(row.speed for row in case), ".2f"), "{:.0f} to {:.0f}".format(*PUBLISHED),
    ]  # fmt: skip


def _added(case: list[Row], shipped: list[Row]) -> list[float]:
    """How much longer missions took than those with the same seeds as shipped."""
    before = {row.run.seed: row["time_s"] for row in shipped if row.explored}
    return [row["time_s"] - before[row.run.seed] for row in case if row.explored and row.run.seed in before]


def _span(case: list[Row]) -> str:
    return f"{min(times(case)):,.0f} to {max(times(case)):,.0f}" if times(case) else "-"


STUDY = Study("maze", "Eight robots in the maze beside the published times", 20, runs, report, figure)
