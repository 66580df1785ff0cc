"""Planned missions: what makes their keys, and that plain data is enough to build them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.design import build_mission, load_design
from expedition.design.software import REGISTRIES
from expedition.errors import ExpeditionError
from expedition.exploring import plan_mission
from expedition.mission import Mission, run
from expedition.network import radios
from expedition.terrain import find_terrain, save
from tests.design.writing import PARAMETERS, design_of, write

STRATEGY = """
async def go(robot, *, patience: float = 30.0):
    while frontiers := robot.frontiers():
        await robot.go_to(min(frontiers, key=robot.travel_cost), timeout=patience)
"""


def key_of(folder: Path, parameters: dict[str, Any], **fields: Any) -> str:
    (one,) = design_of(folder, parameters, **fields).missions()
    return one.key


def as_sent(mission: Any) -> Mission:
    """A planned mission, built from its parameters as another machine gets them."""
    return build_mission(json.loads(json.dumps(mission.parameters, sort_keys=True)))


def test_plain_parameters_build_the_mission_that_explore_would_run(tmp_path: Path) -> None:
    parameters = {
        "terrain": "cave", "terrain.size": 40, "robots": 3, "robot": "turtlebot3-burger", "robot.lidar.range": 5,
        "placement": "grouped", "placement.radius": 3, "strategy": "cost-utility", "strategy.weight": 0.25,
        "merge": "probabilistic", "local.horizon": 1.5, "radio.range": 20,
    }  # fmt: skip
    stop, contacts = {"explored": 0.5, "time": 100}, {"contacts": {"when": "end"}}
    (one,) = design_of(tmp_path, parameters, seed=7, stop=stop, measurements=contacts).missions()
    built = as_sent(one)
    settings = {"merge": "probabilistic", "local": {"horizon": 1.5}, "radio": "circle:range=20.0"}
    direct = plan_mission(
        "cave:size=40", 3, "cost-utility:weight=0.25", 7, "turtlebot3-burger:lidar.range=5", "grouped:radius=3",
        stop=stop, settings=settings,
    )  # fmt: skip
    assert built.terrain == direct.terrain
    assert (built.fleet.poses == direct.fleet.poses).all()
    assert [model.model_copy(update={"source": ""}) for model in direct.fleet.models] == list(built.fleet.models)
    assert built.strategy_name == direct.strategy_name == "cost-utility:weight=0.25"
    for field in ("seed", "settings", "stop", "measurements"):
        assert getattr(built, field) == getattr(direct, field), field


def test_a_built_mission_runs_as_the_direct_one(tmp_path: Path) -> None:
    stop = {"explored": 0.4, "time": 60}
    (one,) = design_of(tmp_path, {"terrain": "cross", "localiser": "perfect"}, seed=3, stop=stop).missions()
    direct = plan_mission("cross", 2, "nearest-frontier", 3, stop=stop, settings={"localiser": "perfect"})
    results = [run(mission) for mission in (as_sent(one), direct)]
    assert results[0].metrics == results[1].metrics
    assert results[0].ending == results[1].ending


@given(order=st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_a_key_does_not_depend_on_the_order_of_fields(order: random.Random) -> None:
    items = [*PARAMETERS.items(), ("robot.lidar.range", 10), ("exchange_rate", 2), ("placement", "spread")]
    stop = [("time", 100), ("explored", 0.5), ("no-frontier", True)]
    keys = set()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            fields = [("stop", dict(stop)), ("parameters", dict(items)), ("seed", 5)]
            order.shuffle(fields)
            path = write(Path(folder), yaml.safe_dump(dict(fields), sort_keys=False))
            keys.add(load_design(path).missions()[0].key)
            order.shuffle(items)
            order.shuffle(stop)
    assert len(keys) == 1


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"terrain": "cross"}, {}),
    ({"terrain.resolution": 0.2}, {}),
    ({"terrain.material": "wood"}, {}),
    ({"terrain.changes": [[]]}, {}),
    ({"robots": 3}, {}),
    ({"robot": "turtlebot3-burger"}, {}),
    ({"robot.lidar.range": 10}, {}),
    ({"robot.radios.wifi.range": 10}, {}),
    ({"placement": "spread"}, {}),
    ({"placement.heading": 1.0}, {}),
    ({"connected": False}, {}),
    ({"strategy": "market"}, {}),
    ({"strategy": "cost-utility"}, {}),
    ({"strategy": "cost-utility", "strategy.weight": 0.3}, {}),
    ({"merge": "probabilistic"}, {}),
    ({"radio.range": 10}, {}),
    ({"guard.step_seconds": 3}, {}),
    ({}, {"seed": 2}),
    ({}, {"stop": {"explored": 0.98, "time": 2000}}),
    ({}, {"stop": {"explored": 0.99}}),
    ({}, {"stop": {"explored": 0.99, "no-frontier": True}}),
    ({}, {"measurements": {"series": {"every": 2}}}),
    ({}, {"measurements": {"resources": False}}),
]


def test_every_value_that_changes_changes_the_key(tmp_path: Path) -> None:
    keys = [key_of(tmp_path, parameters, **fields) for parameters, fields in CHANGES]
    # Time alone is 2000 s anyhow, so that one of the changes above is none.
    assert keys[19] == key_of(tmp_path, {})
    assert len({*keys}) == len(keys)


@pytest.mark.parametrize(
    ("parameters", "fields"),
    [
        ({"robot": "pioneer-3dx"}, {}),
        ({"placement": "auto", "merge": "greedy", "radio": "circle"}, {}),
        ({"robot.lidar.range": 26.0, "exchange_rate": 1}, {}),
        ({"placement.start": [[-38, 38.0]]}, {}),
        ({"robots": None, "robot": "2 * pioneer-3dx"}, {}),
        ({}, {"name": "other", "description": "x", "metrics": ["cost_m"]}),
        ({}, {"stop": {"time": 2000, "explored": {"share": 0.99}}}),
        ({}, {"measurements": {"maps": {"when": "end"}}}),
    ],
)
def test_writing_out_a_default_leaves_the_key(tmp_path: Path, parameters: dict[str, Any], fields: Any) -> None:
    assert key_of(tmp_path, parameters, **fields) == key_of(tmp_path, {})


def test_seeds_pair_missions_of_different_vectors(tmp_path: Path) -> None:
    design = design_of(tmp_path, {"robots": [1, 2, 3]}, iterations=4, seed=10)
    seeds = {robots: [one.seed for one in design.missions() if one.vector["robots"] == robots] for robots in (1, 2, 3)}
    assert set(map(tuple, seeds.values())) == {(10, 11, 12, 13)}
    assert all(one.seed == 10 + one.iteration == one.parameters["seed"] for one in design.missions())


def test_parameters_are_plain_json_data(tmp_path: Path) -> None:
    for one in load_design("quick").missions()[:5]:
        assert json.loads(json.dumps(one.parameters, allow_nan=False)) == one.parameters


def copy_with_files(folder: Path, density: float = 0.1) -> Path:
    """A design that names a map, a strategy, a robot and starts beside it."""
    folder.mkdir()
    save(find_terrain("forest", size=20, density=density), folder / "wood.yaml")
    write(folder, STRATEGY, "mine.py")
    write(folder, "extends: base.yaml\nname: own\nlidar: {range: 7}\n", "own.yaml")
    write(folder, "extends: pioneer-3dx\nname: base\n", "base.yaml")
    write(folder, "x,y\n2,2\n4,2\n", "starts.csv")
    parameters = {
        "terrain": "wood.yaml", "robots": 2, "strategy": "mine.py:go", "robot": "own.yaml", "placement": "at",
        "placement.file": "starts.csv", "connected": False,
    }  # fmt: skip
    return write(folder, yaml.safe_dump({"parameters": parameters}))


def test_files_are_looked_for_beside_the_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = copy_with_files(tmp_path / "a")
    monkeypatch.chdir(tmp_path)
    (one,) = load_design(path.relative_to(tmp_path)).missions()
    monkeypatch.chdir("/")
    built = as_sent(one)
    assert built.terrain == find_terrain("forest", size=20, density=0.1)
    assert [model.name for model in built.fleet.models] == ["own", "own"]
    assert built.fleet.models[0].lidar is not None
    assert built.fleet.models[0].lidar.range == 7
    assert built.fleet.poses[:, :2].tolist() == [[2, 2], [4, 2]]
    assert built.strategy_name == "mine.py:go"
    assert set(one.parameters["files"]) == {str(path.parent / name) for name in ("wood.yaml", "mine.py", "starts.csv")}


def test_a_key_depends_on_what_files_hold_and_not_on_where_they_lie(tmp_path: Path) -> None:
    first, moved, other = (
        copy_with_files(tmp_path / "a"), copy_with_files(tmp_path / "b"), copy_with_files(tmp_path / "c", density=0.05)
    )  # fmt: skip
    one, same, different = (load_design(path).missions()[0] for path in (first, moved, other))
    assert one.key == same.key
    assert one.key != different.key  # Only the image beside the map's YAML differs.
    write(first.parent, STRATEGY + "# Changed.\n", "mine.py")
    assert load_design(first).missions()[0].key != one.key


@pytest.mark.parametrize("file", ["mine.py", "wood.pgm", "starts.csv"])
def test_a_file_that_changed_since_planning_is_refused(tmp_path: Path, file: str) -> None:
    path = copy_with_files(tmp_path / "a")
    (one,) = load_design(path).missions()
    changed = path.parent / file
    changed.write_bytes(changed.read_bytes() + b"\n")
    with pytest.raises(ExpeditionError, match="changed since the mission was planned"):
        as_sent(one)


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    path = copy_with_files(tmp_path / "a")
    (one,) = load_design(path).missions()
    (path.parent / "mine.py").unlink()
    with pytest.raises(ExpeditionError, match=r"mine\.py: no such file"):
        as_sent(one)


def test_stops_and_measurements_of_ones_own_are_found_beside_the_design(tmp_path: Path) -> None:
    write(tmp_path, "def enough(progress):\n    return progress.time >= 3\n", "my_file.py")
    stop, measurements = {"my_file.py:enough": True}, {"my_file.py:enough": {"every": 2}}
    (one,) = design_of(tmp_path, {"localiser": "perfect"}, stop=stop, measurements=measurements).missions()
    path = str(tmp_path / "my_file.py")
    assert set(one.parameters["stop"]) == {f"{path}:enough", "time"}
    assert path in one.parameters["files"]
    result = run(as_sent(one))
    assert result.ending == "enough"
    assert result.succeeded
    write(tmp_path, "def enough(progress):\n    return progress.time >= 4\n", "my_file.py")
    assert key_of(tmp_path, {"localiser": "perfect"}, stop=stop, measurements=measurements) != one.key


RADIO = """
def mine(*given, table_file: str, gain: float = 1.0):
    return [line.split(",") for line in open(table_file)]
"""


def radio_key(folder: Path, table: str = "1,2\n", code: str = RADIO) -> str:
    folder.mkdir(exist_ok=True)
    write(folder, code, "rad.py")
    write(folder, table, "t.csv")
    return key_of(folder, {"radio": "rad.py:mine", "radio.table_file": "t.csv"})


def test_files_of_settings_count_by_what_they_hold(tmp_path: Path) -> None:
    one = radio_key(tmp_path / "a")
    assert radio_key(tmp_path / "b, (c") == one
    assert radio_key(tmp_path / "a", table="1,3\n") != one
    assert radio_key(tmp_path / "a", code=RADIO + "# Changed.\n") != one


def test_a_setting_with_files_is_built_as_it_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "b, (c"
    radio_key(folder)
    (one,) = design_of(folder, {"radio": "rad.py:mine", "radio.table_file": "t.csv", "radio.gain": 2}).missions()
    component, parameters = radios.parse(as_sent(one).settings.radio)
    assert component.name == f"{folder}/rad.py:mine"
    assert component.check(parameters) == {"table_file": f"{folder}/t.csv", "gain": 2.0}
    assert set(one.parameters["files"]) == {f"{folder}/rad.py", f"{folder}/t.csv"}


def test_parameters_hold_the_defaults_of_every_setting(tmp_path: Path) -> None:
    for setting, registry in REGISTRIES.items():
        for name in registry.names():
            (one,) = design_of(tmp_path, {setting: name}).missions()
            fields = registry.find(name).parameters.model_fields
            assert one.parameters["settings"][setting]["name"] == name
            assert one.parameters["settings"][setting]["parameters"].keys() == fields.keys()


def test_a_key_is_the_same_in_another_process(tmp_path: Path) -> None:
    path = copy_with_files(tmp_path / "a")
    code = f"from expedition.design import load_design; print(load_design({str(path)!r}).missions()[0].key)"
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert told.stdout.strip() == load_design(path).missions()[0].key


def test_a_planned_mission_keeps_its_vector_apart_from_its_key(tmp_path: Path) -> None:
    (one,) = design_of(tmp_path, {}).missions()
    assert replace(one, vector={}).key == one.key


def test_a_measurement_that_is_left_out_is_not_taken(tmp_path: Path) -> None:
    (one,) = design_of(tmp_path, {}, measurements={"resources": False}).missions()
    assert set(as_sent(one).measurements) == {"series", "maps"}
