"""Which findings stand at the top of a page, and how all of them are grouped."""

from __future__ import annotations

from collections.abc import Sequence

from expedition.measure.metrics import Metric
from expedition.report.naming import capital
from expedition.report.statistics.analysis import Analysis
from expedition.report.words import (
    best_sentence,
    comparison_sentence,
    findings,
    pair_of,
    repeats_findings,
    success_findings,
    success_sentence,
    wins_by_failing,
)

MOST_COMPARISONS = 8
MOST_BEST = 6


def headlines(analysis: Analysis, metrics: Sequence[Metric]) -> list[str]:
    """The findings that a reader wants first: who succeeded, and what the first metric says of cases and fleets.

    A comparison over all sizes brings the ranges of sizes in which a difference was found with it.
    """
    said = [*success_findings(analysis)[:1], *repeats_findings(analysis)]
    said += [success_sentence(one) for one in analysis.successes if one.found][:MOST_COMPARISONS]
    for metric in metrics[:1]:
        compared = [one for one in analysis.comparisons if one.metric == metric.name and one.kind != "size"]
        found = [one for one in compared if one.found or wins_by_failing(one, metric)]
        strength: dict[tuple[object, ...], float] = {}
        for one in found:
            strength[pair_of(one)] = max(strength.get(pair_of(one), 0.0), abs(one.difference or 0.0))
        strongest = sorted(strength, key=lambda pair: -strength[pair])[:MOST_COMPARISONS]
        for pair in (pair for pair in strength if pair in strongest):
            said += [comparison_sentence(one, metric, analysis.factors.x) for one in found if pair_of(one) == pair]
        if compared and not found:
            said.append(f"no difference in {metric.label} was found between the cases.")
        best = [one for one in analysis.best if one.metric == metric.name]
        first = [one for one in best if one.case == best[0].case] if len(best) > MOST_BEST else best
        said += [best_sentence(one, metric, analysis.factors.x or "") for one in first[:MOST_BEST]]
        if not compared and not best:
            said += findings(analysis, metric.name)[:MOST_COMPARISONS]
    return [sentence(one) for one in said]


def all_findings(analysis: Analysis, metrics: Sequence[Metric]) -> dict[str, list[str]]:
    """All sentences by what they are about; what nothing is said of is left out."""
    groups = {"success": success_findings(analysis)}
    groups |= {metric.label: findings(analysis, metric.name) for metric in metrics}
    return {about: [sentence(one) for one in said] for about, said in groups.items() if said}


def sentence(words: str) -> str:
    """A sentence with a capital letter, unless it begins with a name that is no word."""
    first = words.partition(" ")[0]
    return capital(words) if first.replace("-", "").isalpha() else words
