"""Two cases in one panel: their missions side by side, and what these say over all sizes, at one and over a range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from expedition.report.statistics.comparison import SIGNIFICANT, Comparison
from expedition.report.statistics.effects import (
    Strata,
    cliffs_delta,
    paired_strata,
    standardised,
    unpaired_strata,
    wins,
)
from expedition.report.statistics.factors import short_name
from expedition.report.statistics.intervals import mean_interval, welch_interval
from expedition.report.statistics.layout import Layout
from expedition.report.statistics.outcome import Described
from expedition.report.statistics.resampling import Blocks, clustered
from expedition.report.statistics.significance import block_sums, rank_sum, signed_rank
from expedition.report.statistics.spans import spans, turn_of

Floats = NDArray[np.float64]


class Sides:
    """Two levels of a layout in one panel.

    Where any row has missions of both they are pairs, and all other missions are left out. `scaled` are logarithms for
    a relative comparison; `ranked` are the same with failed missions as infinitely bad, or without them where no
    direction of the metric is bad. `by_block` says whether there are seeds enough, with several pairs each, to resample
    and test whole seeds.
    """

    def __init__(
        self, layout: Layout, metric: Described, relative: bool, panel: int, first: int, second: int,
        numbers: Floats, failed: NDArray[np.bool_],
    ) -> None:  # fmt: skip
        self.layout, self.metric, self.relative = layout, metric, relative
        self.panel = None if layout.panels[panel] is None else short_name(layout.panels[panel])
        self.names = layout.levels[first], layout.levels[second]
        here = layout.panel_of_row == panel
        counts = (np.isfinite(numbers) | failed)[:, [first, second]]
        self.present = bool(counts[here].any(axis=0).all())
        self.paired = bool(counts[here].all(axis=1).any())
        here &= counts.all(axis=1) if self.paired else counts.any(axis=1)
        self.x, self.block = layout.x_of_row[here], layout.block_of_row[here]
        self.value, self.failed = numbers[here][:, [first, second]], failed[here][:, [first, second]]
        self.scaled = np.log(self.value) if relative else self.value
        worst = {"lower": np.inf, "higher": -np.inf}.get(metric.better, np.nan)
        self.ranked = np.where(self.failed, worst, self.scaled)
        self.by_block = self.paired and clustered(self.block)
        self.sizes: list[int] = sorted(set(self.x.tolist()))

    def overall(self) -> Comparison:
        """Over all sizes."""
        return self._resampled(self._counted(self.sizes, "all"), self.sizes)

    def by_size(self) -> Iterable[Comparison]:
        """At each size, where few missions are: with Student's or Welch's interval instead of a bootstrap."""
        for size in self.sizes:
            made = self._counted([size], "size")
            first, second = (column[np.isfinite(column)] for column in self.scaled[self.x == size].T)
            if self.paired:
                differences, blocks = self._differences(self.x == size)
                if len(differences):
                    interval = mean_interval(_block_means(differences, blocks) if self.by_block else differences)
                    made = replace(made, difference=float(differences.mean()), interval=interval)
            elif len(first) and len(second):
                interval = welch_interval(first, second)
                made = replace(made, difference=float(second.mean() - first.mean()), interval=interval)
            yield self._tested(made, [size], with_intervals=False)

    def ranges(self, comparisons: int) -> Iterable[Comparison]:
        """The smaller and the larger sizes apart, if the difference between the cases changes along the axis.

        They part where the differences on both sides differ most, provided that this is no chance: its p, which counts
        all places to part at, times the number of comparisons is below 0.05. The intervals and p values of the two
        parts hold for all ranges of sizes at once, whichever was picked. These are of missions that succeeded; where
        any failed, the test of the range in which these are the worst has to agree, and the larger p counts.
        """
        strata, sizes = self._strata
        if strata is None or len(sizes) != len(strata.differences):
            return
        turn = turn_of(strata)
        if turn is None or turn.p * comparisons >= SIGNIFICANT:
            return
        for span in spans(strata):
            if (span.first, span.end) not in ((0, turn.place), (turn.place, len(sizes))):
                continue
            chosen = sizes[span.first : span.end]
            made = self._tested(self._counted(chosen, "from" if span.first > 0 else "up to"), chosen)
            lost = self.failed[np.isin(self.x, chosen)].any()
            p = max(span.p, made.p) if lost and made.p is not None else span.p
            yield replace(
                made, difference=span.difference, interval=span.interval, p=p,
                p_holm=min(1.0, p * comparisons), family=comparisons,
            )  # fmt: skip

    def _counted(self, sizes: Sequence[int], kind: str) -> Comparison:
        """How many missions there are at some sizes, and their means: a comparison not yet made."""
        chosen = np.isin(self.x, sizes)
        failed, value = self.failed[chosen], self.value[chosen]
        finite = np.isfinite(value)
        used = finite.all(axis=1) if self.paired else finite.any(axis=1)
        only = failed & ~failed[:, ::-1] if self.paired else failed
        means = [_mean(value[used, side]) for side in (0, 1)]
        low, high = self.layout.xs[sizes[0]], self.layout.xs[sizes[-1]]
        count = int(used.sum()) if self.paired else int(finite.sum())
        return Comparison(
            self.metric.name, self.layout.factor, self.panel, *self.names, low, high, kind, self.paired, self.relative,
            count, int(only[:, 0].sum()), int(only[:, 1].sum()), means[0], means[1],
            blocks=len(np.unique(self.block[chosen][used])) if self.by_block else 0,
        )  # fmt: skip

    def _resampled(self, made: Comparison, sizes: Sequence[int]) -> Comparison:
        """With the difference over all sizes and its bootstrap interval."""
        strata, _ = self._strata
        if strata is not None:
            difference, interval = strata.average()
            made = replace(made, difference=difference, interval=interval)
        return self._tested(made, sizes)

    def _tested(self, made: Comparison, sizes: Sequence[int], with_intervals: bool = True) -> Comparison:
        """With the effect size and the test, in which failed missions are the worst."""
        if not self.paired:
            groups = _two_groups(self.ranked, self.x, sizes)
            if not groups:
                return made
            delta, interval = cliffs_delta(groups, with_intervals)
            return replace(made, p=rank_sum(groups), dominance=delta, dominance_interval=interval)
        chosen = np.isin(self.x, sizes) & ~np.isnan(self.ranked).any(axis=1)
        ranked = self.ranked[chosen]
        if len(ranked) == 0:
            return made
        differences = np.zeros(len(ranked))
        unequal = ranked[:, 0] != ranked[:, 1]  # two failed missions are equal, though inf - inf is not zero
        np.subtract(ranked[:, 1], ranked[:, 0], out=differences, where=unequal)
        blocks = self.block[chosen] if self.by_block else None
        dominance, interval = wins(np.sign(differences), with_intervals, blocks)
        return replace(
            made, p=signed_rank(differences, blocks), dominance=dominance, dominance_interval=interval,
            d_z=standardised(differences[np.isfinite(differences)]),
        )  # fmt: skip

    @cached_property
    def _strata(self) -> tuple[Strata | None, list[int]]:
        """The strata of the sizes with values on both sides, and these sizes."""
        if self.paired:
            parts = {size: self._differences(self.x == size) for size in self.sizes}
            kept = [size for size in self.sizes if len(parts[size][0])]
            if not kept:
                return None, []
            blocks = [parts[size][1] for size in kept] if self.by_block else None
            return paired_strata([parts[size][0] for size in kept], blocks), kept
        kept = [size for size in self.sizes if _two_groups(self.scaled, self.x, [size])]
        return (unpaired_strata(_two_groups(self.scaled, self.x, kept)) if kept else None), kept

    def _differences(self, rows: NDArray[np.bool_]) -> tuple[Floats, Blocks]:
        """The differences of the pairs with two values, and their blocks."""
        differences: Floats = self.scaled[rows, 1] - self.scaled[rows, 0]
        finite = np.isfinite(differences)
        return differences[finite], self.block[rows][finite]


def _block_means(values: Floats, blocks: Blocks) -> Floats:
    names, own = np.unique(blocks, return_inverse=True)
    return block_sums(values, own, len(names)) / np.bincount(own)


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _two_groups(values: Floats, x: NDArray[np.int64], sizes: Sequence[int]) -> list[tuple[Floats, Floats]]:
    """The values of both sides at each size, where both have any."""
    groups = []
    for size in sizes:
        first, second = (column[~np.isnan(column)] for column in values[x == size].T)
        if len(first) and len(second):
            groups.append((first, second))
    return groups
