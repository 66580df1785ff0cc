"""Maps drawn with one character a cell and one line a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.errors import ExpeditionError, shorten
from expedition.terrain.files.options import check_size
from expedition.terrain.terrain import MAX_CELLS

# A map of one column needs three bytes a cell, with the line ends of Windows.
MAX_BYTES = 3 * MAX_CELLS + 1_000

NEWLINE = ord("\n")


def character_rows(
    body: bytes, rows: int, columns: int, allowed: str, place: str, first_line: int
) -> NDArray[np.uint8]:
    """The characters as (rows, columns), when each line has that many and all of them are allowed."""
    check_size(columns, rows, place)
    body = body.replace(b"\r\n", b"\n").rstrip() + b"\n"
    if len(body) != rows * (columns + 1):
        raise _wrong_line(body, rows, columns, place, first_line)
    grid = np.frombuffer(body, dtype=np.uint8).reshape(rows, columns + 1)
    if not ((grid[:, columns] == NEWLINE).all() and (grid[:, :columns] != NEWLINE).all()):
        raise _wrong_line(body, rows, columns, place, first_line)
    known = np.zeros(256, dtype=bool)
    known[list(allowed.encode())] = True
    if not (fine := known[grid[:, :columns]]).all():
        row, column = divmod(int(fine.argmin()), columns)
        found = shorten(chr(grid[row, column]))
        where = f"{place}, line {first_line + row}, column {column + 1}"
        raise ExpeditionError(f"{where}: found {found}; allowed: {' '.join(allowed)}")
    return grid[:, :columns]


def draw(occupied: NDArray[np.bool_], wall: str, free: str) -> bytes:
    """Lines of characters, the top row first."""
    rows, columns = occupied.shape
    grid = np.full((rows, columns + 1), NEWLINE, dtype=np.uint8)
    grid[:, :columns] = np.where(occupied[::-1], np.uint8(ord(wall)), np.uint8(ord(free)))
    return grid.tobytes()


def whole_number(word: bytes, what: str, place: str) -> int:
    """A number in a header."""
    if not word.isdigit() or len(word) > 9:
        raise ExpeditionError(f"{place}: expected the {what}, found {shorten(word.decode('latin-1'))}")
    return int(word)


def _wrong_line(body: bytes, rows: int, columns: int, place: str, first_line: int) -> ExpeditionError:
    """The error for the first line that has not the right length, or for too few or many lines."""
    start = 0
    for row in range(rows):
        if start >= len(body) or body == b"\n":
            return ExpeditionError(f"{place}: cut off: {rows} rows announced, {row} found")
        end = body.index(b"\n", start)
        if end - start != columns:
            where = f"{place}, line {first_line + row}"
            return ExpeditionError(f"{where}: {end - start} characters, but the header says {columns}")
        start = end + 1
    return ExpeditionError(f"{place}, line {first_line + rows}: lines after the last of {rows} rows")
