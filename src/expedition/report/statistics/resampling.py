"""The bootstrap: means of resampled strata, all at once, the same each time.

The bootstrap draws again and again as many values as there are, with replacement, and takes the spread of the means
for that of the mean. Two things are put right: of n values it finds a variance smaller by (n - 1) / n, and it takes
the normal distribution's tails where few values have Student's. `percentile_interval` reads its percentiles further
out by both (Hesterberg 2015, "expanded percentile interval").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from expedition.report.statistics.intervals import CONFIDENCE, Interval
from expedition.report.statistics.significance import block_sums

Floats = NDArray[np.float64]
Blocks = NDArray[np.int64]

RESAMPLES = 10_000
FEWER = 4_000  # of these, where many things are resampled at once
FEWEST_BLOCKS = 8  # from so many seeds on, whole seeds are drawn; fewer would give too rough an idea of the spread
LARGE = 120  # from so many values on, a resampled mean is drawn from its normal limit: no eye sees the difference
_SEED = 20170101
_ORDERS = 61  # prime, so that neighbouring strata of any regular design do not share an order


def resampled_means(strata: Sequence[Floats]) -> Floats:
    """The means of resamples of each stratum: one row a stratum, one column a resample.

    Strata of one size share their draws, each in an order of its own, so that they are independent of each other and
    drawing costs little.
    """
    rows = np.empty((len(strata), RESAMPLES))
    for number, values in enumerate(strata):
        if np.ptp(values) == 0:
            rows[number] = values[0]  # free of rounding, so that equal stays equal
        elif len(values) > LARGE:
            error = float(np.std(values)) / math.sqrt(len(values))
            rows[number] = float(np.mean(values)) + error * normal_draws(number)
        else:
            ordered = np.sort(values)  # so that the order in which missions come makes no difference
            rows[number] = (_counts(len(values)) @ ordered / len(values))[_order(number)]
    return rows


def clustered(blocks: Blocks) -> bool:
    """Whether values with these blocks are to be drawn by whole blocks: these are enough, and some have several."""
    different = len(np.unique(blocks))
    return FEWEST_BLOCKS <= different < len(blocks)


def resampled_by_block(strata: Sequence[Floats], blocks: Sequence[Blocks]) -> Floats:
    """As `resampled_means`, but drawing whole blocks, so that what the values of a block share stays together.

    A stratum's mean is drawn in its linear form, its mean and the deviations of the blocks drawn, so that it has a
    value even where no block drawn has one in it.
    """
    names = np.unique(np.concatenate(blocks))
    groups = min(len(names), LARGE)  # of more blocks, several together are drawn as one
    counts = resample_counts(groups)
    rows = np.empty((len(strata), RESAMPLES))
    for number, (values, own) in enumerate(zip(strata, blocks, strict=True)):
        if np.ptp(values) == 0:
            rows[number] = values[0]
            continue
        mean = float(values.mean())
        rows[number] = mean + counts @ block_sums(values - mean, np.searchsorted(names, own) % groups, groups) / len(
            own
        )
    return rows


def percentile_interval(
    resamples: Floats, values: int, strata: int = 1, confidence: float = CONFIDENCE
) -> Interval | None:
    """The expanded percentile interval from resamples of a mean of `values` in `strata`; None without any spread known.

    Percentiles are read at the normal probability of -sqrt(n / (n - k)) t, t being Student's quantile with n - k
    degrees of freedom. With fewer than ten of these that lies beyond what so few values can be drawn to, and the
    interval is t standard deviations of the resamples to either side.
    """
    freedom = values - strata
    if freedom < 1:
        return None
    reach = math.sqrt(values / freedom) * float(special.stdtrit(freedom, 0.5 + confidence / 2))
    if np.ptp(resamples) == 0:
        return Interval(float(resamples[0]), float(resamples[0]))
    if freedom < 10:
        middle, error = float(resamples.mean()), float(resamples.std())
        return Interval(middle - reach * error, middle + reach * error)
    tail = max(float(special.ndtr(-reach)), 0.5 / len(resamples))
    low, high = np.quantile(resamples, [tail, 1 - tail])
    return Interval(float(low), float(high))


def resample_counts(size: int, number: int = 0) -> Floats:
    """How often each of `size` values is drawn: one row a resample, in an order that differs from number to number."""
    return _counts(size)[_order(number)]


def normal_draws(number: int = 0) -> Floats:
    """Standard normal numbers, one a resample, in an order that differs from number to number."""
    return _normal()[_order(number)]


@lru_cache(maxsize=16)
def _counts(size: int) -> Floats:
    generator = np.random.default_rng([_SEED, size])
    drawn = generator.integers(size, size=(RESAMPLES, size))
    drawn += np.arange(RESAMPLES)[:, None] * size
    counts = np.bincount(drawn.ravel(), minlength=RESAMPLES * size).reshape(RESAMPLES, size)
    return counts.astype(np.float64)


def _order(number: int) -> NDArray[np.int64]:
    return _order_of(number % _ORDERS)


@lru_cache(maxsize=_ORDERS)
def _order_of(number: int) -> NDArray[np.int64]:
    return np.random.default_rng([_SEED, 0, number]).permutation(RESAMPLES)


@lru_cache(maxsize=1)
def _normal() -> Floats:
    return np.random.default_rng(_SEED).standard_normal(RESAMPLES)
