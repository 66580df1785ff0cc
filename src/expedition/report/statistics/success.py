"""Which case succeeds more often: compared apart from all metrics, which tell only of missions that succeeded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl

from expedition.report.statistics.comparison import SIGNIFICANT
from expedition.report.statistics.comparisons import ALL_PAIRS
from expedition.report.statistics.factors import Factors, short_name
from expedition.report.statistics.layout import lay_out
from expedition.report.statistics.outcome import by_vector
from expedition.report.statistics.resampling import clustered
from expedition.report.statistics.significance import by_block, fisher, holm, mcnemar


@dataclass(frozen=True)
class SuccessComparison:
    """Successes of two cases in one panel, over pairs if `paired`, and McNemar's or Fisher's exact p."""

    panel: str | None
    first: str
    second: str
    paired: bool
    first_successes: int
    first_missions: int
    second_successes: int
    second_missions: int
    p: float
    p_holm: float | None = None

    @property
    def first_rate(self) -> float:
        """The first case's share of successes."""
        return self.first_successes / self.first_missions

    @property
    def second_rate(self) -> float:
        """The second case's share of successes."""
        return self.second_successes / self.second_missions

    @property
    def found(self) -> bool:
        """Whether a difference was found."""
        return self.p_holm is not None and self.p_holm < SIGNIFICANT


def compare_successes(results: pl.DataFrame, factors: Factors) -> list[SuccessComparison]:
    """The cases, each with each or with the first, in every panel; corrected as one family."""
    if not factors.cases:
        return []
    known = by_vector(results, factors)
    layout = lay_out(known, factors)
    table = layout.table(known["succeeded"])
    cases = range(len(layout.levels))
    pairs = [(0, other) for other in cases[1:]] if len(cases) > ALL_PAIRS else combinations(cases, 2)
    found = []
    for first, second in pairs:
        for number, panel in enumerate(layout.panels):
            here = layout.panel_of_row == number
            sides = table[here][:, [first, second]]
            pairs_here = ~np.isnan(sides).any(axis=1)
            both, blocks = sides[pairs_here], layout.block_of_row[here][pairs_here]
            paired = len(both) > 0
            one, other = both.T if paired else (column[~np.isnan(column)] for column in sides.T)
            if len(one) == 0 or len(other) == 0:
                continue
            counts = int(one.sum()), len(one), int(other.sum()), len(other)
            p = mcnemar(int((one > other).sum()), int((other > one).sum())) if paired else fisher(*counts)
            if paired and clustered(blocks):
                p = max(p, by_block(other - one, blocks))
            name = None if panel is None else short_name(panel)
            found.append(SuccessComparison(name, layout.levels[first], layout.levels[second], paired, *counts, p))
    corrected = holm([one.p for one in found])
    return [replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)]
