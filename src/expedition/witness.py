"""What the parts of a mission tell whoever records it; nobody listens if it is not recorded, and then it costs nothing.

The recorder takes out what has come up since it last did.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from expedition.network.messages import Message

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Considered:
    """What a strategy weighed."""

    time: float
    robot: int
    """For whom."""
    by: int
    """Who decided, in whose map places are."""
    places: Floats
    """(alternatives, 2): NaN for what is no place."""
    values: Floats
    chosen: int
    about: str


@dataclass(eq=False)
class Witness:
    """What has come up since it was last taken out."""

    decisions: list[Considered] = field(default_factory=list)
    marks: list[tuple[float, int, str, Floats]] = field(default_factory=list)
    """When which robot showed points (n, 2), of which kind."""
    messages: list[tuple[float, tuple[tuple[Message, ...], ...]]] = field(default_factory=list)
    """When which messages arrived at each node."""

    def hear(self, time: float, arrived: tuple[tuple[Message, ...], ...]) -> None:
        """Messages have reached nodes."""
        if any(arrived):
            self.messages.append((time, arrived))
