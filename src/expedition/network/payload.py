"""What strategies tell each other, as bytes: robots never share objects.

Compact JSON, with marks for what JSON does not know. A value comes back equal and of its type: None, booleans, numbers
(NaN and infinities included), strings, bytes, lists, tuples, sets, dictionaries with any such keys, and NumPy arrays of
numbers. NumPy scalars arrive as plain numbers.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from expedition.errors import ExpeditionError, shorten

MAX_DEPTH = 50
PLAIN = {type(None), bool, int, float, str}
"""What JSON writes as it is."""

TUPLE, SET, FROZEN_SET, PAIRS, BYTES, ARRAY = "()", "{}", "({})", "{:}", "b", "[]"
MARKS = {TUPLE, SET, FROZEN_SET, PAIRS, BYTES, ARRAY}


class CannotTravel(ExpeditionError):
    """A strategy tried to send what is not plain data."""


def encode(value: Any) -> bytes:
    """`value` as bytes.

    >>> decode(encode({"goal": (1.5, 2.0), 3: None}))
    {'goal': (1.5, 2.0), 3: None}
    """
    try:
        return json.dumps(_marked(value, "the payload", 0), separators=(",", ":")).encode("ascii")
    except ValueError as error:  # An integer of thousands of digits.
        raise CannotTravel(f"the payload cannot be sent: {shorten(str(error))}") from None


def decode(data: bytes) -> Any:
    """The value that `encode` was given."""
    return _unmarked(json.loads(data))


def _marked(value: Any, place: str, depth: int) -> Any:
    """`value` in the types that JSON knows; what it does not is a dictionary with one mark as its key."""
    if type(value) in PLAIN or isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if depth >= MAX_DEPTH:
        raise CannotTravel(f"{place[:60]}...: nested more than {MAX_DEPTH} deep cannot be sent")
    if isinstance(value, (list, tuple)):
        items = [
            item if type(item) in PLAIN else _marked(item, f"{place}[{index}]", depth + 1)
            for index, item in enumerate(value)
        ]
        return {TUPLE: items} if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return _marked_dictionary(value, place, depth)
    if isinstance(value, (set, frozenset)):
        members = [_marked(item, f"an element of {place}", depth + 1) for item in value]
        return {SET if isinstance(value, set) else FROZEN_SET: sorted(members, key=json.dumps)}
    if isinstance(value, bytes):
        return {BYTES: base64.b64encode(value).decode("ascii")}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        array = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        return {ARRAY: [array.dtype.str, list(value.shape), base64.b64encode(array.tobytes()).decode("ascii")]}
    raise CannotTravel(
        f"{place} is a {type(value).__name__}, which cannot be sent; send plain data: numbers, strings, "
        "lists, tuples, dictionaries, NumPy arrays of numbers"
    )


def _marked_dictionary(value: dict[Any, Any], place: str, depth: int) -> Any:
    plain = all(type(key) is str for key in value) and not (len(value) == 1 and MARKS & value.keys())
    if plain:
        return {key: _marked(item, f"{place}[{shorten(key)}]", depth + 1) for key, item in value.items()}
    return {
        PAIRS: [
            [_marked(key, f"a key of {place}", depth + 1), _marked(item, f"{place}[{shorten(key)}]", depth + 1)]
            for key, item in value.items()
        ]
    }


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if not isinstance(value, dict):
        return value
    mark = next(iter(value)) if len(value) == 1 else ""
    content: Any = value.get(mark)
    if mark == TUPLE:
        return tuple(_unmarked(item) for item in content)
    if mark == SET:
        return {_unmarked(item) for item in content}
    if mark == FROZEN_SET:
        return frozenset(_unmarked(item) for item in content)
    if mark == PAIRS:
        return {_unmarked(key): _unmarked(item) for key, item in content}
    if mark == BYTES:
        return base64.b64decode(content)
    if mark == ARRAY:
        kind, shape, data = content
        return np.frombuffer(base64.b64decode(data), dtype=kind).reshape(shape).copy()
    return {key: _unmarked(item) for key, item in value.items()}
