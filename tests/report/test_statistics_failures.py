"""Failed missions: no case and no size wins by failing."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from expedition.measure.metrics import METRICS
from expedition.report.statistics.analysis import Analysis, analyse
from expedition.report.statistics.best_size import BestSize
from expedition.report.words import best_sentence, findings

TIME, COST = METRICS["time_s"], METRICS["cost_m"]
LIMIT = 2000.0


def two_cases(sizes: tuple[int, ...], fails_from: int, succeeding_seeds: int, faster: float) -> Analysis:
    """Where `b` has `fails_from` robots or more it is faster, but succeeds with the first few of ten seeds only."""
    random = np.random.default_rng(1)
    rows = []
    for robots in sizes:
        for seed in range(1, 11):
            base = 1000 / robots * math.exp(0.05 * random.normal())
            hard = robots >= fails_from
            succeeded = not hard or seed <= succeeding_seeds
            needed = base * (faster if hard else 1.0) * math.exp(0.02 * random.normal())
            shared = {"seed": seed, "robots": robots}
            rows.append({**shared, "strategy": "a", "succeeded": True, "time_s": base})
            rows.append(
                {**shared, "strategy": "b", "succeeded": succeeded, "time_s": needed if succeeded else LIMIT}
            )  # fmt: skip
    return analyse(pl.DataFrame(rows), ["robots", "strategy"], [TIME])


def one_case(lost: dict[int, int], fast: int, metric: str = "time_s") -> tuple[BestSize, str]:
    """The best of sizes 1 to 8, `fast` being the fastest and `lost` missions of ten failing."""
    random = np.random.default_rng(2)
    rows = []
    for robots in range(1, 9):
        for seed in range(1, 11):
            needed = (200 if robots == fast else 300) * math.exp(0.03 * random.normal())
            failed = seed <= lost.get(robots, 0)
            rows.append(
                {"seed": seed, "robots": robots, "succeeded": not failed, "time_s": LIMIT if failed else needed,
                 "cost_m": None if failed else needed}
            )  # fmt: skip
    (one,) = analyse(pl.DataFrame(rows), ["robots"], [METRICS[metric]]).best
    return one, best_sentence(one, METRICS[metric])


def test_a_case_that_is_faster_where_it_succeeds_and_mostly_fails_is_not_found_to_be_faster() -> None:
    analysis = two_cases((2, 4, 8), fails_from=1, succeeding_seeds=3, faster=0.85)
    (one,) = (one for one in analysis.comparisons if one.kind == "all")
    assert one.change == pytest.approx(-0.15, abs=0.02)
    assert one.dominance == pytest.approx(0.4)
    assert one.p_holm is not None
    assert one.p_holm < 0.05
    assert one.opposed
    assert not any(one.found for one in analysis.comparisons)
    (sentence, *_) = findings(analysis, "time_s")
    assert sentence.startswith("b is faster than a where both succeeded by 15")
    assert "but fails more often; b failed in 21 pairs in which the other succeeded" in sentence
    assert "9 pairs of 3 seeds" in sentence
    assert "with failures as the worst, a is ahead (p = " in sentence


def test_a_range_of_sizes_is_not_won_by_failing_there() -> None:
    analysis = two_cases(tuple(range(1, 9)), fails_from=4, succeeding_seeds=4, faster=0.7)
    (one,) = (one for one in analysis.comparisons if one.kind == "from")
    assert one.change == pytest.approx(-0.3, abs=0.03)
    assert one.lost_second == 30
    assert not one.found
    sentence = next(said for said in findings(analysis, "time_s") if "fleets of 4 and more" in said)
    assert "b is faster than a where both succeeded for fleets of 4 and more by 30" in sentence
    assert sentence.endswith("but fails more often; b failed in 30 pairs in which the other succeeded.")


def test_a_range_of_sizes_has_the_larger_p_of_the_missions_that_succeeded_and_of_all() -> None:
    analysis = two_cases(tuple(range(1, 9)), fails_from=4, succeeding_seeds=9, faster=0.7)
    (one,) = (one for one in analysis.comparisons if one.kind == "from")
    assert one.lost_second == 5
    assert one.p is not None
    assert 0.001 < one.p < 0.1  # of those that succeeded alone it would be far smaller
    assert (one.dominance or 0.0) < 0


def test_a_fast_size_that_fails_now_and_then_counts_its_failures_with_the_longest_time() -> None:
    one, sentence = one_case({6: 2, 3: 1}, fast=6)
    assert one.best != 6
    assert 6 not in one.left_out
    assert one.limit == LIMIT
    assert "(succeeded: 9 of 10 with 3" in sentence


def test_a_size_that_succeeds_significantly_less_often_cannot_be_best() -> None:
    for metric in ("time_s", "cost_m"):
        one, sentence = one_case({6: 4}, fast=6, metric=metric)
        assert one.left_out == (6,)
        assert one.best != 6
        assert "; left out because missions fail there: 6." in sentence


def test_the_best_size_says_how_many_missions_it_lost() -> None:
    one, sentence = one_case({6: 1}, fast=6, metric="cost_m")
    assert (one.best, one.limit) == (6, None)
    assert "has 6 robots (9 of 10 succeeded) (95 % set" in sentence
    one, sentence = one_case({6: 1, **dict.fromkeys((1, 2, 3, 4, 5, 7, 8), 4)}, fast=6)
    assert one.best == 6
    assert "has 6 robots (9 of 10 succeeded, failed ones counted with 2,000.0 s) (" in sentence


def test_many_sizes_that_lost_missions_are_told_by_the_worst_of_them() -> None:
    _, sentence = one_case(dict.fromkeys(range(1, 9), 2) | {5: 3}, fast=0, metric="cost_m")
    assert "7 of 10 with 5" in sentence
    assert "more of them)" in sentence
