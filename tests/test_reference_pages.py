"""The tables of fields and the page on the Python API are complete and say what the program does."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from expedition import fleet, plotstyle, sim, terrain
from expedition.settings import ControllerSettings
from expedition.terrain import picture

DOCS = Path(__file__).parent.parent / "docs"
SCRIPT = runpy.run_path(str(DOCS / "make_tables.py"), run_name="tables")


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


def models_below(*models: type[BaseModel]) -> set[type[BaseModel]]:
    """The models and all that their fields are made of."""
    inner = {
        found for model in models for field in model.model_fields.values() for found in models_in(field.annotation)
    }
    return {*models, *models_below(*inner)} if inner else set(models)


def public_names(module: ModuleType) -> set[str]:
    """What a module exports, or without a list the functions that it defines."""
    if exported := getattr(module, "__all__", None):
        again = set(terrain.__all__) if module is terrain.files else set()
        return {f"{module.__name__}.{name}" for name in {*exported} - again}
    functions = inspect.getmembers(module, inspect.isfunction)
    return {
        f"{module.__name__}.{name}"
        for name, function in functions
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


def names_on_api_page() -> set[str]:
    found = set()
    module = ""
    for directive, name in re.findall(r"^\.\. ([a-z:]+):: ([\w.]+)$", (DOCS / "api.md").read_text("utf-8"), re.M):
        if directive == "py:currentmodule":
            module = name
        else:
            found.add(f"{module}.{name}" if directive == "py:data" else name)
    return found


@pytest.mark.parametrize("name", SCRIPT["TABLES"])
def test_tables_are_those_of_the_program(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == SCRIPT["TABLES"][name], "run `python docs/make_tables.py`"


def test_tables_have_every_model_that_a_file_is_made_of() -> None:
    robot = {model for models in SCRIPT["ROBOT"].values() for model in models}
    changes = {model for models in SCRIPT["CHANGES"].values() for model in models}
    settings = {model for models in SCRIPT["SETTINGS"].values() for model in models}
    assert robot == models_below(fleet.RobotModel)
    assert settings == models_below(ControllerSettings)
    assert changes == models_below(*models_in(terrain.Change))


def test_every_field_in_a_table_has_a_meaning_and_a_default() -> None:
    rows = [
        line for text in SCRIPT["TABLES"].values() for line in text.splitlines() if line.startswith(("| `", "| [`"))
    ]
    assert len(rows) > 100
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert all(cells), row
        assert "Undefined" not in row


@pytest.mark.parametrize(
    "module", [terrain, terrain.files, picture, fleet, sim, plotstyle], ids=lambda module: module.__name__
)
def test_api_page_has_every_public_name(module: ModuleType) -> None:
    missing = public_names(module) - names_on_api_page()
    assert not missing
