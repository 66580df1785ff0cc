"""What changed in a robot's evidence between two versions of it: cells with their old and their new value.

Cells are numbered tile by tile, `256 * tile + cell in the tile`, and stand in that order: changes that follow each
other are joined in one linear pass, neighbours in the world are neighbours in memory, and a tile travels as a bitmap
and the values of the cells that it marks.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from expedition.belief.evidence import MARK, MARKED
from expedition.belief.grid import TILE, WORDS, Words
from expedition.kernels import kernel

Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

Element = TypeVar("Element", bound=np.generic)

CELLS = TILE * TILE
NOTHING: Int32s = np.zeros((0, 3), dtype=np.int32)
"""What changes revise that revise nothing."""
LOWER, HALF = np.uint64(2**32 - 1), np.uint64(32)
"""The lower half of a word, and how far the upper one is up."""
HEADER = struct.Struct("<III")
"""Origin and the two versions, before the compressed cells."""


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

    @cached_property
    def tiles(self) -> Words:
        """(tiles, 1 + WORDS): which tiles the cells lie in, as `tile_of` reads it, and which cells of it, as bits."""
        return _tiles(self.cells)

    @cached_property
    def revised(self) -> Int32s:
        """(changes, 3): the cells of which something else was said before, what that was, and what is said now."""
        others = np.flatnonzero(self.old)
        if len(others) == 0:
            return NOTHING
        return np.stack([self.cells[others], self.old[others], self.new[others]], axis=1, dtype=np.int32)

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


def join_all(parts: Sequence[Changes]) -> Changes:
    """Changes that follow each other, as one; from behind, as later ones are shorter."""
    joined = parts[-1]
    for part in reversed(parts[:-1]):
        joined = part.then(joined)
    return joined


def in_a_row(arrays: Sequence[NDArray[Element]]) -> tuple[Integers, NDArray[Element]]:
    """Arrays as one, and where each of them starts and the last ends."""
    return starts_of([len(array) for array in arrays]), np.concatenate(arrays)


def starts_of(lengths: Sequence[int]) -> Integers:
    """Where each of several stretches in a row starts, and where the last ends."""
    return np.array([0, *accumulate(lengths)])


def encode_changes(changes: Changes, origin: int, version: int, following: int) -> bytes:
    """Changes as they travel; the old values do not, for who is at the older version knows them."""
    return HEADER.pack(origin, version, following) + zlib.compress(_packed(changes.tiles, changes.new).tobytes(), 1)


def decode_changes(data: bytes) -> tuple[Int32s, Int16s]:
    """The cells and new values that `encode_changes` wrote."""
    return _unpacked(np.frombuffer(zlib.decompress(data[HEADER.size :]), dtype=np.uint8))


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
def tile_of(word: np.uint64) -> tuple[np.int64, np.int64]:
    """The number of a tile, and how many cells come before its own."""
    return np.int64(word & LOWER), np.int64(word >> HALF)


@kernel
def _packed(tiles: Words, new: Int16s) -> Bytes:
    """Number of tiles; their numbers, each less the one before; a bitmap a tile; low bytes of values, then high bytes.

    Alike stands with alike, which the compression likes: high bytes are nearly all the same. Linear in the cells.
    """
    count = len(tiles)
    bitmaps = 4 + 4 * count
    values = bitmaps + count * (CELLS // 8)
    out = np.empty(values + 2 * len(new), np.uint8)
    for byte in range(4):
        out[byte] = (count >> (8 * byte)) & 255
        last = np.int64(0)
        for at in range(count):
            number, _ = tile_of(tiles[at, 0])
            out[4 + byte * count + at] = ((number - last) >> (8 * byte)) & 255
            last = number
    for at in range(count):
        for byte in range(CELLS // 8):
            word = tiles[at, 1 + byte // 8]
            out[bitmaps + at * (CELLS // 8) + byte] = (word >> np.uint64(byte % 8 * 8)) & np.uint64(255)
    low, high = out[values : values + len(new)], out[values + len(new) :]
    for index in range(len(new)):
        low[index] = new[index] & 255
        high[index] = (new[index] >> 8) & 255
    return out


@kernel
def _tiles(cells: Int32s) -> Words:
    """The tiles of ascending cells. Linear in the cells."""
    count = 1 if len(cells) else 0
    for index in range(1, len(cells)):
        count += cells[index] // CELLS != cells[index - 1] // CELLS
    tiles = np.zeros((count, 1 + WORDS), np.uint64)
    at = -1
    tile = -1
    for index in range(len(cells)):
        if cells[index] // CELLS != tile:
            tile = cells[index] // CELLS
            at += 1
            tiles[at, 0] = np.uint64(tile) | np.uint64(index) << HALF
        inside = cells[index] % CELLS
        tiles[at, 1 + inside // 64] |= np.uint64(1) << np.uint64(inside % 64)
    return tiles


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
