"""Reads how the fleet was over time: the messages `expedition_msgs/Fleet`, whose fields keep their places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.log.cdr import BEGIN, NANOSECONDS, decode, encode
from expedition.log.chunks import ChunkedFile, ChunkPlace
from expedition.log.file import MESSAGE
from expedition.log.fleet import fleet_arrays
from expedition.log.moment import WORLD
from expedition.log.scene import Floats, Series

TOPIC = "/fleet"
NAME = "expedition_msgs/Fleet"
SHARES = ("seen_by_any", "at_base", "connected")
Rows = NDArray[Any]
"""Entries of the layout of a message `Fleet`."""


class FleetTrack:
    """How the fleet was, sample by sample."""

    def __init__(self, file: ChunkedFile, robots: int, nodes: int) -> None:
        self._file = file
        self._robots = robots
        self._nodes = nodes
        self._layout: np.dtype[Any] | None = None
        self._rows: dict[int, Rows] = {}

    @property
    def end(self) -> float:
        """Seconds of the last sample; 0 if there is none yet."""
        chunks = self._chunks()
        return chunks[-1].end / NANOSECONDS if chunks else 0.0

    def at(self, time: float) -> tuple[Rows, Rows, float]:
        """The samples before and after a time, and how far it is from the one to the other, from 0 to 1."""
        moment = time * NANOSECONDS
        chunks = self._chunks()
        number = max(0, sum(1 for chunk in chunks if chunk.start <= moment) - 1)
        rows, times = self._of(chunks[number]), self._times(chunks[number])
        row = int(np.searchsorted(times, moment, side="right")) - 1
        before, began = rows[max(row, 0)], times[max(row, 0)]
        if row < 0:
            return before, before, 0.0
        if row + 1 < len(rows):
            after, ended = rows[row + 1], times[row + 1]
        elif number + 1 < len(chunks):
            after, ended = self._of(chunks[number + 1])[0], self._times(chunks[number + 1])[0]
        else:
            return before, before, 0.0
        return before, after, float((moment - began) / (ended - began)) if ended > began else 0.0

    def columns(self, *names: str, after: float = -1.0, until: float = math.inf) -> tuple[Floats, list[Rows]]:
        """Times, and fields by name, of all samples in after < time <= until."""
        times, parts = [], []
        for chunk in self._chunks():
            if chunk.end / NANOSECONDS > after and chunk.start / NANOSECONDS <= until:
                at = self._times(chunk) / NANOSECONDS
                wanted = (at > after) & (at <= until)
                times.append(at[wanted])
                parts.append(self._of(chunk)[wanted])
        if not times:
            return np.zeros(0), [np.zeros((0, 1 if name in SHARES else self._robots)) for name in names]
        none = np.zeros((sum(map(len, times)), 0), dtype=np.float32)
        there = parts[0].dtype.names or ()
        return np.concatenate(times), [
            np.concatenate([part[name] for part in parts]) if name in there else none for name in names
        ]

    def series(self) -> Series:
        """Curves over time."""
        times, columns = self.columns(*SHARES, "explored", "travelled", "sent", "received")
        union, at_base, connected = (column.astype(np.float64).ravel() for column in columns[:3])
        explored, travelled = (column.astype(np.float64) for column in columns[3:5])
        sent, received = (column.astype(np.int64) for column in columns[5:])
        return Series(times, union, at_base, connected, explored, travelled, sent, received)

    def poses(self, field: str, after: float = -1.0, until: float = math.inf) -> tuple[Floats, Floats]:
        """Times, and (samples, robots, 3) poses: those of `poses` or `believed`."""
        times, (column,) = self.columns(field, after=after, until=until)
        return times, column.astype(np.float64).reshape(len(times), self._robots, 3)

    def _chunks(self) -> list[ChunkPlace]:
        channel = self._file.topics.get(TOPIC)
        return [] if channel is None else self._file.by_channel.get(channel, [])

    def _times(self, chunk: ChunkPlace) -> NDArray[np.int64]:
        return self._file.index(chunk, self._file.topics[TOPIC])["time"].astype(np.int64)

    def _of(self, chunk: ChunkPlace) -> Rows:
        """The samples of a chunk. Most chunks never change; the last of a file that grows does."""
        key = chunk.data_at
        count = len(self._file.index(chunk, self._file.topics[TOPIC]))
        if key not in self._rows or len(self._rows[key]) != count:
            self._rows[key] = self._unpacked(chunk)
        return self._rows[key]

    def _unpacked(self, chunk: ChunkPlace) -> Rows:
        offsets = self._file.index(chunk, self._file.topics[TOPIC])["offset"].astype(np.int64)
        data = np.frombuffer(self._file.unpack(chunk), dtype=np.uint8)
        layout = self._layout
        if layout is None:
            layout = self._layout = self._layout_of(self._file.content(chunk, int(offsets[0])))
        if offsets[-1] + layout.itemsize > len(data):
            raise self._file.damaged("a message of the fleet has another size than the first")
        if len(data) == len(offsets) * layout.itemsize:
            return data.view(layout)
        rows: Rows = data[offsets[:, None] + np.arange(layout.itemsize)].view(layout)[:, 0]
        return rows

    def _layout_of(self, message: bytes) -> np.dtype[Any]:
        try:
            people = len(decode(NAME, message)["people"]) // 2
        except ValueError as error:
            raise self._file.damaged(error) from error
        kinds = fleet_arrays(self._robots, self._nodes, people)
        offsets: dict[str, int] = {}
        empty = {name: np.zeros(length) for name, (_, length) in kinds.items()}
        size = len(encode(NAME, {"header": {"frame_id": WORLD}, **empty}, offsets))
        if size != len(message) or not message.startswith(BEGIN):
            raise self._file.damaged("a message of the fleet does not fit its robots")
        fields: dict[str, tuple[str, tuple[int]]] = dict.fromkeys(SHARES, ("<f4", (1,))) | {
            name: (kind, (length,)) for name, (kind, length) in kinds.items() if length
        }
        return np.dtype(
            {
                "names": list(fields),
                "formats": list(fields.values()),
                "offsets": [MESSAGE.size + offsets[name] for name in fields],
                "itemsize": MESSAGE.size + size,
            }
        )


def between_poses(before: Floats, after: Floats, share: float) -> Floats:
    """Poses (robots, 3) a share of the way from one to another."""
    between = before + share * (after - before)
    turn = np.remainder(after[:, 2] - before[:, 2] + math.pi, math.tau) - math.pi
    between[:, 2] = before[:, 2] + share * turn
    return between
