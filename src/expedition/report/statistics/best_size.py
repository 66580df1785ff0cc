"""The best fleet size of each panel and case, with how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from expedition.report.statistics.comparison import SIGNIFICANT
from expedition.report.statistics.factors import Factors, panels_and_cases
from expedition.report.statistics.intervals import CONFIDENCE, Interval, mean_interval
from expedition.report.statistics.outcome import FAILED, VALUE, Described, with_value
from expedition.report.statistics.resampling import FEWER, LARGE, resample_counts
from expedition.report.statistics.significance import holm

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BestSize:
    """The size with the best mean among `sizes`, those at which most missions succeeded.

    `probabilities` say how often each size is best in resamples of the seeds; `likely` are the fewest sizes that
    together are best in 95 % of them; `as_good` those that no test tells from the best. All are empty with one seed.
    `left_out` are sizes at which half of the missions or more failed.
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
    as_good: tuple[float, ...]
    left_out: tuple[float, ...]


def best_sizes(results: pl.DataFrame, factors: Factors, metric: Described) -> list[BestSize]:
    """The best size of each panel and case; none for a metric without a direction or without an axis that repeats."""
    if factors.axis is None or metric.better == "":
        return []
    counted = with_value(results, metric)
    found = []
    for panel, case, missions in panels_and_cases(counted, factors):
        one = _best(missions, factors.axis, metric, panel, case)
        found += [one] if one is not None else []
    return found


def _best(missions: pl.DataFrame, x: str, metric: Described, panel: str | None, case: str) -> BestSize | None:
    by_size = (
        missions.group_by(x).agg(pl.col(VALUE).count().alias("count"), pl.col(FAILED).mean().alias("lost")).sort(x)
    )
    usable = (pl.col("count") > 0) & (pl.col("lost") < 0.5)
    sizes = by_size.filter(usable)[x].cast(pl.Float64).to_numpy()
    if len(sizes) < 2:
        return None
    table = _by_seed(missions, x, sizes)
    sign = 1.0 if metric.better == "lower" else -1.0
    means = np.nanmean(table, axis=0)
    best = int(np.argmin(sign * means))
    chances = _chances(sign * table)
    column = table[:, best]
    return BestSize(
        metric.name, panel, case, float(sizes[best]), float(means[best]),
        mean_interval(column[np.isfinite(column)]), len(table), tuple(sizes.tolist()), tuple(chances.tolist()),
        _likely(sizes, chances), _as_good(sizes, table, best),
        tuple(by_size.filter(usable.not_())[x].cast(pl.Float64).to_list()),
    )  # fmt: skip


def _by_seed(missions: pl.DataFrame, x: str, sizes: Floats) -> Floats:
    """Values with a row a seed and a column a size; several missions of one seed and size give their mean."""
    kept = (
        missions.drop_nulls(VALUE).group_by("seed", pl.col(x).cast(pl.Float64)).agg(pl.col(VALUE).mean()).sort("seed")
    )
    kept = kept.filter(pl.col(x).is_in(sizes.tolist()))
    seeds, rows = np.unique(kept["seed"].to_numpy(), return_inverse=True)
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


def _as_good(sizes: Floats, table: Floats, best: int) -> tuple[float, ...]:
    """The sizes that a paired t test by seed, Holm-corrected, does not tell from the best; () without pairs.

    Positive values are tested by their logarithms: small fleets vary more, in proportion to what they need.
    """
    scaled = np.log(table) if np.nanmin(table) > 0 else table
    p_values: list[float | None] = []
    for size in range(len(sizes)):
        worse = scaled[:, size] - scaled[:, best]
        worse = worse[np.isfinite(worse)]
        p_values.append(None if size == best or len(worse) < 2 else _worse_by_chance(worse))
    if all(p is None for p in p_values):
        return ()
    told_apart = [p is not None and p < SIGNIFICANT for p in holm(p_values)]
    return tuple(float(size) for size, apart in zip(sizes, told_apart, strict=True) if not apart)


def _worse_by_chance(worse: Floats) -> float:
    """The two-sided p of a mean difference of pairs; without any spread it is certain or nothing."""
    error = float(np.std(worse, ddof=1)) / math.sqrt(len(worse))
    mean = float(worse.mean())
    if error <= 1e-12 * abs(mean):
        return 0.0 if mean != 0.0 else 1.0
    return 2 * float(special.stdtr(len(worse) - 1, -abs(mean) / error))
