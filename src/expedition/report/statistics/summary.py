"""Each cell of a design in numbers: a panel, a case and a size, over its missions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from expedition.report.statistics.factors import Factors
from expedition.report.statistics.intervals import mean_interval, median_interval, share_interval
from expedition.report.statistics.outcome import VALUE, Described, with_value

_NUMBERS = ("mean", "mean_low", "mean_high", "median", "median_low", "median_high", "sd", "least", "most")


def success_rates(results: pl.DataFrame, factors: Factors, by: Sequence[str] | None = None) -> pl.DataFrame:
    """Missions, successes and the rate with Wilson's interval: one row a cell, or a group of the columns `by`."""
    cell = factors.cell if by is None else list(by)
    counts = results.group_by(cell, maintain_order=True).agg(
        pl.len().alias("missions"), pl.col("succeeded").sum().cast(pl.Int64).alias("successes")
    )
    intervals = [share_interval(*row) for row in counts.select("successes", "missions").iter_rows()]
    return counts.with_columns(
        (pl.col("successes") / pl.col("missions")).alias("rate"),
        pl.Series("rate_low", [one.low if one else None for one in intervals], dtype=pl.Float64),
        pl.Series("rate_high", [one.high if one else None for one in intervals], dtype=pl.Float64),
    )


def summarise(results: pl.DataFrame, factors: Factors, metric: Described) -> pl.DataFrame:
    """A metric in each cell: `count` values, mean and median with 95 % intervals, standard deviation, least and most.

    Values are those of successful missions, or of all for a metric of progress. What cannot be said is null: all of
    them without a value, the spread and the mean's interval of one value, the median's interval of fewer than six.
    """
    groups = with_value(results, metric).group_by(factors.cell, maintain_order=True).agg(VALUE)
    values = [np.array(found, float) for found in groups[VALUE].list.drop_nulls().to_list()]
    counts = pl.Series("count", [len(found) for found in values], dtype=pl.Int64)
    rows = [_row(found) for found in values]
    columns = [pl.Series(name, [row[place] for row in rows], dtype=pl.Float64) for place, name in enumerate(_NUMBERS)]
    made = groups.drop(VALUE).with_columns(pl.lit(metric.name).alias("metric"), counts, *columns)
    return made.join(
        success_rates(results, factors), on=factors.cell, how="left", nulls_equal=True, maintain_order="left"
    )


def _row(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float | None]:
    """The numbers of one cell, in the order of `_NUMBERS`."""
    if len(values) == 0:
        return [None] * len(_NUMBERS)
    mean, median = mean_interval(values), median_interval(values)
    return [
        float(values.mean()), mean.low if mean else None, mean.high if mean else None,
        float(np.median(values)), median.low if median else None, median.high if median else None,
        float(values.std(ddof=1)) if len(values) > 1 else None,
        float(values.min()), float(values.max()),
    ]  # fmt: skip
