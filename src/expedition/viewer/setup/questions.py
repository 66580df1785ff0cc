"""Forms from models: what is asked of a user for each field of a component, a robot or the settings."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from expedition.design.names import SPECS
from expedition.errors import ExpeditionError, complaint, shorten
from expedition.fleet.model import RobotModel
from expedition.settings import ControllerSettings
from expedition.spec import parse_value

Kind = Literal["switch", "number", "whole", "choice", "text", "value"]
ROBOT_FIELDS = (
    "drive.max_speed", "drive.max_turn_rate", "lidar.range", "lidar.beams", "lidar.field_of_view", "lidar.sigma_range",
    "robot_detector.range", "battery.capacity_wh",
)  # fmt: skip
"""Of a robot model, those that are most often set; the ranges of its radios are asked for too."""


@dataclass(frozen=True)
class Question:
    """One field of a form."""

    name: str
    """Dotted, as in a design."""
    kind: Kind
    help: str
    default: Any = None
    """None if there is none, or nothing by default."""
    required: bool = False
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    check: Callable[[Any], str | None] = field(default=lambda value: None, compare=False)
    """What is wrong with a value, in a sentence."""

    @property
    def label(self) -> str:
        """The last part of the name in words; of a robot, what of it too."""
        of_robot = self.name.startswith("robot.")
        name = self.name.removeprefix("robot.").removeprefix("radios.") if of_robot else self.name.rpartition(".")[2]
        return name.replace(".", " ").replace("_", " ")

    def read(self, given: Any) -> Any:
        """What a field of the page holds as a value; None if it is empty or as by default. An error if it is wrong."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return None
        value = given
        if self.kind == "whole" and isinstance(given, float) and given == int(given):
            value = int(given)
        elif self.kind == "value" and isinstance(given, str):
            value = parse_value(given, self.label)
        elif self.kind == "choice" and given in YES_NO and self.options == YES_NO:
            value = given == YES_NO[0]
        if value == self.default and isinstance(value, bool) == isinstance(self.default, bool):
            return None
        why = self.check(value)
        if why is not None:
            raise ExpeditionError(why)
        return value

    def shown(self, value: Any) -> Any:
        """A value as the field of the page holds it; that of the default if there is none."""
        value = self.default if value is None else value
        if value is None:
            return None
        if self.kind == "choice" and isinstance(value, bool):
            return YES_NO[0 if value else 1]
        if self.kind in ("value", "text") and not isinstance(value, str):
            return json.dumps(value)
        return value


YES_NO = ("yes", "no")


@dataclass(frozen=True)
class Group:
    """Questions that belong together."""

    name: str
    help: str
    questions: tuple[Question | Group, ...]


@cache
def questions_of(model: type[BaseModel], prefix: str = "") -> tuple[Question, ...]:
    """The questions of a component's parameters, without those that name files."""
    return tuple(
        question(f"{prefix}{name}", info)
        for name, info in model.model_fields.items()
        if name != "file" and not name.endswith("_file")
    )


def question(name: str, info: FieldInfo, default: Any = PydanticUndefined) -> Question:
    """The question for one field of a model; `default` may be that of a preset."""
    annotation, metadata, optional = _bared(info.annotation, list(info.metadata))
    if default is PydanticUndefined:
        default = info.get_default(call_default_factory=True)
    required = default is PydanticUndefined
    if required:
        default = None
    elif isinstance(default, BaseModel):
        default = default.model_dump(mode="json")
    elif isinstance(default, tuple):
        default = list(default)
    low, high = _limit(metadata, "ge", "gt"), _limit(metadata, "le", "lt")
    kind, options = _kind(annotation, optional, metadata)
    whole: Any = Annotated[info.annotation, info]
    adapter: TypeAdapter[Any] = TypeAdapter(whole)

    def check(value: Any) -> str | None:
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            said = complaint(error)["msg"].removeprefix("Value error, ")
            return f"{said[:1].lower()}{said[1:]}, found {shorten(value)}"
        return None

    return Question(name, kind, _sentence(info.description), default, required, options, low, high, check)


def settings_tree() -> tuple[Question | Group, ...]:
    """All settings of the robots' software but the components, which have places of their own."""
    return tuple(_tree(ControllerSettings, ""))


def _tree(model: type[BaseModel], prefix: str) -> Iterator[Question | Group]:
    for name, info in model.model_fields.items():
        full = f"{prefix}{name}"
        if full in SPECS:
            continue
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield Group(full, _sentence(info.description), tuple(_tree(info.annotation, f"{full}.")))
        else:
            yield question(full, info)


def robot_questions(model: RobotModel) -> tuple[Question, ...]:
    """The fields of a robot that are most often set, with its own figures as defaults."""
    found = []
    for dotted in ROBOT_FIELDS:
        here: Any = model
        *parents, last = dotted.split(".")
        for part in parents:
            here = getattr(here, part, None)
        if isinstance(here, BaseModel) and last in type(here).model_fields:
            default = getattr(here, last)
            default = round(default, 6) if isinstance(default, float) else default
            found.append(question(f"robot.{dotted}", type(here).model_fields[last], default))
    for radio in model.radios:
        info = type(radio).model_fields["range"]
        found.append(question(f"robot.radios.{radio.name}.range", info, radio.range))
    return tuple(found)


def _bared(annotation: Any, metadata: list[Any]) -> tuple[Any, list[Any], bool]:
    """A type without `Annotated` and without None, all its limits, and whether it may be None."""
    optional = False
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            for one in more:
                metadata += one.metadata if isinstance(one, FieldInfo) else [one]
            continue
        if get_origin(annotation) in (Union, types.UnionType):
            kinds = [one for one in get_args(annotation) if one is not type(None)]
            optional = optional or len(kinds) < len(get_args(annotation))
            if len(kinds) == 1:
                annotation = kinds[0]
                continue
        return annotation, metadata, optional


def _limit(metadata: list[Any], *names: str) -> float | None:
    limits = (getattr(one, name, None) for one in metadata for name in names)
    return next((limit for limit in limits if limit is not None), None)


def _kind(annotation: Any, optional: bool, metadata: list[Any]) -> tuple[Kind, tuple[str, ...]]:
    if annotation is bool:
        return ("choice", YES_NO) if optional else ("switch", ())
    # Angles may be written in degrees, sizes as 60x45: those are texts that the model reads.
    if any(type(one).__name__ in ("BeforeValidator", "PlainValidator") for one in metadata):
        return "value", ()
    if annotation is int:
        return "whole", ()
    if annotation is float:
        return "number", ()
    if get_origin(annotation) is Literal:
        return "choice", tuple(str(one) for one in get_args(annotation))
    return ("text", ()) if annotation is str else ("value", ())


def _sentence(text: str | None) -> str:
    text = " ".join((text or "").split())
    return text[:1].upper() + text[1:]
