"""A radio model that is a user's plain function of a line: how long it is and what it crosses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from expedition.errors import ExpeditionError, shorten
from expedition.fleet.model import Radio
from expedition.network.pairs import Lines, PairwiseRadio
from expedition.network.walls import ANY_NUMBER, Bearable, Crossed, Floats

OF_A_LINE = ("distance", "walls", "wall_metres")
"""What such a function may ask for: metres, a number, and metres."""


def is_of_lines(function: Callable[..., Any]) -> bool:
    """Whether what a function must be given is what is known of a line, and nothing else."""
    names = asked_for(function)
    return bool(names) and set(names) <= set(OF_A_LINE)


class OwnFunction(PairwiseRadio):
    """Asks a function for each two nodes that have a radio; what it answers holds for both directions."""

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: Mapping[str, Any],
        nodes: Sequence[Radio | None],
        seed: int,
    ) -> None:
        super().__init__(nodes, is_mutual=True)
        self._function = function
        self._parameters = parameters
        self._asked = asked_for(function)

    def bearable(self, lines: Lines) -> Bearable:
        """Anything: nobody knows what the function makes of it."""
        return Bearable(np.full(len(lines.distance), ANY_NUMBER), np.full(len(lines.distance), np.inf))

    def chance(self, lines: Lines, crossed: Crossed) -> Floats:
        """What the function answers, line by line."""
        known = {"distance": lines.distance, "walls": crossed.walls, "wall_metres": crossed.metres}
        columns = [known[name].tolist() for name in self._asked]
        return np.array([self._ask(line) for line in zip(*columns, strict=True)], dtype=np.float64)

    def _ask(self, line: tuple[float, ...]) -> float:
        answer = self._function(*line, **self._parameters)
        if isinstance(answer, (bool, np.bool_, int, float, np.integer, np.floating)) and 0.0 <= answer <= 1.0:
            return float(answer)
        asked = ", ".join(f"{name} {value:g}" for name, value in zip(self._asked, line, strict=True))
        raise ExpeditionError(f"answered {shorten(answer)} for {asked}; allowed: true, false, or a chance from 0 to 1")


def asked_for(function: Callable[..., Any]) -> list[str]:
    """The names of what must be given by place."""
    return [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL)
    ]
