"""The strategies at work: one coroutine a robot, resumed in a fixed order when what it awaits is over.

No asyncio and no threads: a robot's coroutine runs until it awaits an action, and again when the mission says that the
action has ended.
"""

from __future__ import annotations

import copy
import inspect
import math
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import numpy as np

from expedition.action import Action, Drive, Outcome, StrategyError, Wait
from expedition.errors import shorten
from expedition.failure import StrategyFailed, failure_of
from expedition.guard import Guard, TooMuchMemory
from expedition.robot import Robot

__all__ = ["Decisions", "Strategy", "StrategyFailed"]

Running = Coroutine[Any, Any, Any]
Strategy = Callable[[Robot], Running]

ENDS_REFUSED = 3
"""How often a strategy may catch the request to end before it is dropped where it stands."""


class Decisions:
    """The coroutines of all robots, and what each awaits."""

    def __init__(self, strategies: Sequence[Strategy], robots: Sequence[Robot], guard: Guard) -> None:
        self._guard = guard
        self._strategies = strategies
        self._robots = robots
        self.actions: list[Action | None] = [None] * len(robots)
        self.deadlines = np.full(len(robots), math.inf)
        self.done = np.zeros(len(robots), dtype=bool)
        self._coroutines: list[Running | None] = [None] * len(robots)

    def resume(self, number: int, outcome: Outcome | None) -> Action | None:
        """Let a robot's strategy go on; returns what it awaits next, None when it has ended.

        What it awaits is copied, so that an action may be awaited again, or kept, and is never two robots' at once.
        """
        robot = self._robots[number]
        awaited: Action | None = self._guarded(robot, partial(self._advance, number, outcome))
        action = copy.copy(awaited)
        if action is not None and action.until is not None:
            action.until = partial(self._asked, robot, action.until)
        self.actions[number] = action
        self.done[number] = action is None
        if action is None:
            robot.activity = ""  # Whoever has nothing left to do is about nothing any more.
        if action is None or action.seconds is None:
            self.deadlines[number] = math.inf
        else:
            self.deadlines[number] = robot.time + action.seconds
        return action

    def at_deadline(self, number: int) -> Outcome:
        """How an action ends whose time is over."""
        action = self.actions[number]
        if isinstance(action, Drive) and action.was_blocked:
            return Outcome.BLOCKED
        return Outcome.ARRIVED if isinstance(action, Wait | Drive) else Outcome.TIMED_OUT

    def close(self) -> None:
        """End all coroutines, so that their `finally` clauses run; one that resists has no one left to tell."""
        for number, robot in enumerate(self._robots):
            for _ in range(ENDS_REFUSED):
                try:
                    self._guarded(robot, partial(self._end, number))
                    break
                except BaseException:
                    continue
            hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
            try:
                self._coroutines[number] = None
            finally:
                sys.unraisablehook = hook

    def _advance(self, number: int, outcome: Outcome | None) -> Action | None:
        """A strategy's next step. What is wrong about it is raised where it awaits, so that the traceback shows it."""
        coroutine = self._coroutines[number]
        try:
            if coroutine is None:
                coroutine = self._coroutines[number] = begin(self._strategies[number], self._robots[number])
            if self._guard.memory_is_used_up:
                coroutine.throw(TooMuchMemory())
                raise TooMuchMemory  # It went on all the same.
            awaited = coroutine.send(outcome)
            while (wrong := self._wrong(number, awaited)) is not None:
                awaited = coroutine.throw(StrategyError(wrong))
        except StopIteration as end:
            if end.value is not None and not isinstance(end.value, Outcome):
                raise StrategyError(f"a strategy returns nothing, but this one returned {shorten(end.value)}") from None
            return None
        assert isinstance(awaited, Action)
        return awaited

    def _wrong(self, number: int, awaited: object) -> str | None:
        """What is wrong about what a strategy awaits."""
        if not isinstance(awaited, Action):
            return (
                f"awaited {shorten(awaited)}: a strategy awaits what its robot offers, as go_to, follow, drive and wait"
            )
        if self._robots[number].is_base and not isinstance(awaited, Wait):
            return f"a base station does not move: it awaits wait, not {type(awaited).__name__}"
        return None

    def _asked(self, robot: Robot, until: Callable[[], bool]) -> bool:
        """What a strategy's `until` says; it is the strategy's own code as much as the rest."""
        return bool(self._guarded(robot, lambda: bool(until())))

    def _end(self, number: int) -> None:
        if (coroutine := self._coroutines[number]) is not None:
            coroutine.close()

    def _guarded(self, robot: Robot, step: Callable[[], Any]) -> Any:
        try:
            return self._guard.run(step, __file__)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and self._guard.interrupted_by_user:
                raise
            if isinstance(error, StrategyFailed):  # Of the radio, which the strategy asked about a link.
                raise
            home = getattr(self._coroutines[robot.id], "cr_code", None)
            failure = failure_of(robot.id, robot.time, error, self._guard, home)
        try:
            raise failure
        finally:
            del failure  # Its traceback holds this frame, and through it the whole mission.


def begin(strategy: Strategy, robot: Robot) -> Running:
    """The coroutine of a robot's strategy."""
    try:
        coroutine = strategy(robot)
    except StopIteration as error:
        raise RuntimeError("the strategy raised StopIteration") from error
    if not inspect.iscoroutine(coroutine):
        raise StrategyError(f"a strategy is an `async def` function, but calling it gave {shorten(coroutine)}")
    return coroutine
