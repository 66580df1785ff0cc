"""The PGM image format (netpbm): `P2` in ASCII, `P5` in binary, with 8 or 16 bits a pixel.

The header is a magic number, width, height and the value of white, separated by white space, with comments from `#`
to the end of the line. One white-space character ends it.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from expedition.errors import ExpeditionError, shorten
from expedition.terrain.files.options import check_size
from expedition.terrain.files.packed import read_map_bytes
from expedition.terrain.files.raster import Raster, Shades
from expedition.terrain.terrain import MAX_CELLS

# The longest way to write MAX_CELLS: five ASCII digits and a space each.
MAX_BYTES = 6 * MAX_CELLS + 1_000_000
CHUNK_BYTES = 1 << 20

_GAP = re.compile(rb"(?:\s|#[^\r\n]*[\r\n])+")
_TOKEN = re.compile(rb"[^\s#]{1,20}")
_COMMENT = re.compile(rb"#[^\r\n]*")
_NOT_A_NUMBER = re.compile(rb"[^0-9\s]")
_SPACE = re.compile(rb"\s")


def read_pgm(path: Path, shape: tuple[int, int] | None = None) -> Raster:
    """The picture in a PGM file; if `shape` (rows, columns) is given, it must have that size."""
    data = read_map_bytes(path, MAX_BYTES)
    place = str(path)
    if data[:2] not in (b"P2", b"P5"):
        found = f"begins with {shorten(data[:2])}" if data else "is empty"
        raise ExpeditionError(f"{place}: not a PGM image: it must begin with P2 or P5, but {found}")
    columns, end = _header_number(data, 2, "width", place)
    rows, end = _header_number(data, end, "height", place)
    white, end = _header_number(data, end, "maximum value", place)
    check_size(columns, rows, place)
    if shape is not None and (rows, columns) != shape:
        raise ExpeditionError(f"{place}: {columns} x {rows} pixels, but the map has {shape[1]} x {shape[0]}")
    if not 1 <= white <= 65535:
        raise ExpeditionError(f"{place}: the maximum value must be within 1 and 65535, found {white}")
    start = _raster_start(data, end, place)
    parse = _ascii_values if data[:2] == b"P2" else _binary_values
    values = parse(data, start, rows * columns, white, place)
    return Raster(values.reshape(rows, columns), white)


def encode_pgm(values: Shades) -> bytes:
    """A binary PGM with 8 or 16 bits a pixel, as the values have; the top row comes first."""
    rows, columns = values.shape
    white = np.iinfo(values.dtype).max
    pixels = values.astype(">u2") if white > 255 else values
    return b"P5\n%d %d\n%d\n" % (columns, rows, white) + pixels.tobytes()


def encode_ascii_pgm(values: Shades) -> bytes:
    """An ASCII PGM with 8 bits a pixel, in lines of at most 70 characters, as the format asks."""
    rows, columns = values.shape
    spelled = np.array([list(b"%3d " % value) for value in range(256)], dtype=np.uint8)
    text = spelled[values.ravel()]
    text[16::17, 3] = ord("\n")
    text[-1, 3] = ord("\n")
    return b"P2\n%d %d\n255\n" % (columns, rows) + text.tobytes()


def _header_number(data: bytes, start: int, what: str, place: str) -> tuple[int, int]:
    """A number of the header and where it ends."""
    gap = _GAP.match(data, start)
    token = _TOKEN.match(data, gap.end()) if gap else None
    if token is None:
        raise ExpeditionError(f"{place}: the PGM header ends before its {what}")
    if not token[0].isdigit() or len(token[0]) > 9:
        found = shorten(token[0].decode("latin-1"))
        raise ExpeditionError(f"{place}: the {what} in the PGM header must be a whole number, found {found}")
    return int(token[0]), token.end()


def _raster_start(data: bytes, end: int, place: str) -> int:
    """Where the pixels begin: after one white-space character, which may end a comment."""
    comment = _COMMENT.match(data, end)
    last = comment.end() if comment else end
    if not data[last : last + 1].isspace():
        raise ExpeditionError(f"{place}: the PGM header does not end with white space; the file is cut off or damaged")
    return last + 1


def _binary_values(data: bytes, start: int, count: int, white: int, place: str) -> Shades:
    width = 2 if white > 255 else 1
    end = start + count * width
    if len(data) < end:
        raise ExpeditionError(
            f"{place}: cut off: {count * width:,} bytes of pixels announced, {len(data) - start:,} found"
        )
    # A final line end is harmless; anything else means that header and pixels do not belong together.
    if extra := len(data[end:].strip()):
        raise ExpeditionError(f"{place}: {extra:,} bytes after the last pixel")
    values: Shades
    if width == 2:
        values = np.frombuffer(data, ">u2", count, start).astype(np.uint16)
    else:
        values = np.frombuffer(data, np.uint8, count, start)
    if values.max() > white:
        raise ExpeditionError(f"{place}: pixel value {values.max()} is above the header's maximum, {white}")
    return values


def _ascii_values(data: bytes, start: int, count: int, white: int, place: str) -> Shades:
    """The numbers, a chunk of text at a time: as Python objects all at once they would fill the memory."""
    text = data[start:]
    if b"#" in text:
        text = _COMMENT.sub(b"", text)
    if wrong := _NOT_A_NUMBER.search(text):
        found = shorten(wrong[0].decode("latin-1"))
        raise ExpeditionError(f"{place}: pixels must be whole numbers, found the character {found}")
    cut_off = ExpeditionError(f"{place}: cut off: {count:,} pixels announced, fewer found")
    if len(text) < 2 * count - 1:
        raise cut_off
    values: Shades = np.empty(count, np.uint16) if white > 255 else np.empty(count, np.uint8)
    filled = position = 0
    while position < len(text):
        space = _SPACE.search(text, position + CHUNK_BYTES)
        end = space.start() if space else len(text)
        words = text[position:end].split()
        if any(len(word) > 9 for word in words) or max(numbers := [int(word) for word in words], default=0) > white:
            raise ExpeditionError(f"{place}: a pixel value is above the header's maximum, {white}")
        if filled + len(numbers) > count:
            raise ExpeditionError(f"{place}: numbers after the last of {count:,} pixels")
        values[filled : filled + len(numbers)] = numbers
        filled += len(numbers)
        position = end
    if filled < count:
        raise cut_off
    return values
