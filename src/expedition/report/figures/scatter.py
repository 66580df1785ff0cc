"""Metrics against numbers that a design samples, as a Latin hypercube does: one point a mission."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from expedition.measure.metrics import Metric
from expedition.plotstyle import legend, robot_colour
from expedition.report.figures.drawing import MOST_LINES, MOST_PANELS, Drawing, file_name, panel_grid
from expedition.report.figures.lines import MARKERS, finish, line_handles, percent_tick, say_empty
from expedition.report.naming import axis_label, capital
from expedition.report.order import places_of
from expedition.report.statistics.factors import CASE, Factors, case_names, short_name, values_of
from expedition.report.statistics.outcome import VALUE, with_value

MOST_VECTORS = 2000
"""Of more points, a vector figure holds a picture: it stays small and opens at once."""


def metric_against_samples(results: pl.DataFrame, factors: Factors, metric: Metric) -> Iterator[Drawing]:
    """A metric against each sampled number: one panel a number, one colour a case, or a terrain where there is one."""
    covariates = factors.covariates[:MOST_PANELS]
    if not covariates:
        return
    by = CASE if factors.cases or factors.panels is None else factors.panels
    groups = case_names(results) if by == CASE else values_of(results, by)
    places = places_of(results, by)
    styles = {short_name(group): places[group] % MOST_LINES for group in groups}
    known = with_value(results, metric).drop_nulls(VALUE)
    figure, axes = panel_grid(len(covariates))
    for name, one in zip(covariates, axes, strict=True):
        for group, style in zip(groups, styles.values(), strict=True):
            points = known.filter(pl.col(by) == group)
            one.scatter(
                points[name].to_numpy(), points[VALUE].to_numpy(), s=7, marker=MARKERS[style],
                color=robot_colour(style), alpha=0.7, linewidths=0, zorder=2, rasterized=len(known) > MOST_VECTORS,
            )  # fmt: skip
        if known.is_empty():
            say_empty(one, "no mission succeeded")
        one.set(xlabel=axis_label(name), ylabel=metric.label_with_unit)
        if metric.unit == "%":
            one.yaxis.set_major_formatter(percent_tick)
        finish(one)
    legend(figure, line_handles(styles) if len(styles) <= MOST_LINES else [])
    left_out = len(factors.covariates) - len(covariates)
    yield Drawing(
        name=file_name(metric.name, "samples"),
        title=f"{capital(metric.label)} against the sampled parameters",
        caption=f"{metric.definition} One point a mission that succeeded."
        + (f" {left_out} further parameters are in the tables alone." if left_out else ""),
        alt=f"{capital(metric.label)} against {', '.join(covariates)}",
        figure=figure,
    )
