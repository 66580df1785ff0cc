"""What the statistics say, in sentences that can stand in a paper."""

from __future__ import annotations

from collections.abc import Sequence

from expedition.report.statistics.analysis import Analysis
from expedition.report.statistics.best_size import BestSize
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.comparison_words import (
    amount,
    change_in_words,
    comparison_sentence,
    in_panel,
    wins_by_failing,
)
from expedition.report.statistics.factors import ALL_MISSIONS
from expedition.report.statistics.intervals import Interval
from expedition.report.statistics.outcome import Described
from expedition.report.statistics.success import SuccessComparison
from expedition.report.statistics.trends import Trend, turning
from expedition.report.statistics.written import hundredths, number, probability, sizes_in_words

__all__ = [
    "best_sentence",
    "change_in_words",
    "comparison_sentence",
    "findings",
    "in_panel",
    "pair_of",
    "success_findings",
    "success_sentence",
    "trend_sentence",
    "wins_by_failing",
]

MOST_LOST = 3


def findings(analysis: Analysis, name: str) -> list[str]:
    """All sentences about a metric: comparisons overall and by range of sizes, best sizes, trends, correlations."""
    metric, x = next((one for one in analysis.metrics if one.name == name), None), analysis.factors.x
    if metric is None:
        return [f"no mission has a value of {name}."]
    compared = [one for one in analysis.comparisons if one.metric == name and one.kind != "size"]
    pairs = dict.fromkeys(pair_of(one) for one in compared)  # each overall comparison, then its ranges of sizes
    said = [comparison_sentence(one, metric, x) for pair in pairs for one in compared if pair_of(one) == pair]
    best = {(one.panel, one.case): one for one in analysis.best if one.metric == name}
    said += [best_sentence(one, metric, x or "") for one in best.values()]
    along = [one for one in analysis.trends if one.metric == name]
    for one in along:
        if one.part == "all":
            place = (one.panel, one.case)
            parts = [part for part in along if part.part != "all" and (part.panel, part.case) == place]
            said.append(trend_sentence(one, metric, parts))
    others = [one for one in analysis.correlations if one.metric == name and one.parameter != x]
    return said + [trend_sentence(one, metric) for one in others]


def repeats_findings(analysis: Analysis) -> list[str]:
    """That seeds made no difference, where they made none."""
    if not analysis.repeats:
        return []
    return [
        f"{analysis.repeats} of {len(analysis.results)} missions came out exactly as one with another seed: the seed "
        "decides nothing in them, and they count once in all comparisons. Noise, or places by chance, would tell more."
    ]


def success_findings(analysis: Analysis) -> list[str]:
    """How many missions succeeded, and which case does so more often."""
    missions, successes = len(analysis.results), int(analysis.results["succeeded"].sum())
    if missions == 0:
        return ["no mission has finished."]
    if missions == 1:
        return [f"the one mission {'succeeded' if successes else 'did not succeed'}."]
    if successes in (0, missions):
        return [f"{'all' if successes else 'none'} of the {missions} missions succeeded."]
    said = [f"{successes} of {missions} missions succeeded."]
    unequal = [one for one in analysis.successes if one.found or one.first_rate != one.second_rate]
    return said + [success_sentence(one) for one in unequal]


def success_sentence(one: SuccessComparison) -> str:
    """Which of two cases succeeds more often, or that no difference was found."""
    where = in_panel(one.panel)
    first = (one.first, f"{one.first_successes} of {one.first_missions}")
    second = (one.second, f"{one.second_successes} of {one.second_missions}")
    (winner, won), (loser, lost) = (first, second) if one.first_rate >= one.second_rate else (second, first)
    numbers = f"({won} against {lost} missions; {probability(one.p_holm)} after Holm)"
    if one.found:
        return f"{winner} succeeds more often than {loser}{where} {numbers}."
    return f"no difference in success was found between {winner} and {loser}{where} {numbers}."


def best_sentence(one: BestSize, metric: Described, x: str = "robots") -> str:
    """The best size, how sure that is, and which sizes are not told apart from it."""
    case = "" if one.case == ALL_MISSIONS else f" of {one.case}"
    fleet = x == "robots"
    size = f"{number(one.best)} robot{'' if one.best == 1 else 's'}" if fleet else number(one.best)
    thing = f"fleet{case}{in_panel(one.panel, 'for')} has" if fleet else f"{x}{case}{in_panel(one.panel)} is"
    mean = metric.written(one.mean)
    size += _succeeded(one, metric)
    if not one.likely:
        only = "with one seed, nothing is known of chance"
        return f"by {metric.label}, the best {thing} {size}: {mean}; {only}{_left_out(one)}."
    sure = f"95 % set {sizes_in_words(one.likely, one.sizes)}"
    if len(one.not_told_apart) == len(one.sizes) < 2 * len(one.likely):
        thing = thing.removesuffix(" has").removesuffix(" is")
        found = f"by {metric.label}, no best {thing} was found"
        return f"{found} (the best mean is that of {size}: {mean}; {sure}){_lost_too(one)}{_left_out(one)}."
    tried = (*one.sizes, *one.left_out)
    ends = {max(tried): ", the largest tried", min(tried): ", the smallest tried"}
    best = f"the best {thing} {size}{ends.get(one.best, '')} ({sure}): {mean}"
    return f"by {metric.label}, {best}{_not_told_apart(one)}{_lost_too(one)}{_left_out(one)}."


def trend_sentence(one: Trend, metric: Described, parts: Sequence[Trend] = ()) -> str:
    """How a metric goes with the fleet or another number; `parts` are the trends below and above the best size.

    Those are told in place of the whole where the metric turns there.
    """
    case = "" if one.case == ALL_MISSIONS else f" with {one.case}"
    what = "the fleet" if one.parameter == "robots" else one.parameter
    where = in_panel(one.panel)
    if (turn := turning(parts)) is not None:
        below, above = turn
        until = f"{where} until about {number(below.turn)}{case} ({_correlation(below)})"
        return f"{metric.label} {_goes(below)} with {what}{until} and {_goes(above)} after ({_correlation(above)})."
    if one.slope_interval is None:
        return f"{metric.label} is the same whatever {what}{where}{case} ({one.missions} missions)."
    if not one.found:
        return f"no trend of {metric.label} with {what} was found{where}{case} ({_correlation(one)})."
    slope = f"{'+' if one.slope > 0 else '−' if one.slope < 0 else ''}{amount(abs(one.slope), metric)} for each more"
    return f"{metric.label} {_goes(one)} with {what}{where}{case} ({_correlation(one)}; {slope})."


def pair_of(one: Comparison) -> tuple[object, ...]:
    """What a comparison over all sizes and those over ranges of them have in common."""
    return one.factor, one.panel, one.first, one.second


def _not_told_apart(one: BestSize) -> str:
    """The sizes that are not told apart from the best, all of them."""
    others = [size for size in one.not_told_apart if size != one.best]
    if others:
        return f"; not told apart from it: {sizes_in_words(others, one.sizes)}"
    return "; every other size is told apart from it" if one.not_told_apart else ""


def _succeeded(one: BestSize, metric: Described) -> str:
    """How many missions of the best size succeeded, if not all, and what the others count for."""
    place = one.sizes.index(one.best)
    if not one.missions or one.successes[place] == one.missions[place]:
        return ""
    rest = "" if one.limit is None else f", failed ones counted with {metric.written(one.limit)}"
    return f" ({_share(one, place)} succeeded{rest})"


def _lost_too(one: BestSize) -> str:
    """Which sizes that are not told apart from the best lost missions."""
    if not one.missions:
        return ""
    others = [one.sizes.index(size) for size in one.not_told_apart if size != one.best]
    lost = [place for place in others if one.successes[place] < one.missions[place]]
    if not lost:
        return ""
    shown = sorted(sorted(lost, key=lambda place: one.successes[place] / one.missions[place])[:MOST_LOST])
    said = ", ".join(f"{_share(one, place)} with {number(one.sizes[place])}" for place in shown)
    more = f", fewer than all with {len(lost) - len(shown)} more of them" if len(lost) > len(shown) else ""
    return f" (succeeded: {said}{more})"


def _share(one: BestSize, place: int) -> str:
    return f"{one.successes[place]} of {one.missions[place]}"


def _left_out(one: BestSize) -> str:
    if not one.left_out:
        return ""
    tried = sorted((*one.sizes, *one.left_out))
    return f"; left out because missions fail there: {sizes_in_words(one.left_out, tried)}"


def _goes(one: Trend) -> str:
    return "rises" if one.correlation > 0 else "falls"


def _correlation(one: Trend) -> str:
    interval = one.interval
    text = f"Spearman {hundredths(one.correlation)}"
    if isinstance(interval, Interval):
        text += f", 95 % CI {hundredths(interval.low)}..{hundredths(interval.high)}"
    seeds = f" of {one.blocks} seeds" if one.blocks else ""
    return f"{text}; {probability(one.p_holm)} after Holm, {one.missions} {one.unit}{seeds}"
