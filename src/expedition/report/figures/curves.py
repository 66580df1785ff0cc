"""Exploration curves: how much of the ground the best robot, or the base, knew over time, with a band over missions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from expedition.plotstyle import legend, parts_of, robot_colour
from expedition.report.cells import chosen_values, keys_of
from expedition.report.figures.drawing import MOST_LINES, Drawing, file_name, of_parts, panel_grid
from expedition.report.figures.lines import finish, say_empty
from expedition.report.naming import axis_label
from expedition.report.order import places_of
from expedition.report.statistics.factors import CASE, Factors, case_names, short_name, values_of

Floats = NDArray[np.float64]
Curve = tuple[Floats, Floats]
"""Times and shares of one mission."""

POINTS = 240
"""Times at which curves are averaged: finer than a printed line is wide."""
MOST_ROWS = 4
BAND = (10.0, 90.0)
DASHES = ("-", (0, (4, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.2, 1.2, 1.2)))


PALE: dict[str, Any] = {"linewidth": 0.6, "alpha": 0.45, "zorder": 1.5}
OF_BEST = ("exploration-curves", "Explored over time", "the robot that knew most", "")
OF_BASE = (
    "base-curves", "Known at base over time", "the base station",
    " The pale lines above are what all robots together had seen.",
)  # fmt: skip
"""Of a figure its file's name, its title, whose knowledge it shows, and what else the caption says."""


@dataclass(frozen=True)
class Averaged:
    """The curves of several missions in one: times, their mean, and where most of them lie."""

    times: Floats
    mean: Floats
    low: Floats
    high: Floats


def best_robot_curve(series: pl.DataFrame) -> Curve:
    """What the robot that knew most at each time knew, as a share of the ground."""
    best = (
        series.filter(pl.col("robot").is_not_null())
        .group_by("time_s")
        .agg(pl.col("explored").max())
        .sort("time_s")
    )  # fmt: skip
    return best["time_s"].to_numpy().astype(np.float64), best["explored"].to_numpy().astype(np.float64)


def fleet_curve(series: pl.DataFrame, column: str) -> Curve | None:
    """What a column says of the whole fleet over time: `explored` by all together, or `at_base`; None without it."""
    if column not in series.columns:
        return None
    rows = series.filter(pl.col("robot").is_null() & pl.col(column).is_not_null()).sort("time_s")
    return (rows["time_s"].to_numpy(), rows[column].to_numpy()) if len(rows) else None


def average(curves: Sequence[Curve], until: float) -> Averaged:
    """The mean of curves from 0 to `until`, and the band of the middle 80 %; a curve that has ended keeps its end."""
    times = np.linspace(0.0, until, POINTS)
    values = np.array([_at(times, curve) for curve in curves])
    low, high = np.percentile(values, BAND, axis=0)
    return Averaged(times, values.mean(axis=0), low, high)


def exploration_curves(
    results: pl.DataFrame,
    factors: Factors,
    curve_of: Callable[[str], Curve | None],
    most_missions: int,
    team_of: Callable[[str], Curve | None] | None = None,
) -> Iterator[Drawing]:
    """Curves of a few fleet sizes: with one case a panel a terrain, else a row a terrain and a line a case.

    `curve_of` reads the curve of a mission by its key; of a cell, at most `most_missions` are read. If it is that of
    the base station, `team_of` reads what all robots together had seen, to be drawn beside.
    """
    name, title, whose, beside = OF_BEST if team_of is None else OF_BASE
    numbers = places_of(results, CASE)
    cases = {name: numbers[name] for name in case_names(results)}
    fleets = chosen_values(values_of(results, factors.x))
    single = len(cases) == 1
    panels = values_of(results, factors.panels)
    if single:
        parts = [(here, list(cases)) for here in parts_of(panels, 2 * MOST_ROWS)]
    else:
        parts = [(here, lines) for here in parts_of(panels, MOST_ROWS) for lines in parts_of(list(cases), MOST_LINES)]
    for number, (here, names) in enumerate(parts):
        if single or len(fleets) == 1:
            figure, axes = panel_grid(len(here), 5.0)
            places = [(panel, fleets) for panel in here]
        else:
            figure, axes = panel_grid(len(here) * len(fleets), 4.4, len(fleets))
            places = [(panel, [fleet]) for panel in here for fleet in fleets]
        bound = _end_by_panel(results, factors, fleets, names)
        for one, (panel, shown) in zip(axes, places, strict=True):
            groups = {
                (fleet, name): keys_of(results, factors, panel, fleet, name, most_missions)
                for fleet in shown
                for name in names
            }
            _draw(one, groups, curve_of, team_of, bound.get(panel, 0.0), single, fleets, cases)
            one.set_title(_title(factors, panel, None if single or len(fleets) == 1 else shown[0]))
            finish(one)
        styles = (
            {f"{axis_label(factors.x)}: {short_name(fleet)}": style for style, fleet in enumerate(fleets)}
            if single and factors.x is not None
            else {short_name(name): cases[name] % MOST_LINES for name in names}
        )
        legend(figure, _handles(styles))
        part = of_parts(", part ", number, len(parts))
        yield Drawing(
            name=file_name(name, of_parts("part-", number, len(parts)) or None),
            title=f"{title}{part}",
            caption=(
                f"The share of the ground known to {whose}: the mean over all missions of a cell, those that failed "
                f"too, and the band of their middle 80 %. A mission that has ended keeps its value.{beside}"
                + _sampled_words(results, factors, most_missions)
            ),
            alt=f"{title}: curves for {', '.join(short_name(panel) for panel in here if panel) or 'all missions'}",
            figure=figure,
        )


def _end_by_panel(
    results: pl.DataFrame, factors: Factors, fleets: Sequence[object], names: Sequence[str]
) -> dict[object, float]:
    """When the last of the missions drawn in a panel ended, so that all of a row share an axis."""
    chosen = results.filter(pl.col(CASE).cast(pl.String).is_in(list(names)))
    if factors.x is not None:
        chosen = chosen.filter(pl.col(factors.x).is_in(list(fleets)))
    if factors.panels is None:
        return {None: float(chosen["time_s"].cast(pl.Float64).max() or 0.0)}  # type: ignore[arg-type]
    ends = chosen.group_by(factors.panels).agg(pl.col("time_s").cast(pl.Float64).max())
    return {panel: end or 0.0 for panel, end in ends.iter_rows()}


def _draw(
    axes: Axes,
    groups: Mapping[tuple[object, str], Sequence[str]],
    curve_of: Callable[[str], Curve | None],
    team_of: Callable[[str], Curve | None] | None,
    until: float,
    single: bool,
    fleets: Sequence[object],
    cases: Mapping[str, int],
) -> None:
    drawn = False
    for (fleet, name), keys in groups.items():
        curves = [curve for key in keys if (curve := curve_of(key)) is not None]
        if not curves:
            continue
        drawn = True
        until = max([until, *(float(times[-1]) for times, _ in curves)])
        mean = average(curves, until)
        style = fleets.index(fleet) if single else cases[name] % MOST_LINES
        axes.fill_between(mean.times, mean.low, mean.high, color=robot_colour(style), alpha=0.15, linewidth=0, zorder=1)
        axes.plot(mean.times, mean.mean, color=robot_colour(style), linestyle=_dash(style), linewidth=1.0, zorder=2)
        if team_of is not None and (teams := [curve for key in keys if (curve := team_of(key)) is not None]):
            team = average(teams, until)
            axes.plot(team.times, team.mean, color=robot_colour(style), linestyle=_dash(style), **PALE)
    known = "explored" if team_of is None else "known at base"
    axes.set(xlabel="time (s)", ylabel=known, ylim=(0, 1.02), xlim=(0, until or 1.0))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    if not drawn:
        say_empty(axes, "no series stored")


def _at(times: Floats, curve: Curve) -> Floats:
    """The values of a curve at times: that of the last sample before each, and the first one's before it."""
    places = np.searchsorted(curve[0], times, side="right") - 1
    return np.asarray(curve[1][places.clip(0, len(curve[1]) - 1)])


def _title(factors: Factors, panel: object, fleet: object) -> str:
    words = [short_name(panel)] if factors.panels is not None else []
    if fleet is not None and factors.x is not None:
        words.append(
            f"{fleet} {'robot' if fleet == 1 else 'robots'}" if factors.x == "robots" else f"{factors.x} {fleet}"
        )
    return ", ".join(words)


def _dash(style: int) -> object:
    return DASHES[style % len(DASHES)] if style < len(DASHES) else "-"


def _handles(styles: Mapping[str, int]) -> list[Artist]:
    if len(styles) < 2:
        return []
    return [
        Line2D([], [], color=robot_colour(style), linestyle=_dash(style), linewidth=1.0, label=label)  # type: ignore[arg-type]
        for label, style in styles.items()
    ]


def _sampled_words(results: pl.DataFrame, factors: Factors, most: int) -> str:
    largest = int(results.group_by(factors.cell).len()["len"].max() or 0)  # type: ignore[arg-type]
    return (
        f" Of cells with more than {most} missions, the {most} with the smallest seeds are shown."
        if largest > most
        else ""
    )
