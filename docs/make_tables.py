"""Make the tables of parameters and fields: `python docs/make_tables.py`.

They come from what the program checks its input with, so that the pages say what it accepts.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from expedition import fleet
from expedition.belief.attention import AttentionSettings
from expedition.belief.mapping import MappingSettings
from expedition.belief.merging import merges
from expedition.belief.prior import priors
from expedition.belief.slam import slam
from expedition.guard import GuardSettings
from expedition.measure.metrics import METRICS
from expedition.measure.stops import stop_condition
from expedition.navigate import planners  # noqa: F401  registers them
from expedition.navigate.costs import Inflation
from expedition.navigate.local_parameters import LocalNavigation
from expedition.navigate.planner import planner
from expedition.network import LinkSettings, NetworkSettings, radios
from expedition.registry import Component, Registry
from expedition.settings import ControllerSettings
from expedition.strategies import strategy
from expedition.terrain import Collapse, Door, Person, Rectangle, terrain
from expedition.terrain.lengths import MAX_SIDE

HERE = Path(__file__).parent
STRATEGIES = (
    "nearest-frontier",
    "cost-utility",
    "coordinated",
    "market",
    "min-pos",
    "hungarian",
    "frontier-return",
    "time-preference",
    "role-based",
    "leader-follower",
    "sector",
    "random-walk",
)
TERRAINS = (
    "loop",
    "cross",
    "zigzag",
    "maze",
    "cave",
    "building",
    "perfect-maze",
    "office",
    "floorplan",
    "forest",
    "indoor",
)
CHANGES: dict[str, tuple[type[BaseModel], ...]] = {
    "door": (Door,),
    "person": (Person,),
    "collapse": (Collapse,),
    "area": (Rectangle,),
}
ROBOT: dict[str, tuple[type[BaseModel], ...]] = {
    "The robot": (fleet.RobotModel,),
    "body": (fleet.DiscBody, fleet.RectangleBody),
    "drive": (fleet.DifferentialDrive, fleet.HolonomicDrive, fleet.CarDrive),
    "lidar": (fleet.Lidar,),
    "odometry": (fleet.Odometry,),
    "noise": (fleet.GaussianNoise, fleet.MotionNoise),
    "landmark_camera": (fleet.LandmarkCamera,),
    "ground_camera": (fleet.GroundCamera,),
    "robot_detector": (fleet.RobotDetector,),
    "radios": (fleet.Radio,),
    "computer": (fleet.Computer,),
    "battery": (fleet.Battery,),
}
SETTINGS: dict[str, tuple[type[BaseModel], ...]] = {
    "The robots' software": (ControllerSettings,),
    "attention": (AttentionSettings,),
    "mapping": (MappingSettings,),
    "network": (NetworkSettings,),
    "link": (LinkSettings,),
    "inflation": (Inflation,),
    "local": (LocalNavigation,),
    "guard": (GuardSettings,),
}
# Fields that name a component.
NAMED: dict[str, Registry[Any]] = {"localiser": slam, "merge": merges, "radio": radios, "planner": planner}
TAGS = ("kind", "shape")
# Required by the check, but filled in before it.
FILLED_IN = {"max_reverse_speed": "as `max_speed`", "name": "the file's name"}
LIMITS = {"ge": "from", "gt": "above", "le": "to", "lt": "below"}


def component_tables(registry: Registry[Any], names: Sequence[str]) -> str:
    """A heading, a sentence and, where there are parameters, a table for each of a registry's components."""
    return "\n".join(_parameters(registry.find(name)) for name in names)


def field_tables(sections: dict[str, tuple[type[BaseModel], ...]]) -> str:
    """A heading, a sentence for each model and one table for each section."""
    return "\n".join(_fields(heading, models) for heading, models in sections.items())


def allowed(field: FieldInfo) -> str:
    """What a field may be, in words."""
    return _allowed(field.annotation, field.metadata)


def _parameters(component: Component[Any]) -> str:
    rows = []
    for name, field in component.parameters.model_fields.items():
        default, choices = "required" if field.is_required() else _written(field.default), allowed(field)
        if name == "size":  # checked by a function, whose words these are
            default, choices = default.strip("[]").replace(", ", "x"), f"above 0 to {_number(MAX_SIDE)}"
        rows.append([f"`{name}`", default, choices, _text(field)])
    head = ["parameter", "default", "allowed", "meaning"]
    if not rows:
        return f"### {component.name}\n\n{component.summary}\n"
    return f"### {component.name}\n\n{component.summary}\n\n{_table(head, rows)}"


def _fields(heading: str, models: Sequence[type[BaseModel]]) -> str:
    """One table for all kinds of a thing; where there are several, a column says which has the field."""
    fields = {name: field for model in models for name, field in model.model_fields.items()}
    tags = {tag: _tags(models, tag) for tag in TAGS if tag in fields}
    rows = []
    for name in sorted(fields, key=lambda name: (name not in tags, name in tags or not _is_required(fields, name))):
        owners = [_tag(model) for model in models if name in model.model_fields]
        only = ", ".join(owners) if len(owners) < len(models) else "all"
        choices = ", ".join(tags.get(name, [])) or _choices(name, fields[name])
        meaning = _text(fields[name]) or f"Says {'which of these it is' if len(models) > 1 else 'what it is'}."
        rows.append([_link(name), *([only] * (len(models) > 1)), _default(fields, name), choices, meaning])
    head = ["field", *(["of"] * (len(models) > 1)), "default", "allowed", "meaning"]
    sentences = [inspect.getdoc(model) or "" for model in models]
    if len(models) > 1:
        sentences = [f"- *{_tag(model)}*: {text}" for model, text in zip(models, sentences, strict=True)]
    return f"### {heading}\n\n" + "\n".join(sentences) + f"\n\n{_table(head, rows)}"


def _choices(name: str, field: FieldInfo) -> str:
    """What a field may be; of a component, one that is there or one of the user's own."""
    if name in NAMED:
        return f"{', '.join(NAMED[name].names())}, or `my_file.py:mine`"
    return allowed(field)


NEEDS = {
    "": "any",
    "sensing_s": "any",
    "reachable_share": "any",
    "opening_m": "any",
    "map_known_cells": "any",
    "base": "a base station",
    "activity_s": "activities",
    "role_swaps": "roles",
    "breakdowns": "failures or batteries",
    "messages_dropped": "failures, or channels that lose or delay",
    "energy_j": "batteries",
}
"""What a mission has if it has the fact that a metric needs."""


def metrics_table() -> str:
    """Every metric by its name in JSON, its plain name and unit, and what it says."""
    rows = [
        [f"`{name}`", metric.label, metric.unit or "-", metric.better or "-", NEEDS[metric.needs], metric.definition]
        for name, metric in METRICS.items()
    ]
    return _table(["name", "in tables", "unit", "better", "of missions with", "what it is"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def _text(field: FieldInfo) -> str:
    return " ".join((field.description or "").split())


def _tags(models: Sequence[type[BaseModel]], tag: str) -> list[str]:
    return [model.model_fields[tag].default for model in models]


def _tag(model: type[BaseModel]) -> str:
    return next((str(model.model_fields[tag].default) for tag in TAGS if tag in model.model_fields), "")


def _is_required(fields: dict[str, FieldInfo], name: str) -> bool:
    """A tag has a default in Python; in a file it must be said."""
    return name in TAGS or (fields[name].is_required() and name not in FILLED_IN)


def _default(fields: dict[str, FieldInfo], name: str) -> str:
    if _is_required(fields, name):
        return "required"
    return FILLED_IN[name] if fields[name].is_required() else _written(fields[name].default)


def _link(name: str) -> str:
    """A field's name; one with fields of its own leads to their table."""
    return f"[`{name}`](#{name})" if any(name in group for group in (ROBOT, CHANGES, SETTINGS)) else f"`{name}`"


def _written(value: Any) -> str:
    """A value as one writes it on the command line and in YAML."""
    if value is None or value in ((), ""):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, BaseModel):
        return "as below"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    if abs(value) == math.tau:
        return "-2 pi" if value < 0 else "2 pi"
    return "2^63" if value == 2**63 else f"{value:,.9g}"


def _allowed(annotation: Any, metadata: Sequence[Any]) -> str:
    while get_origin(annotation) is Annotated:
        annotation, *more = get_args(annotation)
        metadata = [*metadata, *more]
    limits = [part for item in metadata for part in (item.metadata if isinstance(item, FieldInfo) else [item])]
    if origin := get_origin(annotation):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        if origin is Literal:
            return ", ".join(map(str, parts))
        if origin is tuple and parts[-1] is ...:
            fewest, most = (_limit(limits, key) for key in ("min_length", "max_length"))
            return f"a list of {fewest or 0} to {most:,}"
        return ", ".join(dict.fromkeys(filter(None, (_allowed(part, limits) for part in parts))))
    if annotation is bool:
        return "true, false"
    if annotation is str:
        most = _limit(limits, "max_length")
        return "text" if most is None else f"text of at most {most:,} characters"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _tag(annotation) or "fields"
    bounds = {word: _limit(limits, key) for key, word in LIMITS.items()}
    return " ".join(f"{word} {_number(value)}" for word, value in bounds.items() if value is not None)


def _limit(limits: Sequence[Any], key: str) -> Any:
    return next((value for limit in limits if (value := getattr(limit, key, None)) is not None), None)


TABLES = {
    "terrain-parameters.inc": component_tables(terrain, TERRAINS),
    "strategy-parameters.inc": component_tables(strategy, STRATEGIES),
    "terrain-changes.inc": field_tables(CHANGES),
    "robot-fields.inc": field_tables(ROBOT),
    "settings.inc": field_tables(SETTINGS),
    "localisers.inc": component_tables(slam, ("perfect", "odometry", "scan-matching")),
    "merges.inc": component_tables(merges, ("greedy", "probabilistic", "aligned")),
    "radios.inc": component_tables(radios, ("circle", "line-of-sight", "path-loss", "through-walls")),
    "priors.inc": component_tables(priors, ("truth",)),
    "metrics.inc": metrics_table(),
    "stops.inc": component_tables(stop_condition, ("explored", "time", "no-frontier", "stalled", "area", "distance")),
}

if __name__ == "__main__":
    for name, text in TABLES.items():
        (HERE / name).write_text(text, encoding="utf-8")
