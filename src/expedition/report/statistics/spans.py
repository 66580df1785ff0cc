"""Ranges of sizes: where along the axis a difference changes, and how large it is on either side.

Many ranges are looked at, so all intervals and p values here hold for all of them at once: each is as wide as it must
be for 95 % of resamples to lie within all (a "sup-t" band, Montiel Olea and Plagborg-Møller 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from expedition.report.statistics.effects import Strata
from expedition.report.statistics.intervals import CONFIDENCE, Interval
from expedition.report.statistics.resampling import FEWER

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Span:
    """A range of strata, from `first` to before `end`, with its difference, simultaneous interval and p."""

    first: int
    end: int
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True)
class Turn:
    """Where the difference changes along the strata: the first one of the upper side, and the p of there being none."""

    place: int
    p: float


def turn_of(strata: Strata) -> Turn | None:
    """Where two levels, one below and one above, fit the differences best; the p counts all places looked at.

    None for a single stratum or where one has no spread of its own.
    """
    if not _has_spread(strata):
        return None
    upper, lower = _ranges(strata)
    upper, lower = upper.part(slice(1, None)), lower.part(slice(-1))
    errors = np.hypot(upper.errors, lower.errors)
    freedom = errors**4 / np.maximum(upper.errors**4 / upper.freedom + lower.errors**4 / lower.freedom, 1e-300)
    middle, deviations = upper.differences - lower.differences, upper.deviations - lower.deviations
    if strata.blocks:  # the same seeds are on both sides, and what they share drops out
        freedom = np.minimum(upper.freedom, lower.freedom)
        errors = deviations.std(axis=1) * np.sqrt((freedom + 1) / freedom)
    _, p_values = _at_once(middle, deviations, errors, np.maximum(freedom, 1.0))
    above = np.cumsum(strata.weights[::-1])[::-1][1:]
    below = np.cumsum(strata.weights)[:-1]
    place = int(np.argmax(middle**2 * above * below))  # where two levels fit the differences best, by least squares
    return Turn(place + 1, float(p_values.min()))


def spans(strata: Strata) -> list[Span]:
    """Every range that reaches to the last stratum or starts at the first, with intervals that hold for all at once.

    So whichever range is picked afterwards, its interval and its p stay right.
    """
    if not _has_spread(strata):
        return []
    size = len(strata.differences)
    upper, lower = _ranges(strata)
    lower = lower.part(slice(-1))
    edges = [*((0, end) for end in range(1, size)), *((first, size) for first in range(size))]
    middle, deviations, errors, freedom = (
        np.concatenate([getattr(lower, name), getattr(upper, name)])
        for name in ("differences", "deviations", "errors", "freedom")
    )
    reach, p_values = _at_once(middle, deviations, errors, freedom)
    return [
        Span(first, end, difference, Interval(difference - far, difference + far), p)
        for (first, end), difference, far, p in zip(
            edges, middle.tolist(), reach.tolist(), p_values.tolist(), strict=True
        )
    ]


@dataclass(frozen=True)
class _Ranges:
    """Ranges of strata, a row each: the difference, the deviations of its resamples, its error and its freedom."""

    differences: Floats
    deviations: Floats
    errors: Floats
    freedom: Floats

    def part(self, rows: slice) -> _Ranges:
        return _Ranges(self.differences[rows], self.deviations[rows], self.errors[rows], self.freedom[rows])


def _ranges(strata: Strata) -> tuple[_Ranges, _Ranges]:
    """The ranges from each stratum to the last, and from the first to each."""
    around = strata.weights[:, None] * (strata.resamples[:, :FEWER] - strata.differences[:, None])
    sides = []
    for turned in (slice(None, None, -1), slice(None)):
        weights, sums, counts, fitted = (
            np.cumsum(part[turned])[turned]
            for part in (
                strata.weights,
                strata.weights * strata.differences,
                strata.counts.astype(float),
                strata.fitted.astype(float),
            )
        )
        if strata.blocks:  # the same seeds are in all strata of a range, which has one mean of each
            counts = np.maximum.accumulate(strata.counts[turned])[turned].astype(float)
            fitted = np.ones_like(counts)
        deviations = np.cumsum(around[turned], axis=0)[turned] / weights[:, None]
        widening = np.sqrt(counts / (counts - fitted))  # by which the bootstrap finds errors too small
        sides.append(_Ranges(sums / weights, deviations, deviations.std(axis=1) * widening, counts - fitted))
    return sides[0], sides[1]


def _has_spread(strata: Strata) -> bool:
    return len(strata.differences) >= 2 and int((strata.counts - strata.fitted).min()) >= 1


def _at_once(middle: Floats, deviations: Floats, errors: Floats, freedom: Floats) -> tuple[Floats, Floats]:
    """Half widths of intervals that hold for all rows at once, and p values that count all of them ("sup-t" band).

    The half width is c times the error, with c so that 95 % of resamples lie within it in every row.
    """
    least = 1e-9 * max(float(np.abs(middle).max()), 1e-9)
    scaled = deviations / np.maximum(deviations.std(axis=1), least)[:, None]
    farthest = np.sort(np.maximum(scaled.max(axis=0), -scaled.min(axis=0)))
    critical: Floats = np.asarray(special.stdtrit(freedom, special.ndtr(np.quantile(farthest, CONFIDENCE))))
    tails: Floats = np.asarray(special.stdtr(freedom, -np.abs(middle) / np.maximum(errors, least)))
    beaten = FEWER - np.searchsorted(farthest, -special.ndtri(tails))
    # In the far tail, where hardly a resample reaches, Bonferroni's bound of the same probability says more.
    p_values: Floats = np.where(beaten < 10, np.minimum(1.0, 2 * len(middle) * tails), beaten / FEWER)
    return critical * errors, p_values
