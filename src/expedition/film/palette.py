"""One palette for all pictures of a film.

Pillow finds the entry for a colour by its leading bits, which tints white; here each gets the nearest, looked for once.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLOURS = 255
EXACT = 100
"""Of these, those that are kept as they are."""
SAME = 255
"""The entry for a pixel that stays as it is."""
_BYTES = np.array([65536, 256, 1], dtype=np.uint32)


class Palette:
    """The most frequent colours of some pictures as they are, and means of the rest.

    Ground, walls and robots thus keep their colours; only the smooth edges between them are rounded.
    """

    colours: NDArray[np.uint8]
    """(256, 3): red, green and blue of each entry."""

    def __init__(self, samples: Iterable[Image.Image]) -> None:
        pixels = np.concatenate([np.asarray(picture).reshape(-1, 3) for picture in samples])
        packed = pixels @ _BYTES
        found, counts = np.unique(packed, return_counts=True)
        frequent = found[np.argsort(-counts, kind="stable")[:EXACT]]
        chosen = np.column_stack([frequent >> 16, frequent >> 8 & 255, frequent & 255]).astype(np.uint8)
        rest = pixels[~np.isin(packed, frequent)]
        if len(rest):
            means = Image.fromarray(rest[None]).quantize(COLOURS - EXACT, method=Image.Quantize.MEDIANCUT)
            chosen = np.concatenate([chosen, np.array(means.getpalette(), dtype=np.uint8).reshape(-1, 3)])
        self._used = min(len(chosen), COLOURS)
        self.colours = np.zeros((256, 3), dtype=np.uint8)
        self.colours[: self._used] = chosen[: self._used]
        self._nearest: NDArray[np.int16] = np.full(1 << 24, -1, dtype=np.int16)
        """By colour, its entry; -1 if it was never looked for."""

    def entries(self, picture: Image.Image) -> NDArray[np.uint8]:
        """(rows, columns): the nearest entry for each pixel."""
        packed = np.asarray(picture) @ _BYTES
        found = self._nearest[packed]
        missing = np.unique(packed[found < 0])
        if len(missing):
            wanted = np.column_stack([missing >> 16, missing >> 8 & 255, missing & 255]).astype(np.int32)
            for part in np.array_split(np.arange(len(missing)), max(1, len(missing) // 4096)):
                apart = wanted[part, None] - self.colours[None, : self._used].astype(np.int32)
                self._nearest[missing[part]] = (apart**2).sum(axis=2).argmin(axis=1)
            found = self._nearest[packed]
        return found.astype(np.uint8)
