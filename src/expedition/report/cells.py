"""Cells of a design: the missions that differ only in their seed, summed up for figures and tables.

A cell's value is the mean (as in Yan et al. 2017) or the median (as in Yan et al. 2015) of its successful missions,
with a 95 % confidence interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from expedition.measure.metrics import Metric
from expedition.report.statistics.factors import CASE, Factors, case_names, values_of
from expedition.report.statistics.intervals import CONFIDENCE, mean_interval, median_interval
from expedition.report.statistics.outcome import VALUE, with_value

Centre = Literal["mean", "median"]
FIVE_VALUES = 0.93
"""The range of five values encloses the median with 93.75 %, which is taken for enough."""


@dataclass(frozen=True)
class Cell:
    """The missions of one panel, case and place on the axis, with one metric."""

    panel: object
    case: str
    x: object
    missions: int
    succeeded: int
    centre: float | None
    """None where no mission has a value: those that failed have none, except for how far they came."""
    low: float | None = None
    high: float | None = None
    """The interval; None where there are too few missions for one."""


def cells_of(results: pl.DataFrame, factors: Factors, metric: Metric, centre: Centre = "mean") -> list[Cell]:
    """The cells of results that `with_case` has given a column of cases, in the design's order."""
    if metric.name not in results.columns:
        results = results.with_columns(pl.lit(None, pl.Float64).alias(metric.name))
    groups = (
        with_value(results, metric)
        .group_by(factors.cell, maintain_order=True)
        .agg(
            pl.len().alias("missions"),
            pl.col("succeeded").sum().alias("successes"),
            pl.col(VALUE).drop_nulls().alias("values"),
        )
    )
    made = []
    for row in groups.iter_rows(named=True):
        middle, low, high = middle_of(np.array(row["values"], dtype=np.float64), centre)
        made.append(
            Cell(
                panel=row[factors.panels] if factors.panels else None,
                case=row[CASE],
                x=row[factors.x] if factors.x else None,
                missions=row["missions"],
                succeeded=int(row["successes"]),
                centre=middle,
                low=low,
                high=high,
            )
        )
    return sorted(made, key=_order(results, factors))


def middle_of(values: NDArray[np.float64], centre: Centre) -> tuple[float | None, float | None, float | None]:
    """Mean or median of values with its 95 % confidence interval; None for what too few values do not give.

    Of five values, the usual number in the papers, the median's interval is their range, which is 93.75 %.
    """
    if not len(values):
        return None, None, None
    if centre == "mean":
        middle, around = float(values.mean()), mean_interval(values)
    else:
        middle = float(np.median(values))
        around = median_interval(values, FIVE_VALUES if len(values) == 5 else CONFIDENCE)
    return (middle, around.low, around.high) if around is not None else (middle, None, None)


def chosen_values(values: Sequence[object], most: int = 3) -> list[object]:
    """A few of many values in order: the first, the last, and evenly between them."""
    if len(values) <= most:
        return list(values)
    places = np.round(np.linspace(0, len(values) - 1, most)).astype(int)
    return [values[place] for place in places]


def keys_of(
    results: pl.DataFrame, factors: Factors, panel: object, x: object, case: str, most: int
) -> list[str]:  # fmt: skip
    """The keys of a cell's missions; of many, the first in the order of their seeds."""
    here = cell_rows(results, factors, panel, x, case).sort("seed", "key")
    keys: list[str] = here["key"].head(most).to_list()
    return keys


def cell_rows(results: pl.DataFrame, factors: Factors, panel: object, x: object, case: str) -> pl.DataFrame:
    """The results of one cell."""
    chosen = pl.col(CASE) == case
    if factors.panels is not None:
        chosen &= pl.col(factors.panels) == panel
    if factors.x is not None:
        chosen &= pl.col(factors.x) == x
    return results.filter(chosen)


def _order(results: pl.DataFrame, factors: Factors) -> Callable[[Cell], tuple[int, ...]]:
    """Sorts cells by terrain, case and place on the axis, each in the design's order."""
    values = (values_of(results, factors.panels), case_names(results), values_of(results, factors.x))
    panels, cases, xs = ({value: number for number, value in enumerate(listed)} for listed in values)
    return lambda cell: (panels[cell.panel], cases[cell.case], xs[cell.x])
