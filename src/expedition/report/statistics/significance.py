"""Tests: is it chance? Each gives the probability of a difference at least so large if there were none."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Floats = NDArray[np.float64]

EXACT_PAIRS = 200  # beyond, the normal limit of the rank sum is right to more digits than are written


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction over a family of tests (Holm 1979); tests that were not made are left out of it."""
    made = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for number, (p, place) in enumerate(made):
        largest = max(largest, min(1.0, (len(made) - number) * p))
        corrected[place] = largest
    return corrected


def midranks(values: Floats) -> Floats:
    """Ranks from 1, ties sharing the mean of theirs; infinite values tie with each other."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def signed_rank(differences: Floats, blocks: NDArray[np.int64] | None = None) -> float:
    """Wilcoxon's signed-rank test, two-sided, with Pratt's zeros; infinite differences share the highest rank.

    Where blocks have several pairs, it is the larger of that p and the one that the signed ranks have when added up by
    block (`by_block`).
    """
    p = _signed_rank(differences)
    if blocks is None or not 1 < len(np.unique(blocks)) < len(blocks):
        return p
    return max(p, by_block(np.sign(differences) * midranks(np.abs(differences)), blocks))


def by_block(scores: Floats, blocks: NDArray[np.int64]) -> float:
    """Student's p, two-sided, that the scores, added up by block, are zero in the mean: blocks may differ, not pairs.

    Signs of whole blocks have too few arrangements: of eight seeds p would never be below 0.008, which no correction
    survives. Sums of ranks are near enough to normal for Student's distribution.
    """
    names, own = np.unique(blocks, return_inverse=True)
    return student(block_sums(scores, own, len(names)))


def block_sums(values: Floats, blocks: NDArray[np.int64], number: int) -> Floats:
    """The sum of the values of each of `number` blocks."""
    sums = np.zeros(number)
    np.add.at(sums, blocks, values)
    return sums


def student(values: Floats) -> float:
    """The two-sided p of a mean of zero; without any spread it is certain or nothing."""
    mean = float(values.mean())
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    if error <= 1e-12 * abs(mean):
        return 0.0 if mean != 0.0 else 1.0
    return 2 * float(special.stdtr(len(values) - 1, -abs(mean) / error))


def _signed_rank(differences: Floats) -> float:
    """The test of pairs that are independent of each other.

    Exact for up to 200 pairs whatever the ties: the distribution of the sum of positive ranks over all signs is
    built rank by rank. Ranks of ties are halves, so that sums are counted in halves.
    """
    ranks = midranks(np.abs(differences))
    signed = differences != 0
    ranks, positive = ranks[signed], differences[signed] > 0
    if len(ranks) == 0:
        return 1.0
    total, observed = float(ranks.sum()), float(ranks[positive].sum())
    extreme = max(observed, total - observed)
    if len(ranks) > EXACT_PAIRS:
        spread = math.sqrt(float(np.sum(ranks**2)) / 4)
        return min(1.0, 2 * float(special.ndtr(-(extreme - total / 2 - 0.25) / spread)))
    halves = np.rint(2 * ranks).astype(np.int64)
    chances = np.zeros(int(halves.sum()) + 1)
    chances[0] = 1.0
    for reached, half in zip(np.cumsum(halves), halves, strict=True):
        head = chances[: reached + 1] / 2
        chances[: reached + 1] = head
        chances[half : reached + 1] += head[: reached + 1 - half]
    return min(1.0, 2 * float(chances[round(2 * extreme) :].sum()))


def rank_sum(strata: Sequence[tuple[Floats, Floats]]) -> float:
    """The rank-sum test of two groups, two-sided, within strata (van Elteren 1960); of one stratum, Mann and Whitney's.

    A small stratum alone, without ties, is tested exactly. Infinite values share the highest rank.
    """
    kept = [(one, other) for one, other in strata if len(one) and len(other)]
    if not kept:
        return 1.0
    if len(kept) == 1 and len(kept[0][0]) + len(kept[0][1]) <= 40:
        one, other = kept[0]
        if len(np.unique(np.concatenate([one, other]))) == len(one) + len(other):
            return float(stats.mannwhitneyu(one, other, method="exact").pvalue)
    deviation, variance = 0.0, 0.0
    for one, other in kept:
        size, weight = len(one) + len(other), 1 / (len(one) + len(other) + 1)
        ranks = midranks(np.concatenate([one, other]))
        deviation += weight * (float(ranks[: len(one)].sum()) - len(one) * (size + 1) / 2)
        variance += weight**2 * len(one) * len(other) / size * float(np.var(ranks, ddof=1))
    if variance == 0.0:
        return 1.0
    return min(1.0, 2 * float(special.ndtr(-abs(deviation) / math.sqrt(variance))))


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test of pairs in which one mission succeeded and the other did not."""
    if only_first + only_second == 0:
        return 1.0
    return float(stats.binomtest(only_first, only_first + only_second).pvalue)


def fisher(successes: int, missions: int, other_successes: int, other_missions: int) -> float:
    """Fisher's exact test of two shares of successes."""
    if missions == 0 or other_missions == 0:
        return 1.0
    counts = np.array([[successes, missions - successes], [other_successes, other_missions - other_successes]])
    return float(stats.fisher_exact(counts).pvalue)
