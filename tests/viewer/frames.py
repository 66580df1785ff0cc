"""Takes a frame apart as its description in `wire.py` says."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The head of a frame, and its arrays by name."""
    (length,) = struct.unpack_from("<I", data)
    head = json.loads(data[4 : 4 + length])
    assert (4 + length) % 8 == 0
    arrays = {}
    for name, place in head.pop("arrays").items():
        assert place["at"] % 8 == 0
        content = data[4 + length + place["at"] :][: place["bytes"]]
        content = zlib.decompress(content) if place.get("packed") else content
        arrays[name] = np.frombuffer(content, f"<{place['type']}").reshape(place["shape"])
    return head, arrays
