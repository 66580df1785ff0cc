"""How much memory each robot's software holds: its arrays and messages, found by a walk through what belongs to it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from expedition.controller import Controller

PARTS = (
    "grids", "localiser", "exchange", "finder", "follower", "navigator", "network", "inboxes", "goals_heard",
    "unreachable", "decisions", "prior", "roughness", "_attention", "_last_scan", "_beams",
)  # fmt: skip
"""What of a controller is the robots' own: beliefs, plans, what was heard."""
NOT_THEIRS = ("Controller", "World", "Terrain", "Fleet", "RobotModel", "Stopwatch", "Guard", "Crossings")
PLAIN = (int, float, str, np.generic, NoneType, type)
MOST_PLAIN = frozenset({int, float, bool, str, NoneType})
"""Of these there are so many that they are left out before anything else is asked of them."""


def memory_of(controller: Controller) -> NDArray[np.float64]:
    """(robots + 1,): the bytes that each robot's software holds, and those that the whole process holds.

    Of an array with a row a robot each has its row; what lies in a list with an entry a robot is that robot's; what
    several have in common counts for each of them, who would need it on a computer of its own.
    """
    robots, sizes = controller.robots, {controller.robots, controller.nodes}
    held = np.zeros(robots + 1)
    held[-1] = resident_bytes()
    seen: set[tuple[int, int | None]] = set()
    common: list[Any] = [getattr(controller, part) for part in PARTS]
    own: list[tuple[Any, int]] = []
    # What all have in common first, so that it is not counted again for those that point at it.
    while common or own:
        thing, owner = (common.pop(), None) if common else own.pop()
        is_array = isinstance(thing, np.ndarray)
        while is_array and isinstance(thing.base, np.ndarray):
            thing = thing.base
        if isinstance(thing, PLAIN) or (id(thing), None) in seen or (id(thing), owner) in seen:
            continue
        seen.add((id(thing), owner))
        whose = slice(robots) if owner is None else owner
        if is_array:
            rows = thing.ndim > 0 and thing.shape[0] in sizes
            held[whose] += thing.nbytes / thing.shape[0] if rows else thing.nbytes
        elif isinstance(thing, bytes):
            held[whose] += len(thing)
        elif owner is None and type(thing) in (list, tuple) and len(thing) in sizes:
            own += [(item, number) for number, item in enumerate(thing[:robots])]
        else:
            inside = [item for item in _inside(thing) if type(item) not in MOST_PLAIN]
            common += inside if owner is None else []
            own += [(item, owner) for item in inside] if owner is not None else []
    return held


def _inside(thing: Any) -> Iterable[Any]:
    """What a container, or an object of the robots' software, holds."""
    if isinstance(thing, list | tuple | deque | set):
        return thing
    if isinstance(thing, dict):
        return thing.values()
    if not type(thing).__module__.startswith("expedition.") or type(thing).__name__ in NOT_THEIRS:
        return []
    slots = [getattr(thing, name, None) for name in getattr(thing, "__slots__", ())]
    return [*getattr(thing, "__dict__", {}).values(), *slots]


def resident_bytes() -> float:
    """What this process holds in memory now."""
    return float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
