"""The base station: a place with radios that holds a map. What counts in many missions is what it knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.fleet.check import Poses
from expedition.fleet.model import Radios, RobotModel
from expedition.spec import Spec, validate
from expedition.terrain import Terrain

Coordinate = Annotated[float, Field(ge=-1e7, le=1e7)]
Place = str | Sequence[float] | Mapping[str, Any] | bool | None
"""A base as users give it: none, start (where the first robot starts), "3,-4", [3, -4], or all fields."""


class BaseStation(Spec):
    """It neither moves nor senses, and nothing runs into it."""

    x: Coordinate
    """Where it stands, in metres."""
    y: Coordinate
    """Where it stands, in metres."""
    radios: Radios | None = None
    """Those of the first robot if not given."""


def base_fields(given: Place, place: str = "base") -> dict[str, Any] | None:
    """What is given of a base as plain data, checked as far as can be without the robots; None for no base."""
    if given is None or given is False or given == "none":
        return None
    if given is True or given == "start" or given == {}:
        return {}
    fields: object = given
    if isinstance(given, str):
        fields = given.split(",")
    if isinstance(fields, Sequence) and len(fields) == 2:
        fields = dict(zip("xy", fields, strict=True))
    if not isinstance(fields, Mapping):
        raise ExpeditionError(f"{place}: expected none, start, a point as 3,-4, or x and y, found {shorten(given)}")
    checked = validate(BaseStation, {"x": 0.0, "y": 0.0, **fields}, place)
    return checked.model_dump(mode="json", include=set(fields), exclude_none=True)


def check_radios(fields: Mapping[str, Any] | None, models: Iterable[RobotModel], place: str = "base") -> None:
    """Refuse a base all of whose radios have names that no robot's has: it would hear nobody."""
    own = [radio["name"] for radio in (fields or {}).get("radios", [])]
    names = {radio.name for model in models for radio in model.radios}
    if own and names and names.isdisjoint(own):
        raise ExpeditionError(f"{unknown('radio', own[0], names, f'{place}: radios')}; the base would hear no robot")


def base_station(
    given: Place, terrain: Terrain, models: Sequence[RobotModel], poses: Poses, place: str = "base"
) -> BaseStation | None:
    """The base of a fleet, which must stand on free ground; robots come home to it, or as near as they can."""
    fields = base_fields(given, place)
    if fields is None:
        return None
    check_radios(fields, models, place)
    start = {"x": float(poses[0, 0]), "y": float(poses[0, 1]), "radios": models[0].radios}
    base = validate(BaseStation, {**start, **fields}, place)
    if not terrain.is_free(base.x, base.y):
        raise ExpeditionError(f"{place}: ({base.x:g}, {base.y:g}) is no free ground of terrain {terrain.name!r}")
    return base
