"""Messages that differ in numbers only: packed once, and then filled in place, many at a time.

Where all arrays keep their lengths, so does a message, and each number its place.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.log.cdr import NANOSECONDS, Values, encode
from expedition.log.file import FRONT, MESSAGE, Lane

Bytes = NDArray[np.uint8]
Slots = NDArray[np.int64]
_LOG_TIME, _PUBLISH_TIME = 15, 23
"""Where the times stand in a message's record."""


class Form:
    """Messages of one moment, each of a channel of its own."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._channels: list[int] = []
        self._starts: list[int] = []
        self._stamps: list[int] = []
        self._places: list[dict[str, int]] = []

    def add(self, channel: int, name: str, values: Values) -> None:
        """Add a message whose numbers are filled in later; all its stamps become the time."""
        offsets: dict[str, int] = {}
        data = encode(name, values, offsets)
        begin = self._size + MESSAGE.size
        self._places.append({path: begin + offset for path, offset in offsets.items()})
        self._starts.append(self._size)
        self._channels.append(channel)
        self._parts.append(MESSAGE.pack(5, FRONT + len(data), channel, 0, 0, 0) + data)
        self._size += MESSAGE.size + len(data)
        self._stamps += [place for path, place in self._places[-1].items() if path.endswith("stamp.sec")]

    def finish(self) -> None:
        """No more messages are added."""
        self._template = np.frombuffer(b"".join(self._parts), dtype=np.uint8)
        self._channel_numbers = np.array(self._channels, dtype=np.uint16)
        self._begins = np.array([*self._starts, self._size], dtype=np.uint64)
        starts = np.array(self._starts, dtype=np.int64)
        self._time_slots = np.concatenate([starts + _LOG_TIME, starts + _PUBLISH_TIME])
        self._stamp_slots = np.array(self._stamps, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._starts)

    def slots(self, paths: Iterable[str]) -> Slots:
        """(messages * paths,): where fields stand, message by message."""
        paths = list(paths)
        return np.array([places[path] for places in self._places for path in paths], dtype=np.int64)

    def places(self) -> dict[str, int]:
        """Of a form of one message, where its fields stand; those of empty arrays are left out."""
        (places,) = self._places
        return places

    def begin(self, time: int) -> Bytes:
        """The messages of a time, in nanoseconds, to be filled in."""
        data = self._template.copy()
        put_same(data, self._time_slots, np.frombuffer(struct.pack("<Q", time), dtype=np.uint8))
        stamp = struct.pack("<iI", *divmod(time, NANOSECONDS))
        put_same(data, self._stamp_slots, np.frombuffer(stamp, dtype=np.uint8))
        return data

    def hand_in(self, data: Bytes, lane: Lane, time: int, rows: NDArray[np.int64] | None = None) -> None:
        """Give the messages, or those of some rows, to a lane."""
        if rows is None:
            lane.extend(data.tobytes(), self._channel_numbers, self._begins[:-1], time)
            return
        begins, ends = self._begins[rows], self._begins[rows + 1]
        parts = [data[begin:end].tobytes() for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
        starts = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(ends - begins)[:-1]])
        lane.extend(b"".join(parts), self._channel_numbers[rows], starts.astype(np.uint64), time)


def put(data: Bytes, slots: Slots, values: NDArray[Any]) -> None:
    """Put numbers of the right kind, or rows of them, at their slots."""
    put_bytes(data, slots, np.ascontiguousarray(values).view(np.uint8).reshape(len(slots), -1))


@kernel
def put_bytes(data: Bytes, slots: Slots, values: Bytes) -> None:
    """Copy row k of `values` to slot k. Cost: their bytes."""
    for k in range(len(slots)):
        for b in range(values.shape[1]):
            data[slots[k] + b] = values[k, b]


@kernel
def put_same(data: Bytes, slots: Slots, value: Bytes) -> None:
    """Copy the same bytes to every slot."""
    for k in range(len(slots)):
        for b in range(len(value)):
            data[slots[k] + b] = value[b]
