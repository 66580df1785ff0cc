"""The prior of a mission, the map that its robots are given: from what a design says to plain data and to a spec."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from expedition.belief.prior import check_prior, names_map, priors
from expedition.design.components import Given, Named, named, settle, spelled
from expedition.design.files import absolute, digest
from expedition.design.parts import Part
from expedition.errors import ExpeditionError
from expedition.spec import Spec, parse_spec
from expedition.terrain.files import format_of

NONE = "none"
"""What a design may write for no prior, besides nothing at all."""


def name_prior(text: Any, folder: Path, place: str) -> Named:
    """The prior that a spec names: a registered one, a map file, a function in a file, or none."""
    if text is None or text == NONE:
        return Named(NONE, Spec, {})
    format = format_of(text.partition(":")[0]) if isinstance(text, str) and names_map(text) else None
    if format is None:
        return named(priors, text, folder, place)
    try:
        path, options = parse_spec(text)
        path = absolute(path, folder)
        return Named(path, format.options, options, {path: digest(path)})
    except ExpeditionError as error:
        raise ExpeditionError(f"{place}: {error}") from error


def prior_part(prior: Named, given: Given, folder: Path) -> Part:
    """The prior with its parameters; of a map file, those that were given."""
    if prior.name == NONE:
        return Part.of(None)
    parameters, files = settle(prior, given, folder)
    if names_map(prior.name):
        set_here = {*prior.written, *given.values}
        parameters = {name: value for name, value in parameters.items() if name in set_here}
    try:
        check_prior(spelled(prior.name, parameters))
    except ExpeditionError as error:
        raise ExpeditionError(f"{given.where()}: {str(error).removeprefix('prior: ')}") from error
    return Part.of({"name": prior.name, "parameters": parameters}, files)


def build_prior(data: Mapping[str, Any] | None) -> str | None:
    """The prior of a mission in one line, without what is as by default; None for none."""
    if data is None:
        return None
    model = None if names_map(data["name"]) else priors.find(data["name"]).parameters
    return spelled(data["name"], data["parameters"], model)
