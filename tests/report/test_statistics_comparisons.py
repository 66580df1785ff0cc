"""Comparisons find what is there, at the sizes at which it is, and nothing where nothing is."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from expedition.measure.metrics import METRICS
from expedition.report.statistics.analysis import analyse, comparisons_table
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.comparisons import compare_cases
from expedition.report.statistics.factors import factors_of, with_case
from expedition.report.statistics.success import compare_successes
from expedition.report.words import repeats_findings
from tests.report.results import VARIED, made_up

TIME = METRICS["time_s"]


def compared(results: pl.DataFrame, metric: str = "time_s", varied: tuple[str, ...] = VARIED) -> list[Comparison]:
    factors = factors_of(results, varied)
    return compare_cases(with_case(results, factors), factors, METRICS[metric])


def only(found: list[Comparison], kind: str = "all") -> Comparison:
    (one,) = (one for one in found if one.kind == kind)
    return one


def noisy(factor: float, sizes: tuple[int, ...] = (1, 2, 4, 8), spread: float = 0.05) -> pl.DataFrame:
    """Times that fall with the fleet; coordinated needs `factor` of the other's at the sizes given."""
    return made_up(
        lambda terrain, robots, strategy, random: (
            1000
            / robots
            * (factor if strategy == "coordinated" and robots in sizes else 1)
            * math.exp(random.normal(0, spread))
        )
    )


def test_pairs_are_missions_of_the_same_seed_and_size() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: 100.0 * robots * (2 if strategy == "coordinated" else 1)
    )
    one = only(compared(results))
    assert one.paired
    assert one.count == 20
    assert one.change == pytest.approx(1.0)
    assert (one.first_mean, one.second_mean) == (375.0, 750.0)
    assert one.dominance == 1.0


def test_the_estimate_is_the_geometric_mean_of_the_pairs_ratios() -> None:
    results = noisy(0.8)
    wide = results.pivot("strategy", index=["robots", "seed"], values="time_s")
    expected = math.exp((wide["coordinated"] / wide["nearest-frontier"]).log().mean()) - 1
    one = only(compared(results))
    assert one.change == pytest.approx(expected)
    assert one.found
    assert one.change_interval is not None
    assert one.change_interval.low < expected < one.change_interval.high < -0.1


def test_a_metric_with_zeros_is_compared_by_plain_differences() -> None:
    results = made_up(lambda terrain, robots, strategy, random: float(strategy == "coordinated") * robots)
    one = only(compared(results))
    assert not one.relative
    assert one.change == pytest.approx(3.75)


def test_order_of_rows_does_not_matter() -> None:
    results = noisy(0.9)
    factors = factors_of(results, VARIED)
    with_cases = with_case(results, factors)
    shuffled = with_cases.sample(fraction=1.0, shuffle=True, seed=3)
    there, here = (comparisons_table(compare_cases(frame, factors, TIME)) for frame in (with_cases, shuffled))
    assert_frame_equal(here, there)


def test_without_common_seeds_missions_are_compared_unpaired() -> None:
    results = noisy(0.7).with_columns(
        seed=pl.when(pl.col("strategy") == "coordinated").then(pl.col("seed") + 100).otherwise(pl.col("seed"))
    )
    one = only(compared(results))
    assert not one.paired
    assert one.count == 40
    assert one.change == pytest.approx(-0.3, abs=0.05)
    assert one.found
    assert one.dominance == -1.0


def test_failed_missions_rank_as_the_worst_and_enter_no_difference() -> None:
    def value(terrain: str, robots: int, strategy: str, random: np.random.Generator) -> float | None:
        return None if strategy == "coordinated" and robots > 2 else 100.0 - (strategy == "coordinated")

    one = only(compared(made_up(value)))
    assert one.count == 10
    assert (one.lost_first, one.lost_second) == (0, 10)
    assert one.change == pytest.approx(-0.01)
    assert one.dominance == 0.0  # wins ten pairs by a second, loses ten by failing
    assert one.p == pytest.approx(0.056, abs=0.001)  # the lost ones have the higher ranks: 155 of 210
    assert not one.found


def test_two_failed_missions_are_a_tie() -> None:
    one = only(compared(made_up(lambda terrain, robots, strategy, random: None if robots > 1 else 5.0)))
    assert one.dominance == 0.0
    assert one.p == 1.0
    assert (one.count, one.lost_first, one.lost_second) == (5, 0, 0)


def test_a_metric_of_progress_counts_failed_missions_as_they_are() -> None:
    results = made_up(lambda terrain, robots, strategy, random: None).with_columns(
        completeness=pl.when(pl.col("strategy") == "coordinated").then(0.8).otherwise(0.4)
    )
    one = only(compared(results, "completeness"))
    assert one.count == 20
    assert one.change == pytest.approx(1.0)


def test_where_all_missions_of_a_case_failed_there_is_no_difference_to_state() -> None:
    one = only(compared(made_up(lambda terrain, robots, strategy, random: None if strategy == "coordinated" else 5.0)))
    assert one.difference is None
    assert one.lost_second == 20
    assert one.p is not None
    assert one.p < 0.001


def test_missions_without_a_value_are_left_out() -> None:
    results = noisy(0.8).with_columns(
        time_s=pl.when((pl.col("seed") == 1) & (pl.col("robots") == 1)).then(float("nan")).otherwise(pl.col("time_s"))
    )
    assert only(compared(results)).count == 19


def test_the_family_of_a_metric_is_all_its_panels_and_pairs_of_cases() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: random.lognormal(), ("maze", "loop"), strategies=("a", "b", "c")
    )
    overall = [one for one in compared(results) if one.kind == "all"]
    assert len(overall) == 6
    assert {one.family for one in overall} == {6}


def test_many_cases_are_compared_with_the_first_alone() -> None:
    results = made_up(lambda *_: 1.0, strategies=tuple("abcdef"))
    overall = [one for one in compared(results) if one.kind == "all"]
    assert {one.first for one in overall} == {"a"}
    assert len(overall) == 5


def test_values_of_one_of_two_parameters_are_paired_by_the_other() -> None:
    results = pl.concat(
        [
            noisy(0.8).with_columns(merge=pl.lit(merge), time_s=pl.col("time_s") * slow)
            for merge, slow in (("greedy", 1.0), ("aligned", 1.5))
        ]
    )
    found = [one for one in compared(results, varied=(*VARIED, "merge")) if one.kind == "all"]
    merge = next(one for one in found if one.factor == "merge")
    assert merge.count == 40
    assert merge.change == pytest.approx(0.5)
    cases = [one for one in found if one.factor == "case"]
    assert {one.first for one in cases} == {"nearest-frontier, greedy"}


def test_a_difference_at_large_fleets_alone_is_found_there() -> None:
    sizes = tuple(range(1, 11))
    results = made_up(
        lambda terrain, robots, strategy, random: (
            1000 / robots * (0.6 if strategy == "coordinated" and robots >= 4 else 1) * math.exp(random.normal(0, 0.1))
        ),
        robots=sizes,
    )
    found = compared(results)
    larger, smaller = only(found, "from"), only(found, "up to")
    assert (smaller.low, smaller.high, larger.low, larger.high) == (1, 3, 4, 10)
    assert larger.change == pytest.approx(-0.4, abs=0.06)
    assert larger.found
    assert not smaller.found


def test_a_difference_that_turns_over_is_told_of_both_sides() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: (
            random.lognormal(5, 0.1) * (1 if strategy == "coordinated" else 0.7 if robots < 5 else 1.4)
        ),
        robots=range(1, 9),
    )
    found = compared(results)
    assert only(found, "up to").found
    assert only(found, "from").found
    assert (only(found, "up to").change or 0) > 0.2 > -0.2 > (only(found, "from").change or 0)


def test_a_difference_that_is_the_same_at_all_sizes_has_no_range_of_its_own() -> None:
    assert {one.kind for one in compared(noisy(0.5))} == {"all", "size"}


def test_ranges_are_hardly_ever_found_where_nothing_is() -> None:
    found = 0
    for number in range(40):
        random = np.random.default_rng(number)
        results = made_up(lambda *_, random=random: random.lognormal(5, 0.3), robots=range(1, 9))
        found += any(
            (one.kind in ("from", "up to") and one.found) or (one.kind == "all" and one.found)
            for one in compared(results)
        )
    assert found <= 5


def test_sizes_are_compared_each_with_its_own_interval() -> None:
    found = [one for one in compared(noisy(0.5)) if one.kind == "size"]
    assert [one.low for one in found] == [1, 2, 4, 8]
    assert all(one.count == 5 and one.interval is not None for one in found)
    assert {one.p for one in found} == {0.0625}  # of five pairs, all one way: 2 / 2^5
    assert not any(one.found for one in found)


def test_successes_of_pairs_are_compared_by_mcnemar() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: None if strategy == "coordinated" and robots > 4 else 1.0
    )
    factors = factors_of(results, VARIED)
    (one,) = compare_successes(with_case(results, factors), factors)
    assert one.paired
    assert (one.first_successes, one.second_successes, one.second_missions) == (20, 15, 20)
    assert one.p == 0.0625
    assert not one.found


def test_successes_without_common_seeds_are_compared_by_fisher() -> None:
    results = made_up(lambda terrain, robots, strategy, random: None if strategy == "coordinated" else 1.0)
    results = results.with_columns(seed=pl.int_range(pl.len()))
    factors = factors_of(results, VARIED)
    (one,) = compare_successes(with_case(results, factors), factors)
    assert not one.paired
    assert one.found


def test_missions_that_repeat_one_another_count_once_and_that_is_said() -> None:
    values = dict.fromkeys(list(METRICS)[:10], 1.0)
    rows = [
        {"key": f"{case}{robots}{seed}", "iteration": seed, "seed": seed, "strategy": case, "robots": robots,
         "ending": "explored", "succeeded": True, **values, "time_s": 100.0 / robots + 20.0 * (case == "b"),
         "cpu_share": 0.01 * seed}
        for case in "ab" for robots in (2, 4, 8) for seed in range(1, 13)
    ]  # fmt: skip
    analysis = analyse(pl.DataFrame(rows), ["strategy", "robots"], [METRICS["time_s"]])
    assert analysis.repeats == 66
    assert not any(one.found for one in analysis.comparisons)
    assert "66 of 72 missions came out exactly as one with another seed" in repeats_findings(analysis)[0]
    rows = [{**row, "cost_m": row["seed"] + 0.5} for row in rows]
    differing = analyse(pl.DataFrame(rows), ["strategy", "robots"], [METRICS["time_s"]])
    assert differing.repeats == 0
    assert any(one.found for one in differing.comparisons)
    assert repeats_findings(differing) == []
