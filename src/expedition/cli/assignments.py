"""Assignments on the command line: `--set local.horizon=1.5` and `--param range=8`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expedition.errors import ExpeditionError, shorten
from expedition.spec import parse_value


def pairs(words: Sequence[str], option: str) -> dict[str, Any]:
    """`name=value` words as a dictionary; values are read as YAML, dashes in names are underscores."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise ExpeditionError(f"{option}: expected name=value, found {shorten(word)}")
        if name in found:
            raise ExpeditionError(f"{option}: {name} is set twice")
        found[name] = parse_value(value, place=f"{option} {name}")
    return found


def nested(dotted: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as dictionaries in dictionaries, and the settings that have options of their own."""
    settings: dict[str, Any] = {}
    for name, value in [*dotted.items(), *common.items()]:
        *rooms, last = name.split(".")
        here = settings
        for room in rooms:
            here = here.setdefault(room, {})
            if not isinstance(here, dict):
                raise ExpeditionError(f"--set {name}: {room} is set as a whole already")
        if last in here:
            raise ExpeditionError(f"--set {name}: it is set already")
        here[last] = value
    return settings
