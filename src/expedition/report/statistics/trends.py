"""How a metric goes with a number: with the fleet's size, and with every covariate of a sampled design."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special, stats

from expedition.report.statistics.best_size import BestSize
from expedition.report.statistics.comparison import SIGNIFICANT
from expedition.report.statistics.factors import Factors, panels_and_cases
from expedition.report.statistics.intervals import CONFIDENCE, Interval
from expedition.report.statistics.outcome import VALUE, Described, counted
from expedition.report.statistics.resampling import LARGE, percentile_interval, resample_counts
from expedition.report.statistics.significance import holm, midranks

Floats = NDArray[np.float64]

SLOPE_MISSIONS = 200  # of more, every second, third ... in order is taken: pairs of missions grow with the square


@dataclass(frozen=True)
class Trend:
    """Spearman's rank correlation of a metric with a parameter, and Theil and Sen's slope in the metric's unit."""

    metric: str
    parameter: str
    panel: str | None
    case: str
    missions: int
    correlation: float
    interval: Interval | None
    slope: float
    slope_interval: Interval | None
    p: float
    part: str = "all"  # or "below" and "above" the best size
    p_holm: float | None = None
    unit: str = "missions"  # or "vectors", where these are the sample

    @property
    def found(self) -> bool:
        """Whether the metric goes with the parameter."""
        return self.p_holm is not None and self.p_holm < SIGNIFICANT


def trends(results: pl.DataFrame, factors: Factors, metric: Described, best: Sequence[BestSize] = ()) -> list[Trend]:
    """The trend of a metric along the axis in each panel and case; corrected as one family.

    Where the best size lies inside the axis, the sizes below it and those above have trends of their own, each without
    the best, which was picked because it stands out.
    """
    if factors.x is None:
        return []
    turns = {(one.panel, one.case): one.best for one in best if one.sizes[0] < one.best < one.sizes[-1]}
    found = []
    for one, x, y in _each(results, factors, metric, [factors.x]):
        found.append(one)
        if (turn := turns.get((one.panel, one.case))) is not None:
            for part, side in (("below", x < turn), ("above", x > turn)):
                found.append(_trend(replace(one, part=part), x[side], y[side]))
    return _corrected(found)


def correlations(results: pl.DataFrame, factors: Factors, metric: Described) -> list[Trend]:
    """The rank correlation of a metric with each covariate, in each panel and case; corrected as one family."""
    return _corrected([one for one, _, _ in _each(results, factors, metric, factors.covariates)])


def trend_of(x: Floats, y: Floats) -> tuple[float, Interval | None, float, Interval | None, float]:
    """Rank correlation with interval, slope with interval, and p; without spread in either, there is no trend."""
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0, None, 0.0, None, 1.0
    order = np.lexsort((y, x))  # so that the order in which missions come makes no difference to what is drawn
    x, y = x[order], y[order]
    ranks = midranks(x), midranks(y)
    correlation = float(np.clip(np.corrcoef(*ranks)[0, 1], -1.0, 1.0))
    slope, slope_interval = _slope(x, y)
    return correlation, _interval(ranks, correlation), slope, slope_interval, _by_chance(correlation, len(x))


def _each(
    results: pl.DataFrame, factors: Factors, metric: Described, parameters: Sequence[str]
) -> Iterator[tuple[Trend, Floats, Floats]]:
    """The trend with each parameter in each panel and case, where it varies, and the values it comes from."""
    known = counted(results, factors, metric).drop_nulls(VALUE)
    for panel, case, missions in panels_and_cases(known, factors):
        for name in parameters:
            here = missions.drop_nulls(name)
            if len(here) >= 3 and here[name].n_unique() > 1:
                x, y = here[name].cast(pl.Float64).to_numpy(), here[VALUE].to_numpy()
                unit = "vectors" if factors.covariates else "missions"
                empty = Trend(metric.name, name, panel, case, 0, 0.0, None, 0.0, None, 1.0, unit=unit)
                yield _trend(empty, x, y), x, y


def _trend(one: Trend, x: Floats, y: Floats) -> Trend:
    correlation, interval, slope, slope_interval, p = trend_of(x, y)
    return replace(
        one,
        missions=len(x),
        correlation=correlation,
        interval=interval,
        slope=slope,
        slope_interval=slope_interval,
        p=p,
    )


def _corrected(family: Sequence[Trend]) -> list[Trend]:
    p_values = holm([one.p for one in family])
    return [replace(one, p_holm=p) for one, p in zip(family, p_values, strict=True)]


def _by_chance(correlation: float, size: int) -> float:
    """Spearman's p by Student's distribution."""
    rest = (1 - correlation) * (1 + correlation)
    if rest <= 1e-15:
        return 2 / math.factorial(size) if size < 10 else 0.0
    return 2 * float(special.stdtr(size - 2, -abs(correlation) * math.sqrt((size - 2) / rest)))


def _interval(ranks: tuple[Floats, Floats], correlation: float) -> Interval | None:
    """The bootstrap interval of a rank correlation, over missions with their ranks; of many, Bonett and Wright's.

    Few missions, or a perfect correlation, have no spread that could be resampled.
    """
    size = len(ranks[0])
    if size < 5 or abs(correlation) > 1 - 1e-12:
        return None
    if size > LARGE:
        reach = float(special.ndtri(0.5 + CONFIDENCE / 2)) * math.sqrt((1 + correlation**2 / 2) / (size - 3))
        middle = math.atanh(correlation)
        return Interval(math.tanh(middle - reach), math.tanh(middle + reach))
    x, y = ((part - part.mean()) / part.std() for part in ranks)
    sums = resample_counts(size) @ np.column_stack([x, y, x * x, y * y, x * y]) / size
    spread = np.sqrt(np.maximum((sums[:, 2] - sums[:, 0] ** 2) * (sums[:, 3] - sums[:, 1] ** 2), 1e-12))
    drawn = (sums[:, 4] - sums[:, 0] * sums[:, 1]) / spread
    found = percentile_interval(drawn, size)
    return None if found is None else Interval(max(-1.0, found.low), min(1.0, found.high))


def _slope(x: Floats, y: Floats) -> tuple[float, Interval]:
    """Theil and Sen's slope, the median of the slopes between missions, with Sen's interval."""
    if len(x) > SLOPE_MISSIONS:
        step = -(-len(x) // SLOPE_MISSIONS)
        x, y = x[::step], y[::step]
    found = stats.theilslopes(y, x, CONFIDENCE)
    return float(found.slope), Interval(float(found.low_slope), float(found.high_slope))
