"""Which findings stand at the top of a page, and how all of them are grouped."""

from __future__ import annotations

from collections.abc import Sequence

from expedition.measure.metrics import Metric
from expedition.report.naming import capital
from expedition.report.statistics.analysis import Analysis
from expedition.report.words import best_sentence, comparison_sentence, findings, success_findings

MOST_COMPARISONS = 8
MOST_BEST = 6


def headlines(analysis: Analysis, metrics: Sequence[Metric]) -> list[str]:
    """The findings that a reader wants first: who succeeded, and what the first metric says of cases and fleets."""
    said = success_findings(analysis)[:1]
    for metric in metrics[:1]:
        compared = [one for one in analysis.comparisons if one.metric == metric.name and one.kind == "all"]
        found = [one for one in compared if one.found]
        if not found:
            found = [
                one for one in analysis.comparisons if one.metric == metric.name and one.kind != "size" and one.found
            ]
        strongest = sorted(found, key=lambda one: -abs(one.difference or 0.0))[:MOST_COMPARISONS]
        said += [comparison_sentence(one, metric, analysis.factors.x) for one in found if one in strongest]
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
