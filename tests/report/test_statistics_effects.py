"""The bootstrap covers as often as it says, and effect sizes are what slow obvious versions give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expedition.report.statistics import resampling
from expedition.report.statistics.effects import (
    cliffs_delta,
    paired_strata,
    standardised,
    unpaired_strata,
    wins,
)
from expedition.report.statistics.resampling import LARGE, percentile_interval, resampled_means
from expedition.report.statistics.spans import spans, turn_of

numbers = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=7)


def coverage(draw: Callable[[np.random.Generator], bool], samples: int = 400) -> float:
    """How often a drawn sample's interval covers the truth."""
    random = np.random.default_rng(11)
    return float(np.mean([draw(random) for _ in range(samples)]))


@pytest.mark.parametrize("size", [5, 10, 40])
def test_bootstrap_interval_covers_a_normal_mean_as_often_as_it_says(size: int) -> None:
    def draw(random: np.random.Generator) -> bool:
        found = percentile_interval(resampled_means([random.normal(3.0, 2.0, size)])[0], size)
        return found is not None and not found.excludes(3.0)

    assert 0.92 <= coverage(draw) <= 0.98


def test_stratified_bootstrap_covers_as_often_as_it_says() -> None:
    def draw(random: np.random.Generator) -> bool:
        strata = paired_strata([random.normal(level, 1.0, 3) for level in range(8)])
        _, interval = strata.average()
        return interval is not None and not interval.excludes(3.5)

    assert 0.92 <= coverage(draw) <= 0.98


def test_unpaired_bootstrap_covers_as_often_as_it_says() -> None:
    def draw(random: np.random.Generator) -> bool:
        groups = [(random.normal(level, 1.0, 5), random.normal(level + 2.0, 2.0, 6)) for level in range(3)]
        _, interval = unpaired_strata(groups).average()
        return interval is not None and not interval.excludes(2.0)

    assert 0.91 <= coverage(draw) <= 0.98


def test_strata_are_resampled_independently_of_each_other() -> None:
    values = np.random.default_rng(0).normal(size=6)
    drawn = resampled_means([values, values, values])
    assert np.abs(np.corrcoef(drawn) - np.eye(3)).max() < 0.05


def test_a_large_stratum_has_the_spread_of_its_mean() -> None:
    values = np.random.default_rng(0).normal(size=LARGE + 1)
    drawn = resampled_means([values])[0]
    assert drawn.std() == pytest.approx(values.std() / np.sqrt(LARGE + 1), rel=0.03)
    assert drawn.mean() == pytest.approx(values.mean(), abs=0.01)


def test_resamples_are_the_same_each_time() -> None:
    values = np.random.default_rng(0).normal(size=9)
    before = resampled_means([values, values])
    resampling._counts.cache_clear()
    resampling._order_of.cache_clear()
    assert np.array_equal(before, resampled_means([values, values]))


def test_equal_values_have_an_interval_without_width() -> None:
    found = percentile_interval(resampled_means([np.full(7, 0.1)])[0], 7)
    assert found is not None
    assert (found.low, found.high) == (0.1, 0.1)


def test_one_value_has_no_interval() -> None:
    difference, interval = paired_strata([np.array([0.3])]).average()
    assert difference == 0.3
    assert interval is None


def test_strata_of_single_pairs_are_resampled_together() -> None:
    strata = paired_strata([np.array([value]) for value in (0.1, 0.2, 0.4, 0.3)])
    difference, interval = strata.average()
    assert difference == pytest.approx(0.25)
    assert interval is not None
    assert interval.low < 0.25 < interval.high


@given(numbers, numbers)
def test_cliffs_delta_counts_all_pairs(one: list[float], other: list[float]) -> None:
    expected = sum((b > a) - (b < a) for a in one for b in other) / (len(one) * len(other))
    delta, interval = cliffs_delta([(np.array(one), np.array(other))])
    assert delta == pytest.approx(expected)
    if interval is not None:
        assert -1 <= interval.low <= interval.high <= 1


def test_cliffs_delta_of_large_groups_has_nearly_the_interval_of_small_ones_scaled() -> None:
    random = np.random.default_rng(5)
    one, other = random.normal(size=LARGE), random.normal(0.5, 1, LARGE)
    _, small = cliffs_delta([(one, other)])
    _, large = cliffs_delta([(np.append(one, 0.0), other)])
    assert small is not None
    assert large is not None
    assert (large.low, large.high) == pytest.approx((small.low, small.high), abs=0.03)


def test_wins_are_shares_won_less_shares_lost() -> None:
    dominance, interval = wins(np.array([1.0, 1.0, 0.0, -1.0, 1.0, 1.0]))
    assert dominance == 0.5
    assert interval is not None
    assert interval.low < 0.5 < interval.high <= 1.0


def test_a_side_that_always_wins_still_has_an_interval() -> None:
    dominance, interval = wins(np.full(10, -1.0))
    assert dominance == -1.0
    assert interval is not None
    assert interval.low == -1.0
    assert interval.high == pytest.approx(2 * 0.2775 - 1, abs=1e-3)  # Wilson's bound of 0 of 10


def test_standardised_difference_is_mean_by_deviation_and_none_without_spread() -> None:
    assert standardised(np.array([1.0, 2.0, 3.0])) == pytest.approx(2.0)
    assert standardised(np.full(4, 0.1)) is None
    assert standardised(np.array([1.0])) is None


def test_ranges_of_nothing_are_hardly_ever_told_as_something() -> None:
    def draw(random: np.random.Generator) -> bool:
        found = spans(paired_strata([random.normal(0.0, 1.0, 5) for _ in range(10)]))
        return any(span.p < 0.05 or span.interval.excludes(0.0) for span in found)

    assert coverage(draw, 300) <= 0.08


def test_a_range_with_an_effect_is_found_with_its_edges() -> None:
    random = np.random.default_rng(6)
    strata = paired_strata([random.normal(0.0 if size < 4 else -0.5, 0.1, 5) for size in range(12)])
    told = {(span.first, span.end): span for span in spans(strata) if span.p < 0.05}
    assert (4, 12) in told
    assert told[4, 12].difference == pytest.approx(-0.5, abs=0.05)
    assert not any(end <= 4 for _, end in told)
    turn = turn_of(strata)
    assert turn is not None
    assert turn.place == 4
    assert turn.p < 0.001


def test_a_turn_is_hardly_ever_seen_where_the_difference_is_the_same_everywhere() -> None:
    def draw(random: np.random.Generator) -> bool:
        turn = turn_of(paired_strata([random.normal(-0.5, 1.0, 5) for _ in range(10)]))
        return turn is not None and turn.p < 0.05

    assert coverage(draw, 300) <= 0.08


def test_two_sizes_that_differ_are_told_apart() -> None:
    random = np.random.default_rng(6)
    strata = paired_strata([random.normal(-0.5, 0.05, 10), random.normal(-0.15, 0.05, 10)])
    turn = turn_of(strata)
    assert turn is not None
    assert (turn.place, turn.p < 0.001) == (1, True)
    assert {(span.first, span.end) for span in spans(strata) if span.p < 0.001} == {(0, 1), (0, 2), (1, 2)}


def test_two_sizes_of_nothing_are_hardly_ever_told_apart() -> None:
    def draw(random: np.random.Generator) -> bool:
        turn = turn_of(paired_strata([random.normal(-0.5, 1.0, 6) for _ in range(2)]))
        return turn is not None and turn.p < 0.05

    assert coverage(draw, 300) <= 0.08


def test_one_size_or_single_pairs_have_no_ranges() -> None:
    assert spans(paired_strata([np.array([1.0, 2.0])])) == []
    single = paired_strata([np.array([1.0]), np.array([1.0, 3.0]), np.array([2.0, 3.0])])
    assert spans(single) == []
    assert turn_of(single) is None
