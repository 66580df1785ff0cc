"""What changed in a robot's evidence between two versions of it: cells with their old and their new value.

Cells are numbered tile by tile, `256 * tile + cell in the tile`, and stand in that order: changes that follow each
other are joined in one linear pass, neighbours in the world are neighbours in memory, and a tile travels as a bitmap
and the values of the cells that it marks.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.evidence import MARK, MARKED
from expedition.belief.grid import TILE
from expedition.kernels import kernel

Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Bytes = NDArray[np.uint8]

CELLS = TILE * TILE
HEADER_BYTES = 12
"""Origin and the two versions, as four bytes each, before the compressed cells."""


@dataclass(frozen=True, eq=False)
class Changes:
    """Cells of one robot's evidence with their values before and after; never written to once made.

    In terrains that change, values after may bear a mark: the robot saw that the cell is not as it had believed.
    """

    cells: Int32s
    old: Int16s
    new: Int16s

    def __len__(self) -> int:
        return len(self.cells)

    def then(self, later: Changes) -> Changes:
        """These changes followed by `later` ones; what ends as it began is left out."""
        return Changes(*_joined(self.cells, self.old, self.new, later.cells, later.old, later.new))

    def plain(self) -> Changes:
        """The same without marks."""
        marked = self.new >= MARKED
        return Changes(self.cells, self.old, self.new - MARK * marked.astype(np.int16)) if marked.any() else self

    def flat(self, columns: int) -> Int32s:
        """Where the cells lie in a grid of that many columns, as row * columns + column."""
        return _flat(self.cells, columns)


def encode_changes(changes: Changes, origin: int, version: int, following: int) -> bytes:
    """Changes as they travel; the old values do not, for who is at the older version knows them."""
    header = np.array([origin, version, following], dtype="<u4").tobytes()
    return header + zlib.compress(_packed(changes.cells, changes.new).tobytes(), 1)


def decode_changes(data: bytes) -> tuple[Int32s, Int16s]:
    """The cells and new values that `encode_changes` wrote."""
    return _unpacked(np.frombuffer(zlib.decompress(data[HEADER_BYTES:]), dtype=np.uint8))


@kernel
def _joined(
    cells: Int32s, old: Int16s, new: Int16s, later: Int32s, later_old: Int16s, later_new: Int16s
) -> tuple[Int32s, Int16s, Int16s]:
    """Merge two ascending lists of cells into one; a cell in both keeps its first old and its last new value.

    A mark stays, even where a value is what it was at first. Linear in the length of both.
    """
    size = len(cells) + len(later)
    out, out_old, out_new = np.empty(size, np.int32), np.empty(size, np.int16), np.empty(size, np.int16)
    i = j = count = 0
    while i < len(cells) or j < len(later):
        if j == len(later) or (i < len(cells) and cells[i] < later[j]):
            out[count], out_old[count], out_new[count] = cells[i], old[i], new[i]
            i += 1
            count += 1
        elif i == len(cells) or later[j] < cells[i]:
            out[count], out_old[count], out_new[count] = later[j], later_old[j], later_new[j]
            j += 1
            count += 1
        else:
            last = later_new[j] + (MARK if new[i] >= MARKED > later_new[j] else 0)
            if old[i] != last:
                out[count], out_old[count], out_new[count] = cells[i], old[i], last
                count += 1
            i += 1
            j += 1
    return out[:count].copy(), out_old[:count].copy(), out_new[:count].copy()


@kernel
def _flat(cells: Int32s, columns: int) -> Int32s:
    flat = np.empty(len(cells), np.int32)
    across = columns // TILE
    tile = -1
    corner = 0
    for index in range(len(cells)):
        cell = cells[index]
        if cell // CELLS != tile:
            tile = cell // CELLS
            corner = (tile // across) * TILE * columns + (tile % across) * TILE
        inside = cell % CELLS
        flat[index] = corner + (inside // TILE) * columns + inside % TILE
    return flat


@kernel
def _packed(cells: Int32s, new: Int16s) -> Bytes:
    """Number of tiles; their numbers, each less the one before; a bitmap a tile; low bytes of values, then high bytes.

    Alike stands with alike, which the compression likes: high bytes are nearly all the same. Linear in the cells.
    """
    tiles = 0
    last = -1
    for cell in cells:
        if cell // CELLS != last:
            last = cell // CELLS
            tiles += 1
    bitmaps = 4 + 4 * tiles
    values = bitmaps + tiles * (CELLS // 8)
    out = np.zeros(values + 2 * len(cells), np.uint8)
    for byte in range(4):
        out[byte] = (tiles >> (8 * byte)) & 255
    last = 0
    at = -1
    tile = -1
    for index in range(len(cells)):
        cell = cells[index]
        if cell // CELLS != tile:
            tile = cell // CELLS
            at += 1
            for byte in range(4):
                out[4 + byte * tiles + at] = ((tile - last) >> (8 * byte)) & 255
            last = tile
        inside = cell % CELLS
        out[bitmaps + at * (CELLS // 8) + inside // 8] |= 1 << (inside % 8)
        out[values + index] = new[index] & 255
        out[values + len(cells) + index] = (new[index] >> 8) & 255
    return out


@kernel
def _unpacked(data: Bytes) -> tuple[Int32s, Int16s]:
    """The inverse of `_packed`."""
    tiles = 0
    for byte in range(4):
        tiles |= int(data[byte]) << (8 * byte)
    bitmaps = 4 + 4 * tiles
    values = bitmaps + tiles * (CELLS // 8)
    count = (len(data) - values) // 2
    cells, new = np.empty(count, np.int32), np.empty(count, np.int16)
    index = 0
    tile = 0
    for at in range(tiles):
        for byte in range(4):
            tile += int(data[4 + byte * tiles + at]) << (8 * byte)
        for inside in range(CELLS):
            if data[bitmaps + at * (CELLS // 8) + inside // 8] >> (inside % 8) & 1:
                cells[index] = tile * CELLS + inside
                new[index] = np.int16(int(data[values + index]) | int(data[values + count + index]) << 8)
                index += 1
    return cells, new
