"""Radio models that follow the straight line between each two radios."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from expedition.fleet.model import Radio
from expedition.fleet.quantity import Range
from expedition.kernels import kernel
from expedition.network.crossings import Crossings
from expedition.network.obstacles import Obstacles
from expedition.network.walls import Bearable, Crossed, Floats, Integers

Reach = Annotated[Range | None, Field(description="how far all radios reach, in m, in place of the data sheets'")]


class Lines(NamedTuple):
    """Lines between radios, an array over lines each."""

    sender: Integers
    receiver: Integers
    distance: Floats
    """In metres."""
    time: float | None
    """Now; None where it is asked what would be, at whatever time."""

    def back(self) -> Lines:
        """The other way round."""
        return self._replace(sender=self.receiver, receiver=self.sender)


class PairwiseRadio(ABC):
    """Follows the line between each two nodes that have a radio once, for both directions."""

    def __init__(self, nodes: Sequence[Radio | None], is_mutual: bool = False) -> None:
        """`is_mutual` where links hold both ways, whatever the radios at their ends."""
        equipped = np.flatnonzero([radio is not None for radio in nodes])
        first, second = np.triu_indices(len(equipped), 1)
        self._equipped = frozenset(equipped.tolist())
        self._nodes = len(nodes)
        self.crossings = Crossings(equipped[first], equipped[second])
        self.is_mutual = is_mutual or len({radio for radio in nodes if radio is not None}) <= 1

    @abstractmethod
    def bearable(self, lines: Lines) -> Bearable:
        """What each line may cross before nothing is received over it; it is not followed farther than that."""

    @abstractmethod
    def chance(self, lines: Lines, crossed: Crossed) -> Floats:
        """Of receiving what is sent along each line."""

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """(nodes, nodes): the chance that node [row] receives what node [column] sends now; 0 on the diagonal."""
        lines = self.lines(positions, time)
        bearable = self.bearable(lines)
        if not self.is_mutual:
            back = self.bearable(lines.back())
            bearable = Bearable(np.maximum(bearable.walls, back.walls), np.maximum(bearable.loss_db, back.loss_db))
        crossed = self.crossings.follow(positions, obstacles, bearable)
        chance = self.chance(lines, crossed)
        return self.matrix(chance, chance if self.is_mutual else self.chance(lines.back(), crossed))

    def between(self, sender: int, receiver: int, starts: Floats, ends: Floats, obstacles: Obstacles) -> Floats:
        """(lines,): the chance that `receiver`, were it at `ends`, receives what `sender` sends from `starts`."""
        if sender == receiver or not {sender, receiver} <= self._equipped:
            return np.zeros(len(starts))
        own = np.arange(len(starts))
        distance = _distances(np.concatenate([starts, ends]), own, own + len(starts))
        lines = Lines(np.full(len(starts), sender), np.full(len(starts), receiver), distance, time=None)
        return self.chance(lines, obstacles.crossed(starts, ends, bearable=self.bearable(lines)))

    def lines(self, positions: Floats, time: float) -> Lines:
        """One between each two nodes that have a radio."""
        first, second = self.crossings.first, self.crossings.second
        return Lines(first, second, _distances(positions, first, second), time)

    def matrix(self, there: Floats, back: Floats, otherwise: float = 0.0) -> Floats:
        """(nodes, nodes), [receiver, sender]: what holds for all lines and their way back."""
        return _matrix(self._nodes, self.crossings.first, self.crossings.second, there, back, otherwise)


def reaches(nodes: Sequence[Radio | None], given: float | None) -> Floats:
    """How far each radio reaches, in metres: as given, as on its data sheet, or everywhere."""
    sheets = [given if given is not None or radio is None else radio.range for radio in nodes]
    return np.array([math.inf if reach is None else reach for reach in sheets], dtype=np.float64)


@kernel
def apart(one: Floats, other: Floats) -> float:
    """How far two points are from each other."""
    x, y = one[0] - other[0], one[1] - other[1]
    return math.sqrt(x * x + y * y)


@kernel
def _distances(positions: Floats, first: Integers, second: Integers) -> Floats:
    distances = np.empty(len(first))
    for line in range(len(first)):
        distances[line] = apart(positions[first[line]], positions[second[line]])
    return distances


@kernel
def _matrix(nodes: int, first: Integers, second: Integers, there: Floats, back: Floats, otherwise: float) -> Floats:
    matrix = np.full((nodes, nodes), otherwise)
    for line in range(len(first)):
        matrix[second[line], first[line]] = there[line]
        matrix[first[line], second[line]] = back[line]
    return matrix
