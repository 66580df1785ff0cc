"""What a film shows: its size, whose map, which layers; checked against the log before anything is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.film.layers import DEFAULT, parse_layers
from expedition.log.history import Which
from expedition.log.reader import LogReader

SMALLEST, LARGEST = 160, 8192
"""Pixels to a side of a film."""


@dataclass(frozen=True)
class Shot:
    """How a mission is shown."""

    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels, even numbers."""
    which: Which = "union"
    """Whose map."""
    side_by_side: bool = False
    """Whether the truth stands left of the map."""
    layers: frozenset[str] = frozenset(DEFAULT)
    follow: int | None = None
    """The robot that stays in the middle, seen from near; None for the whole terrain."""
    dark: bool = False
    curves: bool | None = None
    """Whether the explored share over time stands beside the map; None for where there is room."""

    @classmethod
    def of(
        cls,
        log: LogReader,
        size: str | tuple[int, int] = (1280, 720),
        which: str | int = "union",
        side_by_side: bool = False,
        layers: str | Iterable[str] | None = None,
        follow: int | str | None = None,
        dark: bool = False,
        curves: bool | None = None,
    ) -> Shot:
        """A shot of what a user asks for; an error with what is allowed if the log does not have it."""
        chosen = frozenset(DEFAULT) if layers is None else parse_layers(layers)
        return cls(
            parse_size(size), _map_of(log, which), side_by_side, chosen,
            None if follow is None else robot_of(log, follow, "--follow"), dark, curves,
        )  # fmt: skip


def parse_size(size: str | tuple[int, int]) -> tuple[int, int]:
    """Width and height from a text as 1280x720."""
    if isinstance(size, str):
        found = re.fullmatch(r"\s*(\d{1,6})\s*[x×,]\s*(\d{1,6})\s*", size.lower())
        if found is None:
            raise ExpeditionError(f"--size: expected width x height in pixels as 1280x720, found {shorten(size)}")
        size = int(found[1]), int(found[2])
    width, height = size
    if width % 2 or height % 2:
        even = f"{width + width % 2}x{height + height % 2}"
        raise ExpeditionError(f"--size: {width}x{height} has an odd number, which films cannot have; take {even}")
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise ExpeditionError(f"--size: {width}x{height} is not within {SMALLEST} to {LARGEST} pixels to a side")
    return width, height


def robot_of(log: LogReader, robot: int | str, option: str) -> int:
    """A robot by its number or its name in the log."""
    text, last = str(robot).strip(), log.header.robots - 1
    if text in log.header.names:
        return log.header.names.index(text)
    if not (text.isdigit() and int(text) <= last):
        there = "robot 0 alone" if last == 0 else f"robots 0 to {last}"
        raise ExpeditionError(f"{option}: no robot {shorten(text)} in this log; there are {there}")
    return int(text)


def _map_of(log: LogReader, which: str | int) -> Which:
    text = str(which).strip().lower()
    if text.isdigit() or text in log.header.names:
        return robot_of(log, text, "--map")
    if text == "union" or text == "truth":
        return "union" if text == "union" else "truth"
    if text == "base" and log.header.base is not None:
        return "base"
    if text == "base":
        raise ExpeditionError("--map: this mission has no base station; take union, truth or a robot's number")
    raise unknown("map", text, ["union", "truth", "base", f"0 to {log.header.robots - 1}"], "--map")
