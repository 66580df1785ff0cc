"""Points along a path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel

Floats = NDArray[np.float64]


@kernel
def point_along(path: Floats, lengths: Floats, count: int, along: float) -> tuple[float, float, int]:
    """The point `along` metres from the path's start, straight on beyond its ends, and its segment."""
    k = 0
    while k < count - 2 and lengths[k + 1] < along:
        k += 1
    if count < 2:
        return path[0, 0], path[0, 1], 0
    share = (along - lengths[k]) / max(lengths[k + 1] - lengths[k], 1e-9)
    share = min(max(share, 0.0), 1.0)
    x = path[k, 0] + share * (path[k + 1, 0] - path[k, 0])
    return x, path[k, 1] + share * (path[k + 1, 1] - path[k, 1]), k
