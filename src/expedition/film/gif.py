"""Writes GIF files picture by picture: one palette for all of them, and of each only what has changed.

Pillow writes GIFs as well, but keeps all pictures in memory until the last, and gives each a palette of its own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from expedition.film.palette import SAME, Palette

END_SECONDS = 2.0
"""How long the last picture stays before the film begins again."""


class GifWriter:
    """Takes pictures one by one; use it as a context."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float, samples: Iterable[Image.Image]) -> None:
        """`samples` are some of the pictures to come; the palette is made of their colours."""
        self._size = size
        self._fps = fps
        self._palette = Palette(samples)
        self._shown: Image.Image | None = None
        self._waiting: Image.Image | None = None
        self._frames = 0
        self._hundredths = 0
        self._file = path.open("wb")
        self._begin()

    def add(self, image: Image.Image) -> None:
        """Add a picture."""
        self._flush(0.0)
        self._waiting = self._coloured(self._palette.entries(image))

    def __enter__(self) -> GifWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._flush(END_SECONDS)
                self._file.write(b";")
        finally:
            self._file.close()

    def _begin(self) -> None:
        screen = struct.pack("<HHBBB", *self._size, 0xF7, 0, 0)
        forever = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        self._file.write(b"GIF89a" + screen + self._palette.colours.tobytes() + forever)

    def _flush(self, longer: float) -> None:
        """Write the picture that waits, now that it is known for how long it is shown."""
        image = self._waiting
        if image is None:
            return
        self._frames += 1
        # Times are in hundredths of a second: rounding them in sum keeps the film as long as it should be.
        until = round(100.0 * self._frames / self._fps)
        delay, self._hundredths = until - self._hundredths + round(100.0 * longer), until
        part, corner = self._changed(image)
        self._file.write(b"\x21\xf9\x04" + struct.pack("<BHB", 0x05, min(delay, 65535), SAME) + b"\0")
        for block in GifImagePlugin.getdata(part, corner, include_color_table=False):
            self._file.write(block)
        self._shown, self._waiting = image, None

    def _changed(self, image: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
        """The rectangle in which a picture differs from the one before, and its corner; nothing else in it."""
        if self._shown is None:
            return image, (0, 0)
        now, before = np.asarray(image), np.asarray(self._shown)
        differs = now != before
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if not len(rows):
            rows = columns = np.zeros(1, dtype=np.int64)
        where = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        part = self._coloured(np.where(differs[where], now[where], np.uint8(SAME)))
        return part, (int(columns[0]), int(rows[0]))

    def _coloured(self, entries: NDArray[np.uint8]) -> Image.Image:
        """Entries of the palette as a picture."""
        picture = Image.fromarray(entries).convert("P")
        picture.putpalette(self._palette.colours.tobytes())
        return picture
