"""How much a node may send in a tick: its bandwidth, less control frames, shared with others that want to send."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

CONTROL_SHARE = 0.5
"""The most of the air that control frames take; what does not fit within the next second is never sent."""
CONTROL_SECONDS = 1.0


class Medium:
    """The air of one channel, and the control frames that wait to go through it ahead of all else."""

    def __init__(self, rates: Floats, is_shared: bool) -> None:
        """`rates` are bytes a second, infinite without limit."""
        self.rates = rates
        self._is_shared = is_shared
        self._is_limited = bool(np.isfinite(rates).any())
        self._control: Floats = np.zeros(len(rates))
        self._noticed: Floats = np.zeros((len(rates), len(rates)))
        """(nodes, nodes): 1 where node [row] notices when node [column] sends."""

    def notice(self, reception: Floats) -> None:
        """From now on nodes notice those of whom they receive anything."""
        if self._is_limited and self._is_shared:
            self._noticed = (reception > 0.0).astype(np.float64)

    def room_for(self, sizes: Integers) -> Floats:
        """(nodes,): for which share of control frames of so many bytes, about to be sent, there is air."""
        if not self._is_limited:
            return np.ones(len(self.rates))
        room = np.maximum(CONTROL_SHARE * CONTROL_SECONDS * self.rates - self._around(self._control), 0.0)
        share: Floats = np.minimum(room / np.maximum(self._around(sizes.astype(np.float64)), 1e-12), 1.0)
        return share

    def add_control(self, sizes: Integers) -> None:
        """Nodes send control frames of so many bytes."""
        if self._is_limited:
            self._control += sizes

    def budgets(self, waiting: Booleans, seconds: float) -> Floats:
        """(nodes,): the bytes that each may send in the coming seconds besides control frames, which go out.

        `waiting` tells who has something to send. Cost: the pairs.
        """
        if not self._is_limited:
            return self.rates
        capacity = self.rates * seconds
        load = self._around(self._control)
        served = np.minimum(load, CONTROL_SHARE * capacity)
        self._control *= 1.0 - served / np.maximum(load, 1e-12)
        left = capacity - served
        return left / (1.0 + self._noticed @ waiting.astype(np.float64)) if self._is_shared else left

    def _around(self, sizes: Floats) -> Floats:
        """The bytes that are in the air around each, if nodes send so many."""
        return sizes + self._noticed @ sizes if self._is_shared else sizes
