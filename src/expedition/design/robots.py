"""The fleet of a mission: its robots and their starts, from what a design says to plain data and to the fleet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from expedition.design.components import Given, Named, settle, spelled
from expedition.design.files import names_python
from expedition.design.names import check_robot_field
from expedition.design.parts import Part, canonical
from expedition.errors import ExpeditionError, shorten
from expedition.failures import check_robots, read_failures
from expedition.fleet import Fleet
from expedition.fleet.base import base_fields, check_radios
from expedition.fleet.fleet import robot_models
from expedition.fleet.library import robot as robot_functions
from expedition.fleet.model import RobotModel
from expedition.navigate.local_parameters import slowest_margin
from expedition.settings import ControllerSettings
from expedition.spec import validate
from expedition.terrain import Terrain

DEFAULT_ROBOT = "pioneer-3dx"
JOINT = re.compile(r"(\s\+\s|\+(?=\s*\d+\s*\*))")
COUNTED = re.compile(r"(\s*\d{1,9}\s*\*\s*)?(.*)", re.DOTALL)


def models_of(given: Given, folder: Path) -> list[RobotModel]:
    """The robots that a design names, each with the fields that it sets; how many there are is another matter."""
    fields = {name: value for name, value in given.values.items() if name}
    text = _as_text(given.values.get("", DEFAULT_ROBOT), given.where())
    return _models(text, fields, given, folder)


def fleet_part(named: list[RobotModel], given: Given, values: Mapping[str, Any]) -> Part:
    """The models of a fleet in full, which of them each robot is, the base station, and what fails."""
    text = _as_text(given.values.get("", DEFAULT_ROBOT), given.where())
    models = robot_models(named, _number(values.get("robots"), text, given))
    distinct = list(dict.fromkeys(named))
    which = {id(model): distinct.index(model) for model in named}
    failures = read_failures(values.get("failures"), _place("failures", given))
    check_robots(failures, len(models), _place("failures", given))
    base = base_fields(values.get("base"), _place("base", given))
    check_radios(base, models, _place("base", given))
    return Part.of({
        # Where a model's figures come from is no figure: a better citation makes no other mission.
        "models": [model.model_dump(mode="json", exclude={"source"}) for model in distinct],
        "robots": [which[id(model)] for model in models],
        "base": base,
        "failures": [failure.model_dump(mode="json") for failure in failures],
    })  # fmt: skip


def radio_names(fleet: Part) -> list[str]:
    """The names of all radios in a fleet, those of its base station included."""
    models, base = fleet.data["models"], fleet.data["base"] or {}
    radios = [radio for index in dict.fromkeys(fleet.data["robots"]) for radio in models[index]["radios"]]
    return [radio["name"] for radio in [*radios, *base.get("radios", [])]]


def _place(name: str, given: Given) -> str:
    """Where a parameter that is no field of a robot was given."""
    line = given.lines.get(name)
    return f"{given.place}, line {line}: {name}" if line else f"{given.place}: {name}"


def _number(number: Any, text: str, given: Given) -> int | None:
    place = _place("robots", given)
    if number is None and ("*" in text or JOINT.search(text)):
        return None
    if number is None:
        raise ExpeditionError(f"{place}: missing: say how many, as robots: 4 or robots: {{from: 1, to: 8}}")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 10_000:
        raise ExpeditionError(f"{place}: expected a whole number from 1 to 10,000, found {shorten(number)}")
    return number


def _as_text(robots: Any, place: str) -> str:
    """Robots in one line, however they were given: by name, counted, or listed."""
    if isinstance(robots, Mapping):
        return " + ".join(f"{count} * {name}" for name, count in robots.items())
    if isinstance(robots, list) and all(isinstance(one, str) for one in robots):
        return " + ".join(robots)
    if not isinstance(robots, str):
        raise ExpeditionError(f"{place}: expected the name of a robot model, found {shorten(robots)}")
    return robots


def _models(text: str, fields: Mapping[str, Any], given: Given, folder: Path) -> list[RobotModel]:
    """The robots that a text names, each with the fields set."""
    parts = [_located(part, folder) for part in JOINT.split(text)[::2]]
    try:
        return _with(parts, fields)
    except ExpeditionError as error:
        wrong = error
    try:  # The robots may be wrong before any field is set.
        robot_models(" + ".join(parts))
        also = _own_parameters(parts)
    except ExpeditionError as error:
        raise ExpeditionError(f"{given.where()}: {error}") from error
    for name in fields:
        check_robot_field(f"robot.{name}", also, given.where(name).partition(": ")[0])
    blamed = _blamed(parts, fields, str(wrong))
    raise ExpeditionError(f"{given.where(blamed)}: {str(wrong).removeprefix(f'{blamed}: ')}") from wrong


def _with(parts: list[str], fields: Mapping[str, Any]) -> list[RobotModel]:
    """The robots with fields set; an error does not quote the text that is put together here."""
    words = ",".join(f"{name}={json.dumps(value)}" for name, value in fields.items())
    texts = [part + ("," if _has_parameters(part) else ":") + words if words else part for part in parts]
    try:
        return list(robot_models(" + ".join(texts)))
    except ExpeditionError as error:
        told = str(error)
        for text in texts:
            told = told.removeprefix(f"{shorten(COUNTED.match(text)[2])}: ")  # type: ignore[index]
        raise ExpeditionError(told) from error


def _blamed(parts: list[str], fields: Mapping[str, Any], told: str) -> str:
    """The field that an error is about: the one it names, or that by itself gives the same error, or the first."""
    for name in fields:
        if told.startswith(f"{name}: "):
            return name
    for name, value in fields.items():
        try:
            _with(parts, {name: value})
        except ExpeditionError as alone:
            if str(alone) == told:
                return name
    return next(iter(fields))


def _located(part: str, folder: Path) -> str:
    """A robot's spec with the whole path of the file that it names."""
    match = COUNTED.match(part)
    assert match is not None
    count, name = match[1] or "", match[2].strip()
    path, colon, rest = name.partition(":")
    if names_python(name) or path.lower().endswith((".yaml", ".yml")):
        return f"{count}{(folder / path).resolve()}{colon}{rest}"
    return part


def _has_parameters(part: str) -> bool:
    return ":" in part.partition(".py:")[2] if ".py:" in part else ":" in part


def _own_parameters(parts: list[str]) -> set[str]:
    """The parameters of robots that are functions of the user's."""
    found: set[str] = set()
    for part in parts:
        name = COUNTED.match(part)[2]  # type: ignore[index]
        if ".py:" in name or name.partition(":")[0] in robot_functions.names():
            found |= set(robot_functions.parse(name)[0].parameters.model_fields)
    return found


def placement_part(placement: Named, given: Given, connected: Any, folder: Path) -> Part:
    """Where the robots start: the placement with all its parameters."""
    parameters, files = settle(placement, given, folder)
    if not isinstance(connected, bool):
        line = given.lines.get("connected")
        place = f"{given.place}, line {line}" if line else given.place
        raise ExpeditionError(f"{place}: connected: expected true or false, found {shorten(connected)}")
    return Part.of({"name": placement.name, "parameters": parameters, "connected": connected}, files)


def build_fleet(
    fleet: Mapping[str, Any], placement: Mapping[str, Any], terrain: Terrain, seed: int, settings: ControllerSettings
) -> Fleet:
    """The robots of a mission, placed in its terrain."""
    models = _built(canonical(fleet["models"]))
    robots = [models[index] for index in fleet["robots"]]
    spec = spelled(placement["name"], placement["parameters"])
    return Fleet.of(
        robots, None, terrain, spec, seed, placement["connected"], fleet["base"], settings.resolution,
        slowest_margin(settings.local),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _built(text: str) -> tuple[RobotModel, ...]:
    return tuple(validate(RobotModel, model, "fleet.models") for model in json.loads(text))
