"""Whatever users write as robots, placements, terrain specs and terrain changes: a result or one clear sentence."""

from __future__ import annotations

import contextlib
import copy
import inspect
import math
import random
import resource
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest
import yaml
from pydantic import TypeAdapter, ValidationError

from expedition.errors import ExpeditionError, invalid
from expedition.fleet import RobotModel, names, place, placement, robot_model, robot_models
from expedition.fleet.library import PRESETS
from expedition.fleet.site import Site
from expedition.spec import validate
from expedition.terrain import Change, Terrain, terrain

TRIES = 700
HANGS_AFTER_S = 20
MAX_GROWTH_KB = 1_000_000

NASTY = [
    None, True, 0, -1, 1, 2.5, -0.0, 1e-320, 1e308, 10**400, math.inf, -math.inf, math.nan, "", "x", "nan", "1e999",
    "360 deg", "nan deg", "1e999 deg", " deg", "\0", "\ud800", "a" * 5000, b"\xff", [], {}, [[]], [None] * 50, {"": {}},
    {"kind": "disc"}, {"shape": []}, {1: 2}, {None: None}, set(), (1, 2), object, range(3), np.float64("nan"),
]  # fmt: skip
TOKENS = [
    ":", ",", "=", ".", "..", "-", "[", "]", "{", "}", "&a", "*a", "<<: *a", "!!python/object:os.system", "!!binary x",
    "null", "~", "nan", ".inf", "-.inf", "1e999", "0x7f", "1:2:3", "2001-13-45", "'", '"', "#", "%", "@", "|", ">", "?",
    "\t", "\n", "\0", "\r", "\x85", "\u2028", "\ufeff", "é", "*", "+", " + ", "9" * 400, "[" * 200, "{a: " * 50, ".py:",
    ".yaml", "/", "../", "kind", "shape", "extends: maes", "lidar.range=1", "radios.wifi=", "[&a [1,1],&b [*a,*a],*b]",
]  # fmt: skip

ROOM = Terrain.from_occupied("room", np.pad(np.zeros((28, 28), dtype=bool), 1, constant_values=True), 0.25)


@pytest.fixture(autouse=True)
def _neither_hangs_nor_swells():
    """A try that never ends, or that eats the memory, fails the test."""

    def stop(*_):
        raise TimeoutError(f"no answer within {HANGS_AFTER_S} s")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    handler = signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, handler)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MAX_GROWTH_KB


@contextlib.contextmanager
def answers():
    """Inside, the only way to fail is a sentence."""
    signal.alarm(HANGS_AFTER_S)
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            yield
    except ExpeditionError as error:
        sentence = str(error)
    else:
        sentence = "fine"
    assert 0 < len(sentence) < 3000


def containers(value):
    if isinstance(value, dict | list) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


def mutate_data(dice: random.Random, data):
    data = copy.deepcopy(data)
    for _ in range(dice.randint(1, 3)):
        target = dice.choice(list(containers(data)) or [{}])
        keys = list(target) if isinstance(target, dict) else range(len(target))
        if not keys:
            continue
        key = dice.choice(list(keys))
        action = dice.random()
        if action < 0.6:
            target[key] = copy.deepcopy(dice.choice(NASTY))
        elif action < 0.75:
            del target[key]
        elif isinstance(target, dict):
            target[dice.choice(["kind", "shape", "rnge", "extends", "", 7])] = copy.deepcopy(dice.choice(NASTY))
        else:
            target.extend(target[:3])
    return data


def mutate_text(dice: random.Random, text: str) -> str:
    for _ in range(dice.randint(1, 4)):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice([0, 0, 1, 3, 20]))
        text = (
            text[:start] + dice.choice([dice.choice(TOKENS), text[:30], chr(dice.randint(1, 0x24F)), ""]) + text[end:]
        )
    return text


def preset_texts() -> list[str]:
    return [path.read_text() for path in sorted(PRESETS.glob("*.yaml"))]


def test_mutated_robot_models_are_built_or_refused():
    dice = random.Random("robot data")
    models = [robot_model(name).model_dump() for name in names()]
    for _ in range(2 * TRIES):
        with answers():
            validate(RobotModel, mutate_data(dice, dice.choice(models)), "fuzz")


def test_mutated_robot_files_are_read_or_refused(tmp_path: Path):
    dice = random.Random("robot files")
    path = tmp_path / "fuzz.yaml"
    for _ in range(TRIES):
        path.write_bytes(mutate_text(dice, dice.choice(preset_texts())).encode("utf-8", "surrogatepass"))
        with answers():
            robot_model(str(path))


def test_mutated_robot_specs_are_understood_or_refused():
    dice = random.Random("robot specs")
    specs = [
        "pioneer-3dx:lidar.range=10,drive.max_speed=0.5",
        "maes:body={shape: rectangle, length: 1, width: 2},radios.wifi.range=5",
        "4 * pioneer-3dx + 2 * quadrotor:body.altitude=3",
        "mrxt:radios=[{name: lora, range: 2000}],odometry.noise={kind: motion}",
    ]
    for _ in range(TRIES):
        with answers():
            robot_models(mutate_text(dice, dice.choice(specs)))


def test_mutated_placements_are_made_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    dice = random.Random("placements")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "starts.csv").write_text("x,y\n1,1\n3,3\n5,5,1\n")
    specs = [
        "line:start=[1,1],step=[1,0],heading=90 deg",
        "grouped:radius=2,centre=[3,3],gap=0.2",
        "grouped:radius=1.5",
        "spread:heading=1",
        "at:positions=[[1,1],[2,2,0.5],[3,3]]",
        "at:file=starts.csv",
        "biggest-room:door=1.5",
        "hallway-ends:gap=0",
    ]
    fleets = [robot_models(robots) for robots in ("maes", "3 * maes", "2 * pioneer-3dx + quadrotor", "50 * maes")]
    for seed in range(TRIES):
        with answers():
            place(ROOM, dice.choice(fleets), mutate_text(dice, dice.choice(specs)), seed)


def test_mutated_placement_parameters_are_checked():
    dice = random.Random("placement parameters")
    for _ in range(TRIES):
        component = placement.find(dice.choice(placement.names()))
        given = {
            dice.choice([*component.parameters.model_fields, "radius", "x"]): dice.choice(NASTY)
            for _ in range(dice.randint(0, 3))
        }
        with answers():
            models = robot_models("2 * maes")
            around = {"site": Site(ROOM, models)} if "site" in inspect.signature(component.build).parameters else {}
            component.build(ROOM, models, np.random.default_rng(0), **component.check(given), **around)


def test_mutated_position_files_are_read_or_refused(tmp_path: Path):
    dice = random.Random("positions")
    path = tmp_path / "starts.csv"
    for _ in range(TRIES // 2):
        path.write_bytes(mutate_text(dice, "x,y,heading\n1,1,0\n3,3,1\n5,5\n").encode("utf-8", "surrogatepass"))
        with answers():
            place(ROOM, robot_models("2 * maes"), f"at:file={path}", 0)


def test_mutated_terrain_specs_are_checked():
    dice = random.Random("terrain specs")
    for _ in range(TRIES):
        text = f"{dice.choice(terrain.names())}:seed=7,size=75,resolution=0.1"
        with answers():
            component, parameters = terrain.parse(mutate_text(dice, text))
            component.check(parameters)


def test_mutated_terrain_changes_are_built_or_refused():
    dice = random.Random("changes")
    area = {"left": 0, "bottom": 0, "right": 1, "top": 2}
    changes = [
        {"kind": "door", "area": area, "switches": [1, 2.5, 7], "material": "wood"},
        {"kind": "door", "area": area, "mean_open": 5, "mean_closed": 3},
        {"kind": "person", "waypoints": [[0, 0], [1, 1]], "speed": 1.2},
        {"kind": "collapse", "area": area, "time": 60, "fill": 0.5},
    ]
    adapter: TypeAdapter[Change] = TypeAdapter(Change)
    for _ in range(TRIES):
        with answers():
            try:
                adapter.validate_python(mutate_data(dice, dice.choice(changes)))
            except ValidationError as error:
                raise invalid(error, "change") from None


def test_aliases_that_unfold_to_billions_are_refused(tmp_path: Path):
    levels = ["&a0 [1,1,1,1,1,1,1,1,1,1]"]
    levels += [f"&a{level} [{','.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12)]
    bomb = f"[{','.join(levels)}]"
    path = tmp_path / "bomb.yaml"
    path.write_text(yaml.safe_dump({"name": "bomb"}) + f"lidar: {bomb}\n")
    for text in (str(path), f"maes:lidar={bomb}"):
        signal.alarm(HANGS_AFTER_S)
        with pytest.raises(ExpeditionError, match="entries"):
            robot_model(text)
