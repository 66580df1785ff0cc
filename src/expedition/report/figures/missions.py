"""Single missions chosen for a look, and maps averaged over the missions of a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from expedition.plotstyle import FONT, FONT_SIZE, INK, legend, new_figure, parts_of, tidy
from expedition.report.cells import cell_rows, chosen_values, keys_of
from expedition.report.figures.drawing import WIDTH_CM, Drawing, file_name, of_parts
from expedition.report.figures.ground import MOST_COLOURS, Ground, draw_times, draw_ways
from expedition.report.naming import counted
from expedition.report.statistics.factors import Factors, case_names, short_name, values_of
from expedition.report.words import in_panel

COLUMNS = 3
PANEL_CM = 5.3
"""A panel's width with a little to spare: in figures that are too low for their panels, titles would be cut off."""
MOST_GROUNDS = 8
"""Terrains of which missions are shown."""

GroundOf = Callable[[str], Ground | None]
WaysOf = Callable[[str], NDArray[np.float64]]


def chosen_missions(results: pl.DataFrame, factors: Factors) -> list[str]:
    """One key a terrain: the mission of median time among those that succeeded, of the first case.

    The fleet is the largest of at most eight robots, which colours tell apart, or without such the smallest; on another
    axis it is the middle value.
    """
    keys = []
    first = case_names(results)[0]
    for panel in values_of(results, factors.panels)[:MOST_GROUNDS]:
        rows = cell_rows(results, factors, panel, _readable(results, factors), first)
        rows = rows.filter("succeeded") if rows["succeeded"].any() else rows
        if len(rows):
            keys.append(str(rows.sort("time_s", "seed", "key")["key"][(len(rows) - 1) // 2]))
    return keys


def mission_drawings(
    results: pl.DataFrame, factors: Factors, ground_of: GroundOf, ways_of: WaysOf
) -> Iterator[Drawing]:
    """A figure for each chosen mission: ways and who saw what first, when it was seen, when it was driven over."""
    for key in chosen_missions(results, factors):
        ground = ground_of(key)
        if ground is None:
            continue
        row = results.row(by_predicate=pl.col("key") == key, named=True)
        ways = ways_of(key)
        figure = new_figure(WIDTH_CM, PANEL_CM * ground.ratio + 3.0)
        axes = list(figure.subplots(1, COLUMNS))
        handles = draw_ways(axes[0], ground, ways)
        axes[0].set_title("ways, and who saw what first")
        axes[0].set_ylabel("y (m)")
        for one, times, title in (
            (axes[1], ground.seen_at, "when it was first seen"),
            (axes[2], ground.covered_at, "when it was driven over"),
        ):
            image = draw_times(one, ground, times, _latest([ground.seen_at, ground.covered_at]))
            one.set_title(title)
            one.set_yticklabels([])
        for one in axes:
            tidy(one)
        _colour_bar(figure, image, axes, "time (s), middle and right")
        legend(figure, handles)
        words = _mission_words(row, factors)
        place = short_name(row[factors.panels]) if factors.panels is not None else None
        yield Drawing(
            name=file_name("mission", place),
            title=f"A mission{in_panel(place)}",
            caption=_mission_caption(words, ways.shape[1], _why_this_fleet(results, factors)),
            alt=f"Maps of a mission: ways and who saw what first, when it was seen, when it was driven over. {words}",
            figure=figure,
            raster=True,
        )


def averaged_maps(
    results: pl.DataFrame, factors: Factors, ground_of: GroundOf, most_missions: int
) -> Iterator[Drawing]:
    """For each terrain, when cells were seen and driven over on average: a row each.

    A column is a case, or with one case one of a few fleets.
    """
    cases, xs = case_names(results), values_of(results, factors.x)
    for panel in values_of(results, factors.panels)[:MOST_GROUNDS]:
        if len(cases) == 1:
            columns = [(x, cases[0], _fleet_words(factors, x)) for x in chosen_values(xs)]
        else:
            x = _middle(results, factors)
            columns = [(x, case, short_name(case)) for case in cases]
        averaged = []
        for x, case, title in columns:
            keys = keys_of(results, factors, panel, x, case, most_missions)
            if (mean := mean_times(ground_of, keys)) is not None:
                averaged.append((mean, title))
        parts = parts_of(averaged, COLUMNS) if averaged else []
        latest = _latest([mean.seen_at for mean, _ in averaged])
        for number, part in enumerate(parts):
            place = short_name(panel) if factors.panels is not None else None
            yield Drawing(
                name=file_name("heat", place, of_parts("part-", number, len(parts)) or None),
                title=f"When ground was seen and driven over{in_panel(place)}{of_parts(', part ', number, len(parts))}",
                caption=_averaged_caption(factors, [mean.missions for mean, _ in part], results, len(cases)),
                alt=(
                    "Heat maps of the mean time at which ground was first seen, and first driven over: "
                    f"{', '.join(title for _, title in part)}"
                ),
                figure=_draw_averaged(part, latest),
                raster=True,
            )


@dataclass(frozen=True)
class MeanTimes:
    """The mean times at which each cell was first seen and driven over, over the missions in which it was."""

    ground: Ground
    """That of the first mission; the others have the same."""
    seen_at: NDArray[np.float64]
    covered_at: NDArray[np.float64]
    missions: int


def mean_times(ground_of: GroundOf, keys: Sequence[str]) -> MeanTimes | None:
    """The mean times over missions, by their keys.

    None without maps, or where the ground differs between the missions, so that there is nothing to average.
    """
    first: Ground | None = None
    for key in keys:
        ground = ground_of(key)
        if ground is None:
            return None
        if first is None:
            first = ground
            totals, counts = np.zeros((2, *first.explorable.shape)), np.zeros((2, *first.explorable.shape))
        if ground.extent != first.extent or not np.array_equal(ground.explorable, first.explorable):
            return None
        for times, total, count in zip((ground.seen_at, ground.covered_at), totals, counts, strict=True):
            known = np.isfinite(times)
            total[known] += times[known]
            count += known
    if first is None:
        return None
    seen_at, covered_at = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
    return MeanTimes(first, seen_at, covered_at, len(keys))


def _draw_averaged(part: Sequence[tuple[MeanTimes, str]], latest: float) -> Figure:
    columns = len(part)
    ratio = max(mean.ground.ratio for mean, _ in part)
    figure = new_figure(WIDTH_CM * columns / COLUMNS + (columns < COLUMNS), 2 * (PANEL_CM * ratio + 0.7) + 2.2)
    grid = figure.subplots(2, columns, squeeze=False)
    for column, (mean, title) in enumerate(part):
        for row, (times, what) in enumerate(((mean.seen_at, "seen"), (mean.covered_at, "driven over"))):
            one = grid[row, column]
            image = draw_times(one, mean.ground, times, latest)
            one.set_title(f"{title}: {what}")
            if row == 0:
                one.set(xlabel="", xticklabels=[])
            if column:
                one.set_yticklabels([])
            else:
                one.set_ylabel("y (m)")
            tidy(one)
    later = _latest([mean.covered_at for mean, _ in part]) > latest
    _colour_bar(figure, image, list(grid.flat), "mean time (s)", later)
    return figure


def _colour_bar(figure: Figure, image: AxesImage, axes: Sequence[Axes], label: str, later: bool = False) -> None:
    """A bar beneath all axes of a figure, so that they keep the same room; with an arrow if some cells came later."""
    bar = figure.colorbar(
        image, ax=list(axes), location="bottom", shrink=0.5, aspect=40, pad=0.02, extend="max" if later else "neither"
    )
    bar.set_label(label, fontsize=FONT_SIZE, color=INK, fontfamily=FONT)
    bar.ax.tick_params(labelsize=FONT_SIZE, width=0.5, length=2, color=INK, labelcolor=INK, labelfontfamily=FONT)
    bar.outline.set(linewidth=0.4, edgecolor=INK)


def _latest(layers: Sequence[NDArray[Any]]) -> float:
    return max((float(np.nanmax(layer)) for layer in layers if np.isfinite(layer).any()), default=0.0)


def _middle(results: pl.DataFrame, factors: Factors) -> object:
    xs = values_of(results, factors.x)
    return xs[len(xs) // 2]


def _readable(results: pl.DataFrame, factors: Factors) -> object:
    """The fleet of which single missions are shown."""
    if factors.x != "robots":
        return _middle(results, factors)
    xs = values_of(results, factors.x)
    return max((x for x in xs if isinstance(x, int) and x <= MOST_COLOURS), default=xs[0])


def _fleet_words(factors: Factors, x: object) -> str:
    if factors.x is None:
        return "all missions"
    return counted(int(str(x)), "robot") if factors.x == "robots" else f"{factors.x} {short_name(x)}"


def _mission_words(row: dict[str, Any], factors: Factors) -> str:
    words = [f"{name} {short_name(row[name])}" for name in factors.cases]
    if factors.panels is not None:
        words.insert(0, short_name(row[factors.panels]))
    if factors.x is not None:
        words.append(_fleet_words(factors, row[factors.x]))
    return ", ".join([*words, f"seed {row['seed']}, {row['ending']} after {row['time_s']:,.0f} s"])


def _mission_caption(words: str, robots: int, why: str) -> str:
    numbers, repeated = (
        (" with the numbers of their robots", ", of which there are fewer than robots")
        if robots > MOST_COLOURS
        else ("", "")
    )
    return (
        f"{words}: the mission of median time of its cell. {why}Left: the robots' ways; open circles are starts, "
        f"filled marks ends{numbers}, and ground has the colour of the robot that saw it first{repeated}. Middle "
        "and right: when each cell was first seen by any robot, and when one first drove over it; grey was never."
    )


def _why_this_fleet(results: pl.DataFrame, factors: Factors) -> str:
    """Says why a fleet is shown that is not the largest."""
    xs = values_of(results, factors.x)
    shown = _readable(results, factors)
    if factors.x != "robots" or shown == xs[-1]:
        return ""
    if isinstance(shown, int) and shown > MOST_COLOURS:
        return "Its fleet is the smallest. "
    return f"Its fleet is the largest of at most {MOST_COLOURS} robots, whose colours can be told apart. "


def _averaged_caption(factors: Factors, missions: Sequence[int], results: pl.DataFrame, cases: int) -> str:
    least, most = min(missions), max(missions)
    words = f"{least} to {most} missions" if least < most else counted(most, "mission")
    fleet = f" ({_fleet_words(factors, _middle(results, factors))})" if cases > 1 and factors.x is not None else ""
    return (
        f"When each cell was first seen by any robot (above) and first driven over (below), averaged over those of the "
        f"{words} of a cell of the design{fleet} in which it was; red is early, blue late or later, grey never."
    )
