"""Radio models by received power: a signal is understood where it arrives with more than the receiver's sensitivity."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.special import ndtr

from expedition.fleet.model import Decibels, Radio
from expedition.network.fading import Fading
from expedition.network.obstacles import Obstacles
from expedition.network.pairs import Lines, PairwiseRadio
from expedition.network.walls import ANY_NUMBER, Bearable, Crossed, Floats, Integers

Cutoff = Annotated[
    Decibels | None, Field(description="the weakest signal understood, in dBm, in place of the data sheets'")
]
Spread = Annotated[
    float, Field(ge=0, le=100, description="the chance rises from 0 to 1 over so many dB around the weakest signal")
]

SLACK_DB = 1e-6
"""Lines are followed this much farther than they can be of use, so that rounding decides nothing."""


class PowerModel(PairwiseRadio):
    """A signal arrives with the power of open ground, less what walls take, plus fading.

    It is understood with the chance 1/2 + margin/spread within 0 and 1, where the margin is by how many dB it is
    above the weakest signal that the receiver understands; without a spread, always if the margin is not below 0.
    """

    def __init__(self, nodes: Sequence[Radio | None], weakest: Floats, spread_db: float, fading: Fading) -> None:
        """`weakest` is what each node still understands, in dBm."""
        super().__init__(nodes)
        self._weakest = alike(weakest)
        self._spread = spread_db
        self._fading = fading

    @abstractmethod
    def open_power(self, lines: Lines) -> Floats:
        """What would arrive if there were no walls, in dBm."""

    @abstractmethod
    def wall_loss(self, crossed: Crossed) -> Floats:
        """What walls take, in dB."""

    @abstractmethod
    def affordable(self, loss_db: Floats) -> Bearable:
        """The walls that take at most so many dB; none may be crossed where it is below 0."""

    def reception(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """(nodes, nodes): as for all, with the margin that there is without walls worked out once a direction."""
        lines = self.lines(positions, time)
        there = self._margin(lines)
        back = there if self.is_mutual else self._margin(lines.back())
        best = there if self.is_mutual else np.maximum(there, back)
        crossed = self.crossings.follow(positions, obstacles, self._bearable(best))
        loss = self.wall_loss(crossed)
        chance = mean_chance(there - loss, self._spread, 0.0)
        return self.matrix(chance, chance if self.is_mutual else mean_chance(back - loss, self._spread, 0.0))

    def power(self, positions: Floats, obstacles: Obstacles, time: float) -> Floats:
        """(nodes, nodes): with what power node [row] receives what node [column] sends now, in dBm.

        Minus infinity on the diagonal and for nodes without a radio.
        """
        lines = self.lines(positions, time)
        crossed = obstacles.crossed(positions, positions, lines.sender, lines.receiver)
        loss = self.wall_loss(crossed)
        there, back = (self.open_power(way) + self._faded(way) - loss for way in (lines, lines.back()))
        return self.matrix(there, back, otherwise=-math.inf)

    def bearable(self, lines: Lines) -> Bearable:
        """What leaves enough of the signal for some chance."""
        if lines.time is None and self._fading.sigma_db > 0.0:
            return Bearable(np.full(len(lines.distance), ANY_NUMBER), np.full(len(lines.distance), math.inf))
        return self._bearable(self._margin(lines))

    def chance(self, lines: Lines, crossed: Crossed) -> Floats:
        """By margin and spread; at whatever time, the mean over all fading."""
        margin = self._margin(lines) - self.wall_loss(crossed)
        sigma = self._fading.sigma_db if lines.time is None else 0.0
        return mean_chance(margin, self._spread, sigma)

    def _bearable(self, margin: Floats) -> Bearable:
        return self.affordable(margin + 0.5 * self._spread + SLACK_DB)

    def _margin(self, lines: Lines) -> Floats:
        return self.open_power(lines) + self._faded(lines) - of_each(self._weakest, lines.receiver)

    def _faded(self, lines: Lines) -> Floats | float:
        if lines.time is None or self._fading.sigma_db == 0.0:
            return 0.0
        return self._fading.at(lines.time, lines.sender, lines.receiver)


def of_each(values: Floats, nodes: Integers) -> Floats:
    """`values[nodes]`; the one value where all nodes have the same, which is found faster."""
    return values[nodes] if len(values) > 1 else values


def alike(values: Floats) -> Floats:
    """Values over nodes for `of_each`: only one if all are the same."""
    return values[:1] if np.all(values == values[:1]) else values


def mean_chance(margin: Floats, spread: float, sigma: float) -> Floats:
    """The mean of 1/2 + margin/spread, within 0 and 1, where the margin varies normally by `sigma` dB."""
    if sigma == 0.0:
        chance = margin >= 0.0 if spread == 0.0 else np.clip(0.5 + margin / spread, 0.0, 1.0)
    elif spread == 0.0:
        chance = ndtr(margin / sigma)
    else:
        half = 0.5 * spread
        over = _area_below_normal((margin + half) / sigma) - _area_below_normal((margin - half) / sigma)
        chance = np.clip(over * sigma / spread, 0.0, 1.0)
    return np.asarray(chance, dtype=np.float64)


def _area_below_normal(z: Floats) -> Floats:
    """The integral of the normal distribution function up to z."""
    area: Floats = z * ndtr(z) + np.exp(-0.5 * z * z) / math.sqrt(math.tau)
    return area


def weakest_signals(nodes: Sequence[Radio | None], given: float | None) -> Floats:
    """What each node still understands, in dBm: as given, or as on its data sheet."""
    return np.array(
        [math.inf if radio is None else radio.sensitivity_dbm if given is None else given for radio in nodes]
    )
