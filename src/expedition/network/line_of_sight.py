"""Line of sight: nothing goes through walls, as light does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from expedition.fleet.model import Radio
from expedition.network.pairs import Lines, PairwiseRadio, Reach, reaches
from expedition.network.radio import RadioModel, radios
from expedition.network.walls import Bearable, Crossed, Floats


@radios("line-of-sight")
def line_of_sight(nodes: Sequence[Radio | None], seed: int, *, range: Reach = None) -> RadioModel:
    """Nodes in range of the sender hear it if no wall stands between (MRESim, Spirin et al. 2015)."""
    return LineOfSight(nodes, reaches(nodes, range))


class LineOfSight(PairwiseRadio):
    """All or nothing: within reach and no wall."""

    def __init__(self, nodes: Sequence[Radio | None], reach: Sequence[float] | Floats) -> None:
        """`reach` is how far each node is heard, in metres."""
        super().__init__(nodes)
        self._reach = np.asarray(reach, dtype=np.float64)

    def bearable(self, lines: Lines) -> Bearable:
        """No wall within reach, and nothing beyond."""
        walls = np.where(lines.distance <= self._reach[lines.sender], 0, -1)
        return Bearable(walls, np.full(len(walls), np.inf))

    def chance(self, lines: Lines, crossed: Crossed) -> Floats:
        """1 within reach and without a wall, else 0."""
        seen = (lines.distance <= self._reach[lines.sender]) & (crossed.walls == 0)
        return np.asarray(seen, dtype=np.float64)
