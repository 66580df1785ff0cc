"""Two stores of real missions side by side."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from expedition.bench.store import Store
from expedition.bench.work import carry_out
from expedition.cli import app
from expedition.design import load_design
from expedition.errors import ExpeditionError
from expedition.report.compare import as_data, compare_stores, sentences

DESIGN = """
name: {name}
parameters: {{terrain: cross, robots: [1, 2], strategy: {strategy}, localiser: perfect}}
iterations: 3
seed: 1
stop: {{explored: 0.2, time: 60}}
metrics: [time_s, cost_m]
"""


def run(folder: Path, name: str = "tiny", strategy: str = "nearest-frontier") -> Path:
    """A store with all missions of a tiny design."""
    path = folder.with_suffix(".yaml")
    path.write_text(DESIGN.format(name=name, strategy=strategy), encoding="utf-8")
    design = load_design(str(path))
    missions = design.missions()
    Store(folder).save_design(design, missions)
    for one in missions:
        carry_out(str(folder), one)
    return folder


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same design run twice, and another that differs in the strategy."""
    place = tmp_path_factory.mktemp("stores")
    return {
        "before": run(place / "before"),
        "again": run(place / "again"),
        "coordinated": run(place / "coordinated", "other", "coordinated"),
    }


@pytest.fixture
def changed(stores: dict[str, Path], tmp_path: Path) -> Path:
    """The first store after a change: one mission took longer, one is missing."""
    copy = tmp_path / "after"
    shutil.copytree(stores["before"], copy)
    keys = [one.key for one in Store(copy).design("tiny").missions]
    folder = copy / "missions" / keys[0]
    series = pl.read_parquet(folder / "series.parquet")
    series.with_columns(pl.col("travelled_m") + 1.0).write_parquet(folder / "series.parquet")
    result = json.loads((folder / "result.json").read_text())
    result["metrics"]["time_s"] *= 2
    (folder / "result.json").write_text(json.dumps(result))
    shutil.rmtree(copy / "missions" / keys[1])
    return copy


def test_a_design_run_twice_is_the_same_to_the_byte(stores: dict[str, Path]) -> None:
    found = compare_stores(stores["before"], stores["again"])
    assert len(found.identical) == 6
    assert (found.differing, found.only_first, found.only_second, found.overall) == ((), (), (), ())
    assert sentences(found) == []


def test_what_changed_and_what_is_missing_is_named(stores: dict[str, Path], changed: Path) -> None:
    found = compare_stores(stores["before"], changed)
    keys = [one.key for one in found.first.record.missions]
    assert found.differing == (keys[0],)
    assert found.only_first == (keys[1],)
    assert len(found.identical) == 4
    assert found.pairs == 5
    time, cost = found.overall
    assert time.count == 5
    assert time.change == pytest.approx(2 ** (1 / 5) - 1)
    assert cost.change == 0.0
    assert any(said.startswith("before and after have the same cost") for said in sentences(found))


def test_designs_that_differ_in_a_parameter_are_paired_by_the_others(stores: dict[str, Path]) -> None:
    found = compare_stores(stores["before"], stores["coordinated"])
    assert found.unlike == ("strategy",)
    assert set(found.matched_by) == {"terrain", "robots", "localiser"}
    assert found.pairs == 6
    assert found.identical == ()
    assert [one.metric for one in found.overall] == ["time_s", "cost_m"]
    assert all(one.paired and one.count == 6 and one.family == 2 for one in found.overall)


def test_a_metric_can_be_asked_for(stores: dict[str, Path]) -> None:
    found = compare_stores(stores["before"], stores["coordinated"], metrics=["overlap"])
    assert [one.metric for one in found.overall] == ["overlap"]
    with pytest.raises(ExpeditionError, match="did you mean 'overlap'"):
        compare_stores(stores["before"], stores["coordinated"], metrics=["overlapp"])


def test_a_store_without_a_design_of_that_name_says_which_it_has(stores: dict[str, Path]) -> None:
    with pytest.raises(ExpeditionError, match=r"unknown design 'tiny'.*other"):
        compare_stores(stores["before"], stores["coordinated"], ["tiny"])


def test_the_comparison_is_json_data(stores: dict[str, Path], changed: Path) -> None:
    data = json.loads(json.dumps(as_data(compare_stores(stores["before"], changed)), allow_nan=False))
    assert data["metrics"][0]["metric"] == "time_s"
    assert len(data["identical"]) == 4


def test_the_command_shows_counts_missions_that_differ_a_table_and_words(
    stores: dict[str, Path], changed: Path
) -> None:
    shown = CliRunner().invoke(app, ["compare", str(stores["before"]), str(changed)])
    assert shown.exit_code == 0
    assert "the same to the byte" in shown.output
    assert "robots=1, seed=1" in shown.output
    assert "no difference in time was found between before and after" in shown.output
    as_json = CliRunner().invoke(app, ["compare", str(stores["before"]), str(changed), "--json"])
    assert json.loads(as_json.output)["pairs"] == 5


def test_stores_with_one_name_are_told_apart_by_their_paths(stores: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "before"
    shutil.copytree(stores["before"], copy)
    found = compare_stores(stores["before"], copy)
    assert (found.first.name, found.second.name) == (str(stores["before"]), str(copy))
