"""The parameters that all generators share, and how lengths in metres become whole numbers of cells or tiles.

Generated terrains have their lower left corner at (0, 0), so that a place of 40 x 30 m reads 0..40 and 0..30.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import Field, PlainValidator

from expedition.errors import ExpeditionError, shorten
from expedition.spec import parse_value
from expedition.terrain.terrain import MAX_CELLS

MAX_SIDE = 10_000.0


def sides(size: Any) -> tuple[float, float]:
    """Width and height of a size given as one number (a square) or two; text such as `75x50` comes from a user."""
    if isinstance(size, str) and re.fullmatch(r"[\d.]+[x,][\d.]+", size.replace(" ", "")):
        size = [parse_value(part, "size") for part in re.split("[x,]", size)]
    pair = tuple(size) if isinstance(size, list | tuple) else (size, size)
    numbers = all(isinstance(side, int | float) and not isinstance(side, bool) for side in pair)
    if len(pair) != 2 or not numbers or not all(0 < side <= MAX_SIDE for side in pair):
        raise ValueError(f"a size is one number of metres or WIDTHxHEIGHT, each above 0 and up to {MAX_SIDE:g}")
    return float(pair[0]), float(pair[1])


Seed = Annotated[int, Field(ge=0, lt=2**63, description="same seed, same terrain")]
Size = Annotated[
    float | tuple[float, float],
    PlainValidator(sides, json_schema_input_type=float | tuple[float, float]),
    Field(description="side of a square, or WIDTHxHEIGHT, in metres"),
]
Resolution = Annotated[float, Field(ge=0.02, le=1, description="cell size in metres")]
Tile = Annotated[float, Field(ge=0.1, le=10, description="side in metres of the tiles on which the layout is made")]
WallHeight = Annotated[float, Field(gt=0.01, le=655, description="height of the walls in metres")]


def whole(place: str, name: str, length: float, unit: float, unit_name: str) -> int:
    """`length` as a whole number of `unit`, or a refusal."""
    count = round(length / unit)
    if not math.isclose(length, count * unit, rel_tol=1e-9, abs_tol=1e-12):
        near = max(1, count) * unit
        raise ExpeditionError(
            f"{place}: {name} must be a whole number of {unit_name} of {unit:g} m, found {length:g}; {near:g} is near"
        )
    return count


def cells(length: float, resolution: float) -> int:
    """`length` in cells, rounded, and at least one."""
    return max(1, round(length / resolution))


def check_size(place: str, size: Any, resolution: float, limit: int = MAX_CELLS) -> tuple[float, float]:
    """Width and height in metres of a grid that is not too large."""
    try:
        width, height = sides(size)
    except ValueError as error:
        raise ExpeditionError(f"{place}: size: {error}, found {shorten(size)}") from None
    count = math.ceil(width / resolution) * math.ceil(height / resolution)
    if count > limit:
        raise ExpeditionError(
            f"{place}: size {width:g} x {height:g} m at {resolution:g} m makes {count:,} cells; "
            f"at most {limit:,} are allowed"
        )
    return width, height
