"""Reads what was said and what happened: events, notes, roles, tags, decisions, marks, messages."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.log.cdr import NANOSECONDS, decode
from expedition.log.chunks import ChunkedFile
from expedition.log.scene import Decision, Floats, InboxMessage, Note, SeenLandmark, Tag

LAST_FEW = 8
"""Notes and messages of a robot that a scene has."""
INBOX_SECONDS = 60.0
"""Older messages are in no scene."""
MOST_LOOKED_AT = 2000
"""Moments in which messages arrived that are looked at for a scene."""


class Told:
    """What is in a log's words."""

    def __init__(self, file: ChunkedFile, names: tuple[str, ...], keyframes: float) -> None:
        """`keyframes` are the seconds after which what holds is told again."""
        self._file = file
        self._names = names
        self._keyframes = keyframes
        self._until = {"/events": -1, "/tags": -1, "/seen": -1}
        self.events: list[dict[str, Any]] = []
        self.tags: list[Tag] = []
        self._words: dict[tuple[str, int], tuple[list[float], list[str]]] = defaultdict(lambda: ([], []))
        self._seen: list[tuple[int, NDArray[np.uint32], NDArray[np.uint16]]] = []
        self._decoded: dict[bytes, Decision] = {}

    def refresh(self) -> None:
        """Take in what is new of what is kept at hand: events and tags."""
        for _, event in self._new("/events", "expedition_msgs/Event"):
            self._take_event(event)
        for _, array in self._new("/tags", "visualization_msgs/MarkerArray"):
            for marker in array["markers"]:
                place, when = marker["pose"]["position"], marker["header"]["stamp"]
                robot = int(marker["ns"].removeprefix("robot_"))
                time = when["sec"] + when["nanosec"] / NANOSECONDS
                self.tags.append(Tag(place["x"], place["y"], marker["text"], robot, time))

    def word(self, what: str, robot: int, time: float) -> str:
        """The role or activity of a robot at a time."""
        times, words = self._words[what, robot]
        at = bisect_right(times, time)
        return words[at - 1] if at else ""

    def notes(self, robot: int, time: float) -> list[Note]:
        """The last few notes of a robot up to a time."""
        times, texts = self._words["note", robot]
        at = bisect_right(times, time)
        first = max(0, at - LAST_FEW)
        return [Note(when, text) for when, text in zip(times[first:at], texts[first:at], strict=True)]

    def tags_at(self, time: float) -> list[Tag]:
        """The tags that were there at a time."""
        return [tag for tag in self.tags if tag.time <= time]

    def decision(self, robot: int, time: float) -> Decision | None:
        """The last decision of a robot up to a time."""
        found = self._file.latest(f"/{self._names[robot]}/decision", round(time * NANOSECONDS))
        if found is None:
            return None
        data = found[1]
        if data not in self._decoded:
            if len(self._decoded) > 1000:
                self._decoded.clear()
            told = self._decode("expedition_msgs/Decision", data)
            when = told["header"]["stamp"]
            self._decoded[data] = Decision(
                when["sec"] + when["nanosec"] / NANOSECONDS, told["places"].astype(np.float64).reshape(-1, 2),
                told["values"].copy(), told["chosen"], told["about"],
            )  # fmt: skip
        return self._decoded[data]

    def marks(self, time: float) -> dict[str, list[tuple[int, Floats]]]:
        """The points that strategies show at a time, by kind."""
        moment = round(time * NANOSECONDS)
        first = moment - round(1.1 * self._keyframes * NANOSECONDS)
        latest: dict[tuple[str, int], Floats] = {}
        for _, data in self._file.between("/marks", first, moment):
            told = self._decode("expedition_msgs/Marks", data)
            latest[told["kind"], told["robot"]] = told["points"].astype(np.float64).reshape(-1, 2)
        found: dict[str, list[tuple[int, Floats]]] = {}
        for (kind, robot), points in sorted(latest.items()):
            if len(points):
                found.setdefault(kind, []).append((robot, points))
        return found

    def landmarks(self, time: float) -> list[SeenLandmark]:
        """Where robots believed landmarks to be at a time."""
        found = self._file.latest("/landmarks/believed", round(time * NANOSECONDS))
        if found is None:
            return []
        told = self._decode("expedition_msgs/Landmarks", found[1])
        places, covariance = told["places"].reshape(-1, 2).tolist(), told["covariance"].reshape(-1, 3).tolist()
        rows = zip(told["robots"].tolist(), told["landmarks"].tolist(), places, covariance, strict=False)
        return [SeenLandmark(robot, number, x, y, (xx, xy, yy)) for robot, number, (x, y), (xx, xy, yy) in rows]

    def inboxes(self, time: float) -> list[list[InboxMessage]]:
        """The last few messages that reached each robot up to a time, the newest last."""
        moment = round(time * NANOSECONDS)
        found: list[list[InboxMessage]] = [[] for _ in self._names]
        waiting = len(found)
        for looked_at, (when, data) in enumerate(self._file.backwards("/messages", moment)):
            if not waiting or looked_at >= MOST_LOOKED_AT or when < moment - INBOX_SECONDS * NANOSECONDS:
                break
            told = self._decode("expedition_msgs/Messages", data)
            stamp = told["header"]["stamp"]
            arrived = stamp["sec"] + stamp["nanosec"] / NANOSECONDS
            bounds = [0, *told["ends"].tolist()]
            for k in range(len(told["senders"]) - 1, -1, -1):
                for node in told["receivers"][bounds[k] : bounds[k + 1]].tolist():
                    if node < len(found) and len(found[node]) < LAST_FEW:
                        sender = int(told["senders"][k])
                        found[node].append(InboxMessage(arrived, sender, told["topics"][k], told["texts"][k]))
                        waiting -= len(found[node]) == LAST_FEW
        return [messages[::-1] for messages in found]

    def first_seen(self, time: float, shape: tuple[int, int]) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """(rows, columns): who saw a cell first, -1 if nobody, and when, NaN if never."""
        for when, seen in self._new("/seen", "expedition_msgs/Seen"):
            self._seen.append((when, seen["cells"], seen["robots"]))
        who, at = np.full(shape[0] * shape[1], -1, dtype=np.int16), np.full(shape[0] * shape[1], np.nan, np.float32)
        for when, cells, robots in self._seen:
            if when > time * NANOSECONDS + 0.5:
                break
            if len(cells) and cells.max() < len(who) and len(cells) == len(robots):
                who[cells], at[cells] = robots, when / NANOSECONDS
        return who.reshape(shape), at.reshape(shape)

    def _new(self, topic: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The messages of a topic that were not taken in yet, decoded, with their times."""
        last = 1 << 62
        for time, data in self._file.between(topic, self._until[topic], last):
            self._until[topic] = time
            yield time, self._decode(name, data)

    def _take_event(self, event: dict[str, Any]) -> None:
        try:
            details = json.loads(event["details"])
            time, kind = float(details["time_s"]), details["event"]
        except (ValueError, KeyError, TypeError) as error:
            raise self._file.damaged(error) from error
        self.events.append(details)
        what = "role" if kind == "role swap" else kind
        if what in ("role", "activity", "note"):
            times, words = self._words[what, event["robot"]]
            times.append(time)
            words.append(event["text"])

    def _decode(self, name: str, data: bytes) -> dict[str, Any]:
        try:
            return decode(name, data)
        except ValueError as error:
            raise self._file.damaged(error) from error
