"""Comparisons of cases: paired by seed and all other parameters where possible, overall, by size and by range of sizes.

The estimate is the difference of the logarithms, that is a relative difference, where all values of the metric are
positive, else the plain difference. Failed missions have no value to take a difference of, but the test ranks them as
the worst, and the effect size counts them as lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl

from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.factors import CASE, Factors
from expedition.report.statistics.layout import failures, lay_out, values
from expedition.report.statistics.outcome import Described, counted
from expedition.report.statistics.sides import Sides
from expedition.report.statistics.significance import holm

ALL_PAIRS = 5
"""Up to so many cases are compared each with each; more are compared with the first of the design alone."""


def compare_cases(results: pl.DataFrame, factors: Factors, metric: Described) -> list[Comparison]:
    """All comparisons of a metric; `results` have their case (`with_case`).

    Where one parameter makes the cases they are compared, each with each or with the first. Where several do, the
    values of each parameter are compared, paired by all others, and then the cases with the first.
    """
    known = counted(results, factors, metric)
    found: list[Comparison] = []
    for factor in factors.cases if len(factors.cases) > 1 else ():
        found += _of_factor(known, factors, metric, factor)
    if factors.cases:
        found += _of_factor(known, factors, metric, CASE, reference_only=len(factors.cases) > 1)
    return [replace(one, unit="vectors") for one in found] if factors.covariates else found


def _of_factor(
    known: pl.DataFrame, factors: Factors, metric: Described, factor: str, reference_only: bool = False
) -> list[Comparison]:
    layout = lay_out(known, factors, factor)
    numbers, failed = values(layout, known), failures(layout, known)
    relative = bool(np.nanmin(numbers) > 0) if np.isfinite(numbers).any() else True
    many = reference_only or len(layout.levels) > ALL_PAIRS
    pairs = (
        [(0, other) for other in range(1, len(layout.levels))] if many else combinations(range(len(layout.levels)), 2)
    )
    sides = [
        Sides(layout, metric, relative, panel, first, second, numbers, failed)
        for first, second in pairs
        for panel in range(len(layout.panels))
    ]
    sides = [one for one in sides if one.present]
    overall = corrected([one.overall() for one in sides])
    if len(layout.xs) < 2:
        return overall
    by_size = corrected([size for one in sides for size in one.by_size()])
    ranges = [range_ for one in sides for range_ in one.ranges(len(sides))]
    return overall + by_size + ranges


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with their p values corrected as one family."""
    p_values = holm([one.p for one in family])
    made = sum(p is not None for p in p_values)
    return [replace(one, p_holm=p, family=made) for one, p in zip(family, p_values, strict=True)]
