"""What is in the tables: every mission, each cell summed up, and how many succeeded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from expedition.measure.metrics import Metric
from expedition.report.cells import Cell, Centre, cells_of
from expedition.report.figures.drawing import file_name
from expedition.report.naming import axis_label, capital
from expedition.report.statistics.factors import CASE, Factors, case_names, short_name, values_of
from expedition.report.statistics.summary import success_rates
from expedition.report.tables.table import Shown, Table

NONE = "–"
MOST_DIGITS = 5
"""After the point, of a percentage."""


def missions_table(results: pl.DataFrame, factors: Factors, metrics: Sequence[Metric]) -> Table:
    """One row a mission: all parameters and metrics for programs, those that differ for readers."""
    parameters = told_apart_by(factors)
    shown = {metric: _pattern(metric, results[metric.name]) for metric in metrics if metric.name in results.columns}
    rows = [
        (
            *(short_name(row[name]) for name in parameters),
            row["ending"],
            str(row["seed"]),
            *(_written(pattern, row[metric.name]) for metric, pattern in shown.items()),
        )
        for row in results.iter_rows(named=True)
    ]
    header = (*map(axis_label, parameters), "ending", "seed", *(metric.label_with_unit for metric in shown))
    return Table(
        "missions",
        "All missions",
        "One row for each finished mission.",
        results.drop(CASE),
        Shown(header, rows, len(parameters) + 1, results["key"].to_list()),
    )


def summary_table(
    results: pl.DataFrame, factors: Factors, every: Sequence[Metric], shown: Sequence[Metric], centre: Centre
) -> Table:
    """One row a cell: how many missions succeeded, and each metric with its interval."""
    cells = {metric.name: cells_of(results, factors, metric, centre) for metric in every}
    listed = next(iter(cells.values()))
    columns: dict[str, list[Any]] = {}
    if factors.panels is not None:
        columns[factors.panels] = [cell.panel for cell in listed]
    if factors.cases:
        columns[CASE] = [str(cell.case) for cell in listed]
    if factors.x is not None:
        columns[factors.x] = [cell.x for cell in listed]
    words = [name for name in columns if name != factors.x]
    columns["missions"] = [cell.missions for cell in listed]
    columns["succeeded"] = [cell.succeeded for cell in listed]
    for metric in every:
        of_metric = cells[metric.name]
        columns[metric.name] = [cell.centre for cell in of_metric]
        columns[f"{metric.name}_low"] = [cell.low for cell in of_metric]
        columns[f"{metric.name}_high"] = [cell.high for cell in of_metric]
    numbers = {name for name in columns if name not in (factors.panels, factors.x, CASE, "missions", "succeeded")}
    frame = pl.DataFrame(columns, strict=False, schema_overrides=dict.fromkeys(numbers, pl.Float64))
    rows = [
        (
            *(short_name(columns[name][number]) for name in words),
            *([short_name(cell.x)] if factors.x is not None else []),
            f"{cell.succeeded} of {cell.missions}",
        )
        for number, cell in enumerate(listed)
    ]
    header = (*words, *([axis_label(factors.x)] if factors.x is not None else []), "succeeded")
    values = {metric: _with_intervals(metric, cells[metric.name]) for metric in shown if metric.name in cells}
    said = "of each cell's successful missions, with its 95 % confidence interval"

    def with_metrics(metrics: Sequence[Metric]) -> Shown:
        added = zip(*(values[metric] for metric in metrics), strict=True)
        labels = (metric.label_with_unit for metric in metrics)
        return Shown((*header, *labels), [row + more for row, more in zip(rows, added, strict=True)], len(words))

    return Table(
        "summary",
        "Cells",
        f"The {centre} {said}.",
        frame,
        with_metrics(list(values)) if values else Shown(header, rows, len(words)),
        {
            file_name(metric.name): (f"{capital(metric.label)}: the {centre} {said}.", with_metrics([metric]))
            for metric in values
        },
    )


def success_table(results: pl.DataFrame, factors: Factors) -> Table:
    """How many missions succeeded: a row for each terrain and case, a column for each fleet size."""
    frame = success_rates(results, factors)
    counts = {
        tuple(row[name] for name in factors.cell): f"{row['successes']}/{row['missions']}"
        for row in frame.iter_rows(named=True)
    }
    xs = values_of(results, factors.x)
    rows = []
    for panel in values_of(results, factors.panels):
        for case in case_names(results):
            keys = [_cell_key(factors, panel, case, x) for x in xs]
            if any(key in counts for key in keys):
                words = [
                    *([short_name(panel)] if factors.panels else []),
                    *([short_name(case)] if factors.cases else []),
                ]
                rows.append((*(words or ["all"]), *(counts.get(key, NONE) for key in keys)))
    words = [*(["terrain"] if factors.panels else []), *(["case"] if factors.cases else [])] or [""]
    header = (*words, *(short_name(x) if factors.x is not None else "succeeded" for x in xs))
    of = f", by {axis_label(factors.x)}" if factors.x is not None else ""
    return Table(
        "success", "Missions that succeeded", f"Missions that succeeded, of those that are finished{of}.",
        frame if factors.cases else frame.drop(CASE), Shown(header, rows, len(words)),
    )  # fmt: skip


def told_apart_by(factors: Factors) -> list[str]:
    """The parameters by which missions differ, in the order of columns."""
    named = [factors.panels, *factors.cases, factors.x, *factors.covariates]
    return list(dict.fromkeys(name for name in named if name is not None))


def _cell_key(factors: Factors, panel: object, case: str, x: object) -> tuple[object, ...]:
    return (*([panel] if factors.panels else []), case, *([x] if factors.x else []))


def _pattern(metric: Metric, values: Iterable[float | None]) -> str:
    """The pattern of a metric's column: percentages that are all small have three digits that count."""
    largest = max((abs(value) for value in values if value is not None and math.isfinite(value)), default=0.0)
    if not metric.pattern.endswith("%}") or not largest:
        return metric.pattern
    digits = min(MOST_DIGITS, 2 - math.floor(math.log10(100 * largest)))
    fewest = int("".join(filter(str.isdigit, metric.pattern)) or 0)
    return f"{{:.{max(digits, fewest)}%}}"


def _written(pattern: str, value: float | None) -> str:
    """A value without its unit, which stands in the header."""
    return NONE if value is None or value != value else pattern.format(value)


def _with_intervals(metric: Metric, cells: Sequence[Cell]) -> list[str]:
    """A column of centres with their intervals."""
    pattern = _pattern(metric, (cell.centre for cell in cells))
    return [
        _written(pattern, cell.centre)
        if cell.low is None or cell.high is None
        else f"{_written(pattern, cell.centre)} ({_written(pattern, cell.low)} to {_written(pattern, cell.high)})"
        for cell in cells
    ]
