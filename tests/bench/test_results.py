"""What a design came to, as one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from expedition.bench.results import load_results
from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from expedition.measure.metrics import METRICS
from expedition.mission import Result
from tests.bench.many import make_store, plan, planned, tiny_design, tiny_result


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A finished design of 100 missions."""
    return make_store(tmp_path_factory.mktemp("many"), 100)


@pytest.fixture(scope="module")
def result() -> Result:
    return tiny_result()


def test_there_is_a_row_for_each_mission_in_the_order_of_the_design(store: Store) -> None:
    results = load_results(store, "many")
    missions = plan(100)
    assert results["key"].to_list() == [one.key for one in missions]
    assert results["robots"].to_list() == [one.vector["robots"] for one in missions]
    assert results["seed"].to_list() == [one.seed for one in missions]
    assert results["iteration"].to_list() == [one.iteration for one in missions]


def test_columns_are_parameters_ending_and_metrics_with_those_of_the_design_first(store: Store) -> None:
    columns = load_results(store, "many").columns
    first = ["key", "iteration", "seed", "terrain", "strategy", "robots", "merge", "ending", "succeeded"]
    assert columns[: len(first)] == first
    assert columns[len(first) : len(first) + 4] == ["time_s", "cost_m", "efficiency_m2_per_m", "map_quality"]
    assert set(METRICS) <= set(columns)


def test_what_was_never_reached_is_null_and_what_was_measured_is_there(store: Store) -> None:
    results = load_results(store, "many")
    assert results["time_s"].null_count() == (~results["succeeded"]).sum() > 0
    assert results["cpu_share"].null_count() == results["ram_mb"].null_count() == 0
    assert (results["ram_mb"] > 0.0).all()


def test_missions_that_are_not_finished_have_no_row(tmp_path: Path, result: Result) -> None:
    store = Store(tmp_path)
    missions = plan(3)
    store.save_design(tiny_design(), missions)
    store.write(missions[1], result)
    assert load_results(store, "many")["key"].to_list() == [missions[1].key]


def test_a_design_without_a_finished_mission_gives_an_empty_table(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save_design(tiny_design(), plan(2))
    results = load_results(store, "many")
    assert len(results) == 0
    assert results.schema["time_s"] == pl.Float64


def test_metrics_that_do_not_apply_are_null_and_cost_no_look_at_the_series(tmp_path: Path, result: Result) -> None:
    store, (one, *_) = Store(tmp_path), plan(1)
    store.save_design(tiny_design(), [one])
    names = [name for name, metric in METRICS.items() if not metric.applies(result.measurements.facts)]
    assert "base_completeness" in names
    kept = {name: value for name, value in result.metrics.items() if name not in names}
    store.write(one, replace(result, metrics=kept))
    (store.missions / one.key / "series.parquet").unlink()
    assert load_results(store, "many").select(names).null_count().row(0) == (1,) * len(names)


def test_a_metric_that_came_later_is_computed_from_what_was_measured(tmp_path: Path, result: Result) -> None:
    (tmp_path / "mine.py").write_text("def driven(measurements):\n    return measurements.travelled[-1].sum()\n")
    store = Store(tmp_path / "store")
    one, mine = planned({"robots": 2}), f"{tmp_path}/mine.py:driven"
    design: Any = SimpleNamespace(**{**vars(tiny_design()), "varied": ("robots",), "metrics": (mine, "cost_m")})
    store.save_design(design, [one])
    store.write(one, result)
    results = load_results(store, "many")
    assert results[mine].to_list() == pytest.approx(results["cost_m"].to_list())


def test_a_metric_that_fails_or_is_gone_is_empty_and_told_of(
    tmp_path: Path, result: Result, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("def wrong(measurements):\n    return 1 / 0\n")
    store = Store(tmp_path / "store")
    missions, wrong, gone = plan(2), f"{tmp_path}/mine.py:wrong", f"{tmp_path}/moved.py:mine"
    design: Any = SimpleNamespace(**{**vars(tiny_design()), "metrics": (wrong, gone, "cost_m")})
    store.save_design(design, missions)
    for one in missions:
        store.write(one, result)
    said: list[str] = []
    results = load_results(store, "many", said.append)
    assert results[wrong].null_count() == results[gone].null_count() == 2
    assert results["cost_m"].null_count() == 0
    assert said == [
        f"metric {gone} cannot be found, its column is empty: {tmp_path}/moved.py: no such file",
        f"metric {wrong} fails in mission {missions[0].key[:8]}: ZeroDivisionError: division by zero and 1 more; "
        "it is empty there",
    ]
    load_results(store, "many")
    assert capsys.readouterr().err.splitlines() == said


@pytest.mark.parametrize(
    ("values", "column"),
    [
        ([1, 2], pl.Series([1, 2], dtype=pl.Int64)),
        ([1, 2.5, None], pl.Series([1.0, 2.5, None], dtype=pl.Float64)),
        ([True, False], pl.Series([True, False], dtype=pl.Boolean)),
        (["a", None], pl.Series(["a", None], dtype=pl.String)),
        (["all", 3, [1, 2]], pl.Series(["all", "3", "[1, 2]"], dtype=pl.String)),
        ([None, None], pl.Series([None, None], dtype=pl.Boolean)),
    ],
)
def test_parameters_have_the_narrowest_type_that_holds_them(
    tmp_path: Path, result: Result, values: list[Any], column: pl.Series
) -> None:
    store = Store(tmp_path)
    missions = [planned({"robots": 2, "mixed": value}, number) for number, value in enumerate(values)]
    store.save_design(tiny_design(), missions)
    for one in missions:
        store.write(one, result)
    assert load_results(store, "many")["mixed"].equals(column.rename("mixed"))


def test_a_damaged_result_is_said_to_be_one(tmp_path: Path, result: Result) -> None:
    store = Store(tmp_path)
    (one,) = plan(1)
    store.save_design(tiny_design(), [one])
    store.write(one, result)
    (store.missions / one.key / "result.json").write_text("{")
    with pytest.raises(ExpeditionError, match=r"result.json: damaged"):
        load_results(store, "many")
