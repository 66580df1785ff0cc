"""The parts of a moment: what a page shows beside poses and maps, each read only if somebody looks at it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.log.history import Which
from expedition.log.reader import LogReader

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
    """Inbox, notes and decision of some robots."""
    inboxes = log.told.inboxes(time)
    minds = {}
    for robot in robots:
        decision = log.told.decision(robot, time)
        minds[robot] = {
            "inbox": [[m.time, m.sender, m.topic, m.text[:TEXT]] for m in inboxes[robot]],
            "notes": [[note.time, note.text[:TEXT]] for note in log.told.notes(robot, time)],
            "decision": None if decision is None else {
                "time": decision.time, "about": decision.about, "chosen": decision.chosen,
                "places": _plain(decision.places), "values": _plain(decision.values),
            },
        }  # fmt: skip
    return {"minds": minds}, {}


PARTS: dict[str, Callable[[LogReader, float, Which, list[int]], tuple[Told, Arrays]]] = {
    "paths": _paths, "scans": _scans, "frontiers": _frontiers, "tags": _tags, "landmarks": _landmarks,
    "marks": _marks, "words": _words, "minds": _minds,
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
