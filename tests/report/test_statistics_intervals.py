"""Intervals and tests against published numbers, other programs and slow obvious versions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from expedition.report.statistics.intervals import mean_interval, median_interval, share_interval, welch_interval
from expedition.report.statistics.significance import fisher, holm, mcnemar, midranks, rank_sum, signed_rank

small = st.integers(-4, 4).map(float) | st.sampled_from([np.inf, -np.inf])


@pytest.mark.parametrize(
    ("successes", "missions", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_interval_is_that_of_newcombe_1998(successes: int, missions: int, low: float, high: float) -> None:
    found = share_interval(successes, missions)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_no_missions_has_no_interval() -> None:
    assert share_interval(0, 0) is None


def test_mean_interval_is_students() -> None:
    values = np.array([3.0, 4.5, 5.0, 9.0])
    found = mean_interval(values)
    expected = stats.t.interval(0.95, 3, values.mean(), values.std(ddof=1) / 2)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(expected)


def test_a_single_value_has_a_mean_without_interval() -> None:
    assert mean_interval(np.array([3.0])) is None


def test_welch_interval_is_that_of_scipy() -> None:
    first, second = np.array([3.0, 4.5, 5.0, 9.0]), np.array([1.0, 2.0, 2.5])
    expected = stats.ttest_ind(second, first, equal_var=False).confidence_interval(0.95)
    found = welch_interval(first, second)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_median_lies_between_the_second_and_the_ninth_of_ten_values() -> None:
    found = median_interval(np.arange(10.0, 0.0, -1.0))
    assert found is not None
    assert (found.low, found.high) == (2.0, 9.0)  # 1 - 2 (1 + 10) / 2^10 = 97.9 %; the third and eighth give 89 %


def test_five_values_are_too_few_for_an_interval_of_the_median_and_six_give_their_range() -> None:
    assert median_interval(np.arange(5.0)) is None
    found = median_interval(np.arange(6.0))
    assert found is not None
    assert (found.low, found.high) == (0.0, 5.0)


def test_median_interval_covers_the_median_as_often_as_it_says() -> None:
    random = np.random.default_rng(3)
    found = [median_interval(random.exponential(size=15)) for _ in range(2000)]
    covered = np.mean([one is not None and not one.excludes(np.log(2)) for one in found])
    assert 0.95 <= covered < 0.985


def test_holm_gives_the_textbook_numbers() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_tests_out_that_were_not_made() -> None:
    assert holm([0.02, None, 0.03]) == [0.04, None, pytest.approx(0.04)]
    assert holm([None]) == [None]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lessens_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    corrected = [p for p in holm(p_values) if p is not None]
    assert all(p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(np.array(corrected)[order]) >= 0)


def test_signed_rank_of_darwins_maize_is_the_known_one() -> None:
    heights = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], float)
    assert signed_rank(heights) == pytest.approx(0.041259765625)


@given(st.lists(small, min_size=1, max_size=8))
def test_signed_rank_counts_all_signs_of_tied_and_infinite_differences(values: list[float]) -> None:
    differences = np.array(values)
    ranks = stats.rankdata(np.abs(differences))[differences != 0]
    observed = ranks[differences[differences != 0] > 0].sum()
    middle = ranks.sum() / 2
    sums = np.array([(ranks * signs).sum() for signs in product([0, 1], repeat=len(ranks))])
    expected = np.mean(np.abs(sums - middle) >= abs(observed - middle) - 1e-9)
    assert signed_rank(differences) == pytest.approx(expected)


def test_signed_rank_of_many_pairs_goes_over_into_its_normal_limit() -> None:
    differences = np.random.default_rng(1).normal(0.1, 1, 201)
    exact = stats.wilcoxon(differences, method="exact").pvalue
    assert signed_rank(differences) == pytest.approx(exact, rel=0.02)
    assert signed_rank(differences[:200]) == pytest.approx(stats.wilcoxon(differences[:200], method="exact").pvalue)


@given(st.lists(small, min_size=1, max_size=12))
def test_midranks_are_scipys(values: list[float]) -> None:
    assert midranks(np.array(values)).tolist() == stats.rankdata(values).tolist()


def test_rank_sum_of_one_stratum_is_mann_and_whitneys() -> None:
    random = np.random.default_rng(2)
    one, other = random.normal(size=30), random.normal(0.5, 1, 25).round(1)
    expected = stats.mannwhitneyu(one.round(1), other, method="asymptotic", use_continuity=False).pvalue
    assert rank_sum([(one.round(1), other)]) == pytest.approx(expected)
    few = (np.array([1.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0]))
    assert rank_sum([few]) == pytest.approx(0.1)  # the one most extreme of 20 orders on either side


def test_rank_sum_within_strata_is_not_misled_by_their_levels() -> None:
    random = np.random.default_rng(4)
    strata = [(level + random.normal(size=8), level + 1.5 + random.normal(size=8)) for level in (0.0, 50.0, 900.0)]
    pooled = [(np.concatenate([a for a, _ in strata]), np.concatenate([b for _, b in strata]))]
    assert rank_sum(strata) < 0.001 < 0.1 < rank_sum(pooled)


def test_a_large_stratum_does_not_drown_small_ones() -> None:
    ones, others = np.arange(0.0, 9.0, 2.0), np.arange(1.0, 10.0, 2.0)
    small, large = (ones, others + 10), (np.arange(60.0), np.arange(60.0) + 0.5)
    ranks = [(5 * 6 / 2 - 5 * 11 / 2) / 11, (sum(range(1, 120, 2)) - 60 * 121 / 2) / 121]
    variance = sum(n * n * (2 * n + 1) / 12 / (2 * n + 1) ** 2 for n in (5, 60))
    expected = 2 * stats.norm.sf(abs(sum(ranks)) / np.sqrt(variance))
    assert rank_sum([small, large]) == pytest.approx(expected)


def test_rank_sum_without_anything_to_tell_apart_is_one() -> None:
    assert rank_sum([]) == 1.0
    assert rank_sum([(np.zeros(4), np.zeros(3))]) == 1.0


def test_mcnemar_counts_discordant_pairs_alone() -> None:
    assert mcnemar(1, 9) == pytest.approx(2 * 11 / 1024)
    assert mcnemar(0, 0) == 1.0


def test_fisher_tastes_tea() -> None:
    assert fisher(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert fisher(0, 0, 1, 4) == 1.0
