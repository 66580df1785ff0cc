"""Records what is said: events, notes, decisions, points that strategies show, and messages that arrived."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from expedition.log.cdr import encode, stamp
from expedition.log.moment import WORLD, Moment
from expedition.measure.activities import declared_events

if TYPE_CHECKING:
    from expedition.log.detail import Detail
    from expedition.log.file import Lane
    from expedition.network.messages import Message
    from expedition.witness import Considered, Witness

LONGEST_TEXT = 500
"""Letters of a message that are kept."""
MOST_MESSAGES = 1000
"""Of one moment."""
INFO, WARNING = 20, 30
SERIOUS = ("collision", "breakdown", "lost contact", "standstill", "failure")


class WordRecorder:
    """Takes out what has come up since the last time."""

    def __init__(self, channels: dict[str, int], decisions: list[int], witness: Witness, detail: Detail) -> None:
        """`channels` are those of topics, `decisions` those of the nodes' decisions."""
        self._channels = channels
        self._decisions = decisions
        self._witness = witness
        self._takes_messages = detail.messages
        self._taken = [0] * 6
        self._roles: dict[int, str] = {}
        self._last: dict[int, bytes] = {}
        self._marks: dict[tuple[int, str], bytes] = {}

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record all that is new."""
        for event in self._new_events(moment):
            self._event(event, moment, lane)
        witness = self._witness
        if witness.decisions:
            decisions, witness.decisions = witness.decisions, []
            for considered in decisions:
                self._decision(considered, moment, lane)
        if witness.marks:
            marks, witness.marks = witness.marks, []
            for time, robot, kind, points in marks:
                self._mark(time, robot, kind, moment.in_world(robot, points), moment, lane)
        if witness.messages:
            messages, witness.messages = witness.messages, []
            for time, arrived in messages if self._takes_messages else ():
                lane.add(self._channels["/messages"], moment.nanoseconds, arrivals_message(time, arrived))

    def repeat(self, moment: Moment, lane: Lane) -> None:
        """Record once more what holds still, so that readers need not go back far."""
        for node, data in self._last.items():
            lane.add(self._decisions[node], moment.nanoseconds, data)
        for data in self._marks.values():
            lane.add(self._channels["/marks"], moment.nanoseconds, data)

    def finish(self, events: Iterable[Mapping[str, Any]], moment: Moment, lane: Lane) -> None:
        """Record how it ended."""
        self.take(moment, lane)
        for event in events:
            if event["event"] in ("failure", "end"):
                self._event(event, moment, lane)

    def _new_events(self, moment: Moment) -> list[dict[str, Any]]:
        controller, monitor = moment.controller, moment.monitor
        sources: tuple[list[Any], ...] = (
            monitor.contacts, controller.notes, controller.declared, controller.faults.events,
            monitor.network_contacts.events, monitor.standstills,
        )  # fmt: skip
        if [len(source) for source in sources] == self._taken:
            return []
        contacts, notes, declared, faults, reached, standstills = (
            source[taken:] for source, taken in zip(sources, self._taken, strict=True)
        )
        self._taken = [len(source) for source in sources]
        events: list[dict[str, Any]] = [
            {"time_s": contact.time, "event": "collision", "robot": contact.robot, "with": contact.other}
            for contact in contacts
        ]
        events += [{"time_s": time, "event": "note", "robot": robot, "text": text} for time, robot, text in notes]
        events += declared_events(declared, self._roles)
        return sorted([*events, *faults, *reached, *standstills], key=lambda event: event["time_s"])

    def _event(self, event: Mapping[str, Any], moment: Moment, lane: Lane) -> None:
        robot, text = event["robot"], str(event.get("text", ""))
        when = stamp(event["time_s"])
        number = -1 if robot is None else robot
        values = {
            "header": {"stamp": when, "frame_id": WORLD}, "robot": number, "event": event["event"], "text": text,
            "details": json.dumps(event),
        }  # fmt: skip
        lane.add(self._channels["/events"], moment.nanoseconds, encode("expedition_msgs/Event", values))
        others = {name: value for name, value in event.items() if name not in ("time_s", "event", "robot", "text")}
        more = ", ".join(f"{name} {value}" for name, value in others.items())
        line = {
            "stamp": when, "level": WARNING if event["event"] in SERIOUS else INFO,
            "name": "mission" if number < 0 else f"robot_{number}", "function": event["event"],
            "msg": ": ".join(part for part in (event["event"], text, more) if part),
        }  # fmt: skip
        lane.add(self._channels["/rosout"], moment.nanoseconds, encode("rcl_interfaces/Log", line))

    def _decision(self, considered: Considered, moment: Moment, lane: Lane) -> None:
        places = moment.in_world(considered.by, considered.places)
        values = {
            "header": {"stamp": stamp(considered.time), "frame_id": WORLD}, "robot": considered.robot,
            "about": considered.about, "chosen": considered.chosen, "places": places, "values": considered.values,
        }  # fmt: skip
        data = self._last[considered.robot] = encode("expedition_msgs/Decision", values)
        lane.add(self._decisions[considered.robot], moment.nanoseconds, data)

    def _mark(self, time: float, robot: int, kind: str, points: Any, moment: Moment, lane: Lane) -> None:
        header = {"stamp": stamp(time), "frame_id": WORLD}
        values = {"header": header, "robot": robot, "kind": kind, "points": points}
        data = self._marks[robot, kind] = encode("expedition_msgs/Marks", values)
        lane.add(self._channels["/marks"], moment.nanoseconds, data)


def arrivals_message(time: float, arrived: tuple[tuple[Message, ...], ...]) -> bytes:
    """An `expedition_msgs/Messages`; `arrived` are those that came to each node."""
    receivers: dict[int, tuple[Message, list[int]]] = {}
    for node, messages in enumerate(arrived):
        for message in messages:
            receivers.setdefault(id(message), (message, []))[1].append(node)
    kept = list(receivers.values())[:MOST_MESSAGES]
    return encode(
        "expedition_msgs/Messages",
        {
            "header": {"stamp": stamp(time), "frame_id": WORLD},
            "senders": [message.sender for message, _ in kept],
            "topics": [message.topic for message, _ in kept],
            "texts": [message.data[:LONGEST_TEXT].decode("utf-8", "replace") for message, _ in kept],
            "ends": np.cumsum([len(nodes) for _, nodes in kept]),
            "receivers": [node for _, nodes in kept for node in nodes],
        },
    )
