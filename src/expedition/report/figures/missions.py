"""Single missions chosen for a look, and maps averaged over the missions of a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from expedition.plotstyle import FONT, FONT_SIZE, INK, legend, new_figure, tidy
from expedition.report.cells import cell_rows, chosen_values, keys_of
from expedition.report.figures.drawing import WIDTH_CM, Drawing, file_name, of_parts, parts_of
from expedition.report.figures.ground import Ground, draw_times, draw_ways
from expedition.report.naming import counted
from expedition.report.statistics.factors import Factors, case_names, short_name, values_of
from expedition.report.words import in_panel

COLUMNS = 3
MOST_GROUNDS = 8
"""Terrains of which missions are shown."""
MOST_AVERAGED = 6
"""Panels of averaged maps to a figure."""

GroundOf = Callable[[str], Ground | None]
WaysOf = Callable[[str], NDArray[np.float64]]


def chosen_missions(results: pl.DataFrame, factors: Factors) -> list[str]:
    """One key a terrain: the mission of median time among those that succeeded, of the first case and middle fleet."""
    keys = []
    first = case_names(results)[0]
    for panel in values_of(results, factors.panels)[:MOST_GROUNDS]:
        x = _middle(results, factors)
        rows = cell_rows(results, factors, panel, x, first)
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
        figure = new_figure(WIDTH_CM, 5.3 * ground.ratio + 2.3)
        axes = list(figure.subplots(1, COLUMNS))
        handles = draw_ways(axes[0], ground, ways_of(key))
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
        _colour_bar(figure, image, axes[1:])
        legend(figure, handles)
        words = _mission_words(row, factors)
        place = short_name(row[factors.panels]) if factors.panels is not None else None
        yield Drawing(
            name=file_name("mission", place),
            title=f"A mission{in_panel(place)}",
            caption=(
                f"{words}: the mission of median time of its cell. Left: the robots' ways; open circles are starts, "
                "filled marks ends, and ground has the colour of the robot that saw it first. Middle and right: when "
                "each cell was first seen by any robot, and when one first drove over it; grey was never."
            ),
            alt=f"Maps of a mission: ways and who saw what first, when it was seen, when it was driven over. {words}",
            figure=figure,
            raster=True,
        )


def averaged_maps(
    results: pl.DataFrame, factors: Factors, ground_of: GroundOf, most_missions: int
) -> Iterator[Drawing]:
    """For each terrain, when cells were seen on average: a panel a case, or with one case a panel for a few fleets."""
    cases, xs = case_names(results), values_of(results, factors.x)
    for panel in values_of(results, factors.panels)[:MOST_GROUNDS]:
        if len(cases) == 1:
            places = [(x, cases[0], _fleet_words(factors, x)) for x in chosen_values(xs)]
        else:
            x = _middle(results, factors)
            places = [(x, case, short_name(case)) for case in cases]
        averaged = []
        for x, case, title in places:
            keys = keys_of(results, factors, panel, x, case, most_missions)
            if (mean := mean_times(ground_of, keys)) is not None:
                averaged.append((*mean, title))
        parts = parts_of(averaged, MOST_AVERAGED) if averaged else []
        latest = _latest([times for _, times, _, _ in averaged])
        for number, part in enumerate(parts):
            place = short_name(panel) if factors.panels is not None else None
            yield Drawing(
                name=file_name("seen", place, of_parts("part-", number, len(parts)) or None),
                title=f"When ground was seen{in_panel(place)}{of_parts(', part ', number, len(parts))}",
                caption=_averaged_caption(factors, part, results, len(cases)),
                alt=f"Heat maps of the mean time at which ground was first seen: {', '.join(one[3] for one in part)}",
                figure=_draw_averaged(part, latest),
                raster=True,
            )


def mean_times(ground_of: GroundOf, keys: Sequence[str]) -> tuple[Ground, NDArray[np.float64], int] | None:
    """The mean time at which each cell was first seen, over the missions that saw it, and how many were read.

    None without maps, or where the ground differs between the missions, so that there is nothing to average.
    """
    first: Ground | None = None
    for key in keys:
        ground = ground_of(key)
        if ground is None:
            return None
        if first is None:
            first = ground
            total, count = np.zeros(first.explorable.shape), np.zeros(first.explorable.shape)
        if ground.extent != first.extent or not np.array_equal(ground.explorable, first.explorable):
            return None
        seen = np.isfinite(ground.seen_at)
        total[seen] += ground.seen_at[seen]
        count += seen
    if first is None:
        return None
    return first, np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0), len(keys)


def _draw_averaged(part: Sequence[tuple[Ground, NDArray[np.float64], int, str]], latest: float) -> Figure:
    columns = min(COLUMNS, len(part))
    rows = -(-len(part) // columns)
    ratio = max(ground.ratio for ground, _, _, _ in part)
    figure = new_figure(WIDTH_CM * columns / COLUMNS + (columns < COLUMNS), (5.3 * ratio + 1.2) * rows + 1.1)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for number, (one, (ground, times, _, title)) in enumerate(zip(axes, part, strict=False)):
        image = draw_times(one, ground, times, latest)
        one.set_title(title)
        if number % columns:
            one.set_yticklabels([])
        else:
            one.set_ylabel("y (m)")
        tidy(one)
    for spare in axes[len(part) :]:
        spare.remove()
    _colour_bar(figure, image, axes[: len(part)])
    return figure


def _colour_bar(figure: Figure, image: AxesImage, axes: Sequence[Axes]) -> None:
    bar = figure.colorbar(image, ax=list(axes), location="bottom", shrink=0.5, aspect=40, pad=0.02)
    bar.set_label("time (s)", fontsize=FONT_SIZE, color=INK, fontfamily=FONT)
    bar.ax.tick_params(labelsize=FONT_SIZE, width=0.5, length=2, color=INK, labelcolor=INK, labelfontfamily=FONT)
    bar.outline.set(linewidth=0.4, edgecolor=INK)


def _latest(layers: Sequence[NDArray[Any]]) -> float:
    return max((float(np.nanmax(layer)) for layer in layers if np.isfinite(layer).any()), default=0.0)


def _middle(results: pl.DataFrame, factors: Factors) -> object:
    xs = values_of(results, factors.x)
    return xs[len(xs) // 2]


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


def _averaged_caption(
    factors: Factors, part: Sequence[tuple[Ground, NDArray[np.float64], int, str]], results: pl.DataFrame, cases: int
) -> str:
    counts = {count for _, _, count, _ in part}
    missions = f"{min(counts)} to {max(counts)} missions" if len(counts) > 1 else counted(counts.pop(), "mission")
    fleet = f" ({_fleet_words(factors, _middle(results, factors))})" if cases > 1 and factors.x is not None else ""
    return (
        f"When each cell was first seen by any robot, averaged over the {missions} of a cell{fleet} that saw it; "
        "red was seen early, blue late, grey never."
    )
