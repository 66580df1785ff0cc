"""Rooms on a grid: which of them share a wall, and where a door can go through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Room:
    """A rectangle of free tiles: rows bottom..top and columns left..right, ends excluded."""

    left: int
    bottom: int
    right: int
    top: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.top - self.bottom

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def tiles(self) -> tuple[slice, slice]:
        """The rectangle as an index into a grid."""
        return slice(self.bottom, self.top), slice(self.left, self.right)


@dataclass(frozen=True)
class SharedWall:
    """A straight piece of wall between two rooms, numbered as in the grid of `shared_walls`."""

    first: int
    second: int
    vertical: bool
    near: int
    """Its first column if vertical, else its first row."""
    thickness: int
    start: int
    end: int

    def door(self, position: int, width: int) -> tuple[slice, slice]:
        """The tiles of a door of that width whose lower or left end is at `position`."""
        across = slice(self.near, self.near + self.thickness)
        along = slice(position, position + width)
        return (along, across) if self.vertical else (across, along)


def shared_walls(numbers: NDArray[np.int32], thickness: int) -> list[SharedWall]:
    """All pieces of wall of the given thickness between two rooms; `numbers` is 0 on walls, else the room's number."""
    return [*_walls_along_columns(numbers, thickness, True), *_walls_along_columns(numbers.T, thickness, False)]


def _walls_along_columns(numbers: NDArray[np.int32], thickness: int, vertical: bool) -> Iterator[SharedWall]:
    gap = thickness + 1
    if numbers.shape[1] <= gap:
        return
    first, second = numbers[:, :-gap], numbers[:, gap:]
    facing = (first > 0) & (second > 0)
    for offset in range(1, gap):
        facing &= numbers[:, offset : numbers.shape[1] - gap + offset] == 0
    columns, rows = np.nonzero(facing.T)
    if not len(rows):
        return
    ones, others = first[rows, columns], second[rows, columns]
    breaks = (np.diff(columns) != 0) | (np.diff(rows) != 1) | (np.diff(ones) != 0) | (np.diff(others) != 0)
    starts = np.flatnonzero(np.concatenate(([True], breaks)))
    ends = np.append(starts[1:], len(rows))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield SharedWall(
            first=int(ones[start]),
            second=int(others[start]),
            vertical=vertical,
            near=int(columns[start]) + 1,
            thickness=thickness,
            start=int(rows[start]),
            end=int(rows[start]) + end - start,
        )


class Groups:
    """Which rooms are connected so far (union-find)."""

    def __init__(self, count: int) -> None:
        self._leader = list(range(count))

    def find(self, member: int) -> int:
        while self._leader[member] != member:
            self._leader[member] = self._leader[self._leader[member]]
            member = self._leader[member]
        return member

    def join(self, one: int, other: int) -> bool:
        """Join two groups; False if they were one already."""
        one, other = self.find(one), self.find(other)
        self._leader[one] = other
        return one != other
