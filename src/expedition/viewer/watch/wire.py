"""What goes over the WebSocket: questions as JSON text, answers as frames of bytes.

A frame is the length of a head as four bytes, the head as JSON, and arrays one after the other, each at a multiple of
eight bytes:

    {"kind": "track", "id": 7, ..., "arrays": {"poses": {"type": "f4", "shape": [20, 3, 3], "at": 0, "bytes": 720}}}

`at` counts from the end of the head. An array with `"packed": true` is compressed as by zlib. All is little-endian.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError

TYPES = ("u1", "i2", "u2", "i4", "f4", "f8")
PACK_FROM = 4096
"""Bytes from which an array of whole numbers is compressed."""
LONGEST_QUESTION = 4096
"""Characters."""


def frame(kind: str, number: int | None, told: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> bytes:
    """An answer: what it is, the number of the question, JSON data, and arrays."""
    places: dict[str, Any] = {}
    parts: list[bytes] = []
    at = 0
    for name, array in arrays.items():
        small = np.ascontiguousarray(array)
        data = small.astype(small.dtype.newbyteorder("<"), copy=False).tobytes()
        place: dict[str, Any] = {"type": small.dtype.str[1:], "shape": list(small.shape), "at": at}
        if place["type"] == "b1":
            place["type"] = "u1"
        assert place["type"] in TYPES, place["type"]
        if len(data) >= PACK_FROM and small.dtype.kind in "iub":
            data = zlib.compress(data, 1)
            place["packed"] = True
        place["bytes"] = len(data)
        places[name] = place
        parts += [data, bytes(-len(data) % 8)]
        at += len(data) + -len(data) % 8
    head = json.dumps({"kind": kind, "id": number, **told, "arrays": places}, allow_nan=False).encode()
    head += b" " * (-(len(head) + 4) % 8)
    return b"".join([struct.pack("<I", len(head)), head, *parts])


def question(text: str | bytes | None) -> tuple[str, int, dict[str, Any]]:
    """What is asked, the question's number, and the rest of it; an error if it is no question."""
    if not isinstance(text, str) or len(text) > LONGEST_QUESTION:
        raise ExpeditionError(f"a question is at most {LONGEST_QUESTION} characters of JSON")
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExpeditionError("a question is JSON") from error
    if not (isinstance(asked, dict) and isinstance(asked.get("ask"), str) and type(asked.get("id")) is int):
        raise ExpeditionError('a question is as {"ask": "map", "id": 1, ...}')
    return asked.pop("ask"), asked.pop("id"), asked
