"""From vectors to the parts of missions. Each distinct part is checked once, whatever the number of missions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from expedition.design.components import Given, Named, named
from expedition.design.ground import AnyTerrain, has_parameter, name_terrain, terrain_part
from expedition.design.names import SPECS, Family, family_of
from expedition.design.parts import Part
from expedition.design.priors import name_prior, prior_part
from expedition.design.robots import fleet_part, models_of, placement_part, radio_names
from expedition.design.software import REGISTRIES, check_links, settings_part, strategy_part
from expedition.design.source import Source
from expedition.design.values import Parameter
from expedition.design.vectors import Vector
from expedition.errors import ExpeditionError, shorten, unknown
from expedition.fleet.model import RobotModel
from expedition.fleet.placement import placement as placements
from expedition.settings import ControllerSettings
from expedition.strategies.library import strategy as strategies

FAMILIES: tuple[Family, ...] = ("terrain", "fleet", "placement", "strategy", "settings", "prior")
COMPONENTS = ("terrain", "placement", "strategy", "prior", *SPECS)
"""Parameters that name a component, whose own parameters follow after a dot."""
DEFAULTS = {"placement": "auto", **{name: ControllerSettings.model_fields[name].default for name in SPECS}}
NEEDED = ("terrain", "strategy")


class Resolver:
    """Makes parts of missions from vectors, and remembers those it has made."""

    def __init__(self, source: Source, parameters: Sequence[Parameter]) -> None:
        self._source = source
        self._folder: Path = source.folder
        self._parameters = {parameter.name: parameter for parameter in parameters}
        self._families: dict[str, Family] = {}
        self._named: dict[tuple[str, str], Named] = {}
        self._models: dict[str, list[RobotModel]] = {}
        self._parts: dict[tuple[str, str], Part] = {}

    def fitting(self, vectors: Iterable[Vector]) -> list[Vector]:
        """The vectors without parameters that do not apply: `terrain.size` says nothing about a maze.

        Vectors that differ in nothing else become one. A parameter that applies to none is refused.
        """
        used: set[str] = set()
        unused: dict[str, Vector] = {}
        found: dict[str, Vector] = {}
        for vector in vectors:
            values = dict(vector.values)
            for name in NEEDED:
                if name not in values:
                    raise ExpeditionError(f"{self._source.place('parameters')}: parameters: missing: {name}")
            for name in values:
                family = name.partition(".")[0]
                if family == name or family not in COMPONENTS:
                    continue
                if self._applies(vector, name, family):
                    used.add(name)
                elif name in vector.own:
                    raise self._inapplicable(vector, name, [vector])
                else:
                    values[name] = None
                    unused.setdefault(name, vector)
            found.setdefault(repr(values), Vector(values, vector.place, vector.own))
        for name, vector in unused.items():
            if name not in used:
                raise self._inapplicable(vector, name, found.values())
        return list(found.values())

    def parts(self, vector: Vector) -> dict[Family, Part]:
        """The parts of a vector's missions that the vector decides."""
        split: dict[Family, dict[str, Any]] = {family: {} for family in FAMILIES}
        for name, value in vector.values.items():
            split[self._family(name, vector)][name] = value
        parts = {family: self._part(family, split[family], vector) for family in FAMILIES}
        if parts["settings"].data["network"]["channels"]:
            check_links(parts["settings"], radio_names(parts["fleet"]), self._lines(vector), vector.place)
        return parts

    def _part(self, family: Family, values: dict[str, Any], vector: Vector) -> Part:
        key = (family, repr(values))
        if key not in self._parts:
            try:
                self._parts[key] = _MAKERS[family](self, values, vector)
            except ExpeditionError as error:
                raise ExpeditionError(f"{error}{self._hint(values)}") from error
        return self._parts[key]

    def _terrain(self, values: dict[str, Any], vector: Vector) -> Part:
        return terrain_part(self._component(vector, "terrain"), self._given("terrain", values, vector), self._folder)

    def _fleet(self, values: dict[str, Any], vector: Vector) -> Part:
        fields = {name.partition(".")[2]: value for name, value in values.items() if name.partition(".")[0] == "robot"}
        given = Given("robot", fields, self._lines(vector), vector.place)
        key = repr(fields)
        if key not in self._models:  # Fleets of any size are made of the same models.
            self._models[key] = models_of(given, self._folder)
        return fleet_part(self._models[key], given, values)

    def _placement(self, values: dict[str, Any], vector: Vector) -> Part:
        own = {name: value for name, value in values.items() if name != "connected"}
        given = self._given("placement", own, vector)
        return placement_part(self._component(vector, "placement"), given, values.get("connected", True), self._folder)

    def _strategy(self, values: dict[str, Any], vector: Vector) -> Part:
        given = self._given("strategy", values, vector)
        return strategy_part(self._component(vector, "strategy"), given, self._folder)

    def _prior(self, values: dict[str, Any], vector: Vector) -> Part:
        return prior_part(self._component(vector, "prior"), self._given("prior", values, vector), self._folder)

    def _settings(self, values: dict[str, Any], vector: Vector) -> Part:
        fitting = {
            name: value
            for name, value in values.items()
            if (family := name.partition(".")[0]) not in SPECS or family == name or self._applies(vector, name, family)
        }
        components = {name: self._component(vector, name) for name in SPECS}
        return settings_part(components, fitting, self._lines(vector), vector.place, self._folder)

    def _given(self, family: str, values: dict[str, Any], vector: Vector) -> Given:
        """The parameters after the dot, of those that apply."""
        own = {
            name.partition(".")[2]: value
            for name, value in values.items()
            if name != family and self._applies(vector, name, family)
        }
        return Given(family, own, self._lines(vector), vector.place)

    def _component(self, vector: Vector, family: str) -> Named:
        text = vector.values.get(family, DEFAULTS.get(family))
        key = (family, repr(text))
        if key not in self._named:
            place = Given(family, {}, self._lines(vector), vector.place).where()
            if family == "terrain":
                self._named[key] = name_terrain(text, self._folder, place)
            elif family == "prior":
                self._named[key] = name_prior(text, self._folder, place)
            else:
                registry = {"placement": placements, "strategy": strategies, **REGISTRIES}[family]
                self._named[key] = named(registry, text, self._folder, place)
        return self._named[key]

    def _applies(self, vector: Vector, name: str, family: str) -> bool:
        component, parameter = self._component(vector, family), name.partition(".")[2]
        return has_parameter(component, parameter) if family == "terrain" else component.has(parameter)

    def _inapplicable(self, vector: Vector, name: str, vectors: Iterable[Vector]) -> ExpeditionError:
        """The error for a parameter that no component has, with the nearest of those that they do have."""
        family, _, parameter = name.partition(".")
        components = {one.name: one for one in (self._component(each, family) for each in vectors)}
        allowed = {field for one in components.values() for field in one.parameters.model_fields}
        if family == "terrain":
            allowed |= set(AnyTerrain.model_fields)
        place = Given(family, {}, self._lines(vector), vector.place).where(parameter)
        of = ", ".join(shorten(Path(one).name, 40) for one in list(components)[:5])
        return unknown(f"parameter of {of}:", parameter, allowed, place)

    def _family(self, name: str, vector: Vector) -> Family:
        if name not in self._families:
            line = self._lines(vector).get(name)
            self._families[name] = family_of(name, f"{vector.place}, line {line}" if line else vector.place)
        return self._families[name]

    def _lines(self, vector: Vector) -> dict[str, int]:
        """The line on which each of a vector's values was written."""
        lines = {}
        for name, value in vector.values.items():
            parameter = self._parameters.get(name)
            line = vector.own[name] if name in vector.own else parameter and parameter.line_of(value)
            if line:
                lines[name] = line
        return lines

    def _hint(self, values: dict[str, Any]) -> str:
        """Some write [-38, 38] where one value is meant that is a list."""
        for name in values:
            parameter = self._parameters.get(name)
            if parameter and parameter.is_list and len(parameter.values) > 1 and _is_point(parameter.values):
                written = f"{name}: [{list(parameter.values)}]"
                return f" (a list is several values; for one value that is a list, write {written})"
        return ""


def _is_point(values: Sequence[Any]) -> bool:
    return len(values) in (2, 3) and all(isinstance(value, int | float) for value in values)


_MAKERS: dict[Family, Callable[[Resolver, dict[str, Any], Vector], Part]] = {
    "terrain": Resolver._terrain,
    "fleet": Resolver._fleet,
    "placement": Resolver._placement,
    "strategy": Resolver._strategy,
    "settings": Resolver._settings,
    "prior": Resolver._prior,
}
