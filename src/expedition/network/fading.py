"""Fading: how much stronger or weaker than expected a signal arrives, by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from expedition.fleet.model import Radio
from expedition.kernels import kernel
from expedition.network.nodes import Nodes
from expedition.network.walls import Floats, Integers
from expedition.streams import normal, stream_key

FadingDecibels = Annotated[
    float, Field(ge=0, le=100, description="standard deviation of the signal around its mean, in dB; 0 is no fading")
]
Coherence = Annotated[
    float, Field(gt=0, le=1e9, description="how long fading stays the same before it is drawn anew, s")
]

OF_BASE = 2**31
"""The first number of the base station's pairs; there are never so many robots that theirs come so far."""
MOMENT = 1e-9
"""Times are sums of ticks, so they may be a little less than they should."""


class Fading:
    """Log-normal shadowing: normal in decibels, one draw for each two nodes and each span of coherence.

    The same both ways, as the way is. A pair's draws depend on the seed, the channel, the two nodes and the span only,
    so that more robots change nothing between those that are there, nor between them and the base station.
    """

    def __init__(self, nodes: Sequence[Radio | None], seed: int, sigma_db: float, coherence_s: float) -> None:
        name = next((radio.name for radio in nodes if radio is not None), "")
        self.sigma_db = sigma_db
        self._key = stream_key(seed, f"radio/{name}/fading")
        self._coherence = coherence_s
        self._span = -1
        self._robots = nodes.robots if isinstance(nodes, Nodes) else len(nodes)
        self._decibels: Floats = np.zeros((len(nodes), len(nodes)))

    def at(self, time: float, first: Integers, second: Integers) -> Floats:
        """What is added to the signals between two nodes each, in dB."""
        span = math.floor((time + MOMENT) / self._coherence)
        if span != self._span and self.sigma_db > 0.0:
            self._span = span
            _draw(self._key, span, self.sigma_db, self._robots, self._decibels)
        return self._decibels[first, second]


@kernel
def _draw(key: np.uint64, span: int, sigma: float, robots: int, decibels: Floats) -> None:
    """Draw for all pairs, numbered so that those of a further robot come after all others of robots, or of the base."""
    first = np.uint64(span) << np.uint64(32)
    pair = 0
    for second in range(len(decibels)):
        if second == robots:
            pair = OF_BASE
        for other in range(second):
            drawn = sigma * normal(key, first + np.uint64(pair))
            decibels[second, other] = drawn
            decibels[other, second] = drawn
            pair += 1
