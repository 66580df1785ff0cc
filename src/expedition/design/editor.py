"""The JSON schema of design files, by which editors complete names and mark mistakes while one writes."""

from __future__ import annotations

from typing import Any

from expedition.design.ground import AnyTerrain
from expedition.design.names import SPECS, known_names
from expedition.design.schema import DesignFile
from expedition.design.software import REGISTRIES
from expedition.fleet import names as robot_names
from expedition.fleet.placement import placement as placements
from expedition.measure.metrics import METRICS
from expedition.measure.schedule import SHIPPED, Schedule
from expedition.measure.stops import stop_condition
from expedition.registry import Registry
from expedition.strategies.library import strategy as strategies
from expedition.terrain.library import terrain as terrains

NUMBER = {"type": "number"}
RANGE = {
    "type": "object",
    "description": "All numbers from one to another; `by` is the step, 1 if not given.",
    "properties": {"from": NUMBER, "to": NUMBER, "by": {"type": "number", "exclusiveMinimum": 0}},
    "required": ["from", "to"],
    "additionalProperties": False,
}
VALUES = {
    "type": "object",
    "description": "Several values in the long form, needed where a value is itself a mapping.",
    "properties": {"values": {"type": "array", "minItems": 1}},
    "required": ["values"],
    "additionalProperties": False,
}
PYTHON = {"type": "string", "pattern": r"\.py:\w+$"}


def design_schema() -> dict[str, Any]:
    """The schema of a design file, with what each field and each known parameter is."""
    schema = DesignFile.model_json_schema()
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "expedition design"}
    schema["required"] = ["parameters"]
    fields = schema["properties"]
    fields["parameters"] = {**fields["parameters"], **_parameters()}
    fields["vectors"] |= {
        "anyOf": [{"const": "all"}, PYTHON, {"type": "array", "items": {"type": "object"}, "minItems": 1}, _hypercube()]
    }
    fields["exclude"] |= {"type": "array", "items": {"anyOf": [PYTHON, {"type": "object", "minProperties": 1}]}}
    fields["stop"] = {**fields["stop"], **_stops()}
    fields["stop"].pop("anyOf", None)
    fields["measurements"] |= {
        "properties": {name: {"anyOf": [{"const": False}, Schedule.model_json_schema()]} for name in SHIPPED}
    }
    fields["record"] |= {"anyOf": [{"type": "boolean"}, schema.pop("$defs")["Detail"]]}
    fields["metrics"]["items"] = {"anyOf": [{"enum": list(METRICS)}, {"type": "string"}]}
    return schema


def _parameters() -> dict[str, Any]:
    """Known names with what they are; the parameters of components by their family."""
    allowed = {
        "terrain": terrains.names(),
        "strategy": strategies.names(),
        "placement": placements.names(),
        "robot": robot_names(),
        **{name: REGISTRIES[name].names() for name in SPECS},
    }
    known = {name: _one_or_several(text, allowed.get(name)) for name, text in known_names().items()}
    general = {
        f"terrain.{name}": _one_or_several(field.description or "") for name, field in AnyTerrain.model_fields.items()
    }
    families: dict[str, Registry[Any]] = {
        "terrain": terrains, "strategy": strategies, "placement": placements, **REGISTRIES
    }  # fmt: skip
    components = {
        f"{family}.{name}": _one_or_several(text)
        for family, registry in families.items()
        for name, text in _of_components(registry).items()
    }
    patterns = "|".join(families)
    return {
        "properties": {**known, **general, **components},
        # Those of users' own components, and of radios, whose names are in the robot's file.
        "patternProperties": {rf"^({patterns})\.\w+$": True, r"^robot\.radios\.[\w-]+(\.\w+)?$": True},
        "additionalProperties": False,
    }


def _of_components(registry: Registry[Any]) -> dict[str, str]:
    """The parameters of all components of a kind, with those that have each."""
    found: dict[str, list[str]] = {}
    for name in registry.names():
        for field, info in registry.find(name).parameters.model_fields.items():
            found.setdefault(field, []).append(f"{name}: {info.description}" if info.description else name)
    return {field: "; ".join(told) for field, told in found.items()}


def _one_or_several(description: str, suggested: list[str] | None = None) -> dict[str, Any]:
    value: dict[str, Any] = {"type": ["number", "string", "boolean", "null"]}
    if suggested:
        value = {"anyOf": [{"enum": suggested}, value]}
    many = {"type": "array", "minItems": 1, "items": {"anyOf": [value, {"type": ["array", "object"]}]}}
    return {"description": description, "anyOf": [value, many, RANGE, VALUES]}


def _hypercube() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1, "description": "How many vectors are drawn."}
    return {
        "type": "object",
        "properties": {"latin_hypercube": count},
        "required": ["latin_hypercube"],
        "additionalProperties": False,
    }


def _stops() -> dict[str, Any]:
    conditions = {}
    for name in stop_condition.names():
        component = stop_condition.find(name)
        whole = component.parameters.model_json_schema()
        conditions[name] = {
            "description": component.summary,
            "anyOf": [{"type": ["number", "boolean"]}, {"type": "object", "properties": whole.get("properties", {})}],
        }
    return {
        "type": "object",
        "properties": conditions,
        "patternProperties": {r"\.py:\w+$": True},
        "additionalProperties": False,
    }
