"""The best fleet size of each panel and case, with how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from expedition.report.statistics.comparison import SIGNIFICANT
from expedition.report.statistics.factors import Factors, panels_and_cases
from expedition.report.statistics.intervals import CONFIDENCE, Interval, mean_interval
from expedition.report.statistics.outcome import FAILED, VALUE, Described, with_value
from expedition.report.statistics.resampling import FEWER, LARGE, resample_counts
from expedition.report.statistics.significance import fisher, holm, student

Floats = NDArray[np.float64]

_BLOCK = "block"


@dataclass(frozen=True)
class BestSize:
    """The size with the best mean among `sizes`, those at which missions succeed often enough.

    `probabilities` say how often each size is best in resamples of the seeds; `likely` are the fewest sizes that
    together are best in 95 % of them; `not_told_apart` those that no test tells from the best, and itself. All are
    empty with one seed. `left_out` are sizes at which half of the missions or more failed, or significantly more than
    at others. `missions` and `successes` are those of each size. Failed missions count with `limit`; where this is
    None, none failed or the mean is of missions that succeeded.
    """

    metric: str
    panel: str | None
    case: str
    best: float
    mean: float
    interval: Interval | None
    seeds: int
    sizes: tuple[float, ...]
    probabilities: tuple[float, ...]
    likely: tuple[float, ...]
    not_told_apart: tuple[float, ...]
    left_out: tuple[float, ...]
    missions: tuple[int, ...] = ()
    successes: tuple[int, ...] = ()
    limit: float | None = None


def best_sizes(results: pl.DataFrame, factors: Factors, metric: Described) -> list[BestSize]:
    """The best size of each panel and case; none for a metric without a direction or without an axis that repeats."""
    if factors.axis is None or metric.better == "":
        return []
    counted = with_value(results, metric).with_columns(pl.struct(factors.blocks).rank("dense").alias(_BLOCK))
    limit = _limit(counted, metric)
    found = []
    for panel, case, missions in panels_and_cases(counted, factors):
        one = _best(missions, factors.axis, metric, panel, case, limit)
        found += [one] if one is not None else []
    return found


def _limit(results: pl.DataFrame, metric: Described) -> float | None:
    """What a failed mission counts for in a time that is to be short: as long as any mission ran. None for others."""
    if metric.unit != "s" or metric.better != "lower":
        return None
    longest = [results[name].cast(pl.Float64) for name in ("time_s", VALUE) if name in results.columns]
    values = [value for column in longest for value in column.drop_nulls().to_list() if math.isfinite(value)]
    return max(values, default=None)


def _best(
    missions: pl.DataFrame, x: str, metric: Described, panel: str | None, case: str, limit: float | None
) -> BestSize | None:  # fmt: skip
    by_size = (
        missions.group_by(x)
        .agg(pl.col(VALUE).count().alias("count"), pl.len().alias("missions"), pl.col(FAILED).sum().alias("lost"))
        .sort(x)
        .with_columns((pl.col("missions") - pl.col("lost")).cast(pl.Int64).alias("successes"))
    )
    by_size = by_size.with_columns(pl.Series("often", _often(by_size["successes"], by_size["missions"])))
    usable = (pl.col("count") > 0) & (2 * pl.col("lost") < pl.col("missions")) & pl.col("often")
    kept = by_size.filter(usable)
    sizes = kept[x].cast(pl.Float64).to_numpy()
    if len(sizes) < 2:
        return None
    if limit is not None:
        missions = missions.with_columns(pl.when(FAILED).then(limit).otherwise(VALUE).alias(VALUE))
    table = _by_seed(missions, x, sizes)
    sign = 1.0 if metric.better == "lower" else -1.0
    means = np.nanmean(table, axis=0)
    best = int(np.argmin(sign * means))
    chances = _chances(sign * table)
    column = table[:, best]
    return BestSize(
        metric.name, panel, case, float(sizes[best]), float(means[best]),
        mean_interval(column[np.isfinite(column)]), len(table), tuple(sizes.tolist()), tuple(chances.tolist()),
        _likely(sizes, chances), _not_told_apart(sizes, table, best),
        tuple(by_size.filter(usable.not_())[x].cast(pl.Float64).to_list()),
        tuple(kept["missions"].to_list()), tuple(kept["successes"].to_list()), limit if kept["lost"].sum() else None,
    )  # fmt: skip


def _often(successes: pl.Series, missions: pl.Series) -> list[bool]:
    """Whether each size succeeds often enough to be the best.

    It does unless Fisher's test, Holm-corrected, finds fewer successes than at all sizes with a higher share together.
    """
    counts = list(zip(successes.to_list(), missions.to_list(), strict=True))
    p_values: list[float | None] = []
    for won, tried in counts:
        better = [(more, of) for more, of in counts if more * tried > won * of]
        other = (sum(more for more, _ in better), sum(of for _, of in better))
        p_values.append(fisher(won, tried, *other) if better else None)
    return [p is None or p >= SIGNIFICANT for p in holm(p_values)]


def _by_seed(missions: pl.DataFrame, x: str, sizes: Floats) -> Floats:
    """Values with a row a seed and a column a size; several missions of one seed and size give their mean."""
    kept = (
        missions.drop_nulls(VALUE).group_by(_BLOCK, pl.col(x).cast(pl.Float64)).agg(pl.col(VALUE).mean()).sort(_BLOCK)
    )
    kept = kept.filter(pl.col(x).is_in(sizes.tolist()))
    seeds, rows = np.unique(kept[_BLOCK].to_numpy(), return_inverse=True)
    table = np.full((len(seeds), len(sizes)), np.nan)
    table[rows, np.searchsorted(sizes, kept[x].to_numpy())] = kept[VALUE].to_numpy()
    return table


def _chances(costs: Floats) -> Floats:
    """How often each size is best when whole seeds are drawn again; empty for a single seed.

    Seeds are drawn, not missions, since the missions of a seed share their circumstances over all sizes. Deviations
    are widened by sqrt(n / (n - 1)), by which the bootstrap finds them too small.
    """
    if len(costs) < 2:
        return np.empty(0)
    known = np.isfinite(costs)
    seeds = min(len(costs), LARGE)  # more seeds are drawn in groups, which keeps the table of draws small
    group = np.arange(len(costs)) % seeds
    sums, numbers = np.zeros((seeds, costs.shape[1])), np.zeros((seeds, costs.shape[1]))
    np.add.at(sums, group, np.where(known, costs, 0.0))
    np.add.at(numbers, group, known)
    middle = sums.sum(axis=0) / numbers.sum(axis=0)
    scale = float(np.abs(middle).max()) or 1.0
    counts = resample_counts(seeds)[:FEWER]
    drawn_sums = counts @ ((sums - numbers * middle) / scale)
    drawn_numbers = counts @ numbers
    known_here = drawn_numbers > 0
    drawn = np.divide(drawn_sums, drawn_numbers, out=np.full_like(drawn_sums, np.inf), where=known_here)
    widened = middle / scale + math.sqrt(seeds / (seeds - 1)) * drawn
    shared = widened <= widened.min(axis=1, keepdims=True) + 1e-6  # sizes as good as each other share the win
    chances: Floats = (shared / shared.sum(axis=1, keepdims=True)).sum(axis=0) / FEWER
    return chances


def _likely(sizes: Floats, chances: Floats) -> tuple[float, ...]:
    """The fewest sizes whose chances of being the best add up to 95 %."""
    if len(chances) == 0:
        return ()
    order = np.argsort(-chances, kind="stable")
    needed = int(np.searchsorted(np.cumsum(chances[order]), CONFIDENCE - 1e-12)) + 1
    return tuple(np.sort(sizes[order[:needed]]).tolist())


def _not_told_apart(sizes: Floats, table: Floats, best: int) -> tuple[float, ...]:
    """The sizes that a paired t test by seed, Holm-corrected, does not tell from the best; () without pairs.

    Positive values are tested by their logarithms: small fleets vary more, in proportion to what they need.
    """
    scaled = np.log(table) if np.nanmin(table) > 0 else table
    p_values: list[float | None] = []
    for size in range(len(sizes)):
        worse = scaled[:, size] - scaled[:, best]
        worse = worse[np.isfinite(worse)]
        p_values.append(None if size == best or len(worse) < 2 else student(worse))
    if all(p is None for p in p_values):
        return ()
    apart_from_best = [p is not None and p < SIGNIFICANT for p in holm(p_values)]
    return tuple(float(size) for size, apart in zip(sizes, apart_from_best, strict=True) if not apart)
