"""A picture that somebody imports: decoded here by the loaders of terrain files, thresholded in the browser.

The browser gets shades and does what `ImageOptions.walls` does, so that a threshold can be tried without asking again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from expedition.errors import ExpeditionError, shorten
from expedition.terrain.files.pgm import read_pgm
from expedition.terrain.files.picture import SUFFIXES, read_picture
from expedition.viewer.draw.message import check_cells
from expedition.viewer.watch.wire import frame

MAX_BYTES = 64_000_000


def image_frame(data: bytes, name: str) -> bytes:
    """The shades of an image file named `name`, the top row first; one sentence if it cannot be read."""
    suffix = Path(name[-16:]).suffix.lower()
    if suffix not in (".pgm", *SUFFIXES):
        raise ExpeditionError(f"{shorten(name)}: not an image that can be read; {', '.join(('.pgm', *SUFFIXES))} can")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"image{suffix}"
        path.write_bytes(data)
        try:
            raster = read_pgm(path) if suffix == ".pgm" else read_picture(path)
        except ExpeditionError as error:
            raise ExpeditionError(str(error).replace(str(path), shorten(name))) from None
    rows, columns = raster.shade.shape
    check_cells(rows, columns)
    arrays = {"shade": raster.shade} if raster.alpha is None else {"shade": raster.shade, "alpha": raster.alpha}
    return frame("image", None, {"rows": rows, "columns": columns, "white": raster.white}, arrays)
