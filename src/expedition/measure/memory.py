"""How much memory each robot's software holds: its arrays and messages, found by a walk through what belongs to it."""

from __future__ import annotations

import resource
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from expedition.controller import Controller

PARTS = (
    "grids", "localiser", "exchange", "finder", "follower", "navigator", "network", "inboxes", "goals_heard",
    "unreachable", "_attention", "_last_scan", "_beams",
)  # fmt: skip
"""What of a controller is the robots' own: beliefs, plans, what was heard."""
NOT_THEIRS = ("World", "Terrain", "Fleet", "RobotModel", "Stopwatch", "Guard")


def memory_of(controller: Controller) -> NDArray[np.float64]:
    """(robots + 1,): the bytes that each robot's software holds, and the most that the whole process ever held.

    Arrays with a row a robot are shared out evenly, what lies in a list with an entry a robot is that robot's, and what
    all have in common counts for each of them, who would need it on a computer of its own.
    """
    robots = controller.robots
    held = np.zeros(robots + 1)
    seen: set[int] = set()
    waiting: list[tuple[Any, int | None]] = [(getattr(controller, part), None) for part in PARTS]
    while waiting:
        thing, owner = waiting.pop()
        if isinstance(thing, np.ndarray):
            while isinstance(thing.base, np.ndarray):
                thing = thing.base
        elif isinstance(thing, int | float | str | np.generic | None | type):
            continue
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray):
            if owner is not None:
                held[owner] += thing.nbytes
            else:
                split = thing.ndim > 0 and thing.shape[0] == robots
                held[:robots] += thing.nbytes / robots if split else thing.nbytes
        elif isinstance(thing, bytes):
            held[slice(robots) if owner is None else owner] += len(thing)
        elif isinstance(thing, list | tuple | deque):
            by_robot = owner is None and len(thing) == robots and type(thing) in (list, tuple)
            waiting += [(item, number if by_robot else owner) for number, item in enumerate(thing)]
        elif isinstance(thing, dict):
            waiting += [(item, owner) for item in thing.values()]
        elif type(thing).__module__.startswith("expedition.") and type(thing).__name__ not in NOT_THEIRS:
            waiting += [(item, owner) for item in getattr(thing, "__dict__", {}).values()]
            waiting += [(getattr(thing, name, None), owner) for name in getattr(thing, "__slots__", ())]
    held[-1] = 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held
