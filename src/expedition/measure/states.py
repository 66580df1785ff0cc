"""What robots do at a moment, in a word or two, and what holds them up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from expedition.action import Drive, Wait
from expedition.navigate.local_records import ARRIVED, BLOCKED, DRIVING, IDLE, NOBODY, WAITING

if TYPE_CHECKING:
    from expedition.controller import Controller

STATES = ("planning", "driving", "gives way", "blocked", "standing", "lost", "done")
"""In logs numbers count in these; larger ones say for which robot a robot waits."""
_OF_STATUS = np.zeros(5, dtype=np.uint8)
_OF_STATUS[[IDLE, DRIVING, ARRIVED, WAITING, BLOCKED]] = 0, 1, 1, 2, 3
MOST_NAMED = 256 - len(STATES)


def state_words(robots: int) -> list[str]:
    """The word of each number of `states_of`, for a fleet of so many robots."""
    return [*STATES, *(f"waits for robot {robot}" for robot in range(min(robots, MOST_NAMED)))]


def states_of(controller: Controller) -> NDArray[np.uint8]:
    """(robots,): numbers in `state_words`. Who tries to get free, or finds no path for a while, is blocked."""
    follower = controller.follower
    states = _OF_STATUS[follower.status]
    actions = controller.decisions.actions
    for robot in np.flatnonzero(states == 0).tolist():
        action = actions[robot]
        states[robot] = 4 if isinstance(action, Wait) else 1 if isinstance(action, Drive) else 0
    np.putmask(states, (states == 1) & follower.is_stuck | controller.navigator.looks_around & (states == 0), 3)
    waits = (states == 1) & (follower.held_by != NOBODY) & (follower.held_by < MOST_NAMED)
    states[waits] = len(STATES) + follower.held_by[waits]
    np.putmask(states, controller.navigator.letting_pass, 2)
    np.putmask(states, controller.localiser.lost, 5)
    np.putmask(states, controller.decisions.done[: controller.robots], 6)
    return states


class Standstill:
    """Notes when nobody in a mission has got anywhere for a while, and what holds each robot up."""

    def __init__(self, controller: Controller, events: list[dict[str, Any]]) -> None:
        self._controller = controller
        self._events = events
        self._places = controller.localiser.pose[:, :2].copy()
        self._since = 0.0
        self._is_told = False

    def look(self) -> None:
        """Compare where robots are with where they were when somebody last got anywhere."""
        controller, time = self._controller, self._controller.time
        places = controller.localiser.pose[:, :2]
        if (np.hypot(*(places - self._places).T) > ANYWHERE).any():
            self._places, self._since, self._is_told = places.copy(), time, False
        elif time - self._since >= STANDS_FOR and not self._is_told:
            self._is_told = True
            words = state_words(controller.robots)
            causes = ", ".join(
                f"robot {robot} {words[state]}" for robot, state in enumerate(states_of(controller).tolist())
            )
            text = f"nobody has got anywhere for {STANDS_FOR:g} s: {causes}"
            self._events.append({"time_s": time, "event": "standstill", "robot": None, "text": text[:LONGEST]})


ANYWHERE = 0.5
"""Metres that a robot must move for the mission to get on ..."""
STANDS_FOR = 60.0
"""... in so many seconds."""
LONGEST = 500
"""Letters of what is said."""
