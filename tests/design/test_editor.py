"""The schema for editors knows what the program knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from expedition.design.editor import design_schema
from expedition.design.names import known_names
from expedition.design.schema import DesignFile
from expedition.design.source import Source, shipped

SCHEMA = design_schema()


def nodes(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
        for value in data.values():
            yield from nodes(value)
    elif isinstance(data, list):
        for value in data:
            yield from nodes(value)


def allowed(name: str) -> bool:
    parameters = SCHEMA["properties"]["parameters"]
    return name in parameters["properties"] or any(re.search(p, name) for p in parameters["patternProperties"])


def test_every_field_is_there_with_what_it_is() -> None:
    assert set(SCHEMA["properties"]) == set(DesignFile.model_fields)
    assert all(field["description"] for field in SCHEMA["properties"].values())
    assert SCHEMA["additionalProperties"] is False


def test_every_known_parameter_is_there_with_what_it_is() -> None:
    properties = SCHEMA["properties"]["parameters"]["properties"]
    assert set(known_names()) <= set(properties)
    for name in ("robot.lidar.range", "local.horizon", "terrain.density", "strategy.weight", "terrain.changes"):
        assert properties[name]["description"], name
    assert "maze" in properties["terrain"]["anyOf"][0]["anyOf"][0]["enum"]


def test_names_that_do_not_exist_are_marked() -> None:
    assert allowed("robot.radios.wifi.range")
    assert allowed("terrain.size_of_mine")
    assert not allowed("exchange_rte")
    assert not allowed("robot.lidar.rnage")


def test_shipped_designs_have_only_fields_and_parameters_of_the_schema() -> None:
    for name in shipped():
        data = yaml.safe_load(Source.read(name).text)
        assert set(data) <= set(SCHEMA["properties"])
        assert all(allowed(parameter) for parameter in data["parameters"])
        assert set(data["stop"]) <= set(SCHEMA["properties"]["stop"]["properties"])
        assert set(data["measurements"]) <= set(SCHEMA["properties"]["measurements"]["properties"])


def test_the_schema_refers_to_nothing_that_is_not_in_it() -> None:
    assert not [node["$ref"] for node in nodes(SCHEMA) if "$ref" in node]
