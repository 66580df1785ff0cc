"""How large a difference is: in per cent or in the metric's unit, and how often one side wins, with intervals.

Differences are taken stratum by stratum (a fleet size is one), then averaged, so that a strategy that happens to have
more missions of large fleets gains nothing by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.report.statistics.intervals import Interval, share_interval
from expedition.report.statistics.resampling import (
    LARGE,
    RESAMPLES,
    Blocks,
    normal_draws,
    percentile_interval,
    resample_counts,
    resampled_by_block,
    resampled_means,
)

Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Strata:
    """The difference in each stratum, its resamples, its weight, how many values it has and how many means it fits.

    Where whole blocks were resampled, `blocks` is how many there are, and a stratum has as many values as blocks.
    """

    differences: Floats
    resamples: Floats
    weights: Floats
    counts: NDArray[np.int64]
    fitted: NDArray[np.int64]
    blocks: int = 0

    def average(self) -> tuple[float, Interval | None]:
        """The weighted difference over all strata and its interval."""
        weights = self.weights / self.weights.sum()
        counts, fitted = (self.blocks, 1) if self.blocks else (int(self.counts.sum()), int(self.fitted.sum()))
        return float(weights @ self.differences), percentile_interval(weights @ self.resamples, counts, fitted)


def paired_strata(groups: Sequence[Floats], blocks: Sequence[Blocks] | None = None) -> Strata:
    """Strata of differences of pairs. Single pairs have no spread of their own and are drawn from together.

    `blocks` say which block each pair belongs to; with these, whole blocks are resampled.
    """
    larger = _singles_together(groups)
    sizes = np.array([len(group) for group in larger])
    means = np.array([float(group.mean()) for group in larger])
    if blocks is None:
        return Strata(means, resampled_means(larger), sizes.astype(float), sizes, np.ones_like(sizes))
    own = _singles_together(blocks)
    counts = np.array([len(np.unique(one)) for one in own])
    drawn = resampled_by_block(larger, own)
    return Strata(means, drawn, sizes.astype(float), counts, np.ones_like(sizes), len(np.unique(np.concatenate(own))))


def unpaired_strata(groups: Sequence[tuple[Floats, Floats]]) -> Strata:
    """Strata of two groups each; a stratum's weight is that of its difference's precision, n m / (n + m)."""
    sizes = np.array([(len(one), len(other)) for one, other in groups])
    means = np.array([float(other.mean() - one.mean()) for one, other in groups])
    drawn = resampled_means([part for pair in groups for part in pair])
    weights = sizes.prod(axis=1) / sizes.sum(axis=1)
    return Strata(means, drawn[1::2] - drawn[::2], weights, sizes.sum(axis=1), np.full(len(groups), 2))


def wins(
    signs: Floats, with_interval: bool = True, blocks: Blocks | None = None
) -> tuple[float, Interval | None]:  # fmt: skip
    """Cliff's dominance within pairs, the share of pairs won less that lost, with its bootstrap interval.

    Where all pairs point one way, resampling has no spread to show; Wilson's interval of the share won stands in.
    With blocks, these are what is drawn and counted.
    """
    number = len(signs) if blocks is None else len(np.unique(blocks))
    dominance = float(signs.mean())
    if not with_interval or len(signs) < 2 or not signs.any():
        return dominance, None
    if np.all(signs == signs[0]):
        share = share_interval(number if dominance > 0 else 0, number)
        return dominance, None if share is None else Interval(2 * share.low - 1, 2 * share.high - 1)
    drawn = resampled_means([signs]) if blocks is None else resampled_by_block([signs], [blocks])
    return dominance, _within(percentile_interval(drawn[0], number))


def cliffs_delta(groups: Sequence[tuple[Floats, Floats]], with_interval: bool = True) -> tuple[float, Interval | None]:
    """Cliff's delta: the chance that the second group's value is higher less that it is lower, over strata."""
    weights = np.array([len(one) * len(other) for one, other in groups], float)
    weights /= weights.sum()
    positions = [_positions(np.sort(other), np.sort(one)) for one, other in groups]
    deltas = [float(above.mean()) for above in positions]
    delta = float(weights @ deltas)
    if not with_interval:
        return delta, None
    resamples = np.zeros(RESAMPLES)
    for number, above in enumerate(positions):
        resamples += weights[number] * _resampled_delta(above, deltas[number], number)
    counts = sum(len(one) + len(other) for one, other in groups)
    return delta, _within(percentile_interval(resamples, counts, 2 * len(groups)))


def standardised(differences: Floats) -> float | None:
    """Cohen's d of pairs: the mean difference in standard deviations of the difference; None where that is zero."""
    if len(differences) < 2:
        return None
    spread = float(np.std(differences, ddof=1))
    return float(differences.mean()) / spread if spread > 1e-12 * float(np.abs(differences).max()) else None


def _singles_together(groups: Sequence[NDArray[Number]]) -> list[NDArray[Number]]:
    singles = [group for group in groups if len(group) == 1]
    together = [np.concatenate(singles)] if singles else []
    return [*(group for group in groups if len(group) > 1), *together]


def _positions(other: Floats, one: Floats) -> Floats:
    """Whether each of `other` lies above (1), at (0) or below (-1) each of `one`; works for infinite values, too."""
    above: Floats = (other[:, None] > one[None, :]).astype(float) - (other[:, None] < one[None, :])
    return above


def _resampled_delta(above: Floats, delta: float, number: int) -> Floats:
    """Cliff's delta in resamples of both groups; of large groups from the normal limit of a two-sample U statistic."""
    rows, columns = above.shape
    if rows > LARGE or columns > LARGE:
        variance = float(np.var(above.mean(axis=1))) / rows + float(np.var(above.mean(axis=0))) / columns
        return delta + math.sqrt(variance) * normal_draws(number)
    left, right = resample_counts(rows, 2 * number), resample_counts(columns, 2 * number + 1)
    deltas: Floats = np.einsum("rj,rj->r", left @ above, right) / (rows * columns)
    return deltas


def _within(interval: Interval | None) -> Interval | None:
    return None if interval is None else Interval(max(-1.0, interval.low), min(1.0, interval.high))
