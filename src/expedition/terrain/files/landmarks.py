"""Landmarks as lines of numbers, for terrains with more of them than a YAML file should hold.

After the heading each line is a landmark: x, y and the numbers of its descriptor, if it has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from expedition.errors import ExpeditionError, shorten
from expedition.spec import read_text
from expedition.terrain.terrain import Landmark

MAX_BYTES = 64_000_000
HEADING = "x,y,descriptor"


def read_landmarks(path: Path) -> tuple[Landmark, ...]:
    """The landmarks in a file."""
    heading, *lines = read_text(path, MAX_BYTES).splitlines() or [""]
    if heading.strip() != HEADING:
        raise ExpeditionError(f"{path}, line 1: expected the heading {HEADING!r}, found {shorten(heading)}")
    return tuple(_landmark(line, f"{path}, line {number}") for number, line in enumerate(lines, start=2))


def encode_landmarks(landmarks: Sequence[Landmark]) -> bytes:
    """The lines of a landmark file."""
    rows = [",".join(map(repr, (mark.x, mark.y, *mark.descriptor))) for mark in landmarks]
    return "\n".join([HEADING, *rows, ""]).encode()


def _landmark(line: str, place: str) -> Landmark:
    try:
        x, y, *descriptor = map(float, line.split(","))
        return Landmark(x, y, tuple(descriptor))
    except (ValueError, ExpeditionError):
        raise ExpeditionError(f"{place}: expected finite numbers x,y,descriptor, found {shorten(line)}") from None
