"""Components by name with their parameters: what a design says of a terrain, a strategy, a placement or a setting."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, create_model
from pydantic_core import PydanticUndefined

from expedition.design.files import Digests, absolute, digest, names_python, split
from expedition.errors import ExpeditionError, shorten
from expedition.registry import Registry
from expedition.spec import Spec, validate


@dataclass(frozen=True)
class Named:
    """What a one-line spec in a design stands for."""

    name: str
    """A registered name, a file by its whole path, or a function in one."""
    parameters: type[BaseModel]
    written: dict[str, Any]
    """The parameters in the spec itself."""
    files: Digests = field(default_factory=dict)

    def has(self, parameter: str) -> bool:
        """Whether it has a parameter."""
        return parameter in self.parameters.model_fields


def named(registry: Registry[Any], text: Any, folder: Path, place: str) -> Named:
    """The component that a spec names; a file is looked for in `folder`."""
    if not isinstance(text, str):
        raise ExpeditionError(f"{place}: expected the name of a {registry.kind}, found {shorten(text)}")
    try:
        if not names_python(text):
            component, written = registry.parse(text)
            return Named(component.name, component.parameters, written)
        component, written = registry.parse(absolute(text, folder))
        path, _ = split(component.name)
        return Named(component.name, component.parameters, written, {path: digest(path)})
    except ExpeditionError as error:
        raise ExpeditionError(f"{place}: {error}") from error


@dataclass(frozen=True)
class Given:
    """Parameters of a component in one vector, and where they were written."""

    family: str
    """The name before the dot: `terrain` of `terrain.size`."""
    values: dict[str, Any]
    lines: dict[str, int]
    """The line of each, by its full name."""
    place: str
    """The file."""

    def where(self, parameter: str = "") -> str:
        """The place of a parameter, or of the component itself."""
        full = f"{self.family}.{parameter}" if parameter else self.family
        line = self.lines.get(full)
        return f"{self.place}, line {line}: {full}" if line else f"{self.place}: {full}"


def settle(component: Named, given: Given, folder: Path) -> tuple[dict[str, Any], Digests]:
    """All parameters of a component as plain data, defaults included, and the files that they name."""
    for name in given.values:
        if name in component.written:
            raise ExpeditionError(
                f"{given.where(name)}: {shorten(component.name)} has it in its name already; set it in one place"
            )
    around = _around(given.family, component.parameters)
    data = {given.family: {**component.written, **given.values}}
    made = getattr(validate(around, data, given.place, given.lines), given.family)
    parameters: dict[str, Any] = made.model_dump(mode="json", warnings=False)
    files: Digests = dict(component.files)
    for name, value in parameters.items():
        if isinstance(value, str) and (name == "file" or name.endswith("_file")):
            path = parameters[name] = str((folder / value).resolve())
            try:
                files[path] = digest(path)
            except ExpeditionError as error:
                raise ExpeditionError(f"{given.where(name)}: {error}") from error
    return parameters, files


@lru_cache(maxsize=256)
def _around(family: str, parameters: type[BaseModel]) -> type[BaseModel]:
    """A model with the parameters as its one field, so that errors say `terrain.size`; costly to make."""
    return create_model("design", __base__=Spec, **{family: (parameters, ...)})  # type: ignore[call-overload, no-any-return]


def spelled(name: str, parameters: Mapping[str, Any], model: type[BaseModel] | None = None) -> str:
    """A component in one line; with a `model`, without the parameters that are as they are by default."""
    told = {key: value for key, value in parameters.items() if model is None or not _default(model, key, value)}
    if not told:
        return name
    return f"{name}:" + ",".join(f"{key}={_word(value)}" for key, value in sorted(told.items()))


def _default(model: type[BaseModel], name: str, value: Any) -> bool:
    default = model.model_fields[name].get_default(call_default_factory=True) if name in model.model_fields else None
    if default is PydanticUndefined:
        return False
    return json.dumps(default, default=_plain) == json.dumps(value) or default == value


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else str(value)


def _word(value: Any) -> str:
    """A value as it stands in a one-line spec, which YAML reads back as it was."""
    if isinstance(value, str) and re.fullmatch(r"[\w./-]+", value) and yaml.safe_load(value) == value:
        return value
    text = json.dumps(value)
    # A comma or a bracket in a text, as folders may have them, would end the value; YAML reads what stands for it.
    return re.sub(r"[][,(){}]", lambda found: f"\\u{ord(found[0]):04x}", text) if isinstance(value, str) else text
