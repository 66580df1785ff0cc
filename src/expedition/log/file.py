"""The file that a log is written to: MCAP, in compressed chunks, readable up to wherever it may be cut off.

Messages of different use go into chunks of their own, side by side, so that who reads one kind need not unpack the
others; MCAP allows that chunks overlap in time. Schemas and channels come first, so that a file without its end can be
read all the same.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition import __version__
from expedition.errors import ExpeditionError
from expedition.log.definitions import schema_text

if TYPE_CHECKING:
    from mcap.records import ChunkIndex, McapRecord

MAGIC = b"\x89MCAP0\r\n"
MESSAGE = struct.Struct("<BQHIQQ")
"""What stands before a message: opcode, length, channel, sequence number, and two times."""
FRONT = 22
"""How much of that counts to the record's length."""
FULL = 1 << 20
"""Bytes after which a chunk is written."""
LEVEL = 1
"""Of compression: higher ones make logs a tenth smaller and take much longer. Zstandard adds a checksum of its own."""
INDEX_ENTRY = np.dtype([("time", "<u8"), ("offset", "<u8")])


class Lane:
    """Messages that wait for their chunk to fill."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.times: list[NDArray[np.uint64]] = []
        self.channels: list[NDArray[np.uint16]] = []
        self.offsets: list[NDArray[np.uint64]] = []

    def add(self, channel: int, time: int, data: bytes) -> None:
        """Add a message, at a time in nanoseconds."""
        front = MESSAGE.pack(5, FRONT + len(data), channel, 0, time, time)
        starts = np.zeros(1, dtype=np.uint64)
        self.extend(front + data, np.full(1, channel, dtype=np.uint16), starts, time)

    def extend(self, records: bytes, channels: NDArray[np.uint16], starts: NDArray[np.uint64], time: int) -> None:
        """Add several messages of one time that are records already; `starts` is where each begins."""
        self.parts.append(records)
        self.times.append(np.full(len(starts), time, dtype=np.uint64))
        self.channels.append(channels)
        self.offsets.append(starts + np.uint64(self.size))
        self.size += len(records)


class LogFile:
    """An MCAP file that grows by chunks."""

    def __init__(self, path: Path, lanes: int, flush_every: float | None = None) -> None:
        """`flush_every` are seconds of the machine's clock after which chunks are written even if they are small."""
        try:
            from mcap import records
            from zstandard import ZstdCompressor
        except ImportError as error:
            raise ExpeditionError(
                f"recording needs the package {error.name}: pip install 'expedition[view]'"
            ) from error
        self._records = records
        self._pack = ZstdCompressor(level=LEVEL, write_checksum=True).compress
        self.path = path
        self.lanes = [Lane() for _ in range(lanes)]
        self.size = 0
        """Bytes written, all of them whole records."""
        self._flush_every = flush_every
        self._flushed_at = monotonic()
        self._indexes: list[ChunkIndex] = []
        self._counts: dict[int, int] = {}
        self._attachments: list[McapRecord] = []
        self._schemas: dict[str, Any] = {}
        self._channels: list[Any] = []
        self._file: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        self._write(MAGIC + self._bytes([records.Header("ros2", f"expedition {__version__}")]))

    def open_channels(self, topics: Mapping[str, str]) -> dict[str, int]:
        """Say which topics there are, each with the name of its message; their numbers."""
        numbers = {}
        written: list[Any] = []
        for topic, name in topics.items():
            if name not in self._schemas:
                full = name.replace("/", "/msg/")
                schema = self._records.Schema(len(self._schemas) + 1, schema_text(name).encode(), "ros2msg", full)
                self._schemas[name] = schema
                written.append(schema)
            number = numbers[topic] = len(self._channels)
            channel = self._records.Channel(number, topic, "cdr", {}, self._schemas[name].id)
            self._channels.append(channel)
            written.append(channel)
        self._write(self._bytes(written))
        return numbers

    def attach(self, name: str, media_type: str, data: bytes) -> None:
        """Put a whole file into the log."""
        start, record = self.size, self._bytes([self._records.Attachment(0, 0, name, media_type, data)])
        self._write(record)
        self._attachments.append(self._records.AttachmentIndex(start, len(record), 0, 0, len(data), name, media_type))

    def flush(self, all_of_it: bool = False) -> None:
        """Write the chunks that are full, or all of them if it is time."""
        now = monotonic() if self._flush_every is not None else 0.0
        if self._flush_every is not None and now >= self._flushed_at + self._flush_every:
            all_of_it = True
        for number, lane in enumerate(self.lanes):
            if lane.size >= FULL or (all_of_it and lane.size):
                self.lanes[number] = Lane()
                self._write_chunk(lane)
        if all_of_it:
            self._flushed_at = now

    def close(self) -> None:
        """Write what waits, and the index by which readers find everything at once."""
        if self._file is None:
            return
        self.flush(all_of_it=True)
        records = self._records
        end = self._bytes([records.DataEnd(0)])
        groups = [list(self._schemas.values()), self._channels, [self._statistics()], self._indexes, self._attachments]
        offsets, start = [], self.size + len(end)
        summary = b""
        for group in groups:
            if group:
                data = self._bytes(group)
                offsets.append(records.SummaryOffset(data[0], start + len(summary), len(data)))
                summary += data
        offset_start = start + len(summary)
        summary += self._bytes(offsets)
        footer = self._bytes([records.Footer(start, offset_start, 0)])
        checksum = zlib.crc32(summary + footer[:-4])
        self._write(end + summary + footer[:-4] + struct.pack("<I", checksum) + MAGIC)
        self.abandon()

    def abandon(self) -> None:
        """Close the file as it is."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write_chunk(self, lane: Lane) -> None:
        data = b"".join(lane.parts)
        times, channels = np.concatenate(lane.times), np.concatenate(lane.channels)
        offsets = np.concatenate(lane.offsets)
        packed = self._pack(data)
        first, last = int(times.min()), int(times.max())
        chunk = self._bytes([self._records.Chunk("zstd", packed, last, first, 0, len(data))])
        # In each channel by time and, where that is equal, as they came.
        order = np.lexsort((times, channels))
        entries = np.empty(len(order), dtype=INDEX_ENTRY)
        entries["time"], entries["offset"] = times[order], offsets[order]
        numbers, begins = np.unique(channels[order], return_index=True)
        bounds = [*begins.tolist(), len(order)]
        place, parts = {}, []
        at = self.size + len(chunk)
        for number, begin, end in zip(numbers.tolist(), bounds, bounds[1:], strict=False):
            body = entries[begin:end].tobytes()
            parts.append(struct.pack("<BQHI", 7, 6 + len(body), number, len(body)) + body)
            place[number] = at
            at += len(parts[-1])
            self._counts[number] = self._counts.get(number, 0) + end - begin
        index = self._records.ChunkIndex(
            len(chunk), self.size, "zstd", len(packed), last, at - self.size - len(chunk), place, first, len(data)
        )
        self._write(chunk + b"".join(parts))
        self._indexes.append(index)

    def _statistics(self) -> Any:
        return self._records.Statistics(
            attachment_count=len(self._attachments), channel_count=len(self._channels),
            channel_message_counts=dict(sorted(self._counts.items())), chunk_count=len(self._indexes),
            message_count=sum(self._counts.values()), metadata_count=0, schema_count=len(self._schemas),
            message_start_time=min((one.message_start_time for one in self._indexes), default=0),
            message_end_time=max((one.message_end_time for one in self._indexes), default=0),
        )  # fmt: skip

    def _write(self, data: bytes) -> None:
        """Write all of it or, if that fails, nothing."""
        assert self._file is not None
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._file, view) :]
        except OSError:
            os.ftruncate(self._file, self.size)
            raise
        self.size += len(data)

    @staticmethod
    def _bytes(written: Iterable[Any]) -> bytes:
        from mcap.data_stream import RecordBuilder

        builder = RecordBuilder()
        for record in written:
            record.write(builder)
        return bytes(builder.end())  # type: ignore[no-untyped-call]
