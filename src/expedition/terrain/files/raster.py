"""A picture as all image files give it: shades from black to white, and how opaque each pixel is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shades = NDArray[np.uint8] | NDArray[np.uint16]


@dataclass(frozen=True)
class Raster:
    """Shades from 0 (black) to `white`, the top row first; `alpha` from 0 (transparent) to 255 (opaque), if any.

    Colours are the sum of red, green and blue, with a `white` of 765: their average, without rounding.
    """

    shade: Shades
    white: int
    alpha: NDArray[np.uint8] | None = None

    def select(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The pixels whose shade is chosen, by a table of `white + 1` shades."""
        return chosen[self.shade]

    def with_alpha_averaged(self) -> Raster:
        """Opacity as a fourth colour, as map_server's trinary mode counts it; an opaque picture stays as it is."""
        if self.alpha is None:
            return self
        return Raster(self.shade.astype(np.uint16) + self.alpha, self.white + 255)
