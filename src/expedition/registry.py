"""One registry for every extension point: terrains, placements, and whatever else users add by name.

A component is a function (or class) whose keyword-only parameters are what a user may set; its docstring is its
help. Users add one with the decorator, as an entry point of the registry's group, or as `my_file.py:my_component`.
"""

from __future__ import annotations

import importlib.util
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, create_model

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.spec import Spec, parse_spec, read_bytes, validate

MAX_SOURCE_BYTES = 4_000_000

Made = TypeVar("Made")


@dataclass(frozen=True)
class Component(Generic[Made]):
    """A named function with its help and the model of its parameters."""

    name: str
    build: Callable[..., Made]
    parameters: type[BaseModel]

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.build) or "").partition("\n")[0]

    def check(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters, validated and completed with their defaults."""
        return dict(validate(self.parameters, dict(parameters), self.name))


class Registry(Generic[Made]):
    """Components of one kind, by name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._components: dict[str, Component[Made]] = {}

    def __call__(self, name: str) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
        """Decorator: register a function under `name`."""

        def register(function: Callable[..., Made]) -> Callable[..., Made]:
            if name in self._components:
                raise ExpeditionError(f"there is already a {self.kind} named {name!r}")
            self._components[name] = _component(name, function)
            return function

        return register

    def names(self) -> list[str]:
        """All names known without a file, those of installed plugins included."""
        return sorted({*self._components, *(point.name for point in self._plugins())})

    def find(self, name: str) -> Component[Made]:
        """The component of that name, from here, a plugin, or `my_file.py:my_component`."""
        if name in self._components:
            return self._components[name]
        path, _, attribute = name.rpartition(":")
        if path.endswith(".py"):
            return _component(name, _load_attribute(Path(path), attribute))
        if name.endswith(".py"):
            raise ExpeditionError(f"{name}: say which {self.kind} of this file, as {name}:my_{self._identifier}")
        for point in self._plugins():
            if point.name == name:
                return _component(name, point.load())
        raise unknown(self.kind, name, self.names())

    def component(self, name: str, function: Callable[..., Made]) -> Component[Made]:
        """A function that is not registered as a component of this kind."""
        return _component(name, function)

    def parse(self, text: str) -> tuple[Component[Made], dict[str, Any]]:
        """A one-line spec as its component and the parameters given in it."""
        if ".py:" in text:
            path, _, rest = text.partition(".py:")
            attribute, parameters = parse_spec(rest)
            return self.find(f"{path}.py:{attribute}"), parameters
        name, parameters = parse_spec(text)
        return self.find(name), parameters

    def make(self, spec: str, *given: Any, **parameters: Any) -> Made:
        """Call the component that `spec` names, with the parameters in it and those given here."""
        component, written = self.parse(spec)
        return component.build(*given, **component.check({**written, **parameters}))

    @property
    def _identifier(self) -> str:
        return self.kind.replace(" ", "_")

    def _plugins(self) -> Any:
        return entry_points(group=f"expedition.{self._identifier}")


class Parameters(Spec):
    """The parameters of a component. They have no docstrings, for which Pydantic would read all modules' sources."""

    model_config = ConfigDict(use_attribute_docstrings=False)


def _component(name: str, function: Callable[..., Made]) -> Component[Made]:
    settable = [one for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]
    # What has no parameters may name types that are there for type checkers only.
    hints = typing.get_type_hints(function, include_extras=True) if settable else {}
    if settable and inspect.isclass(function):
        hints = {**hints, **typing.get_type_hints(function.__init__, include_extras=True)}
    fields: dict[str, Any] = {
        parameter.name: (
            hints.get(parameter.name, Any),
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in settable
    }
    return Component(name, function, create_model(f"{name} parameters", __base__=Parameters, **fields))


def _load_attribute(path: Path, attribute: str) -> Any:
    read_bytes(path, MAX_SOURCE_BYTES)
    module_spec = importlib.util.spec_from_file_location(path.stem, path)
    if module_spec is None or module_spec.loader is None:
        raise ExpeditionError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(module_spec)
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:
        raise ExpeditionError(f"{path}: {type(error).__name__} while loading it: {shorten(str(error), 200)}") from error
    if not callable(found := getattr(module, attribute, None)):
        functions = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == path.stem]
        raise unknown("function", attribute, functions, place=str(path))
    return found
