"""A terrain as it goes to the browser and comes back: one frame of bytes (see `wire.py`).

The head says everything but the layers, which are arrays whose first row is the lowest y, as in `Terrain`. A layer that
is the same everywhere may come back as a number in the head. What comes back is checked as if a stranger had sent it:
sizes first, then shapes, and nothing is unpacked beyond the size that it must have.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from expedition.errors import ExpeditionError
from expedition.spec import Spec, validate
from expedition.terrain import Landmark, Start, Terrain
from expedition.terrain.changes import Change, Coordinate
from expedition.terrain.files.extras import MAX_STARTS, LandmarkEntry, Marked
from expedition.terrain.files.options import CellSize
from expedition.viewer.watch.wire import frame

MAX_CELLS = 16_000_000
MAX_HEAD_BYTES = 16_000_000
MAX_BYTES = 4 * MAX_CELLS + MAX_HEAD_BYTES + 1024
"""Of a whole message: four bytes a cell that cannot be made smaller, and the head."""

LAYERS: dict[str, tuple[str, type[np.unsignedinteger[Any]]]] = {
    "wall_height_cm": ("u2", np.uint16),
    "material": ("u1", np.uint8),
    "speed_percent": ("u1", np.uint8),
}


class Place(Spec):
    """Where an array lies behind the head."""

    type: Literal["u1", "u2"]
    shape: tuple[int, int]
    at: Annotated[int, Field(ge=0, le=MAX_BYTES)]
    bytes: Annotated[int, Field(ge=0, le=MAX_BYTES)]
    packed: bool = False


class Drawing(Spec):
    """The head of a message."""

    model_config = ConfigDict(extra="ignore")

    name: str = "drawing"
    rows: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    columns: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    resolution: CellSize
    origin: tuple[Coordinate, Coordinate]
    wall_height_cm: Annotated[int, Field(ge=0, le=65535)] | None = None
    material: Annotated[int, Field(ge=0, le=255)] | None = None
    speed_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    landmarks: tuple[LandmarkEntry, ...] = ()
    changes: tuple[Change, ...] = ()
    starts: Annotated[tuple[Marked, ...], Field(max_length=MAX_STARTS)] = ()
    arrays: dict[str, Place] = Field(default_factory=dict)


def to_frame(terrain: Terrain, told: dict[str, Any]) -> bytes:
    """A terrain for the browser, with more to be told in the head."""
    check_cells(*terrain.shape)
    head = {
        "name": terrain.name,
        "rows": terrain.shape[0],
        "columns": terrain.shape[1],
        "resolution": terrain.resolution,
        "origin": list(terrain.origin),
        "landmarks": [{"x": mark.x, "y": mark.y, "descriptor": list(mark.descriptor)} for mark in terrain.landmarks],
        "changes": [change.model_dump(mode="json", exclude_none=True) for change in terrain.changes],
        "starts": [[start.x, start.y, start.heading] for start in terrain.starts],
    }
    return frame("terrain", None, {**head, **told}, {name: getattr(terrain, name) for name in LAYERS})


def from_frame(data: bytes) -> Terrain:
    """The terrain in a message; one sentence if it is none."""
    drawing, body = _head(data)
    check_cells(drawing.rows, drawing.columns)
    layers = {name: _layer(drawing, name, body) for name in LAYERS}
    return Terrain(
        drawing.name,
        layers["wall_height_cm"],
        drawing.resolution,
        drawing.origin,
        layers["material"],
        layers["speed_percent"],
        tuple(Landmark(mark.x, mark.y, mark.descriptor) for mark in drawing.landmarks),
        drawing.changes,
        tuple(Start(*start) for start in drawing.starts),
    )


def check_cells(rows: int, columns: int) -> None:
    """Refuse what is too large to be drawn on the page."""
    if rows * columns > MAX_CELLS:
        raise ExpeditionError(
            f"{columns:,} x {rows:,} cells are too many to draw here; at most {MAX_CELLS:,}. Take larger cells"
        )


def _head(data: bytes) -> tuple[Drawing, memoryview]:
    if len(data) > MAX_BYTES:
        raise ExpeditionError(f"a drawing of {len(data):,} bytes is too large; the limit is {MAX_BYTES:,}")
    length = struct.unpack_from("<I", data)[0] if len(data) >= 4 else 0
    if not 2 <= length <= min(MAX_HEAD_BYTES, len(data) - 4):
        raise ExpeditionError("a drawing begins with the length of its head, which must be within the message")
    try:
        head = json.loads(data[4 : 4 + length])
    except (ValueError, RecursionError):
        raise ExpeditionError("the head of a drawing is JSON") from None
    return validate(Drawing, head, "the drawing"), memoryview(data)[4 + length :]


def _layer(drawing: Drawing, name: str, body: memoryview) -> NDArray[Any]:
    kind, dtype = LAYERS[name]
    shape = (drawing.rows, drawing.columns)
    single = getattr(drawing, name)
    if single is not None:
        return np.broadcast_to(dtype(single), shape)
    place = drawing.arrays.get(name)
    if place is None:
        raise ExpeditionError(f"the drawing has no layer {name}")
    if place.shape != shape or place.type != kind:
        raise ExpeditionError(
            f"the layer {name} must be {kind} of {shape[0]} x {shape[1]} cells, "
            f"found {place.type} of {place.shape[0]} x {place.shape[1]}"
        )
    size = shape[0] * shape[1] * np.dtype(dtype).itemsize
    found = body[place.at : place.at + place.bytes]
    if len(found) != place.bytes or (not place.packed and place.bytes != size):
        raise ExpeditionError(f"the layer {name} is cut off: {size:,} bytes are needed")
    content = _unpacked(found, size, name) if place.packed else found
    return np.frombuffer(content, np.dtype(dtype).newbyteorder("<")).reshape(shape)


def _unpacked(packed: memoryview, size: int, name: str) -> bytes:
    """Never more than `size` bytes, whatever the packed ones would unfold to."""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(packed, size + 1)
    except zlib.error:
        raise ExpeditionError(f"the layer {name} is damaged: it cannot be unpacked") from None
    if len(content) != size:
        raise ExpeditionError(f"the layer {name} is damaged: it must be {size:,} bytes when unpacked")
    return content
