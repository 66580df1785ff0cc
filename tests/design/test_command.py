"""`expedition design` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner, Result

from expedition.bench.store import Store
from expedition.cli import app
from expedition.design import build_mission, load_design
from expedition.errors import ExpeditionError
from expedition.mission import run
from expedition.terrain import Terrain, save
from tests.design.writing import write

TEXT = """\
name: mine
description: What of it?
parameters:
  terrain: [maze, cave]
  terrain.size: [50, 75]
  placement: spread
  robots: {from: 1, to: 20}
  strategy: nearest-frontier
exclude: [{robots: 7}]
iterations: 2
"""


def design(*words: str) -> Result:
    return CliRunner().invoke(app, ["design", *words])


def test_list_names_the_shipped_designs_with_what_they_ask() -> None:
    told = design("list").stdout
    for name in ("mresim", "quick", "yan2015", "yan2017"):
        assert name in told
    assert "Greedy against probabilistic" in " ".join(told.split())


def test_check_says_in_one_line_that_all_is_right(tmp_path: Path) -> None:
    told = design("check", str(write(tmp_path, TEXT)))
    assert told.exit_code == 0
    assert told.stdout == f"{tmp_path}/mine.yaml: right; 114 missions: 57 vectors x 2 iterations, 3 terrains\n"


def with_maps(folder: Path) -> Path:
    """A design of two maps, of which one is open at its edge, with and without an option."""
    closed = np.pad(np.zeros((58, 78), dtype=bool), 1, constant_values=True)
    opened = closed.copy()
    opened[5:25, 0] = False
    save(Terrain.from_occupied("closed", closed), folder / "closed.png")
    save(Terrain.from_occupied("hall", opened), folder / "hall.png")
    return write(
        folder,
        "parameters: {terrain: [closed.png, hall.png, 'hall.png:edges=open', maze], robots: 1, placement: spread, "
        "strategy: nearest-frontier, connected: false}\niterations: 2\nstop: {time: 1}\n",
    )


NOTE = "warning: hall.png: closed 20 open cells at the map's edge: lidars see nothing beyond; edges=open leaves them\n"


def test_show_check_and_run_tell_once_what_importing_maps_changes(tmp_path: Path) -> None:
    path = with_maps(tmp_path)
    for words in (
        ["design", "show"],
        ["design", "check"],
        ["run", "--workers", "1", "--store", str(tmp_path / "store")],
    ):
        told = CliRunner().invoke(app, [*words, str(path)])
        assert told.exit_code == 0
        assert told.stderr.count("warning: ") == told.stderr.count(NOTE) == 1, words
        assert "warning" not in told.stdout


def test_json_quiet_runs_and_finished_missions_bring_no_notes(tmp_path: Path) -> None:
    path = with_maps(tmp_path)
    told = design("show", "--json", str(path))
    assert "warning" not in told.stderr
    json.loads(told.stdout)
    run_it = ["run", "--workers", "1", "--store", str(tmp_path / "store")]
    assert "warning" not in CliRunner().invoke(app, [*run_it, "--quiet", str(path)]).stderr
    assert "warning" not in CliRunner().invoke(app, [*run_it, str(path)]).stderr


def test_check_refuses_what_is_wrong_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT.replace("robots: {", "robts: {", 1))
    told = design("check", str(path))
    assert isinstance(told.exception, ExpeditionError)
    assert str(told.exception).startswith(f"{path}, line 7: unknown parameter 'robts'; did you mean 'robots'?")


def test_check_refuses_fleets_that_do_not_fit(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT.replace("placement: spread", "placement: line"))
    told = design("check", str(path))
    assert isinstance(told.exception, ExpeditionError)
    assert str(told.exception).startswith(f"{path}: cave, 20 robots: line: robot 0 at (-38, 38) is outside")


def test_check_refuses_a_control_rate_that_the_simulator_does_not_have(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT.replace("robots:", "control_rate: [10, 7]\n  robots:", 1))
    told = design("check", str(path))
    assert isinstance(told.exception, ExpeditionError)
    assert str(told.exception).startswith(f"{path}: control_rate: must divide")
    assert str(told.exception).endswith("found 7")


def test_show_learns_from_the_missions_in_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parameters = {"terrain": "cross", "robots": [1, 2], "strategy": "nearest-frontier", "localiser": "perfect"}
    text = yaml.safe_dump({"parameters": parameters, "stop": {"time": 2}, "iterations": 3})
    path, store = write(tmp_path, text), Store("results")
    plain = json.loads(design("show", str(path), "--json").stdout)["estimated_core_seconds"]
    missions = load_design(path).missions()
    for one in missions[:2]:
        store.write(one, run(build_mission(one.parameters)))
    for one, seconds in zip(missions, (40.0, 60.0), strict=False):
        (store.missions / one.key / "measured.json").write_text(json.dumps({"wall_s": seconds}))
    words = ["show", str(path), "--store", "results"]
    assert plain == 6.0
    assert json.loads(design(*words, "--json").stdout)["estimated_core_seconds"] == pytest.approx(4 * 50.0)
    lines = [" ".join(line.split()) for line in design(*words, "--workers", "1").stdout.splitlines()]
    assert "missions 6; 2 finished in results" in lines
    assert "time about 3 minutes for the 4 left on 1 core of this kind" in lines
    (store.missions / missions[0].key / "measured.json").write_text(json.dumps({"wall_s": None}))
    assert json.loads(design(*words, "--json").stdout)["estimated_core_seconds"] == pytest.approx(4 * 60.0)
    (store.missions / missions[0].key / "measured.json").write_text("{")
    assert json.loads(design(*words, "--json").stdout)["estimated_core_seconds"] == pytest.approx(5 * 60.0)
    (store.missions / missions[0].key / "measured.json").write_text("{}")
    for one in missions[2:]:
        store.write(one, run(build_mission(one.parameters)))
    assert "all missions are finished" in design(*words).stdout
    assert isinstance(design("show", str(path), "--store", "no").exception, ExpeditionError)


def test_show_tells_what_a_design_consists_of(tmp_path: Path) -> None:
    told = design("show", str(write(tmp_path, TEXT)), "--workers", "2").stdout
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[:2] == ["mine", "What of it?"]
    assert "terrain maze, cave" in lines
    assert "terrain.size -, 50, 75" in lines
    assert "robots 1, 2, ... 20 (19 values)" in lines
    assert "strategy nearest-frontier" in lines
    assert "vectors 57 (all combinations; 3 left out)" in lines
    assert "iterations 2, seeds 1 to 2" in lines
    assert "missions 114" in lines
    assert "stop explored 0.99; time 2000" in lines
    assert "measured maps at the end; resources every 5 s; series every 1 s" in lines
    assert any(line.startswith("time about ") and line.endswith("on 2 cores of this kind") for line in lines)


def test_show_lists_the_vectors(tmp_path: Path) -> None:
    told = design("show", str(write(tmp_path, TEXT)), "--vectors").stdout
    rows = [line.split() for line in told.partition("\nvector ")[2].splitlines()[1:]]
    assert len(rows) == 57
    assert rows[0] == ["0", "maze", "-", "1"]
    assert rows[-1] == ["56", "cave", "75", "20"]


def test_show_as_json_has_every_mission(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    told = json.loads(design("show", str(path), "--json").stdout)
    planned = load_design(path).missions()
    assert [one["key"] for one in told["missions"]] == [one.key for one in planned]
    assert told["varied"] == ["terrain", "terrain.size", "robots"]
    assert told["fixed"] == {"placement": "spread", "strategy": "nearest-frontier"}
    assert told["estimated_core_seconds"] > 0


@pytest.mark.parametrize("name", ["mresim", "quick", "yan2015", "yan2017"])
def test_a_copy_of_a_shipped_design_makes_the_same_missions(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, design("show", name, "--source").stdout)
    assert [one.key for one in load_design(path).missions()] == [one.key for one in load_design(name).missions()]


def test_schema_is_json() -> None:
    assert "parameters" in json.loads(design("schema").stdout)["properties"]


def test_a_design_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    data = {key: value for key, value in yaml.safe_load(TEXT).items() if key != "name"}
    assert load_design(write(tmp_path, yaml.safe_dump(data), "fleets-2.yaml")).name == "fleets-2"
