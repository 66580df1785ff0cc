"""Metrics against the fleet size, or whatever number a design varies, as in the papers.

Yan et al. (2015) give a metric a figure with a panel a terrain and a line a case. Where there is one case, or one
terrain, a figure holds several metrics: a panel each, and a line a terrain as in Yan et al. (2017), or a line a case.
Without a number that varies, cases stand beside each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl
from matplotlib.axes import Axes

from expedition.measure.metrics import Metric
from expedition.plotstyle import legend, parts_of
from expedition.report.cells import Cell, Centre, cells_of
from expedition.report.figures.drawing import (
    MOST_LINES,
    MOST_PANELS,
    Drawing,
    file_name,
    of_parts,
    panel_grid,
)
from expedition.report.figures.lines import (
    ROOM_OF_ROBOTS,
    Line,
    Scale,
    draw_lines,
    finish,
    line_handles,
    percent_tick,
    size_handles,
)
from expedition.report.naming import axis_label, capital
from expedition.report.order import places_of
from expedition.report.statistics.factors import CASE, Factors, case_names, short_name, values_of


def metric_by_panel(
    results: pl.DataFrame, factors: Factors, metric: Metric, centre: Centre = "mean"
) -> Iterator[Drawing]:
    """A metric against the axis: one panel a terrain, one line a case."""
    cells = cells_of(results, factors, metric, centre)
    panels, cases, xs = values_of(results, factors.panels), case_names(results), values_of(results, factors.x)
    places = places_of(results, CASE)
    parts = [(here, names) for here in parts_of(panels, MOST_PANELS) for names in parts_of(cases, MOST_LINES)]
    for number, (here, names) in enumerate(parts):
        figure, axes = panel_grid(len(here))
        styles = {name: places[name] % MOST_LINES for name in names}
        shown = [cell for cell in cells if cell.panel in here and cell.case in styles]
        for panel, one in zip(here, axes, strict=True):
            groups = {name: [cell for cell in shown if (cell.panel, cell.case) == (panel, name)] for name in names}
            _draw(one, metric, groups, styles, factors.x, xs)
            if factors.panels is not None:
                one.set_title(short_name(panel))
            finish(one)
        legend(figure, line_handles(styles) if factors.x is not None else [], size_handles(shown, len(xs)))
        yield Drawing(
            name=file_name(metric.name, of_parts("part-", number, len(parts)) or None),
            title=f"{capital(metric.label)}{_against(factors)}{of_parts(', part ', number, len(parts))}",
            caption=f"{metric.definition} {_caption(shown, centre, [metric])}",
            alt=_alt(metric.label, factors, [short_name(panel) for panel in panels if panel is not None], names),
            figure=figure,
        )


def metrics_together(
    results: pl.DataFrame, factors: Factors, metrics: Sequence[Metric], name: str, title: str, centre: Centre = "mean"
) -> Iterator[Drawing]:
    """Metrics against the axis: one panel a metric, one line a terrain, or a line a case where there is one terrain."""
    cells = {metric.name: cells_of(results, factors, metric, centre) for metric in metrics}
    by_terrain = factors.panels is not None
    lines: list[object] = values_of(results, factors.panels) if by_terrain else list(case_names(results))
    places = places_of(results, factors.panels if by_terrain else CASE)
    labels, xs = {short_name(line): line for line in lines}, values_of(results, factors.x)
    parts = [
        (here, names) for here in parts_of(list(metrics), MOST_PANELS) for names in parts_of(list(labels), MOST_LINES)
    ]
    for number, (here, names) in enumerate(parts):
        figure, axes = panel_grid(len(here))
        styles = {label: places[labels[label]] % MOST_LINES for label in names}
        for metric, one in zip(here, axes, strict=True):
            groups = {
                label: [c for c in cells[metric.name] if (c.panel if by_terrain else c.case) == labels[label]]
                for label in names
            }
            _draw(one, metric, groups, styles, factors.x, xs)
            finish(one)
        shown = [cell for metric in here for cell in cells[metric.name]]
        legend(figure, line_handles(styles) if factors.x is not None else [], size_handles(shown, len(xs)))
        yield Drawing(
            name=file_name(name, of_parts("part-", number, len(parts)) or None),
            title=f"{title}{_against(factors)}{of_parts(', part ', number, len(parts))}",
            caption=_caption(shown, centre, here),
            alt=_alt(", ".join(metric.label for metric in here), factors, [], names),
            figure=figure,
        )


def _draw(
    axes: Axes,
    metric: Metric,
    groups: Mapping[str, Sequence[Cell]],
    styles: Mapping[str, int],
    x: str | None,
    xs: Sequence[object],
) -> None:
    """Groups of cells as lines, or without an axis as points beside each other."""
    scale = Scale.of(metric)
    if x is None:
        lines = [
            Line([replace(cell, x=short_name(name)) for cell in cells], styles[name]) for name, cells in groups.items()
        ]
        draw_lines(axes, lines, [short_name(name) for name in groups], scale, connect=False)
    else:
        room = ROOM_OF_ROBOTS if x == "robots" else math.inf
        draw_lines(axes, [Line(cells, styles[name]) for name, cells in groups.items()], xs, scale, room=room)
        axes.set_xlabel(axis_label(x))
    axes.set_ylabel(metric.label_with_unit)
    if metric.unit == "%":
        axes.yaxis.set_major_formatter(percent_tick)


def _against(factors: Factors) -> str:
    return "" if factors.x is None else " against fleet size" if factors.x == "robots" else f" against {factors.x}"


def _caption(cells: Sequence[Cell], centre: Centre, metrics: Sequence[Metric]) -> str:
    kind = "Student's" if centre == "mean" else "from order statistics; of five missions their range, which is 94 %"
    bars = any(cell.low is not None for cell in cells)
    words = [
        f"Points are the {centre} of the missions that succeeded, bars its 95 % confidence interval ({kind})."
        if bars
        else f"Points are the {centre} of the missions that succeeded, which are too few for intervals."
    ]
    counts = {cell.missions for cell in cells}
    if counts != {1}:
        finished = f"{counts.pop()} missions" if len(counts) == 1 else "finished missions"
        words.append(f"The larger a marker, the more of a cell's {finished} succeeded.")
    if any(cell.succeeded == 0 for cell in cells):
        hollow = any(cell.succeeded == 0 and cell.centre is not None for cell in cells)
        words.append(
            "Hollow markers are of missions that all failed." if hollow else "Where all failed, there is no marker."
        )
    if scores := [metric.label for metric in metrics if not Scale.of(metric).from_zero]:
        words.append(
            f"The axis of {' and '.join(scores)} need not begin at 0; the others do."
            if len(metrics) > len(scores)
            else "The axis need not begin at 0."
        )
    return " ".join(words)


def _alt(what: str, factors: Factors, panels: Sequence[str], cases: Sequence[str]) -> str:
    words = f"{capital(what)}{_against(factors)}"
    words += f", for {', '.join(panels)}" if panels else ""
    return f"{words}; one line for each of {', '.join(cases)}" if len(cases) > 1 else words
