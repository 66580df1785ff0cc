"""The names that parameters of a design may have, and to which part of a mission each belongs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args

from pydantic import BaseModel

from expedition.errors import ExpeditionError, nearest, unknown
from expedition.fleet.model import Radio, RobotModel
from expedition.settings import ControllerSettings

Family = Literal["terrain", "fleet", "placement", "strategy", "settings", "prior"]

WHOLE = {
    "robot": "The robots: a model's name or file, or a mixed fleet as 3 * pioneer-3dx + 1 * quadrotor.",
    "robots": "How many robots; of a mixed fleet they are taken in turn.",
    "base": "A base station: none, start (where the first robot starts), a point as 3,-4, or x, y and radios.",
    "failures": "What fails when: none, robot:at=100,robots=2, or several as radio:rate_per_hour=6 + robot:at=9.",
    "placement": "Where the robots start: auto, line, grouped, spread, at and others, or my_file.py:my_placement.",
    "connected": "Whether each robot must be able to drive to the first, or the first to it.",
    "terrain": "A terrain's name, a map file, or my_file.py:my_terrain.",
    "strategy": "A strategy's name, or my_file.py:my_strategy.",
    "prior": "A map that robots are given: none, truth, a map file, or my_file.py:my_prior.",
}
"""The parameters that are no settings of the robots' software, by name."""

SPECS = ("localiser", "merge", "planner", "radio")
"""Settings that name a component, whose parameters follow after a dot: `radio.range`."""


def family_of(name: str, place: str) -> Family:
    """The part of a mission that a parameter belongs to."""
    first, dot, _ = name.partition(".")
    if name in ("robots", "robot", "base", "failures") or (first == "robot" and dot):
        return "fleet"
    if name == "connected" or first == "placement":
        return "placement"
    if first == "terrain":
        return "terrain"
    if first == "strategy":
        return "strategy"
    if first == "prior":
        return "prior"
    if first in ControllerSettings.model_fields:
        return "settings"
    # The names without a dot are many enough to list; among all names there may still be a nearer one.
    guess = nearest(name, known_names())
    if dot and guess:
        raise ExpeditionError(f"{place}: unknown parameter {name!r}; did you mean {guess!r}?")
    raise unknown("parameter", name, [*WHOLE, *ControllerSettings.model_fields], place)


@cache
def known_names() -> dict[str, str]:
    """Every name that does not depend on the components chosen, and what it is."""
    settings = {name: text for name, text, _ in fields_below(ControllerSettings)}
    robot = {f"robot.{name}": text for name, text, _ in fields_below(RobotModel) if name not in ("name", "source")}
    return {**WHOLE, **settings, **robot}


def fields_below(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str, Any]]:
    """The fields of a model and those of its fields, by dotted name: what each is, and its type."""
    for name, field in model.model_fields.items():
        yield f"{prefix}{name}", field.description or "", field.annotation
        inner = models_in(field.annotation)
        # Of a list, such as the radios, the items are told apart by names that are not known here.
        if inner and Radio not in inner:
            found = {one: (text, kind) for part in inner for one, text, kind in fields_below(part, f"{prefix}{name}.")}
            yield from ((one, text, kind) for one, (text, kind) in found.items())


def check_robot_field(name: str, also: set[str], place: str) -> None:
    """Refuse `robot.lidar.rnage`: a field that no robot has. `also` are those that a function of the user's takes."""
    models: list[type[BaseModel]] = [RobotModel]
    parts = name.split(".")[1:]
    if ".".join(parts) in also:
        return
    skip = False
    for depth, part in enumerate(parts):
        if skip:  # The name of a radio.
            skip = False
            continue
        allowed = {field for model in models for field in model.model_fields}
        if not allowed:
            raise ExpeditionError(f"{place}: {name}: robot.{'.'.join(parts[:depth])} has no fields of its own")
        if part not in allowed:
            raise unknown("field", part, allowed | also if depth == 0 else allowed, f"{place}: {name}")
        models = [
            found
            for model in models
            if part in model.model_fields
            for found in models_in(model.model_fields[part].annotation)
        ]
        skip = Radio in models


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that a type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for argument in get_args(annotation) for found in models_in(argument)]
