"""Assignments on the command line: `--set local.horizon=1.5` and `--param range=8`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expedition.errors import ExpeditionError, shorten
from expedition.spec import parse_value


def pairs(words: Sequence[str], option: str, others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """`name=value` words as a dictionary; values are read as YAML, dashes in names are underscores.

    `others` have options of their own and may not be set here too.
    """
    found: dict[str, Any] = dict(others or {})
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise ExpeditionError(f"{option}: expected name=value, found {shorten(word)}")
        if name in found:
            raise ExpeditionError(f"{option}: {name} is set already")
        found[name] = parse_value(value, place=f"{option} {name}")
    return found
