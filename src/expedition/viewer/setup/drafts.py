"""A mission as it is set up on a page: the parameters of a design with one vector, and files that hold it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from expedition.bench.durable import replace_file
from expedition.bench.places import temporary_name
from expedition.bench.store import Store
from expedition.design.design import Design, design_from
from expedition.design.schema import NAME
from expedition.design.source import REFERENCE, Source, shipped
from expedition.errors import ExpeditionError, shorten, unknown
from expedition.spec import read_text, read_yaml
from expedition.viewer.setup.allowed import Allowed, cleared

FOLDER = "set-ups"
"""Of a store, for designs that were saved on the page."""
LARGEST = 1_000_000
"""Bytes of a design that a page opens."""
PLACE = Path("set-up")
"""What errors call a design that came over a page."""


@dataclass(frozen=True)
class Draft:
    """Parameters by dotted name, of which only those that differ from the defaults are there."""

    parameters: dict[str, Any] = field(default_factory=lambda: {"terrain": "cross", "robots": 4, "strategy": STRATEGY})
    stop: dict[str, Any] = field(default_factory=dict)
    """As in a design; the usual conditions if empty."""
    seed: int = 1
    name: str = "mine"

    def data(self) -> dict[str, Any]:
        """The fields of a design file."""
        # A plain list would be several values.
        values = {
            name: {"values": [value]} if isinstance(value, list | tuple | Mapping) else value
            for name, value in self.parameters.items()
        }
        stop = {"stop": self.stop} if self.stop else {}
        return {"name": self.name, "parameters": values, "seed": self.seed, **stop}

    def text(self) -> str:
        """A design file that `expedition run` reads too."""
        data = self.data()
        for name in ("terrain", "prior"):
            value = data["parameters"].get(name)
            if isinstance(value, str) and value.partition(":")[0].lower().endswith((".yaml", ".yml")):
                data["parameters"][name] = f"../terrains/{value}"
        return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)

    def title(self) -> str:
        """In a few words."""
        shown = [str(self.parameters.get(name, "")) for name in ("terrain", "robots", "strategy")]
        if "robots" not in self.parameters:
            shown[1] = str(self.parameters.get("robot", ""))
        elif shown[1].isdigit():
            shown[1] += " robot" if shown[1] == "1" else " robots"
        return ", ".join(part for part in shown if part)

    def with_seed(self, seed: int) -> Draft:
        """The same with another seed."""
        return replace(self, seed=seed)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"parameters": self.parameters, "stop": self.stop, "seed": self.seed, "name": self.name}


STRATEGY = "nearest-frontier"


@dataclass(frozen=True)
class Opened:
    """A design that a mission can be taken from."""

    design: Design
    vectors: list[dict[str, Any]]
    """With files as a page calls them."""
    stop: dict[str, Any]
    """As it was written."""

    def draft(self, vector: int = 0, iteration: int = 0) -> Draft:
        """One of its missions."""
        parameters = {name: value for name, value in self.vectors[vector].items() if value is not None}
        return Draft(parameters, dict(self.stop), self.design.seed + iteration, self.design.name)


def open_text(text: str, allowed: Allowed, name: str = "") -> Opened:
    """A design from its text, of which nothing is looked up that a page may not name."""
    if len(text) > LARGEST:
        raise ExpeditionError(f"a design of {len(text):,} characters is too large; the limit is {LARGEST:,}")
    place = Path(name or PLACE)
    data, _ = read_yaml(text, str(place))
    fields = cleared(data, allowed)
    read = Source.of(text, place)
    design = design_from(Source(place, text, fields, read.lines))
    vectors = [{key: allowed.short(value) for key, value in vector.items()} for vector in design.vectors]
    stop = fields.get("stop")
    return Opened(design, vectors, dict(stop) if isinstance(stop, Mapping) else {})


def open_design(name: str, store: Store, allowed: Allowed) -> Opened:
    """A design that ships, `NAME`; that was saved on the page, `set-ups/NAME`; or run into the store, `store/NAME`."""
    kind, _, rest = name.rpartition("/")
    if kind == "" and rest in shipped():
        return open_text((REFERENCE / f"{rest}.yaml").read_text("utf-8"), allowed, f"{rest}.yaml")
    if kind == FOLDER and rest in saved(store):
        return open_text(read_text(store.folder / FOLDER / f"{rest}.yaml", LARGEST), allowed, f"{rest}.yaml")
    if kind == "store" and rest in store.designs():
        return open_text(store.design(rest).text, allowed, f"{rest}.yaml")
    raise unknown("design", name, designs(store))


def designs(store: Store) -> list[str]:
    """All that `open_design` opens."""
    return [*(f"{FOLDER}/{name}" for name in saved(store)), *(f"store/{name}" for name in store.designs()), *shipped()]


def saved(store: Store) -> list[str]:
    """Names of designs saved on the page, newest first."""
    try:
        files = [path for path in (store.folder / FOLDER).iterdir() if path.suffix == ".yaml"]
        files.sort(key=lambda path: (-path.stat().st_mtime, path.name))
    except OSError:
        return []
    return [path.stem for path in files if is_name(path.stem)]


def save_draft(draft: Draft, store: Store) -> Path:
    """Write a draft where the page keeps them; one of the same name is written over."""
    if not is_name(draft.name):
        raise ExpeditionError(
            f"name: letters, digits, dots and dashes, at most 100, beginning with a letter or digit, found "
            f"{shorten(draft.name)}"
        )
    folder = store.folder / FOLDER
    path = folder / f"{draft.name}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(path, draft.text().encode(), folder / temporary_name(draft.name))
    except OSError as error:
        raise ExpeditionError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def is_name(text: str) -> bool:
    """Whether a text can be the name of a design."""
    return re.fullmatch(NAME, text) is not None and len(text) <= 100 and os.sep not in text


def draft_of_mission(key: str, store: Store, allowed: Allowed) -> Draft | None:
    """The mission of the store with that key as a draft, if a design of the store has it and a page may name it."""
    for name in store.designs():
        record = store.design(name)
        for listed in record.missions:
            if listed.key == key:
                opened = open_design(f"store/{name}", store, allowed)
                parameters = {field: allowed.short(value) for field, value in listed.vector.items()}
                kept = {field: value for field, value in parameters.items() if value is not None}
                return Draft(kept, dict(opened.stop), listed.seed, name)
    return None
