"""What the statistics say in words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from expedition.measure.metrics import METRICS
from expedition.report.page.headlines import headlines
from expedition.report.statistics.analysis import Analysis, analyse
from expedition.report.statistics.best_size import BestSize
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.intervals import Interval
from expedition.report.statistics.success import SuccessComparison
from expedition.report.statistics.trends import Trend
from expedition.report.statistics.written import probability, sizes_in_words
from expedition.report.tables.statistics import statistics_tables
from expedition.report.words import (
    best_sentence,
    change_in_words,
    comparison_sentence,
    findings,
    in_panel,
    success_sentence,
    trend_sentence,
)
from tests.report.results import VARIED, made_up

TIME, COST, WALLS = METRICS["time_s"], METRICS["cost_m"], METRICS["collisions_with_walls"]


def found(ratio: float, least: float, most: float, /, **changes: Any) -> Comparison:
    """Coordinated's time by nearest frontier's, and its interval."""
    one = Comparison(
        "time_s", "case", "maze", "nearest-frontier", "coordinated", 1, 30, "all", True, True, 30,
        difference=math.log(ratio), interval=Interval(math.log(least), math.log(most)), p=0.0004, p_holm=0.002,
    )  # fmt: skip
    return replace(one, **changes)


def test_a_difference_names_the_better_case_first_and_how_much_less_it_needs() -> None:
    assert comparison_sentence(found(0.82, 0.73, 0.91), TIME, "robots") == (
        "coordinated is faster than nearest-frontier in the maze by 18 % "
        "(95 % CI 9..27; p = 0.002 after Holm, 30 pairs)."
    )


def test_a_range_of_sizes_stands_at_the_end() -> None:
    sentence = comparison_sentence(found(0.82, 0.73, 0.91, kind="from", low=4), TIME, "robots")
    assert sentence.startswith("coordinated is faster than nearest-frontier in the maze by 18 % (95 % CI 9..27; ")
    assert sentence.endswith(") for fleets of 4 and more.")
    up_to = comparison_sentence(found(0.82, 0.73, 0.91, kind="up to", high=8), TIME, "local.horizon")
    assert up_to.endswith(" for local.horizon of up to 8.")
    assert comparison_sentence(found(0.8, 0.7, 0.9, kind="up to", high=1), TIME, "robots").endswith(" for 1 robot.")


def test_where_the_first_case_wins_the_difference_is_turned_round() -> None:
    sentence = comparison_sentence(found(1.25, 1.10, 1.60), TIME)
    assert (
        "nearest-frontier is faster than coordinated in the maze by 20 % (95 % CI 9..38;" in sentence
    )  # 1 - 1 / 1.1 .. 1 - 1 / 1.6


def test_no_difference_found_is_said_with_the_sign_of_the_second_case() -> None:
    sentence = comparison_sentence(found(0.98, 0.94, 1.03, metric="cost_m", p_holm=0.4), COST)
    assert sentence == (
        "no difference in cost was found between nearest-frontier and coordinated in the maze "
        "(−2 % for coordinated, 95 % CI −6..3; p = 0.40 after Holm, 30 pairs)."
    )


def test_an_interval_and_a_test_that_disagree_make_it_unclear() -> None:
    assert comparison_sentence(found(0.9, 0.82, 0.98, p_holm=0.07), TIME).startswith("it is not clear whether ")


def test_few_pairs_are_said_to_be_few() -> None:
    sentence = comparison_sentence(found(0.9, 0.6, 1.4, count=4, p_holm=0.25), TIME)
    assert "only 4 pairs: too few to find any" in sentence


def test_one_pair_claims_nothing() -> None:
    sentence = comparison_sentence(found(0.9, 0.6, 1.4, count=1, interval=None, p_holm=1.0), TIME)
    assert sentence.endswith("in 1 pair, which says nothing of chance.")
    assert "faster" not in sentence


def test_equal_missions_are_said_to_be_the_same() -> None:
    sentence = comparison_sentence(found(1.0, 1.0, 1.0, p_holm=1.0), TIME)
    assert sentence == "nearest-frontier and coordinated have the same time in the maze in all 30 pairs."


def test_missions_that_failed_are_told_beside_the_difference() -> None:
    sentence = comparison_sentence(found(0.82, 0.73, 0.91, lost_first=3, lost_second=1), TIME)
    assert sentence.endswith(
        "; nearest-frontier failed in 3 pairs in which the other succeeded and "
        "coordinated failed in 1 pair in which the other succeeded."
    )


def test_without_a_common_success_nothing_is_compared() -> None:
    sentence = comparison_sentence(found(1, 1, 1, difference=None, interval=None, count=0, lost_second=20), TIME)
    assert sentence.startswith("time cannot be compared between nearest-frontier and coordinated in the maze: ")
    assert "coordinated failed in 20 pairs" in sentence


def test_plain_differences_have_the_metrics_unit() -> None:
    one = found(1, 1, 1, metric="collisions_with_walls", relative=False, difference=-2.5, interval=Interval(-4, -1.25))
    assert comparison_sentence(one, WALLS).startswith(
        "coordinated has lower collisions with walls than nearest-frontier in the maze by 2.5 (95 % CI 1.25..4;"
    )


def test_a_metric_to_be_high_is_won_by_the_higher() -> None:
    quality = METRICS["map_quality"]
    sentence = comparison_sentence(found(1.1, 1.05, 1.15, metric="map_quality"), quality)
    assert sentence.startswith("coordinated has higher map quality than nearest-frontier in the maze by 10 %")


def test_small_changes_get_the_digits_they_need() -> None:
    assert "by 0.4 % (95 % CI 0.1..0.6;" in comparison_sentence(found(0.9964, 0.9936, 0.9994), TIME)
    assert "by 0.04 % (95 % CI 0.01..0.06;" in comparison_sentence(found(0.99964, 0.99936, 0.99994), TIME)


def test_a_table_shows_change_interval_and_p() -> None:
    assert change_in_words(found(0.82, 0.73, 0.91), TIME) == ("−18 %", "−27..−9", "0.002")


def test_success_names_the_case_that_succeeds_more_often() -> None:
    one = SuccessComparison("maze", "a", "b", True, 21, 30, 30, 30, 0.004, 0.004)
    assert success_sentence(one) == (
        "b succeeds more often than a in the maze (30 of 30 against 21 of 30 missions; p = 0.004 after Holm)."
    )
    assert success_sentence(replace(one, p_holm=0.3)).startswith("no difference in success was found between b and a")


BEST = BestSize(
    "time_s", "maze", "coordinated", 11, 152.04, Interval(140, 164), 30, tuple(map(float, range(1, 21))), (0.05,) * 20,
    (9.0, 10.0, 11.0, 12.0, 13.0, 14.0), tuple(map(float, range(8, 21))), (),
)  # fmt: skip


def test_the_best_fleet_is_told_with_its_set_and_all_sizes_not_told_apart() -> None:
    assert best_sentence(BEST, TIME) == (
        "by time, the best fleet of coordinated for the maze has 11 robots (95 % set 9..14): 152.0 s; "
        "not told apart from it: 8..10, 12..20."
    )


def test_the_best_fleet_of_one_seed_is_told_without_certainty() -> None:
    assert best_sentence(replace(BEST, likely=(), not_told_apart=()), TIME).endswith(
        ": 152.0 s; with one seed, nothing is known of chance."
    )


def test_where_no_size_is_told_apart_none_is_best() -> None:
    assert "no best fleet of coordinated for the maze was found" in best_sentence(
        replace(BEST, not_told_apart=BEST.sizes, likely=BEST.sizes[:12]), TIME
    )


def test_a_small_set_of_likely_sizes_is_a_best_fleet_even_if_no_test_tells_any_apart() -> None:
    sentence = best_sentence(replace(BEST, not_told_apart=BEST.sizes), TIME)
    assert "has 11 robots (95 % set 9..14): 152.0 s; not told apart from it: 1..10, 12..20." in sentence


def test_sizes_left_out_and_the_end_of_the_axis_are_mentioned() -> None:
    assert "; left out because missions fail there: 21, 22." in best_sentence(
        replace(BEST, left_out=(21.0, 22.0)), TIME
    )
    assert "20 robots, the largest tried (" in best_sentence(replace(BEST, best=20.0), TIME)
    assert "1 robot, the smallest tried (" in best_sentence(replace(BEST, best=1.0), TIME)


TREND = Trend(
    "time_s", "robots", "maze", "coordinated", 60, -0.9, Interval(-0.95, -0.8), -3.0, Interval(-4, -2), 0, "all", 0
)


def test_a_trend_says_which_way_and_how_steep() -> None:
    assert trend_sentence(TREND, TIME) == (
        "time falls with the fleet in the maze with coordinated "
        "(Spearman −0.90, 95 % CI −0.95..−0.80; p < 0.001 after Holm, 60 missions; −3 s for each more)."
    )


def test_a_trend_ends_at_the_best_size() -> None:
    below, above = replace(TREND, part="below", turn=11.0), replace(TREND, part="above", correlation=0.6, turn=11.0)
    sentence = trend_sentence(TREND, TIME, [below, above])
    assert sentence.startswith("time falls with the fleet in the maze until about 11 with coordinated (")
    assert " and rises after (" in sentence


def test_a_trend_that_does_not_turn_is_told_as_a_whole() -> None:
    below = replace(TREND, part="below", turn=11.0)
    for above in (replace(below, part="above"), replace(below, part="above", correlation=0.6, p_holm=0.3)):
        assert trend_sentence(TREND, TIME, [below, above]) == trend_sentence(TREND, TIME)


def test_no_trend_and_no_change_are_told_apart() -> None:
    assert trend_sentence(replace(TREND, p_holm=0.5), TIME).startswith("no trend of time with the fleet was found")
    flat = replace(TREND, p_holm=1.0, correlation=0.0, interval=None, slope=0.0, slope_interval=None)
    assert trend_sentence(flat, TIME).startswith("time is the same whatever the fleet")


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        ("maze", " in the maze"),
        ("perfect-maze", " in the perfect-maze"),
        ("cave(size=3)", " in cave(size=3)"),
        (None, ""),
    ],
)
def test_a_terrain_gets_an_article_if_its_name_is_a_word(panel: str | None, words: str) -> None:
    assert in_panel(panel) == words


def test_sizes_that_follow_each_other_are_drawn_together() -> None:
    assert sizes_in_words([16, 2, 4, 8, 30], [1, 2, 4, 8, 12, 16, 30]) == "2..8, 16, 30"


def test_p_values_show_on_which_side_of_a_twentieth_they_are() -> None:
    assert [probability(p) for p in (0.0004, 0.0021, 0.0496, 0.0504, 0.23, 1.0, None)] == [
        "p < 0.001", "p = 0.002", "p = 0.0496", "p = 0.0504", "p = 0.23", "p = 1.00", "not tested",
    ]  # fmt: skip


def faster_with_large_fleets(robots: Iterable[int] = range(1, 11), first: int = 4) -> Analysis:
    """Coordinated needs 30 % less with `first` robots or more."""
    results = made_up(
        lambda terrain, robots, strategy, random: (
            1000 / robots * (0.7 if strategy == "coordinated" and robots >= first else 1)
            * math.exp(random.normal(0, 0.05))
        ),
        robots=tuple(robots),
    )  # fmt: skip
    return analyse(results, VARIED, [TIME])


def test_headlines_tell_for_which_fleets_a_difference_was_found() -> None:
    said = headlines(faster_with_large_fleets(), [TIME])
    assert said[0] == "All of the 100 missions succeeded."
    assert said[1].startswith("Coordinated is faster than nearest-frontier by ")
    assert said[2].startswith("Coordinated is faster than nearest-frontier by 30 % ")
    assert said[2].endswith(" for fleets of 4 and more.")
    assert not any("no difference" in sentence for sentence in said)


def test_two_sizes_at_which_a_difference_is_not_the_same_are_told_apart() -> None:
    said = headlines(faster_with_large_fleets((4, 8), first=8), [TIME])
    assert any("faster" in sentence and sentence.endswith(" for 8 robots.") for sentence in said)


def test_headlines_tell_which_case_succeeds_more_often() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: None if strategy == "coordinated" and robots > 2 else 5.0
    )
    said = headlines(analyse(results, VARIED, [TIME]), [TIME])
    assert said[:2] == [
        "30 of 40 missions succeeded.",
        "Nearest-frontier succeeds more often than coordinated (20 of 20 against 10 of 20 missions; "
        "p = 0.002 after Holm).",
    ]


def test_what_a_machine_needed_has_comparisons_but_neither_best_fleets_nor_trends() -> None:
    results = faster_with_large_fleets().results.drop("case").with_columns(cpu_share=pl.col("time_s") / 1e4)
    analysis = analyse(results, VARIED, [METRICS["cpu_share"]])
    assert analysis.comparisons
    assert (analysis.best, analysis.trends, analysis.correlations) == ((), (), ())
    assert not any("best" in sentence or "Spearman" in sentence for sentence in findings(analysis, "cpu_share"))


def test_a_label_is_a_noun_that_a_sentence_can_end_with() -> None:
    assert METRICS["sent_kb_per_s"].label == "traffic sent by a robot"
    assert METRICS["cpu_share"].label == "processor use"


def test_sentence_and_table_of_a_trend_have_the_same_numbers() -> None:
    for bottom in (6, 40):  # turns inside the axis, falls all along it
        results = made_up(
            lambda terrain, robots, strategy, random, bottom=bottom: (
                (bottom**2 / robots + robots) * math.exp(random.normal(0, 0.02))
            ),
            robots=range(1, 16), strategies=("coordinated",),
        )  # fmt: skip
        analysis = analyse(results, VARIED, [TIME])
        (table,) = (one for one in statistics_tables(analysis, {"time_s": TIME}) if one.name == "trends")
        (sentence,) = (one for one in findings(analysis, "time_s") if "Spearman" in one)
        rows = table.shown.rows
        assert [row[4] for row in rows] == (["all"] if bottom == 40 else ["all", "below 6", "above 6"])
        assert all(f"Spearman {row[5]}, " in sentence for row in rows[-2:] if len(rows) == 1 or row[4] != "all")


def test_findings_tell_an_advantage_of_large_fleets_where_it_is() -> None:
    results = made_up(
        lambda terrain, robots, strategy, random: (
            1000 / robots * (0.7 if strategy == "coordinated" and robots >= 4 else 1) * math.exp(random.normal(0, 0.05))
        ),
        robots=range(1, 11),
    )
    said = findings(analyse(results, VARIED, [TIME]), "time_s")
    assert said[0].startswith("coordinated is faster than nearest-frontier by ")
    assert said[1].startswith(
        "no difference in time was found between nearest-frontier and coordinated for fleets of up to 3 "
    )
    assert said[2].startswith("coordinated is faster than nearest-frontier by ")
    assert said[2].endswith(" for fleets of 4 and more.")
