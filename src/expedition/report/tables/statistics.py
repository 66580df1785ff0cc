"""Comparisons, best fleets and trends as tables: everything for programs, the main part for readers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from expedition.measure.metrics import Metric
from expedition.report.statistics import Analysis, BestSize, Comparison, Interval, Trend
from expedition.report.statistics.factors import ALL_MISSIONS
from expedition.report.statistics.trends import turning
from expedition.report.statistics.written import minus, number, percent, probability, sizes_in_words
from expedition.report.tables.contents import NONE
from expedition.report.tables.table import Shown, Table


def statistics_tables(analysis: Analysis, metrics: dict[str, Metric]) -> Iterator[Table]:
    """The tables of an analysis that have rows."""
    frames = analysis.tables()
    if "comparisons" in frames:
        yield _comparisons(analysis, metrics, frames["comparisons"])
    if "best-sizes" in frames:
        yield _best(analysis, metrics, frames["best-sizes"])
    for name, title, found in (
        ("trends", "Trends along the axis", analysis.trends),
        ("correlations", "Correlations with sampled parameters", analysis.correlations),
    ):
        if name in frames:
            yield _trends(name, title, found, metrics, frames[name])
    if "success-comparisons" in frames:
        yield _successes(analysis, frames["success-comparisons"])


def _comparisons(analysis: Analysis, metrics: dict[str, Metric], frame: pl.DataFrame) -> Table:
    rows = [
        (
            metrics[one.metric].label,
            one.panel or "all",
            one.second,
            one.first,
            _sizes(one),
            _change(one, metrics[one.metric]),
            _between(one, metrics[one.metric]),
            probability(one.p_holm).removeprefix("p = ").removeprefix("p "),
            f"{one.count} {'pairs' if one.paired else 'missions'}",
        )
        for one in analysis.comparisons
        if one.kind != "size"
    ]
    header = ("metric", "terrain", "case", "against", "fleets", "change", "95 % CI", "p (Holm)", "of")
    return Table(
        "comparisons",
        "Comparisons",
        "How much a case's metric differs from another's over missions with the same seed, terrain and fleet: change "
        "of the geometric mean (of the mean where values are not all positive), bootstrap interval, and the p value of "
        "a signed-rank test in which failed missions count as the worst, corrected by Holm's method. The files also "
        "have each fleet size by itself, and effect sizes.",
        frame,
        Shown(header, rows, 5),
    )


def _best(analysis: Analysis, metrics: dict[str, Metric], frame: pl.DataFrame) -> Table:
    rows = [
        (
            metrics[one.metric].label,
            one.panel or "all",
            _case(one.case),
            number(one.best),
            metrics[one.metric].written(one.mean),
            _ends(one.interval, metrics[one.metric]),
            sizes_in_words(one.likely, one.sizes) or NONE,
            sizes_in_words(one.not_told_apart, one.sizes) or NONE,
            _succeeded(one),
        )
        for one in analysis.best
    ]
    axis = "fleet" if analysis.factors.x == "robots" else str(analysis.factors.x)
    header = ("metric", "terrain", "case", f"best {axis}", "mean", "95 % CI", "95 % set", "not told apart", "succeeded")
    return Table(
        "best-fleet",
        f"Best {axis}",
        "The size with the best mean. Sizes at which half of the missions or more failed, or significantly more than "
        "at others, cannot be best. In a time, failed missions count with the longest that any mission ran; other "
        "metrics are of those that succeeded. The 95 % set holds the fewest sizes that together are best in 95 % of "
        "bootstrap resamples of the seeds. Not told apart are those that no test tells from the best; "
        "of few seeds, that says little.",
        frame,
        Shown(header, rows, 3),
    )


def _trends(
    name: str, title: str, found: tuple[Trend, ...], metrics: dict[str, Metric], frame: pl.DataFrame
) -> Table:  # fmt: skip
    shown = []
    for one in found:
        parts = [part for part in found if part.part != "all" and _place(part) == _place(one)]
        shown += [one, *(turning(parts) or ())] if one.part == "all" else []
    rows = [
        (
            metrics[one.metric].label,
            one.parameter,
            one.panel or "all",
            _case(one.case),
            "all" if one.part == "all" else f"{one.part} {number(one.turn)}",
            minus(f"{one.correlation:.2f}"),
            f"{minus(f'{one.interval.low:.2f}')} to {minus(f'{one.interval.high:.2f}')}" if one.interval else NONE,
            probability(one.p_holm).removeprefix("p = ").removeprefix("p "),
            str(one.missions),
        )
        for one in shown
    ]
    header = ("metric", "with", "terrain", "case", "values", "Spearman", "95 % CI", "p (Holm)", "missions")
    return Table(
        name,
        title,
        "Spearman's rank correlation over the missions that succeeded. Where a metric falls up to the best size and "
        "rises after it, or the other way, both parts have rows of their own.",
        frame,
        Shown(header, rows, 5),
    )


def _place(one: Trend) -> tuple[object, ...]:
    return one.metric, one.parameter, one.panel, one.case


def _succeeded(one: BestSize) -> str:
    """How many missions of the best size succeeded."""
    place = one.sizes.index(one.best)
    return f"{one.successes[place]}/{one.missions[place]}" if one.missions else NONE


def _successes(analysis: Analysis, frame: pl.DataFrame) -> Table:
    rows = [
        (
            one.panel or "all",
            one.second,
            one.first,
            f"{one.second_successes}/{one.second_missions}",
            f"{one.first_successes}/{one.first_missions}",
            probability(one.p_holm).removeprefix("p = ").removeprefix("p "),
        )
        for one in analysis.successes
    ]
    return Table(
        "success-comparisons",
        "Comparisons of success",
        "Missions that succeeded, McNemar's exact test by pairs (Fisher's without), corrected by Holm's method.",
        frame,
        Shown(("terrain", "case", "against", "succeeded", "against those", "p (Holm)"), rows, 3),
    )


def _case(case: str) -> str:
    return "all" if case == ALL_MISSIONS else case


def _sizes(one: Comparison) -> str:
    low, high = number(one.low), number(one.high)
    return "all" if one.kind == "all" else low if low == high else f"{low} to {high}"


def _change(one: Comparison, metric: Metric) -> str:
    if one.change is None:
        return NONE
    sign = "+" if one.change > 0 else ""
    return f"{sign}{percent(one.change, 1)} %" if one.relative else f"{sign}{minus(metric.written(one.change))}"


def _between(one: Comparison, metric: Metric) -> str:
    ends = one.change_interval
    if ends is None:
        return NONE
    if one.relative:
        return f"{percent(ends.low, 1)} to {percent(ends.high, 1)} %"
    return _ends(ends, metric)


def _ends(interval: Interval | None, metric: Metric) -> str:
    if interval is None:
        return NONE
    return f"{minus(metric.pattern.format(interval.low))} to {minus(metric.pattern.format(interval.high))}"
