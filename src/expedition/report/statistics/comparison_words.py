"""What a comparison of two cases says, in a sentence."""

from __future__ import annotations

import re

from expedition.report.statistics.comparison import SIGNIFICANT, Comparison
from expedition.report.statistics.outcome import Described
from expedition.report.statistics.written import minus, number, percent, probability

FEW_PAIRS = 6
"""Fewer pairs cannot reach p < 0.05, whatever they show: of five, all one way by chance is 2 / 2^5."""

# How a case with the lower and one with the higher value compares; other metrics have a lower or a higher value.
_ADJECTIVES = {
    "time_s": ("faster", "slower"),
    "t90_s": ("faster to 90 %", "slower to 90 %"),
    "t99_s": ("faster to 99 %", "slower to 99 %"),
    "cost_m": ("cheaper", "dearer"),
    "efficiency_m2_per_m": ("less efficient", "more efficient"),
    "completeness": ("less complete", "more complete"),
    "safety": ("less safe", "safer"),
}


def comparison_sentence(one: Comparison, metric: Described, x: str | None = None) -> str:
    """What a comparison says: which case is better and by how much, that none was found, or that none can be."""
    where = f"{in_panel(one.panel)}{for_sizes(one, x)}"
    both = f"{one.first} and {one.second}"
    if one.difference is None:
        return f"{metric.label} cannot be compared between {both}{where}: {_why_not(one)}."
    if one.count == 1 or (not one.paired and one.interval is None):
        return (
            f"{one.second} has {_signed(one, metric)} {metric.label} against {one.first}{where} in {_missions(one)}, "
            "which says nothing of chance."
        )
    if one.difference == 0.0 and one.interval is not None and one.interval.low == one.interval.high:
        return (
            f"{both} have the same {metric.label}{where} in {'all ' if one.paired else ''}{_missions(one)}{_lost(one)}."
        )
    numbers = f"{_range_of(one, metric)}; {_p(one)}, {_missions(one)}"
    if wins_by_failing(one, metric):
        return _faster_but_fails(one, metric, x)
    if not one.found:
        little = ": too few to find any" if one.paired and one.count < FEW_PAIRS else ""
        clear = one.interval is not None and one.interval.excludes(0.0)
        found = (
            f"it is not clear whether {both} differ in {metric.label}{where}"
            if clear
            else f"no difference in {metric.label} was found between {both}{where}"
        )
        return f"{found} ({_signed(one, metric)} for {one.second}, {numbers}{little}){_lost(one)}."
    winner, loser = _winner(one, metric)
    size = _size(one, metric, flipped=winner == one.first)
    verdict = f"{_verdict(one, metric, winner, loser)}{in_panel(one.panel)} by {size}"
    return f"{verdict} ({numbers}){for_sizes(one, x)}{_lost(one)}."


def wins_by_failing(one: Comparison, metric: Described) -> bool:
    """Whether the case that is better where both succeeded is the worse one when failures count as lost."""
    if one.interval is None or not one.interval.excludes(0.0) or not one.opposed or not metric.better:
        return False
    lost = {one.first: one.lost_first, one.second: one.lost_second}
    winner, loser = _winner(one, metric)
    return lost[winner] > lost[loser]


def _faster_but_fails(one: Comparison, metric: Described, x: str | None) -> str:
    winner, loser = _winner(one, metric)
    size = _size(one, metric, flipped=winner == one.first)
    where = f"{in_panel(one.panel)}{for_sizes(one, x)}"
    better = f"{_verdict(one, metric, winner, loser)} where both succeeded{where} by {size}"
    fails = f"{better} ({_range_of(one, metric)}, {_missions(one)}), but fails more often{_lost(one)}"
    if one.kind in ("from", "up to"):  # the p of a range is that of the missions that succeeded, too
        return f"{fails}."
    ahead = loser if one.p_holm is not None and one.p_holm < SIGNIFICANT and one.dominance else "neither"
    return f"{fails}; with failures as the worst, {ahead} is ahead ({_p(one)})."


def change_in_words(one: Comparison, metric: Described) -> tuple[str, str, str]:
    """A comparison as a table shows it: the change from the first to the second case, its interval, and p."""
    change = "" if one.difference is None else _signed(one, metric)
    interval = one.change_interval
    ends = "" if interval is None else "..".join(_end(one, metric, end) for end in (interval.low, interval.high))
    return change, ends, "" if one.p_holm is None else probability(one.p_holm).removeprefix("p ").removeprefix("= ")


def in_panel(panel: str | None, preposition: str = "in") -> str:
    """ " in the maze" for a name that is a word, else " in" the name as it is."""
    if panel is None:
        return ""
    article = "the " if re.fullmatch(r"[a-z]+(-[a-z]+)*", panel) else ""
    return f" {preposition} {article}{panel}"


def for_sizes(one: Comparison, x: str | None) -> str:
    """ " for fleets of 4 and more", as far as a comparison is of a part of the sizes."""
    if x is None or one.kind == "all":
        return ""
    low, high = number(one.low), number(one.high)
    if one.low == one.high:
        return f" for {low} robot{'' if low == '1' else 's'}" if x == "robots" else f" for {x} {low}"
    thing = "fleets" if x == "robots" else x
    return f" for {thing} of {low} and more" if one.kind == "from" else f" for {thing} of up to {high}"


def amount(value: float, metric: Described) -> str:
    """A difference of a metric: to three digits, since its values' own digits may be too few for it."""
    if metric.unit == "%":
        return f"{100 * value:.3g} points"
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{text} {metric.unit}" if metric.unit else text


def _winner(one: Comparison, metric: Described) -> tuple[str, str]:
    """The better case and the other; without a better direction, the higher one comes first."""
    second_higher = (one.difference or 0.0) > 0
    second_wins = second_higher != (metric.better == "lower")
    return (one.second, one.first) if second_wins else (one.first, one.second)


def _verdict(one: Comparison, metric: Described, winner: str, loser: str) -> str:
    winner_higher = (winner == one.second) == ((one.difference or 0.0) > 0)
    if metric.name in _ADJECTIVES:
        return f"{winner} is {_ADJECTIVES[metric.name][winner_higher]} than {loser}"
    return f"{winner} has {'higher' if winner_higher else 'lower'} {metric.label} than {loser}"


def _change(one: Comparison, value: float, flipped: bool) -> float:
    """A change of the second case against the first, or flipped, of the first against the second."""
    if not flipped:
        return value
    return 1 / (1 + value) - 1 if one.relative else -value


def _size(one: Comparison, metric: Described, flipped: bool) -> str:
    change = abs(_change(one, one.change or 0.0, flipped))
    return f"{percent(change, _places(one))} %" if one.relative else amount(change, metric)


def _signed(one: Comparison, metric: Described) -> str:
    change = one.change or 0.0
    if one.relative:
        text = percent(change, _places(one))
        return f"{'+' if change > 0 and float(text.replace('−', '-')) else ''}{text} %"
    return f"{'−' if change < 0 else '+' if change > 0 else ''}{amount(abs(change), metric)}"


def _range_of(one: Comparison, metric: Described) -> str:
    """The interval as it belongs to what was said before: of the winner's lead if one was found, else of the change."""
    interval = one.change_interval
    if interval is None:
        return "no interval"
    ends = [interval.low, interval.high]
    if one.found or wins_by_failing(one, metric):
        flipped = _winner(one, metric)[0] == one.first
        ends = sorted(abs(_change(one, end, flipped)) for end in ends)
    return f"95 % CI {'..'.join(_end(one, metric, end) for end in ends)}"


def _end(one: Comparison, metric: Described, end: float) -> str:
    return percent(end, _places(one)) if one.relative else minus(amount(end, metric))


def _places(one: Comparison) -> int:
    """Decimals of the per cents: so many that the interval's ends differ, two at most."""
    interval = one.change_interval
    width = 100 * (interval.high - interval.low) if interval else 1.0
    return 0 if width >= 3 else 1 if width >= 0.3 else 2


def _p(one: Comparison) -> str:
    how = "for all ranges of sizes" if one.kind in ("from", "up to") else "after Holm"
    return f"{probability(one.p_holm)} {how}"


def _missions(one: Comparison) -> str:
    if not one.paired:
        return f"{one.count} {one.unit}, unpaired"
    if one.count == 1:
        return "1 pair"
    return (
        f"{'only ' if one.count < FEW_PAIRS else ''}{one.count} pairs{f' of {one.blocks} seeds' if one.blocks else ''}"
    )


def _lost(one: Comparison) -> str:
    """How many missions failed, which the percentage cannot tell of."""
    counted = "pair{} in which the other succeeded" if one.paired else "mission{}"
    parts = [
        f"{name} failed in {lost} {counted.format('s' if lost > 1 else '')}"
        for name, lost in ((one.first, one.lost_first), (one.second, one.lost_second))
        if lost
    ]
    return f"; {' and '.join(parts)}" if parts else ""


def _why_not(one: Comparison) -> str:
    if one.lost_first or one.lost_second:
        return f"no two missions of a pair have a value{_lost(one)}" if one.paired else f"one has no value{_lost(one)}"
    return "no mission of both has a value"
