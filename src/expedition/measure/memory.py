"""How much memory each robot's software holds: its arrays and messages, found by a walk through what belongs to it."""

from __future__ import annotations

import os
from collections import deque
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from expedition.controller import Controller

PARTS = (
    "grids", "localiser", "exchange", "finder", "follower", "navigator", "network", "inboxes", "goals_heard",
    "failed", "decisions", "prior", "roughness", "_attention", "_last_scan", "_beams",
)  # fmt: skip
"""What of a controller is the robots' own: beliefs, plans, what was heard."""
NOT_THEIRS = ("Controller", "World", "Terrain", "Fleet", "RobotModel", "Stopwatch", "Guard", "Crossings")
PLAIN, ARRAY, BYTES, ITEMS, VALUES, OBJECT = range(6)
"""What things are to the walk: the first hold nothing that counts, the last have their attributes."""


def memory_of(controller: Controller) -> NDArray[np.float64]:
    """(robots + 1,): the bytes that each robot's software holds, and those that the whole process holds.

    Of an array with a row a robot each has its row; what lies in a list with an entry a robot is that robot's; what
    several have in common counts for each of them, who would need it on a computer of its own.
    """
    robots, sizes = controller.robots, {controller.robots, controller.nodes}
    common: list[Any] = [getattr(controller, part) for part in PARTS]
    by_robot: list[list[Any]] = [[] for _ in range(robots)]
    held = np.zeros(robots + 1)
    seen: set[int] = set()
    # What all have in common first, so that it is not counted again for those that point at it.
    held[:-1] = _walk(common, seen, sizes, by_robot)
    for robot, own in enumerate(by_robot):
        held[robot] += _walk(own, seen.copy(), sizes, None)
    held[-1] = resident_bytes()
    return held


def _walk(waiting: list[Any], seen: set[int], sizes: set[int], by_robot: list[list[Any]] | None) -> float:
    """The bytes of all that can be reached and was not `seen`; what lies in a list of the robots is left to them."""
    held = 0.0
    while waiting:
        thing = waiting.pop()
        kind = _kind(type(thing))  # type: ignore[arg-type]
        if kind == PLAIN:
            continue
        if kind == ARRAY:
            while isinstance(thing.base, np.ndarray):
                thing = thing.base
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if kind == ARRAY:
            shape = thing.shape
            held += thing.nbytes / shape[0] if shape and shape[0] in sizes else thing.nbytes
        elif kind == BYTES:
            held += len(thing)
        elif kind == VALUES:
            waiting += thing.values()
        elif kind == OBJECT:
            waiting += getattr(thing, "__dict__", {}).values()
            waiting += [getattr(thing, name, None) for name in getattr(thing, "__slots__", ())]
        elif by_robot is not None and type(thing) in (list, tuple) and len(thing) in sizes:
            for own, item in zip(by_robot, thing, strict=False):
                own.append(item)
        else:
            waiting += thing
    return held


@lru_cache(maxsize=1000)
def _kind(kind: type) -> int:
    """What things of a type are to the walk."""
    if issubclass(kind, np.ndarray):
        return ARRAY
    if issubclass(kind, bytes):
        return BYTES
    if issubclass(kind, (list, tuple, deque, set)):
        return ITEMS
    if issubclass(kind, dict):
        return VALUES
    is_theirs = kind.__module__.startswith("expedition.") and kind.__name__ not in NOT_THEIRS
    return OBJECT if is_theirs and not issubclass(kind, (int, float, str, type)) else PLAIN


def resident_bytes() -> float:
    """What this process holds in memory now."""
    return float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
