"""Summaries of cells, best sizes and trends, and all of it at once for odd inputs."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

from expedition.measure.metrics import METRICS
from expedition.report.statistics.analysis import analyse
from expedition.report.statistics.best_size import BestSize, best_sizes
from expedition.report.statistics.factors import factors_of, with_case
from expedition.report.statistics.summary import summarise
from expedition.report.statistics.trends import correlations, trend_of, trends
from expedition.report.words import findings, success_findings
from tests.report.results import VARIED, Value, made_up

TIME = METRICS["time_s"]


def best_of(value: Value, robots: tuple[int, ...] = tuple(range(1, 13)), metric: str = "time_s") -> BestSize:
    results = made_up(value, robots=robots, strategies=("coordinated",))
    factors = factors_of(results, VARIED)
    (one,) = best_sizes(with_case(results, factors), factors, METRICS[metric])
    return one


def valley(terrain: str, robots: int, strategy: str, random: np.random.Generator) -> float:
    """Least at six robots."""
    return (36 / robots + robots) * math.exp(random.normal(0, 0.02))


def test_summary_of_a_cell_is_over_successful_missions_and_counts_all() -> None:
    results = made_up(lambda terrain, robots, strategy, random: None if random.random() < 0.4 else 10.0 * robots)
    factors = factors_of(results, VARIED)
    found = summarise(with_case(results, factors), factors, TIME)
    assert found["missions"].to_list() == [5] * 8
    assert found["count"].to_list() == found["successes"].to_list()
    some = found.filter(pl.col("count") > 0)
    assert some["mean"].to_list() == (some["robots"] * 10.0).to_list()
    assert found.filter(pl.col("count") == 0)["mean"].null_count() == (found["count"] == 0).sum()


def test_summary_has_the_mean_median_and_deviation_of_numpy() -> None:
    results = made_up(lambda terrain, robots, strategy, random: random.lognormal(), seeds=range(7))
    factors = factors_of(results, VARIED)
    row = summarise(with_case(results, factors), factors, TIME).row(0, named=True)
    cell = results.filter((pl.col("robots") == row["robots"]) & (pl.col("strategy") == str(row["case"])))
    values = cell["time_s"].to_numpy()
    assert row["mean"] == pytest.approx(values.mean())
    assert row["sd"] == pytest.approx(values.std(ddof=1))
    assert (row["median"], row["median_low"], row["median_high"]) == pytest.approx(
        (np.median(values), values.min(), values.max())
    )


def test_the_best_size_is_found_with_the_sizes_around_it() -> None:
    one = best_of(valley)
    assert one.best in (5, 6, 7)
    assert 6 in one.likely
    assert set(one.likely) <= {4, 5, 6, 7, 8, 9}
    assert sum(one.probabilities) == pytest.approx(1.0)
    assert 1 not in one.not_told_apart
    assert one.best in one.not_told_apart


def test_a_size_far_better_than_all_others_is_the_only_one_likely() -> None:
    one = best_of(lambda terrain, robots, strategy, random: (1.0 if robots == 4 else 9.0) + random.normal(0, 0.01))
    assert (one.best, one.likely, one.not_told_apart) == (4, (4,), (4,))


def test_the_best_size_of_a_metric_to_be_high_is_the_highest() -> None:
    results = made_up(valley, strategies=("coordinated",)).with_columns(map_quality=1 - 1 / pl.col("robots"))
    factors = factors_of(results, VARIED)
    (one,) = best_sizes(with_case(results, factors), factors, METRICS["map_quality"])
    assert one.best == 8


def test_equal_sizes_share_the_chance_of_being_best() -> None:
    one = best_of(lambda *_: 3.0, robots=(1, 2, 4, 8))
    assert one.probabilities == pytest.approx((0.25,) * 4)
    assert one.not_told_apart == (1, 2, 4, 8)


def test_sizes_at_which_most_missions_failed_cannot_be_best() -> None:
    one = best_of(lambda terrain, robots, strategy, random: None if robots >= 8 else 10.0 / robots)
    assert one.left_out == (8, 9, 10, 11, 12)
    assert one.best == 7


def test_a_lucky_mission_of_a_size_that_mostly_fails_does_not_make_it_best() -> None:
    def value(terrain: str, robots: int, strategy: str, random: np.random.Generator) -> float | None:
        return None if robots == 8 and random.random() < 0.8 else 10 / robots

    one = best_of(value, robots=(1, 2, 4, 8))
    assert (one.left_out, one.best) == ((8,), 4)


def test_one_seed_says_nothing_of_chance() -> None:
    results = made_up(valley, strategies=("coordinated",), seeds=(1,))
    factors = factors_of(results, VARIED)
    (one,) = best_sizes(with_case(results, factors), factors, TIME)
    assert (one.probabilities, one.likely, one.not_told_apart, one.interval) == ((), (), (), None)


def test_many_seeds_give_what_few_draws_of_groups_can() -> None:
    results = made_up(valley, robots=(4, 6, 9), strategies=("coordinated",), seeds=range(300))
    factors = factors_of(results, VARIED)
    (one,) = best_sizes(with_case(results, factors), factors, TIME)
    assert (one.best, one.likely) == (6, (6,))


def test_slope_and_correlation_are_those_of_scipy() -> None:
    random = np.random.default_rng(3)
    x = np.repeat(np.arange(1.0, 9.0), 4)
    y = 100 - 4 * x + random.normal(0, 5, len(x))
    correlation, interval, slope, slope_interval, p = trend_of(x, y)
    expected, sen = stats.spearmanr(x, y), stats.theilslopes(y, x, 0.95)
    assert (correlation, p) == pytest.approx((expected.statistic, expected.pvalue))
    assert slope_interval is not None
    assert (slope, slope_interval.low, slope_interval.high) == pytest.approx((sen.slope, sen.low_slope, sen.high_slope))
    assert interval is not None
    assert interval.low < correlation < interval.high < 0


def test_a_perfect_order_of_few_missions_is_not_certain() -> None:
    correlation, interval, _, _, p = trend_of(np.arange(4.0), np.arange(4.0) ** 2)
    assert (correlation, interval) == (pytest.approx(1.0), None)
    assert p == pytest.approx(2 / 24)


def test_correlation_interval_covers_as_often_as_it_says() -> None:
    random = np.random.default_rng(8)
    truth = 6 / math.pi * math.asin(0.5 / 2)  # Spearman's of a normal pair with correlation 0.5
    covered = []
    for _ in range(300):
        x = random.normal(size=60)
        _, interval, _, _, _ = trend_of(x, 0.5 * x + math.sqrt(0.75) * random.normal(size=60))
        covered.append(interval is not None and not interval.excludes(truth))
    assert 0.90 <= np.mean(covered) <= 0.98


def test_many_missions_have_the_slope_of_some_of_them() -> None:
    random = np.random.default_rng(3)
    x = np.repeat(np.arange(1.0, 31.0), 40)
    _, interval, slope, _, _ = trend_of(x, 5 - 2 * x + random.normal(size=len(x)))
    assert slope == pytest.approx(-2, abs=0.02)
    assert interval is not None


def test_a_valley_falls_and_rises_on_either_side_of_the_best_size() -> None:
    results = made_up(valley, robots=range(1, 16), strategies=("coordinated",))
    factors = factors_of(results, VARIED)
    with_cases = with_case(results, factors)
    found = {one.part: one for one in trends(with_cases, factors, TIME, best_sizes(with_cases, factors, TIME))}
    assert found["below"].correlation < -0.9
    assert found["above"].correlation > 0.8
    assert found["below"].found
    assert found["above"].found


def test_covariates_that_matter_are_told_from_those_that_do_not() -> None:
    random = np.random.default_rng(2)
    reach, speed = random.uniform(2, 10, 60), random.uniform(0, 1, 60)
    results = pl.DataFrame(
        {
            "seed": range(60), "reach": reach, "speed": speed, "succeeded": [True] * 60,
            "time_s": 500 / reach + random.normal(0, 5, 60),
        }
    )  # fmt: skip
    factors = factors_of(results, ["reach", "speed"])
    found = {one.parameter: one for one in correlations(with_case(results, factors), factors, TIME)}
    assert found["reach"].found
    assert found["reach"].correlation < -0.9
    assert not found["speed"].found


def test_missions_that_repeat_a_sampled_vector_count_as_one() -> None:
    random = np.random.default_rng(2)
    vectors = pl.DataFrame(
        {"reach": random.uniform(2, 10, 40), "speed": random.uniform(0, 1, 40), "strategy": ["a", "b"] * 20}
    ).with_columns(time_s=pl.Series(random.lognormal(0, 1, 40)), succeeded=pl.lit(True))
    results = pl.concat([vectors.with_columns(seed=pl.lit(seed)) for seed in range(50)])
    varied = ["reach", "speed", "strategy"]
    once, often = (analyse(frame, varied, [TIME]) for frame in (vectors.with_columns(seed=pl.lit(1)), results))
    assert often.correlations[0].missions == 20
    assert [one.p for one in often.correlations] == pytest.approx([one.p for one in once.correlations])
    assert (often.comparisons[0].count, often.comparisons[0].p) == (40, pytest.approx(once.comparisons[0].p))
    assert often.successes[0].first_missions == 20
    assert findings(often, "time_s")[0].endswith(", 40 vectors, unpaired).")


ODD: dict[str, Value] = {
    "all the same": lambda *_: 7.0,
    "all failed": lambda *_: None,
    "one case failed": lambda terrain, robots, strategy, random: None if strategy == "coordinated" else 5.0,
    "zeros": lambda *_: 0.0,
    "some negative": lambda terrain, robots, strategy, random: random.normal(),
    "most failed": lambda terrain, robots, strategy, random: None if random.random() < 0.8 else random.lognormal(),
    "not numbers": lambda *_: math.nan,
    "infinite": lambda terrain, robots, strategy, random: math.inf if robots > 2 else 3.0,
    "huge": lambda terrain, robots, strategy, random: random.lognormal() * 1e100,
}


@pytest.mark.parametrize("seeds", [1, 2, 3, 6])
@pytest.mark.parametrize("odd", ODD)
def test_odd_results_give_sentences_and_tables_without_a_warning(odd: str, seeds: int) -> None:
    results = made_up(ODD[odd], terrains=("maze", "loop"), seeds=range(seeds))
    analysis = analyse(results, VARIED, [TIME, METRICS["cost_m"]])
    said = [*success_findings(analysis), *findings(analysis, "time_s"), *findings(analysis, "cost_m")]
    assert all(sentence.endswith(".") and "nan" not in sentence and "inf" not in sentence for sentence in said)
    assert analysis.tables()["success"]["missions"].sum() == len(results)


def test_no_results_at_all_are_said_to_be_none() -> None:
    empty = made_up(lambda *_: 1.0).clear()
    analysis = analyse(empty, VARIED, [TIME])
    assert success_findings(analysis) == ["no mission has finished."]
    assert findings(analysis, "time_s") == ["no mission has a value of time_s."]


def test_the_same_results_give_the_same_analysis() -> None:
    results = made_up(lambda terrain, robots, strategy, random: random.lognormal())
    one, other = (analyse(results, VARIED, [TIME]) for _ in range(2))
    assert all(one.tables()[name].equals(table) for name, table in other.tables().items())
