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
from expedition.report.statistics.resampling import LARGE, Blocks, clustered, percentile_interval, resample_counts
from expedition.report.statistics.significance import holm, midranks, student

Floats = NDArray[np.float64]

SLOPE_MISSIONS = 200  # of more, every second, third ... in order is taken: pairs of missions grow with the square


@dataclass(frozen=True)
class Trend:
    """Spearman's rank correlation of a metric with a parameter, and Theil and Sen's slope in the metric's unit.

    `part` is "all", or "below" or "above" the best size, which is `turn`. `blocks` is the number of seeds where whole
    seeds were resampled and tested.
    """

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
    part: str = "all"
    p_holm: float | None = None
    unit: str = "missions"  # or "vectors", where these are the sample
    turn: float | None = None
    blocks: int = 0

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
    for one, x, y, blocks in _each(results, factors, metric, [factors.x]):
        found.append(one)
        if (turn := turns.get((one.panel, one.case))) is not None:
            for part, side in (("below", x < turn), ("above", x > turn)):
                found.append(_trend(replace(one, part=part, turn=turn), x[side], y[side], blocks[side]))
    return _corrected(found)


def turning(parts: Sequence[Trend]) -> tuple[Trend, Trend] | None:
    """The parts below and above the best size, if a trend was found in both and they go opposite ways."""
    sides = {one.part: one for one in parts if one.found}
    below, above = sides.get("below"), sides.get("above")
    if below is None or above is None or below.correlation * above.correlation >= 0:
        return None
    return below, above


def correlations(results: pl.DataFrame, factors: Factors, metric: Described) -> list[Trend]:
    """The rank correlation of a metric with each covariate, in each panel and case; corrected as one family."""
    return _corrected([one for one, *_ in _each(results, factors, metric, factors.covariates)])


def trend_of(
    x: Floats, y: Floats, blocks: Blocks | None = None
) -> tuple[float, Interval | None, float, Interval | None, float]:
    """Rank correlation with interval, slope with interval, and p; without spread in either, there is no trend.

    With blocks, whole blocks are resampled, and p is the larger of Student's and of that by which the blocks agree.
    """
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0, None, 0.0, None, 1.0
    order = np.lexsort((y, x))  # so that the order in which missions come makes no difference to what is drawn
    x, y = x[order], y[order]
    ranks = midranks(x), midranks(y)
    correlation = _correlation(x, y)
    slope, slope_interval = _slope(x, y)
    p = _by_chance(correlation, len(x))
    own = None
    if blocks is not None:
        own = np.unique(blocks[order], return_inverse=True)[1]
        p = max(p, _by_blocks(x, y, own))
    return correlation, _interval(ranks, correlation, own), slope, slope_interval, p


def _by_blocks(x: Floats, y: Floats, blocks: Blocks) -> float:
    """Student's p that the rank correlations within the blocks, each by its own ranks, are zero in the mean."""
    own = [_correlation(x[blocks == block], y[blocks == block]) for block in np.unique(blocks)]
    return student(np.array(own))


def _correlation(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation; 0 without spread."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.clip(np.corrcoef(midranks(x), midranks(y))[0, 1], -1.0, 1.0))


def _each(
    results: pl.DataFrame, factors: Factors, metric: Described, parameters: Sequence[str]
) -> Iterator[tuple[Trend, Floats, Floats, Blocks]]:
    """The trend with each parameter in each panel and case, where it varies, and the values it comes from."""
    known = counted(results, factors, metric).drop_nulls(VALUE)
    for panel, case, missions in panels_and_cases(known, factors):
        for name in parameters:
            here = missions.drop_nulls(name)
            if len(here) >= 3 and here[name].n_unique() > 1:
                x, y = here[name].cast(pl.Float64).to_numpy(), here[VALUE].to_numpy()
                unit = "vectors" if factors.covariates else "missions"
                blocks = here.select(pl.struct(factors.blocks).rank("dense")).to_series().to_numpy().astype(np.int64)
                empty = Trend(metric.name, name, panel, case, 0, 0.0, None, 0.0, None, 1.0, unit=unit)
                yield _trend(empty, x, y, blocks), x, y, blocks


def _trend(one: Trend, x: Floats, y: Floats, blocks: Blocks) -> Trend:
    by_seed = clustered(blocks)
    correlation, interval, slope, slope_interval, p = trend_of(x, y, blocks if by_seed else None)
    return replace(
        one,
        missions=len(x),
        correlation=correlation,
        interval=interval,
        slope=slope,
        slope_interval=slope_interval,
        p=p,
        blocks=len(np.unique(blocks)) if by_seed else 0,
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


def _interval(ranks: tuple[Floats, Floats], correlation: float, blocks: Blocks | None = None) -> Interval | None:
    """The bootstrap interval of a rank correlation, over missions with their ranks; of many, Bonett and Wright's.

    With blocks, these are drawn. Few missions, or a perfect correlation, have no spread that could be resampled.
    """
    size = len(ranks[0])
    if size < 5 or abs(correlation) > 1 - 1e-12:
        return None
    if size > LARGE and blocks is None:
        reach = float(special.ndtri(0.5 + CONFIDENCE / 2)) * math.sqrt((1 + correlation**2 / 2) / (size - 3))
        middle = math.atanh(correlation)
        return Interval(math.tanh(middle - reach), math.tanh(middle + reach))
    x, y = ((part - part.mean()) / part.std() for part in ranks)
    moments = np.column_stack([np.ones(size), x, y, x * x, y * y, x * y])
    if blocks is not None:
        size = min(int(blocks.max()) + 1, LARGE)
        of_blocks = np.zeros((size, 6))
        np.add.at(of_blocks, blocks % size, moments)
        moments = of_blocks
    drawn_sums = resample_counts(size) @ moments
    sums = drawn_sums[:, 1:] / drawn_sums[:, :1]
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
