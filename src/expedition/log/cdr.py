"""Messages as bytes: CDR, little-endian, as ROS 2 writes it.

Every number is aligned to its own size, counted from the end of the four bytes that every message begins with.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.log.definitions import PRIMITIVES, Field, fields_of

BEGIN = b"\x00\x01\x00\x00"
"""CDR, little-endian."""
NANOSECONDS = 1_000_000_000

Values = Mapping[str, Any]
_LETTERS = {
    "u1": "B", "i1": "b", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I", "<i8": "q", "<u8": "Q", "<f4": "f",
    "<f8": "d",
}  # fmt: skip
_NUMBERS = {name: struct.Struct(f"<{_LETTERS[kind]}") for name, kind in PRIMITIVES.items()}


def encode(name: str, values: Values, offsets: dict[str, int] | None = None) -> bytes:
    """A message from its fields by name; those not given are 0, "" or empty.

    `offsets` is filled with where each number or array of numbers stands in the bytes, by dotted names.
    """
    writer = _Writer(offsets)
    writer.message(name, values, "")
    return bytes(writer.data)


def decode(name: str, data: bytes) -> dict[str, Any]:
    """The fields of a message; arrays of numbers as NumPy arrays."""
    return _Reader(data).message(name)


def places(name: str, values: Values) -> dict[str, int]:
    """Where numbers and arrays of numbers stand in messages like this one, by dotted names."""
    offsets: dict[str, int] = {}
    encode(name, values, offsets)
    return offsets


def stamp(time: float) -> dict[str, int]:
    """A time in seconds as ROS has it."""
    seconds, nanoseconds = divmod(nanoseconds_of(time), NANOSECONDS)
    return {"sec": seconds, "nanosec": nanoseconds}


def nanoseconds_of(time: float) -> int:
    """Seconds since the start in whole nanoseconds; of control ticks exactly the decimal that is meant."""
    return round(time * 1e9)


def heading_to_quaternion(heading: float) -> dict[str, float]:
    """A turn around the upright axis."""
    return {"z": math.sin(heading / 2), "w": math.cos(heading / 2)}


class _Writer:
    def __init__(self, offsets: dict[str, int] | None) -> None:
        self.data = bytearray(BEGIN)
        self._offsets = offsets

    def message(self, name: str, values: Values, prefix: str) -> None:
        for field in fields_of(name):
            value = values.get(field.name)
            path = prefix + field.name
            if not field.is_array:
                self._one(field.type, value, path)
            elif field.type in PRIMITIVES:
                self._numbers(field, value, path)
            else:
                self._many(field.type, () if value is None else value, path)

    def _one(self, kind: str, value: Any, path: str) -> None:
        if kind == "string":
            text = ("" if value is None else str(value)).encode("utf-8", "replace") + b"\0"
            self._align(4)
            self.data += struct.pack("<I", len(text)) + text
        elif kind in PRIMITIVES:
            number = _NUMBERS[kind]
            self._align(number.size, path)
            self.data += number.pack(0 if value is None else value)
        else:
            self.message(kind, value or {}, f"{path}.")

    def _numbers(self, field: Field, value: Any, path: str) -> None:
        empty: Sequence[int] = [0] * (field.length or 0)
        numbers = np.asarray(empty if value is None else value, dtype=PRIMITIVES[field.type]).ravel()
        if field.length is None:
            self._length(numbers.size)
        if numbers.size:
            self._align(numbers.itemsize, path)
        self.data += numbers.tobytes()

    def _many(self, kind: str, values: Any, path: str) -> None:
        """Messages or texts. A NumPy array has the bytes of messages as they stand in CDR, aligned to eight."""
        self._length(len(values))
        if isinstance(values, np.ndarray):
            if len(values):
                self._align(8, path)
            self.data += values.tobytes()
            return
        for number, value in enumerate(values):
            self._one(kind, value, f"{path}.{number}")

    def _length(self, length: int) -> None:
        self._align(4)
        self.data += struct.pack("<I", length)

    def _align(self, size: int, path: str | None = None) -> None:
        self.data += bytes((len(BEGIN) - len(self.data)) % size)
        if path is not None and self._offsets is not None:
            self._offsets[path] = len(self.data)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = len(BEGIN)

    def message(self, name: str) -> dict[str, Any]:
        return {field.name: self._field(field) for field in fields_of(name)}

    def _field(self, field: Field) -> Any:
        if not field.is_array:
            return self._one(field.type)
        count = self._length() if field.length is None else field.length
        if field.type in PRIMITIVES:
            return self._numbers(PRIMITIVES[field.type], count)
        if count > len(self._data) - self._at:
            raise ValueError(f"{count} entries in {len(self._data)} bytes")
        return [self._one(field.type) for _ in range(count)]

    def _one(self, kind: str) -> Any:
        if kind == "string":
            length = self._length()
            text = self._take(length)
            return text[:-1].decode("utf-8", "replace")
        if kind in PRIMITIVES:
            return self._numbers(PRIMITIVES[kind], 1)[0].item()
        return self.message(kind)

    def _numbers(self, kind: str, count: int) -> NDArray[Any]:
        dtype = np.dtype(kind)
        if count:
            self._at += (len(BEGIN) - self._at) % dtype.itemsize
        return np.frombuffer(self._take(count * dtype.itemsize), dtype=dtype)

    def _length(self) -> int:
        self._at += (len(BEGIN) - self._at) % 4
        return int.from_bytes(self._take(4), "little")

    def _take(self, length: int) -> bytes:
        taken = self._data[self._at : self._at + length]
        if len(taken) < length:
            raise ValueError(f"a message of {len(self._data)} bytes ends too early")
        self._at += length
        return taken
