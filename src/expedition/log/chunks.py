"""What is where in a log's file: its channels, attached files, and chunks of messages with their indexes.

A file with an end tells all that there. One without, which is still being written or was cut off, is read record by
record, as far as records are whole; messages themselves are not looked at.
"""

from __future__ import annotations

import os
import struct
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError
from expedition.log.file import INDEX_ENTRY, MAGIC, MESSAGE

HEADER, FOOTER, SCHEMA, CHANNEL, CHUNK, MESSAGE_INDEX = 1, 2, 3, 4, 6, 7
CHUNK_INDEX, ATTACHMENT, ATTACHMENT_INDEX, DATA_END = 8, 9, 10, 15
LARGEST_CHUNK = 1 << 30
"""Bytes that a chunk may have when unpacked."""
LARGEST_READ = 1 << 30
"""Bytes that are read at once."""
KEPT = 96 << 20
"""Bytes of unpacked chunks that are kept at hand."""
_FOOTER_SIZE = 9 + 20 + len(MAGIC)
_CHUNK_FRONT = struct.Struct("<QQQI")
_PREFIX = struct.Struct("<BQ")

Index = NDArray[Any]
"""Entries of `INDEX_ENTRY`: times in nanoseconds, and where in the chunk messages begin."""


@dataclass(eq=False)
class ChunkPlace:
    """Where a chunk is, and what is in it."""

    number: int
    start: int
    """Of its first message, in nanoseconds."""
    end: int
    data_at: int
    packed: int
    size: int
    compression: str
    indexes: dict[int, int | Index] = field(default_factory=dict)
    """By channel, where in the file its messages are listed, or that list itself."""


class ChunkedFile:
    """A log's file."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self._file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise ExpeditionError(f"{path}: no log can be read there: {error.strerror or error}") from error
        self._close = weakref.finalize(self, os.close, self._file)
        self.topics: dict[str, int] = {}
        """Numbers of channels by topic."""
        self.messages: dict[str, str] = {}
        """Names of messages by topic, as `nav_msgs/msg/Path`."""
        self.files: dict[str, bytes] = {}
        """Attached files by name."""
        self.chunks: list[ChunkPlace] = []
        self.by_channel: dict[int, list[ChunkPlace]] = {}
        self.is_complete = False
        """Whether the file has its end."""
        self._schemas: dict[int, str] = {}
        self._position = len(MAGIC)
        self._tail: ChunkPlace | None = None
        self._unpacked: OrderedDict[int, bytes] = OrderedDict()
        try:
            begin = self._read(0, len(MAGIC))
        except OSError as error:
            raise ExpeditionError(f"{path}: no log can be read there: {error.strerror or error}") from error
        if begin != MAGIC:
            found = "is empty" if not begin else "is no log, which begins as MCAP files do"
            raise ExpeditionError(f"{path}: {found}")
        self.refresh()

    def close(self) -> None:
        """Close the file."""
        self._close()

    def refresh(self) -> bool:
        """Take in what was written since the last time; whether there was anything."""
        if self.is_complete:
            return False
        before = len(self.chunks), self._position
        size = os.fstat(self._file).st_size
        try:
            if not (self._position == len(MAGIC) and self._read_summary(size)):
                self._scan(size)
        except (struct.error, IndexError, ValueError, OverflowError) as error:
            raise self.damaged(error) from error
        return (len(self.chunks), self._position) != before

    def damaged(self, reason: object) -> ExpeditionError:
        """The error for a file whose records make no sense."""
        return ExpeditionError(f"{self.path}: the log is damaged: {str(reason).partition(chr(10))[0]}")

    def index(self, chunk: ChunkPlace, channel: int) -> Index:
        """The messages of a channel in a chunk, in order of time."""
        found = chunk.indexes.get(channel)
        if isinstance(found, int):
            try:
                _, length, number, _ = struct.unpack("<BQHI", self._read(found, 15))
                entries = np.frombuffer(self._read(found + 15, length - 6), dtype=INDEX_ENTRY)
            except (struct.error, ValueError, OverflowError) as error:
                raise self.damaged(error) from error
            last = int(entries["offset"].max(initial=0)) + MESSAGE.size
            if number != channel or last > chunk.size or (np.diff(entries["time"].astype(np.int64)) < 0).any():
                raise self.damaged("a list of messages makes no sense")
            found = chunk.indexes[channel] = entries
        return np.empty(0, dtype=INDEX_ENTRY) if found is None else found

    def unpack(self, chunk: ChunkPlace) -> bytes:
        """The records of a chunk."""
        data = self._unpacked.pop(chunk.data_at, None)
        if data is None:
            data = self._unpack(chunk)
            while self._unpacked and sum(map(len, self._unpacked.values())) + len(data) > KEPT:
                self._unpacked.popitem(last=False)
        self._unpacked[chunk.data_at] = data
        return data

    def content(self, chunk: ChunkPlace, offset: int) -> bytes:
        """The message whose record begins at an offset in a chunk."""
        data = self.unpack(chunk)
        _, length, *_ = MESSAGE.unpack_from(data, offset)
        if offset + 9 + length > len(data):
            raise self.damaged("a message goes on beyond its chunk")
        return data[offset + MESSAGE.size : offset + 9 + length]

    def latest(self, topic: str, time: int) -> tuple[int, bytes] | None:
        """The last message of a topic up to a time, and its time; None if there is none."""
        channel = self.topics.get(topic)
        for chunk in self._back_from(channel, time):
            assert channel is not None
            index = self.index(chunk, channel)
            at = int(np.searchsorted(index["time"], np.uint64(time), side="right")) - 1
            if at >= 0:
                return int(index["time"][at]), self.content(chunk, int(index["offset"][at]))
        return None

    def between(self, topic: str, after: int, until: int) -> Iterator[tuple[int, bytes]]:
        """The messages of a topic in after < time <= until, in order, with their times."""
        channel = self.topics.get(topic)
        if channel is None:
            return
        for chunk in self.by_channel.get(channel, ()):
            if chunk.end <= after or chunk.start > until:
                continue
            index = self.index(chunk, channel)
            first, last = np.searchsorted(index["time"], np.array([max(after, -1) + 1, until + 1]).astype(np.uint64))
            for time, offset in index[int(first) : int(last)].tolist():
                yield time, self.content(chunk, offset)

    def backwards(self, topic: str, until: int) -> Iterator[tuple[int, bytes]]:
        """The messages of a topic up to a time, the last first."""
        channel = self.topics.get(topic)
        for chunk in self._back_from(channel, until):
            assert channel is not None
            index = self.index(chunk, channel)
            count = int(np.searchsorted(index["time"], np.uint64(until), side="right"))
            for time, offset in reversed(index[:count].tolist()):
                yield time, self.content(chunk, offset)

    def _back_from(self, channel: int | None, time: int) -> Iterator[ChunkPlace]:
        """The chunks of a channel that begin up to a time, the last first."""
        chunks = [] if channel is None or time < 0 else self.by_channel.get(channel, [])
        low, high = 0, len(chunks)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if chunks[middle].start <= time else (low, middle)
        return reversed(chunks[:low])

    def _unpack(self, chunk: ChunkPlace) -> bytes:
        packed = self._read(chunk.data_at, chunk.packed)
        if chunk.compression == "":
            return packed
        if chunk.compression != "zstd" or chunk.size > LARGEST_CHUNK:
            raise self.damaged(f"a chunk of {chunk.size:,} bytes, packed by {chunk.compression!r}")
        from zstandard import ZstdDecompressor, ZstdError

        try:
            data = ZstdDecompressor().decompress(packed, max_output_size=chunk.size)
        except ZstdError as error:
            raise self.damaged(error) from error
        if len(data) != chunk.size:
            raise self.damaged(f"a chunk of {len(data):,} bytes instead of {chunk.size:,}")
        return data

    def _read_summary(self, size: int) -> bool:
        """Take in the end of the file; whether it has one."""
        if size < len(MAGIC) + _FOOTER_SIZE:
            return False
        end = self._read(size - _FOOTER_SIZE, _FOOTER_SIZE)
        if not (end.endswith(MAGIC) and end[0] == FOOTER):
            return False
        start, _, _ = struct.unpack_from("<QQI", end, 9)
        if not 0 < start < size:
            return False
        summary = self._read(start, size - _FOOTER_SIZE - start)
        at = 0
        while at + _PREFIX.size <= len(summary):
            opcode, length = _PREFIX.unpack_from(summary, at)
            body = summary[at + _PREFIX.size : at + _PREFIX.size + length]
            at += _PREFIX.size + length
            if opcode in (SCHEMA, CHANNEL):
                self._take_definition(opcode, body)
            elif opcode == CHUNK_INDEX:
                self._take_chunk(_chunk_of_index(len(self.chunks), body))
            elif opcode == ATTACHMENT_INDEX:
                offset, length = struct.unpack_from("<QQ", body)
                if length <= LARGEST_READ:
                    self._take_file(self._read(offset + _PREFIX.size, length - _PREFIX.size))
        self.is_complete, self._position = True, size
        return True

    def _scan(self, size: int) -> None:
        """Read records from where the last time ended. The last chunk is read again the next time, for its indexes."""
        if self._tail is not None:
            self.chunks.remove(self._tail)
            for channel in self._tail.indexes:
                self.by_channel[channel].remove(self._tail)
            self._unpacked.pop(self._tail.data_at, None)
            self._tail = None
        at, chunk = self._position, None
        while at + _PREFIX.size <= size and not self.is_complete:
            opcode, length = _PREFIX.unpack(self._read(at, _PREFIX.size))
            begin, after = at + _PREFIX.size, at + _PREFIX.size + length
            if after > size:
                break
            if opcode == MESSAGE_INDEX and chunk is not None:
                (channel,) = struct.unpack("<H", self._read(begin, 2))
                chunk.indexes[channel] = at
            else:
                if chunk is not None:
                    self._take_chunk(chunk)
                    chunk = None
                self._position = at
                if opcode == CHUNK:
                    chunk = self._chunk_at(begin, len(self.chunks))
                elif opcode in (SCHEMA, CHANNEL):
                    self._take_definition(opcode, self._read(begin, length))
                elif opcode == ATTACHMENT and length <= LARGEST_READ:
                    self._take_file(self._read(begin, length))
                elif opcode == DATA_END:
                    self.is_complete = True
            at = after
            if chunk is None:
                self._position = at
        if chunk is not None:
            self._take_tail(chunk)

    def _take_tail(self, chunk: ChunkPlace) -> None:
        """The last chunk of a file without an end: some of its indexes may be missing, so look at its messages."""
        try:
            data = self.unpack(chunk)
        except ExpeditionError:
            return
        found: dict[int, list[tuple[int, int]]] = {}
        at = 0
        while at + MESSAGE.size <= len(data):
            _, length, channel, _, time, _ = MESSAGE.unpack_from(data, at)
            found.setdefault(channel, []).append((time, at))
            at += 9 + length
        chunk.indexes = {channel: np.array(sorted(entries), dtype=INDEX_ENTRY) for channel, entries in found.items()}
        self._tail = chunk
        self._take_chunk(chunk)

    def _chunk_at(self, at: int, number: int) -> ChunkPlace:
        front = self._read(at, _CHUNK_FRONT.size + 4)
        start, end, size, _ = _CHUNK_FRONT.unpack_from(front)
        (letters,) = struct.unpack_from("<I", front, _CHUNK_FRONT.size)
        if letters > 100:
            raise ValueError("a chunk that makes no sense")
        at += len(front)
        compression = self._read(at, letters).decode()
        (packed,) = struct.unpack("<Q", self._read(at + letters, 8))
        return ChunkPlace(number, start, end, at + letters + 8, packed, size, compression)

    def _take_chunk(self, chunk: ChunkPlace) -> None:
        self.chunks.append(chunk)
        for channel in chunk.indexes:
            self.by_channel.setdefault(channel, []).append(chunk)

    def _take_definition(self, opcode: int, body: bytes) -> None:
        if opcode == SCHEMA:
            (number,) = struct.unpack_from("<H", body)
            self._schemas[number] = _text(body, 2)
        else:
            channel, schema = struct.unpack_from("<HH", body)
            topic = _text(body, 4)
            self.topics[topic] = channel
            self.messages[topic] = self._schemas.get(schema, "")

    def _take_file(self, body: bytes) -> None:
        name = _text(body, 16)
        media = _text(body, 20 + len(name.encode()))
        at = 24 + len(name.encode()) + len(media.encode())
        (length,) = struct.unpack_from("<Q", body, at)
        self.files[name] = body[at + 8 : at + 8 + length]

    def _read(self, at: int, length: int) -> bytes:
        """Bytes of the file, fewer at its end."""
        if not (0 <= length <= LARGEST_READ and 0 <= at < 1 << 62):
            raise self.damaged(f"{length:,} bytes to read at once")
        return os.pread(self._file, length, at)


def _chunk_of_index(number: int, body: bytes) -> ChunkPlace:
    start, end, offset, _, listed = struct.unpack_from("<QQQQI", body)
    places = np.frombuffer(body, dtype=[("channel", "<u2"), ("at", "<u8")], offset=36, count=listed // 10)
    at = 36 + listed + 8
    compression = _text(body, at)
    packed, size = struct.unpack_from("<QQ", body, at + 4 + len(compression))
    data_at = offset + _PREFIX.size + _CHUNK_FRONT.size + 4 + len(compression) + 8
    return ChunkPlace(number, start, end, data_at, packed, size, compression, dict(places.tolist()))


def _text(data: bytes, at: int) -> str:
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode()
