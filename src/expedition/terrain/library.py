"""Terrains by name, file, or one-line spec."""

from __future__ import annotations

from typing import Any

from expedition.registry import Registry
from expedition.spec import parse_spec
from expedition.terrain.files import format_of, load
from expedition.terrain.terrain import Terrain

terrain: Registry[Terrain] = Registry("terrain")


def find_terrain(text: str, **parameters: Any) -> Terrain:
    """The terrain that `text` names, perhaps with parameters or options after a colon; more may be given here.

    >>> find_terrain("maze:resolution=0.2").shape
    (402, 402)

    It may also be a map file, `office.png:resolution=0.05`, or a function of yours, `my_file.py:my_terrain:size=30`.
    """
    name = text.partition(":")[0]
    if format_of(name) is not None:
        _, file_options = parse_spec(text)
        return load(name, **{**file_options, **parameters})
    return terrain.make(text, **parameters)
