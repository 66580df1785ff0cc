"""Which part each parameter plays."""

from __future__ import annotations

import numpy as np
import polars as pl

from expedition.report.statistics.factors import (
    ALL_MISSIONS,
    case_names,
    factors_of,
    panels_and_cases,
    short_name,
    values_of,
    with_case,
)
from tests.report.results import VARIED, made_up

RESULTS = made_up(lambda terrain, robots, strategy, random: 1.0, terrains=("zigzag", "maze"))


def test_robots_are_the_axis_terrains_the_panels_and_the_rest_cases() -> None:
    factors = factors_of(RESULTS, VARIED)
    assert (factors.x, factors.panels, factors.cases, factors.covariates) == ("robots", "terrain", ("strategy",), ())
    assert factors.cell == ["terrain", "case", "robots"]


def test_cases_keep_the_order_of_the_design_whatever_their_names() -> None:
    with_cases = with_case(RESULTS, factors_of(RESULTS, VARIED))
    assert case_names(with_cases) == ["nearest-frontier", "coordinated"]
    assert case_names(with_cases.filter(pl.col("strategy") == "coordinated")) == ["coordinated"]


def test_several_parameters_make_a_case_together() -> None:
    results = pl.concat([RESULTS.with_columns(merge=pl.lit(merge)) for merge in ("greedy", "probabilistic")])
    factors = factors_of(results, [*VARIED, "merge"])
    assert factors.cases == ("strategy", "merge")
    assert case_names(with_case(results, factors))[0] == "nearest-frontier, greedy"


def test_numbers_and_truth_values_stand_with_their_names_in_a_case() -> None:
    results = pl.concat(
        [
            RESULTS.with_columns(horizon=pl.lit(horizon), shared=pl.lit(shared))
            for horizon in (0.5, 1.5)
            for shared in (True, False)
        ]
    )
    names = case_names(with_case(results, factors_of(results, ["horizon", "shared"])))
    assert names[0] == "horizon=0.5, shared=true"


def test_labels_that_two_parameters_share_say_whose_they_are() -> None:
    results = pl.DataFrame({"radio": ["none", "circle"], "merge": ["none", "greedy"], "seed": [1, 1]})
    names = case_names(with_case(results, factors_of(results, ["radio", "merge"])))
    assert names == ["radio=none, merge=none", "circle, greedy"]


def test_without_anything_varied_there_is_one_case() -> None:
    one = RESULTS.filter(pl.col("strategy") == "coordinated")
    factors = factors_of(one, VARIED)
    assert factors.cases == ()
    assert case_names(with_case(one, factors)) == [ALL_MISSIONS]


def test_a_number_with_a_few_values_is_the_axis_where_robots_do_not_vary() -> None:
    results = pl.concat([RESULTS.with_columns(pl.lit(4).alias("robots"), reach=pl.lit(r)) for r in (2.0, 4.0, 8.0)])
    assert factors_of(results, [*VARIED, "reach"]).x == "reach"
    two = results.filter(pl.col("reach") < 5)
    assert factors_of(two, [*VARIED, "reach"]).cases == ("strategy", "reach")


def test_parameters_of_a_latin_hypercube_are_covariates() -> None:
    random = np.random.default_rng(1)
    results = pl.DataFrame(
        {
            "robots": random.integers(1, 31, 60), "reach": random.uniform(2, 10, 60), "speed": random.uniform(0, 1, 60),
            "strategy": ["a", "b"] * 30, "seed": [1] * 60,
        }
    )  # fmt: skip
    factors = factors_of(results, ["robots", "reach", "speed", "strategy"])
    assert factors.covariates == ("robots", "reach", "speed")
    assert factors.cases == ("strategy",)
    assert factors.x == "robots"
    assert factors.axis is None


def test_sizes_of_all_combinations_are_no_covariates_however_many() -> None:
    results = made_up(lambda *_: 1.0, robots=range(1, 31))
    assert factors_of(results, VARIED).covariates == ()


def test_numbers_come_in_order_and_names_in_that_of_the_design() -> None:
    assert values_of(RESULTS.reverse(), "robots") == [1, 2, 4, 8]
    assert values_of(RESULTS, "terrain") == ["zigzag", "maze"]
    assert values_of(RESULTS, None) == [None]


def test_panels_and_cases_hold_each_mission_once() -> None:
    factors = factors_of(RESULTS, VARIED)
    parts = list(panels_and_cases(with_case(RESULTS, factors), factors))
    assert [(panel, case) for panel, case, _ in parts][:2] == [
        ("zigzag", "nearest-frontier"),
        ("zigzag", "coordinated"),
    ]
    assert sum(len(missions) for _, _, missions in parts) == len(RESULTS)


def test_a_path_is_called_by_its_file() -> None:
    assert short_name("/home/me/maps/attic.yaml") == "attic"
    assert short_name("maze") == "maze"
    assert short_name("mine.py:my_strategy") == "mine.py:my_strategy"
