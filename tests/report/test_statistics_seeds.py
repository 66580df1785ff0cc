"""Missions of one seed have something in common, which must not look like knowledge."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from expedition.measure.metrics import METRICS
from expedition.report.statistics.analysis import analyse
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.comparisons import compare_cases
from expedition.report.statistics.effects import paired_strata, wins
from expedition.report.statistics.factors import factors_of, with_case
from expedition.report.statistics.resampling import clustered, resampled_by_block, resampled_means
from expedition.report.statistics.significance import by_block, signed_rank
from expedition.report.statistics.spans import turn_of
from expedition.report.statistics.success import compare_successes
from expedition.report.statistics.trends import trend_of
from expedition.report.words import findings
from tests.report.results import VARIED, made_up

TIME = METRICS["time_s"]
SIZES = (2, 4, 6, 8, 10, 12)


def missions(number: int, seeds: int, shared: float, sizes: tuple[int, ...] = SIZES) -> pl.DataFrame:
    """Two cases without a difference in the mean; that of a seed is the same at all sizes, with the spread `shared`."""
    random = np.random.default_rng(number)
    rows = []
    for seed in range(1, seeds + 1):
        own = shared * random.normal()
        for robots in sizes:
            for strategy in ("a", "b"):
                value = 1000 / robots * math.exp(own * (strategy == "b") + 0.1 * random.normal())
                rows.append(
                    {"seed": seed, "robots": robots, "strategy": strategy, "succeeded": True, "time_s": value}
                )  # fmt: skip
    return pl.DataFrame(rows)


def compared(results: pl.DataFrame, varied: tuple[str, ...] = ("robots", "strategy")) -> list[Comparison]:
    factors = factors_of(results, varied)
    return compare_cases(with_case(results, factors), factors, TIME)


def overall(results: pl.DataFrame) -> Comparison:
    (one,) = (one for one in compared(results) if one.kind == "all")
    return one


@pytest.mark.parametrize(("seeds", "sizes"), [(10, SIZES), (8, (2, 4, 8)), (12, (4, 8))])
def test_what_seeds_have_in_common_is_hardly_ever_taken_for_a_difference(seeds: int, sizes: tuple[int, ...]) -> None:
    found = sum(overall(missions(number, seeds, 0.2, sizes)).found for number in range(300))
    assert found <= 27  # 15 expected; of pairs taken as independent, about 100


def test_intervals_of_missions_with_something_in_common_cover_as_often_as_they_say() -> None:
    intervals = [overall(missions(number, 10, 0.2)).interval for number in range(100)]
    covered = sum(interval is not None and not interval.excludes(0.0) for interval in intervals)
    assert 89 <= covered <= 99


def test_a_difference_that_all_seeds_show_is_found_by_eight_of_them() -> None:
    results = missions(1, 8, 0.05).with_columns(
        time_s=pl.when(pl.col("strategy") == "b").then(pl.col("time_s") * 0.7).otherwise(pl.col("time_s"))
    )
    one = overall(results)
    assert one.found
    assert (one.count, one.blocks) == (48, 8)
    assert one.p is not None
    assert one.p < 0.001
    assert "48 pairs of 8 seeds" in findings(analyse(results, ["robots", "strategy"], [TIME]), "time_s")[0]


def test_few_seeds_are_taken_as_independent_pairs() -> None:
    assert not clustered(np.repeat(np.arange(7), 6))
    assert clustered(np.repeat(np.arange(8), 6))
    assert not clustered(np.arange(50))  # a pair each: nothing to draw together
    assert overall(missions(0, 7, 0.2)).blocks == 0


def test_blocks_of_one_pair_are_resampled_as_pairs_are() -> None:
    values = np.random.default_rng(3).normal(size=30)
    assert resampled_by_block([values], [np.arange(30)])[0].std() == pytest.approx(
        resampled_means([values])[0].std(), rel=0.02
    )


def test_more_blocks_than_are_drawn_one_by_one_have_the_spread_of_their_mean() -> None:
    random = np.random.default_rng(3)
    shared = random.normal(size=500)
    values = np.repeat(shared, 3)
    drawn = resampled_by_block([values], [np.repeat(np.arange(500), 3)])[0]
    assert drawn.std() == pytest.approx(shared.std() / math.sqrt(500), rel=0.15)


def test_equal_values_of_blocks_have_no_spread() -> None:
    strata = paired_strata([np.full(8, 0.1)] * 2, [np.arange(8)] * 2)
    difference, interval = strata.average()
    assert interval is not None
    assert (difference, interval.low, interval.high) == (0.1, 0.1, 0.1)


def test_pairs_that_are_copies_of_each_other_say_no_more_than_one_of_them() -> None:
    differences = np.random.default_rng(5).normal(0.6, 1.0, 10)
    once = signed_rank(differences)
    blocks = np.repeat(np.arange(10), 6)
    assert signed_rank(np.repeat(differences, 6)) < 0.001 < once
    assert signed_rank(np.repeat(differences, 6), blocks) == pytest.approx(once, rel=0.5)
    assert signed_rank(differences, np.arange(10)) == once
    _, alone = wins(np.sign(differences))
    _, copied = wins(np.sign(np.repeat(differences, 6)), blocks=blocks)
    assert alone is not None
    assert copied is not None
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high), abs=0.05)


def test_blocks_that_agree_without_any_spread_are_certain_and_those_at_zero_say_nothing() -> None:
    blocks = np.repeat(np.arange(8), 2)
    assert by_block(np.ones(16), blocks) == 0.0
    assert by_block(np.tile([1.0, -1.0], 8), blocks) == 1.0


def test_a_difference_that_changes_along_sizes_is_seen_through_what_seeds_share() -> None:
    random = np.random.default_rng(9)
    shared = random.normal(0, 1.0, 10)
    groups = [shared + random.normal(0.0 if size < 3 else 0.3, 0.1, 10) for size in range(6)]
    by_seed = turn_of(paired_strata(groups, [np.arange(10)] * 6))
    by_pair = turn_of(paired_strata(groups))
    assert by_seed is not None
    assert by_pair is not None
    assert (by_seed.place, by_seed.p < 0.01) == (3, True)
    assert by_pair.p > 0.05


def test_trends_that_differ_from_seed_to_seed_are_hardly_ever_taken_for_one_of_all() -> None:
    random = np.random.default_rng(4)
    x, blocks = np.tile(np.arange(1.0, 7.0), 10), np.repeat(np.arange(10), 6)
    found, naive = 0, 0
    for _ in range(100):
        y = np.repeat(random.normal(0, 0.2, 10), 6) * x + 0.1 * random.normal(size=60)
        found += trend_of(x, y, blocks)[-1] < 0.05
        naive += trend_of(x, y)[-1] < 0.05
    assert found <= 10
    assert naive > found


def test_a_trend_says_how_many_seeds_it_is_from() -> None:
    results = missions(0, 9, 0.0).filter(pl.col("strategy") == "a")
    (sentence,) = (one for one in findings(analyse(results, ["robots"], [TIME]), "time_s") if "Spearman" in one)
    assert "54 missions of 9 seeds" in sentence


def test_failures_of_one_seed_at_all_sizes_are_no_proof() -> None:
    results = made_up(lambda *_: 1.0, robots=range(1, 11), seeds=range(1, 11)).with_columns(
        succeeded=(pl.col("seed") != 3) | (pl.col("strategy") != "coordinated")
    )
    factors = factors_of(results, VARIED)
    (one,) = compare_successes(with_case(results, factors), factors)
    assert (one.first_successes, one.second_successes) == (100, 90)
    assert one.p > 0.3  # of ten pairs, McNemar's alone would be 0.002


def test_seeds_of_terrains_make_pairs_and_neither_axes_nor_cases() -> None:
    results = pl.concat(
        [
            missions(number, 3, 0.0, (4,)).with_columns(pl.lit(number).alias("terrain.seed"))
            for number in range(5)
        ]
    )  # fmt: skip
    factors = factors_of(results, ["terrain.seed", "strategy"])
    assert (factors.x, factors.cases, factors.covariates) == (None, ("strategy",), ())
    assert factors.others == ("terrain.seed",)
    assert factors.blocks == ["seed", "terrain.seed"]
    (one,) = compare_cases(with_case(results, factors), factors, TIME)
    assert (one.paired, one.count) == (True, 15)


def test_many_seeds_of_terrains_are_no_covariate() -> None:
    results = pl.concat(
        [
            missions(number, 1, 0.0).with_columns(pl.lit(number).alias("terrain.seed"))
            for number in range(10)
        ]
    )  # fmt: skip
    analysis = analyse(results, ["terrain.seed", "robots", "strategy"], [TIME])
    assert analysis.factors.covariates == ()
    assert analysis.correlations == ()
    assert analysis.best[0].seeds == 10
    assert next(one for one in analysis.comparisons if one.kind == "all").blocks == 10


def test_seeds_of_terrains_repeat_the_vectors_of_a_sample() -> None:
    random = np.random.default_rng(2)
    vectors = pl.DataFrame(
        {"reach": random.uniform(2, 10, 20), "speed": random.uniform(0, 1, 20), "time_s": random.lognormal(0, 1, 20)}
    ).with_columns(succeeded=pl.lit(True), seed=pl.lit(1))
    results = pl.concat([vectors.with_columns(pl.lit(number).alias("terrain.seed")) for number in range(3)])
    analysis = analyse(results, ["reach", "speed", "terrain.seed"], [TIME])
    assert {one.missions for one in analysis.correlations} == {20}
