"""How much memory each robot's software holds, by hand."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np

from expedition.belief.changes import Changes
from expedition.measure.memory import PARTS, memory_of


def held(robots: int, **parts: Any) -> list[float]:
    controller: Any = SimpleNamespace(robots=robots, nodes=robots + 1, **{**dict.fromkeys(PARTS), **parts})
    bytes_held: list[float] = memory_of(controller)[:-1].tolist()
    return bytes_held


def test_rows_and_entries_of_robots_are_theirs_and_the_rest_is_everyones() -> None:
    every, shared = np.zeros((3, 10)), np.zeros(5)
    assert held(2, grids=every, exchange={"a": shared, 1: b"1234"}) == [80 + 40 + 4] * 2
    assert held(2, inboxes=[b"12", deque([b"123", 7]), b"12345"]) == [2, 3]


def test_what_is_found_on_many_ways_counts_once_for_each_who_holds_it() -> None:
    array, both = np.zeros(7), np.zeros(9)
    assert held(2, inboxes=[[array, array[2:]], {"b": [both]}], finder=(array[:3], {"c": 1.5}, 0, None)) == [56, 128]
    assert held(2, inboxes=[both, both]) == [72, 72]


def test_objects_of_this_package_count_with_all_they_hold() -> None:
    changes = Changes(np.zeros(4, np.int32), np.zeros(4, np.int16), np.zeros(4, np.int16))
    tiles = changes.tiles.nbytes
    assert held(6, navigator={1: changes}) == [32 + tiles] * 6
    assert held(6, navigator=SimpleNamespace(array=np.zeros(100))) == [0] * 6
