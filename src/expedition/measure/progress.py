"""How a running mission stands: what stop conditions, measurements and live views look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.measure.monitor import Monitor, Sample

if TYPE_CHECKING:
    from expedition.controller import Controller


@dataclass(frozen=True)
class Progress:
    """How a running mission stands."""

    time: float
    """Seconds since the start."""
    explored: NDArray[np.float64]
    """Each robot's share."""
    controller: Controller
    monitor: Monitor
    sample: Sample
    """All that was measured just now."""
    is_last: bool = False
    """Whether the mission ends with it."""
