"""Robot models by name, file, or one-line spec.

A preset is a YAML file in `presets/`, in the very format users write. `extends` names another preset or file whose
fields hold wherever the file at hand has none; `lidar: null` takes a sensor away.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.fleet.body import DiscBody, RectangleBody
from expedition.fleet.drive import DifferentialDrive
from expedition.fleet.model import Radio, RobotModel
from expedition.registry import Component, Registry
from expedition.spec import load_yaml, parse_spec, validate

PRESETS = Path(__file__).parent / "presets"
MAX_EXTENDS = 16
MAX_DEPTH = 8
DEFAULT_RADIO = Radio.model_fields["name"].default
SHARED = set(DiscBody.model_fields) & set(RectangleBody.model_fields) | set(DifferentialDrive.model_fields)

robot: Registry[RobotModel] = Registry("robot")
"""Robot models made by Python functions: a plugin's, or those of `my_file.py:my_robot`."""


def names() -> list[str]:
    """All robot models known without a file, those of installed plugins included."""
    return sorted({*robot.names(), *_preset_names()})


def robot_model(text: str) -> RobotModel:
    """The robot model that `text` names: a preset, a YAML file, or `my_file.py:my_robot`.

    Fields may be set after a colon, by their dotted names:

    >>> robot_model("pioneer-3dx:lidar.range=10,drive.max_speed=0.5").lidar.range
    10.0
    """
    if not isinstance(text, str):
        raise ExpeditionError(f"expected the name of a robot model, found {shorten(text)}")
    if ".py:" in text:
        return _from_function(*robot.parse(text))
    name, fields = parse_spec(text)
    path = _file_of(name)
    if path is None:
        if name not in robot.names():
            raise unknown("robot", name, names())
        return _from_function(robot.find(name), fields)
    data = _load(path, ())
    return _with_fields(data, fields, text) if fields else validate(RobotModel, data, str(path))


def _file_of(name: str, folder: Path = Path()) -> Path | None:
    """The YAML file that a name stands for; relative files are looked up in `folder`."""
    if name.endswith((".yaml", ".yml")):
        return folder / name
    return PRESETS / f"{name}.yaml" if name in _preset_names() else None


def _preset_names() -> set[str]:
    return {path.stem for path in PRESETS.glob("*.yaml")}


def _load(path: Path, extended_by: tuple[Path, ...]) -> dict[str, Any]:
    """The fields in a file and in what it extends. Each file by itself must be a whole robot model."""
    data, lines = load_yaml(path)
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise ExpeditionError(f"{path}: expected the fields of a robot model, found {shorten(data)}")
    fields: dict[str, Any] = {"name": path.stem, **data}
    base = fields.pop("extends", None)
    if base is not None:
        place = f"{path}, line {lines.get('extends', 1)}"
        inherited = _load(_base_file(base, path, place, extended_by), (*extended_by, path))
        fields = _merge(inherited, fields, str(path))
    validate(RobotModel, fields, str(path), lines)
    return fields


def _base_file(base: object, path: Path, place: str, extended_by: tuple[Path, ...]) -> Path:
    if not isinstance(base, str):
        raise ExpeditionError(f"{place}: extends must be the name of a preset or a YAML file, found {shorten(base)}")
    found = _file_of(base, path.parent)
    if found is None:
        raise unknown("robot", base, _preset_names(), place=place)
    if found.resolve() in {file.resolve() for file in (*extended_by, path)}:
        raise ExpeditionError(f"{place}: extends {shorten(base)}, which in turn extends this file")
    if len(extended_by) >= MAX_EXTENDS:
        raise ExpeditionError(f"{place}: more than {MAX_EXTENDS} files extend one another")
    return found


def _merge(base: Mapping[str, Any], change: Mapping[str, Any], place: str) -> dict[str, Any]:
    """`base` with the fields of `change`. A body or drive of another kind keeps only what all kinds have."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            kept = {name: old[name] for name in old if name in SHARED or not _other_kind(old, value)}
            merged[key] = _merge(kept, value, place)
        elif isinstance(old, list | tuple) and isinstance(value, Mapping):
            merged[key] = _merge_by_name(old, value, f"{place}: {key}")
        else:
            merged[key] = value
    return merged


def _other_kind(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    return any(tag in new and tag in old and new[tag] != old[tag] for tag in ("kind", "shape"))


def _merge_by_name(items: list[Any] | tuple[Any, ...], changes: Mapping[str, Any], place: str) -> list[Any]:
    """A list whose items have names may be changed as a mapping: `radios: {wifi: {range: 50}}`."""
    named = {str(item.get("name", DEFAULT_RADIO)).replace("-", "_"): item for item in items}
    for name, change in changes.items():
        key = str(name).replace("-", "_")
        if key not in named:
            raise unknown("name", str(name), named, place=place)
        named[key] = _merge({key: named[key]}, {key: change}, place)[key]
    return list(named.values())


def _from_function(component: Component[RobotModel], fields: dict[str, Any]) -> RobotModel:
    """A function's parameters are told from the robot's fields by their names."""
    parameters = {key: value for key, value in fields.items() if key in component.parameters.model_fields}
    made = component.build(**component.check(parameters))
    if not isinstance(made, RobotModel):
        raise ExpeditionError(f"{component.name}: must return a RobotModel, found {shorten(made)}")
    rest = {key: value for key, value in fields.items() if key not in parameters}
    return _with_fields(made.model_dump(), rest, component.name) if rest else made


def _with_fields(data: dict[str, Any], fields: Mapping[str, Any], text: str) -> RobotModel:
    """The robot model in `data` with fields set by their dotted names."""
    place = shorten(text)
    changes: dict[str, Any] = {}
    for field, value in fields.items():
        *parents, last = field.split(".")
        if len(parents) > MAX_DEPTH:
            raise ExpeditionError(f"{place}: no field lies as deep as {shorten(field)}")
        inside = changes
        for parent in parents:
            if not isinstance(inside.get(parent), dict):
                inside[parent] = {}
            inside = inside[parent]
        inside[last] = value
    return validate(RobotModel, _merge(data, changes, place), place)
