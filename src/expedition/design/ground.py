"""The terrain of a mission: from what a design says of it to plain data, and from there to the terrain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from expedition.design.components import Given, Named, named, settle
from expedition.design.files import absolute, digest
from expedition.design.parts import Part, canonical
from expedition.design.planned import Planned
from expedition.errors import ExpeditionError
from expedition.spec import Spec, parse_spec, validate
from expedition.terrain import Change, Terrain
from expedition.terrain.files import format_of
from expedition.terrain.library import terrain as terrains
from expedition.terrain.material import MaterialName, material_index

TERRAINS_KEPT = 8


class AnyTerrain(Spec):
    """What may be set of every terrain, whether or not its maker has a parameter for it."""

    material: MaterialName | None = None
    """What all walls and obstacles are made of."""
    wall_height: Annotated[float, Field(ge=0.01, le=655)] | None = None
    """The height of all walls and obstacles, in metres."""
    speed_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    """The share of its speed that a robot reaches on this ground, in percent."""
    changes: tuple[Change, ...] | None = None
    """Doors, people and collapses, instead of those that the terrain itself has."""


def name_terrain(text: Any, folder: Path, place: str) -> Named:
    """The terrain that a spec names: a registered one, a map file, or a function in a file."""
    format = format_of(text.partition(":")[0]) if isinstance(text, str) and ".py:" not in text else None
    if format is None:
        return named(terrains, text, folder, place)
    try:
        path, options = parse_spec(text)
        path = absolute(path, folder)
        return Named(path, format.options, options, {path: digest(path)})
    except ExpeditionError as error:
        raise ExpeditionError(f"{place}: {error}") from error


def has_parameter(ground: Named, parameter: str) -> bool:
    """Whether a terrain has a parameter, be it of its own or one that every terrain has."""
    return ground.has(parameter) or parameter in AnyTerrain.model_fields


def terrain_part(ground: Named, given: Given, folder: Path) -> Part:
    """The terrain as plain data: its name, its own parameters, and what is set of any terrain."""
    own = {name: value for name, value in given.values.items() if ground.has(name)}
    parameters, files = settle(ground, Given(given.family, own, given.lines, given.place), folder)
    above = {name: value for name, value in given.values.items() if name not in own}
    around = validate(_Around, {"terrain": above}, given.place, given.lines)
    data = {"name": ground.name, "parameters": parameters, **around.terrain.model_dump(mode="json")}
    return Part.of(data, files)


class _Around(Spec):
    """So that errors say `terrain.changes`."""

    terrain: AnyTerrain


def build_terrain(data: Mapping[str, Any], digests: Mapping[str, str]) -> Terrain:
    """The terrain of a mission. The last few are kept: missions that follow each other often share theirs."""
    return _built(canonical(data), canonical(dict(digests)))


@lru_cache(maxsize=TERRAINS_KEPT)
def _built(text: str, digests: str) -> Terrain:
    data = json.loads(text)
    name, parameters = data["name"], data["parameters"]
    format = None if ".py:" in name else format_of(name)
    if format is not None:
        made = format.read(Path(name), validate(format.options, parameters, name))
    else:
        component = terrains.find(name)
        made = component.build(**component.check(parameters))
    above = validate(AnyTerrain, {field: data[field] for field in AnyTerrain.model_fields}, name)
    return _with(made, above)


def map_notes(missions: Iterable[Planned]) -> list[tuple[str, str]]:
    """What reading the map files of missions changed or found doubtful: the terrain as a vector names it, and a note.

    A file that cannot be read has none here: it is told of where it is needed.
    """
    told: dict[tuple[str, str], None] = {}
    # Missions share the data of their terrain.
    for one in {id(one.parameters["terrain"]): one for one in missions}.values():
        data = one.parameters["terrain"]
        if ".py:" in data["name"] or format_of(data["name"]) is None:
            continue
        with suppress(ExpeditionError):
            notes = build_terrain(data, one.parameters["files"]).notes
            told |= dict.fromkeys((str(one.vector["terrain"]), note) for note in notes)
    return list(told)


def _with(terrain: Terrain, above: AnyTerrain) -> Terrain:
    layers: dict[str, Any] = {}
    if above.material is not None:
        layers["material"] = np.asarray(material_index(above.material), dtype=np.uint8)
    if above.wall_height is not None:
        layers["wall_height_cm"] = terrain.occupied * np.uint16(round(100 * above.wall_height))
    if above.speed_percent is not None:
        layers["speed_percent"] = np.asarray(above.speed_percent, dtype=np.uint8)
    if above.changes is not None:
        layers["changes"] = above.changes
    return replace(terrain, **layers) if layers else terrain
