"""A radio model of a user's: whether it can be asked at all, and a guard around each of its answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.failure import guarded
from expedition.network.obstacles import Obstacles
from expedition.network.own_function import OF_A_LINE, asked_for
from expedition.network.walls import Floats

if TYPE_CHECKING:
    from expedition.network.radio import RadioModel

MAKER = "(nodes, seed) if it makes a radio model"


class OwnModel:
    """Stands before a user's model, whose errors and wrong answers then fail the mission as a strategy's do.

    That is why the model is made when it is first asked. Each answer is looked at once, which is quadratic in nodes.
    """

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self._name = name
        self._make = make
        self._model: RadioModel | None = None
        self._time = 0.0

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """(nodes, nodes): the model's chances, of which each was found to be one."""
        self._time = time
        return self._ask("reception", (len(positions), len(positions)), positions, obstacles, time)

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """(lines,): the model's chances, of which each was found to be one."""
        return self._ask("between", (len(starts),), sender, receiver, starts, ends, obstacles)

    def _ask(self, verb: str, shape: tuple[int, ...], *given: Any) -> Floats:
        return guarded(f"radio {self._name}", self._time, partial(self._answer, verb, shape, given))

    def _answer(self, verb: str, shape: tuple[int, ...], given: tuple[Any, ...]) -> Floats:
        if self._model is None:
            self._model = _with_verbs(self._make())
        return _chances(verb, getattr(self._model, verb)(*given), shape)


def check_arguments(name: str, function: Callable[..., Any]) -> None:
    """Refuse a function that takes neither what is known of a line nor the nodes and the seed."""
    place = f"radio {name}"
    asked = asked_for(function)
    if not asked:
        raise ExpeditionError(f"{place}: takes no arguments; allowed: {', '.join(OF_A_LINE)}, or {MAKER}")
    wrong = [one for one in asked if one not in OF_A_LINE]
    if not wrong or (len(wrong) == len(asked) and _takes_two(function)):
        return
    more = "; what may be set stands after a `*`" if len(asked) > 1 else ""
    raise ExpeditionError(f"{unknown('argument', wrong[0], OF_A_LINE, place)}, or {MAKER}{more}")


def _takes_two(function: Callable[..., Any]) -> bool:
    """Whether a function can be called with two arguments by place; what stands after a `*` is another matter."""
    signature = inspect.signature(function)
    by_place = [one for one in signature.parameters.values() if one.kind not in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]
    try:
        signature.replace(parameters=by_place).bind(None, None)
    except TypeError:
        return False
    return True


def _with_verbs(model: Any) -> RadioModel:
    for verb in ("reception", "between"):
        if not callable(getattr(model, verb, None)):
            raise ExpeditionError(
                f"it made a {type(model).__name__} without `{verb}`; a function makes a radio model, or is one of "
                f"{', '.join(OF_A_LINE)}, or some of these"
            )
    return model  # type: ignore[no-any-return]


def _chances(verb: str, answer: Any, shape: tuple[int, ...]) -> Floats:
    """The answer as an array of chances."""
    expected = f"allowed: an array {shape} of chances from 0 to 1"
    try:
        chances = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise ExpeditionError(f"`{verb}` answered {shorten(answer)}; {expected}") from None
    if chances.shape != shape:
        found = f"an array {chances.shape}" if chances.ndim else shorten(answer)
        raise ExpeditionError(f"`{verb}` answered {found}; {expected}")
    is_chance = (chances >= 0.0) & (chances <= 1.0)  # NaN is neither.
    if not is_chance.all():
        at = np.argwhere(~is_chance)[0]
        where = f"[{', '.join(map(str, at.tolist()))}]"
        raise ExpeditionError(f"`{verb}` answered {chances[tuple(at)]:g} at {where}; {expected}")
    if chances.ndim == 2 and (itself := np.flatnonzero(chances.diagonal())).size:
        raise ExpeditionError(f"`{verb}` lets node {itself[0]} hear itself; allowed: 0 on the diagonal")
    return chances
