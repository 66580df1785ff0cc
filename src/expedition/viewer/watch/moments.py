"""The parts of a moment: what a page shows beside poses and maps, each read only if somebody looks at it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.belief.grid import OCCUPIED
from expedition.log.history import Which
from expedition.log.reader import LogReader
from expedition.terrain import Door, Terrain

Told = dict[str, Any]
Arrays = dict[str, NDArray[Any]]
TEXT = 400
"""Characters of a message or note that a page is sent."""


def moment_of(
    log: LogReader, time: float, parts: Sequence[str], which: Which, robots: Sequence[int] | None
) -> tuple[Told, Arrays]:
    """Parts of a moment by name; scans and words of some robots only, frontiers and costs of one map."""
    time = min(max(time, log.start), log.end)
    about = list(range(log.header.robots)) if robots is None else list(robots)
    told: Told = {}
    arrays: Arrays = {}
    for part in parts:
        found, more = PARTS[part](log, time, which, about)
        told |= found
        arrays |= more
    return told, arrays


def door_areas(terrain: Terrain) -> list[tuple[float, float, float, float, str]]:
    """Left, right, bottom and top of each door, and what it is made of."""
    return [
        (door.area.left, door.area.right, door.area.bottom, door.area.top, door.material)
        for door in terrain.changes if isinstance(door, Door)
    ]  # fmt: skip


def _paths(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    ways = [log.path(robot, time) for robot in range(log.header.robots)]
    return {}, {"path_points": _joined(ways), "path_ends": _ends(ways)}


def _scans(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    found = [np.zeros((0, 2)) if scan is None else scan for scan in log.scans(time, robots)]
    return {"scan_robots": robots}, {"scan_points": _joined(found), "scan_ends": _ends(found)}


def _frontiers(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    # Those of the union are recorded; those of other maps are found when asked for.
    found = log.union_frontiers(time) if which == "union" else log.frontiers(which, time)
    return {}, {"frontiers": found.astype(np.float32)}


def _tags(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    return {"tags": [[tag.x, tag.y, tag.text[:TEXT], tag.robot, tag.time] for tag in log.told.tags_at(time)]}, {}


def _landmarks(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    return {
        "landmarks": [
            [mark.robot, mark.landmark, mark.x, mark.y, *mark.covariance] for mark in log.told.landmarks(time)
        ]
    }, {}


def _marks(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    found = log.told.marks(time)
    return {
        "marks": {kind: [[robot, points.round(3).tolist()] for robot, points in told] for kind, told in found.items()}
    }, {}


def _words(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    """What each robot is and is about, in a word each."""
    everyone = range(log.header.robots)
    roles = [log.told.word("role", robot, time) for robot in everyone]
    return {"roles": roles, "activities": [log.told.word("activity", robot, time) for robot in everyone]}, {}


def _minds(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    """Inbox, notes and decision of some robots, and the bytes that they sent and received."""
    inboxes = log.told.inboxes(time)
    sent, received = log.traffic(time)
    minds = {}
    for robot in robots:
        decision = log.told.decision(robot, time)
        minds[robot] = {
            "sent": int(sent[robot]), "received": int(received[robot]),
            "inbox": [[m.time, m.sender, m.topic, m.text[:TEXT]] for m in inboxes[robot]],
            "notes": [[note.time, note.text[:TEXT]] for note in log.told.notes(robot, time)],
            "decision": None if decision is None else {
                "time": decision.time, "about": decision.about, "chosen": decision.chosen,
                "places": _plain(decision.places), "values": _plain(decision.values),
            },
        }  # fmt: skip
    return {"minds": minds}, {}


def _doors(log: LogReader, time: float, which: Which, robots: list[int]) -> tuple[Told, Arrays]:
    """Which doors are closed, as things really are."""
    areas = door_areas(log.header.terrain)
    truth = log.map("truth", time) if areas else np.zeros((0, 0))
    closed = []
    for left, right, bottom, top, _ in areas:
        cells = truth[_cells(log, 1, bottom, top), _cells(log, 0, left, right)]
        # A door that is open leaves its frame, whose cells it may share.
        closed.append(bool(cells.size) and bool((cells == OCCUPIED).mean() > 0.5))
    return {"doors": closed}, {}


def _cells(log: LogReader, axis: int, low: float, high: float) -> slice:
    """The rows (axis 1) or columns of a map that an interval in metres meets."""
    frame = log.header.frame
    first, last = ((end - frame.origin[axis]) / frame.resolution for end in (low, high))
    return slice(max(0, math.floor(first + 1e-6)), max(0, math.ceil(last - 1e-6)))


PARTS: dict[str, Callable[[LogReader, float, Which, list[int]], tuple[Told, Arrays]]] = {
    "paths": _paths, "scans": _scans, "frontiers": _frontiers, "tags": _tags, "landmarks": _landmarks,
    "marks": _marks, "words": _words, "minds": _minds, "doors": _doors,
}  # fmt: skip


def _joined(lines: list[NDArray[np.float64]]) -> NDArray[np.float32]:
    return np.concatenate([*lines, np.zeros((0, 2))]).astype(np.float32)


def _ends(lines: list[NDArray[np.float64]]) -> NDArray[np.int32]:
    return np.cumsum([len(line) for line in lines]).astype(np.int32)


def _plain(values: NDArray[Any]) -> Any:
    """Numbers as JSON knows them: None for those that are not finite."""
    if values.ndim > 1:
        return [_plain(row) for row in values]
    return [round(value, 4) if math.isfinite(value) else None for value in values.tolist()]
