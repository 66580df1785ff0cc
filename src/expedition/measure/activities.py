"""What robots said that they were and did: time by activity, and changes of roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Declared = tuple[float, int, str, str]
"""When which robot took on which ("role" or "activity") of what name."""
FAULTS = ("breakdown", "recovery")
"""What changes whether a robot is out of order; one that is switched off after its strategy has ended is not."""
WHOLE = ("robot", "battery")
"""What breaks down of a robot that then does nothing at all."""


def activity_seconds(
    declared: Iterable[Declared], faults: Iterable[Mapping[str, Any]], robots: int, end: float
) -> dict[str, list[float]]:
    """Seconds by activity, of each robot, up to the end; time in which a robot was out of order is none's.

    `faults` are the events of breakdowns, recoveries and robots that were switched off.
    """
    changes: list[tuple[float, int, str | int]] = [
        (time, robot, word) for time, robot, what, word in declared if what == "activity" and robot < robots
    ]
    spent: dict[str, list[float]] = {str(word): [0.0] * robots for _, _, word in changes if word}
    for event in faults:
        if event["event"] in FAULTS and event["text"] in WHOLE:
            changes.append((event["time_s"], event["robot"], 1 if event["event"] == "breakdown" else -1))
    since, doing, out = [0.0] * robots, [""] * robots, [0] * robots
    ends: list[tuple[float, int, str | int]] = [(end, robot, "") for robot in range(robots)]
    for time, robot, change in [*sorted(changes, key=lambda one: one[0]), *ends]:
        if doing[robot] and out[robot] == 0:
            spent[doing[robot]][robot] += max(0.0, min(time, end) - since[robot])
        since[robot] = time
        if isinstance(change, int):
            out[robot] += change
        else:
            doing[robot] = change
    return spent


def declared_events(declared: Iterable[Declared], roles: dict[int, str] | None = None) -> list[dict[str, Any]]:
    """Events of what robots declared: a first role, a "role swap" for one that takes the place of another.

    `roles` are those that robots had before, and is brought up to date.
    """
    roles = {} if roles is None else roles
    events: list[dict[str, Any]] = []
    for time, robot, what, word in declared:
        event: dict[str, Any] = {"time_s": time, "event": what, "robot": robot, "text": word}
        if what == "role":
            if word and roles.get(robot, word) != word:
                event |= {"event": "role swap", "from": roles[robot]}
            roles[robot] = word or roles.get(robot, "")
        events.append(event)
    return events


def broken_down(events: Iterable[Mapping[str, Any]]) -> list[int]:
    """The robots that are out of order after all these events: they, or their batteries, failed for good."""
    out: dict[int, int] = {}
    for event in events:
        if event["event"] in FAULTS and event["text"] in WHOLE:
            out[event["robot"]] = out.get(event["robot"], 0) + (1 if event["event"] == "breakdown" else -1)
    return sorted(robot for robot, faults in out.items() if faults > 0)
