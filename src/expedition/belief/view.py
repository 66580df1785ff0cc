"""A robot's map as its strategy sees it: read only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from expedition.belief.evidence import KINDS, LOG_ODDS, SCALE
from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN, Frame, Grids
from expedition.belief.prior import Prior
from expedition.belief.roughness import Roughness


@dataclass(frozen=True, eq=False)
class MapView:
    """The map of one robot: cells are unknown, free or occupied; row 0 is the lowest y."""

    _grids: Grids
    _robot: int
    _prior: Prior | None = None
    _roughness: Roughness | None = None

    @property
    def frame(self) -> Frame:
        """Where the cells lie: `cell(x, y)`, `centre(row, column)`, resolution, shape.

        It covers the area to explore with a margin: how large that is belongs to what robots are told beforehand.
        """
        return self._grids.frame

    @property
    def state(self) -> NDArray[np.uint8]:
        """(rows, columns): 0 unknown, 1 free, 2 occupied."""
        view: NDArray[np.uint8] = self._grids.state[self._robot].view()
        view.flags.writeable = False
        return view

    @property
    def probability(self) -> NDArray[np.float64]:
        """(rows, columns): how likely each cell is occupied, 0.5 where nothing is known."""
        fused = self._grids.fused[self._robot]
        if KINDS[self._grids.kind] == LOG_ODDS:
            return np.asarray(1.0 / (1.0 + np.exp(-fused / SCALE)))
        hits, total = fused & 65535, fused >> 16
        return np.where(total > 0, hits / np.maximum(total, 1), 0.5)

    @property
    def prior(self) -> NDArray[np.uint8]:
        """(rows, columns): what the map says that the robot was given beforehand, as `state`; 0 all over without one.

        It stands behind `state`: where that is not unknown, the prior no longer counts.
        """
        if self._prior is None:
            return np.broadcast_to(np.uint8(UNKNOWN), self.frame.shape)
        view: NDArray[np.uint8] = self._prior.layer(self._robot).view()
        view.flags.writeable = False
        return view

    @property
    def expected(self) -> NDArray[np.uint8]:
        """(rows, columns): `state`, and `prior` where that is unknown: what the robot plans with."""
        state = self.state
        return np.where(state == UNKNOWN, self.prior, state)

    @property
    def speed_percent(self) -> NDArray[np.uint8]:
        """(rows, columns): the share of its speed that a robot reaches, as ground cameras saw it; 0 where none did."""
        if self._roughness is None:
            return np.broadcast_to(np.uint8(0), self.frame.shape)
        view: NDArray[np.uint8] = self._roughness.percent[self._robot].view()
        view.flags.writeable = False
        return view

    @property
    def known_area(self) -> float:
        """Square metres that are known to be free or occupied."""
        return float(np.count_nonzero(self.state)) * self.frame.resolution**2

    def is_free(self, x: float, y: float) -> bool:
        """Whether the cell of a point is known to be free."""
        return self._at(x, y) == FREE

    def is_occupied(self, x: float, y: float) -> bool:
        """Whether the cell of a point is known to be occupied."""
        return self._at(x, y) == OCCUPIED

    def is_unknown(self, x: float, y: float) -> bool:
        """Whether nothing is known of the cell of a point; so it is beyond the map."""
        return self._at(x, y) == UNKNOWN

    def _at(self, x: float, y: float) -> int:
        row, column = self.frame.cell(x, y)
        return int(self._grids.state[self._robot, row, column]) if self.frame.holds(row, column) else UNKNOWN
