"""All statistics of a design's results at once, and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from expedition.measure.metrics import METRICS
from expedition.report.statistics.best_size import BestSize, best_sizes
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.comparisons import compare_cases
from expedition.report.statistics.factors import Factors, factors_of, with_case
from expedition.report.statistics.outcome import Described
from expedition.report.statistics.success import SuccessComparison, compare_successes
from expedition.report.statistics.summary import success_rates, summarise
from expedition.report.statistics.trends import Trend, correlations, trends

ENOUGH_METRICS = 8
"""Missions are copies if they agree in so many metrics or more; fewer may agree by chance."""


@dataclass(frozen=True)
class Analysis:
    """What the statistics say of a design. `results` have their case; `summary` and `rates` have a row a cell."""

    factors: Factors
    results: pl.DataFrame
    metrics: tuple[Described, ...]
    rates: pl.DataFrame
    summary: pl.DataFrame
    successes: tuple[SuccessComparison, ...]
    comparisons: tuple[Comparison, ...]
    best: tuple[BestSize, ...]
    trends: tuple[Trend, ...]
    correlations: tuple[Trend, ...]
    repeats: int = 0
    """Missions that came out as another one of other seed did in everything, and so say nothing of chance."""

    def tables(self) -> dict[str, pl.DataFrame]:
        """Every finding as tables by name; those without rows are left out."""
        found = {
            "success": self.rates,
            "summary": self.summary,
            "success-comparisons": _table(self.successes),
            "comparisons": comparisons_table(self.comparisons),
            "best-sizes": _table(self.best),
            "trends": _table(self.trends),
            "correlations": _table(self.correlations),
        }
        return {name: table for name, table in found.items() if len(table)}


def analyse(results: pl.DataFrame, varied: Sequence[str], metrics: Sequence[Described]) -> Analysis:
    """All statistics of the results of a design; metrics without a single value are left out."""
    factors = factors_of(results, varied)
    results = with_case(results, factors)
    known = tuple(one for one in metrics if one.name in results.columns and results[one.name].drop_nulls().len())
    different = without_repeats(results)
    rates = success_rates(results, factors)
    summaries = [summarise(results, factors, one) for one in known]
    compared: list[Comparison] = []
    best: list[BestSize] = []
    along: list[Trend] = []
    for one in known:
        compared += compare_cases(different, factors, one)
        if one.measured:  # what a machine needed is compared on it, but is no property of a fleet
            continue
        best_of_metric = best_sizes(different, factors, one)
        best += best_of_metric
        along += trends(different, factors, one, best_of_metric)
    correlated = [trend for one in known if not one.measured for trend in correlations(different, factors, one)]
    return Analysis(
        factors, results, known, rates, pl.concat(summaries) if summaries else rates.clear(),
        tuple(compare_successes(different, factors)), tuple(compared), tuple(best), tuple(along), tuple(correlated),
        len(results) - len(different),
    )  # fmt: skip


def without_repeats(results: pl.DataFrame) -> pl.DataFrame:
    """The results with one mission of those that differ in nothing but their seed.

    Where a seed decides nothing, as with perfect localisation and given starts, missions of other seeds are copies: to
    count them all would make any difference look certain. What the machine needed does not make two missions differ.
    """
    measured = [name for name, metric in METRICS.items() if metric.measured]
    told = [name for name in results.columns if name not in ("key", "iteration", "seed", *measured)]
    if len(set(told) & set(METRICS)) < ENOUGH_METRICS:
        return results
    return results.unique(told, keep="first", maintain_order=True)


def comparisons_table(comparisons: Iterable[Comparison]) -> pl.DataFrame:
    """Comparisons as a table, with `change` and its interval instead of logarithms."""
    rows = []
    for one in comparisons:
        row = _row(one)
        for name in ("difference", "interval_low", "interval_high"):
            row.pop(name, None)
        interval = one.change_interval
        low, high = (interval.low, interval.high) if interval else (None, None)
        rows.append({**row, "change": one.change, "change_low": low, "change_high": high, "found": one.found})
    return _frame(rows)


def _table(found: Sequence[Any]) -> pl.DataFrame:
    return _frame([_row(one) for one in found])


def _row(one: Any) -> dict[str, Any]:
    """A finding as a row: an interval gives two columns, several sizes one text."""
    row: dict[str, Any] = {}
    for name, value in asdict(one).items():
        if "interval" in name:
            row[f"{name}_low"], row[f"{name}_high"] = (value["low"], value["high"]) if value else (None, None)
        elif isinstance(value, tuple):
            row[name] = " ".join(f"{part:g}" for part in value)
        else:
            row[name] = value
    return row


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)
