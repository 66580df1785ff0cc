"""Confidence intervals of one group of missions: of its mean, its median and its share of successes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Whether `value` lies outside."""
        return not self.low <= value <= self.high


def mean_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> Interval | None:
    """Student's interval of the mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    reach = float(special.stdtrit(len(values) - 1, 0.5 + confidence / 2)) * error
    middle = float(np.mean(values))
    return Interval(middle - reach, middle + reach)


def welch_interval(
    first: NDArray[np.float64], second: NDArray[np.float64], confidence: float = CONFIDENCE
) -> Interval | None:
    """Welch's interval of the second mean less the first; None where a group has fewer than two values."""
    if min(len(first), len(second)) < 2:
        return None
    parts = [float(np.var(values, ddof=1)) / len(values) for values in (first, second)]
    middle, error = float(second.mean() - first.mean()), math.sqrt(sum(parts))
    if error == 0.0:
        return Interval(middle, middle)
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (len(first) - 1) + parts[1] ** 2 / (len(second) - 1))
    reach = float(special.stdtrit(freedom, 0.5 + confidence / 2)) * error
    return Interval(middle - reach, middle + reach)


def median_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> Interval | None:
    """The exact interval of the median between two order statistics; None where there are too few for the confidence.

    The r-th smallest and r-th largest of n values enclose the median with probability 1 - 2 P(B < r), B binomial with
    n draws of 1/2, whatever the distribution. Six values are the fewest that give 95 %.
    """
    rank = _median_rank(len(values), confidence)
    if rank == 0:
        return None
    ordered = np.sort(values)
    return Interval(float(ordered[rank - 1]), float(ordered[-rank]))


def share_interval(successes: int, missions: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Wilson's score interval of a share; None without missions."""
    if missions == 0:
        return None
    z = float(special.ndtri(0.5 + confidence / 2))
    share = successes / missions
    scale = 1 + z * z / missions
    middle = (share + z * z / (2 * missions)) / scale
    reach = z / scale * math.sqrt(share * (1 - share) / missions + z * z / (4 * missions * missions))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


@lru_cache(maxsize=4096)
def _median_rank(count: int, confidence: float) -> int:
    """The largest rank whose order statistics still enclose the median with the confidence; 0 if none does."""
    rank = int(stats.binom.ppf((1 - confidence) / 2, count, 0.5)) if count else 0
    while rank > 0 and 2 * stats.binom.cdf(rank - 1, count, 0.5) > 1 - confidence:
        rank -= 1
    return rank
