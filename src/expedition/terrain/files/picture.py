"""Plain images: dark is wall. Everything but PGM is decoded by Pillow."""

from __future__ import annotations

import io
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from PIL import Image, TiffImagePlugin, UnidentifiedImageError
from pydantic import Field

from expedition.errors import ExpeditionError, shorten
from expedition.terrain.files.greys import Split, doubt
from expedition.terrain.files.options import PlainOptions, check_size
from expedition.terrain.files.packed import read_map_bytes
from expedition.terrain.files.raster import Raster
from expedition.terrain.terrain import MAX_CELLS, Terrain

SUFFIXES = (".png", ".bmp", ".gif", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
DECODERS = ("PNG", "BMP", "GIF", "JPEG", "TIFF", "WEBP")
MAX_BYTES = 4 * MAX_CELLS + 1_000_000
STRIP_ROWS = 256

# Pillow also logs what it raises, and Python prints what nobody listens to.
logging.getLogger("PIL").addHandler(logging.NullHandler())

WALL, FREE = 0, 255
# MAES reads shades below 125 of 255 as wall.
THRESHOLD = 125.0


class ImageOptions(PlainOptions):
    """Options of plain images."""

    threshold: Annotated[float, Field(ge=0, le=256)] = THRESHOLD
    """Pixels darker than this are walls, from 0 (black) to 255 (white) whatever the file's depth."""
    inverted: bool = False
    """Light is wall: pixels that are not darker than the threshold are walls."""

    def walls(self, raster: Raster) -> NDArray[np.bool_]:
        """Where the walls are; what is more than half transparent is free."""
        walls = raster.select(self._is_wall(raster.white))
        return walls if raster.alpha is None else walls & (raster.alpha >= 128)

    def terrain_of(self, path: Path, raster: Raster) -> Terrain:
        """The terrain that a picture shows, with a note if the threshold is doubtful."""
        walls = self.walls(raster)
        split = Split(
            self._is_wall(raster.white),
            not self.inverted,
            f"threshold {self.threshold:g}",
            lambda grey: f"threshold={grey:g}",
            self.threshold,
        )
        note = doubt(raster, split, walls)
        return self.terrain(path, walls, () if note is None else (note,))

    def _is_wall(self, white: int) -> NDArray[np.bool_]:
        """For each shade up to white, whether it is wall."""
        dark: NDArray[np.bool_] = np.arange(white + 1) * 255.0 < self.threshold * white
        return ~dark if self.inverted else dark


def read(path: Path, options: ImageOptions) -> Terrain:
    """The terrain that an image shows."""
    return options.terrain_of(path, read_picture(path))


def write_png(terrain: Terrain, path: Path) -> dict[Path, bytes]:
    """The occupancy as a PNG with 8 bits a pixel: walls black, the rest white."""
    buffer = io.BytesIO()
    Image.fromarray(black_walls(terrain)).save(buffer, "PNG")
    return {path: buffer.getvalue()}


def black_walls(terrain: Terrain) -> NDArray[np.uint8]:
    """The occupancy as shades, the top row first."""
    return np.where(terrain.occupied[::-1], np.uint8(WALL), np.uint8(FREE))


def read_picture(path: Path) -> Raster:
    """The first frame of an image file."""
    data = read_map_bytes(path, MAX_BYTES)
    place = str(path)
    with warnings.catch_warnings():
        # A damaged file is an error or a terrain, never a warning on somebody's terminal.
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=DECODERS) as image:
                _check_cost(image, place)
                with _quiet_libtiff(image):
                    image.load()
                _check_cost(image, place)
                return _raster(image, place)
        except ExpeditionError:
            raise
        except UnidentifiedImageError:
            raise ExpeditionError(f"{place}: not an image in any of {', '.join(DECODERS)}") from None
        except Image.DecompressionBombError:
            raise ExpeditionError(f"{place}: too many pixels; at most {MAX_CELLS:,} are allowed") from None
        except Exception as error:
            # Decoders meet damage with whatever exception it leads to.
            reason = shorten(f"{type(error).__name__}: {error}", 100)
            raise ExpeditionError(f"{place}: the image is damaged: {reason}") from None


def _check_cost(image: Image.Image, place: str) -> None:
    """Refuse what would take much memory to decode, by the sizes in the header."""
    # The WebP decoder keeps four colour pictures of the whole canvas at a time.
    check_size(*image.size, place, MAX_CELLS // 4 if image.format == "WEBP" else MAX_CELLS)
    if isinstance(image, TiffImagePlugin.TiffImageFile):
        tile = image.tag_v2.get(TiffImagePlugin.TILEWIDTH, 1), image.tag_v2.get(TiffImagePlugin.TILELENGTH, 1)
        check_size(*tile, f"{place}: a tile of the image")


@contextmanager
def _quiet_libtiff(image: Image.Image) -> Iterator[None]:
    """Without libtiff's own words on the error stream, which no Python setting reaches; only while it decodes."""
    if not any(tile[0] == "libtiff" for tile in getattr(image, "tile", ())):
        yield
        return
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _raster(image: Image.Image, place: str) -> Raster:
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format == "PNG"):
        return Raster(np.asarray(image).astype(np.uint16), 65535)
    if image.mode in ("I", "F"):
        raise ExpeditionError(f"{place}: pixels of 32 bits have no agreed white; save it with 8 or 16 bits")
    transparent = image.has_transparency_data
    if image.mode in ("1", "L") and not transparent:
        return Raster(np.asarray(image.convert("L")), 255)
    shade = np.empty((image.height, image.width), dtype=np.uint16)
    alpha = np.empty(shade.shape, dtype=np.uint8) if transparent else None
    # In strips, since a colour picture of the largest size takes 256 MB as it is.
    for top in range(0, image.height, STRIP_ROWS):
        rows = slice(top, min(top + STRIP_ROWS, image.height))
        strip = image.crop((0, rows.start, image.width, rows.stop)).convert("RGBA" if transparent else "RGB")
        channels = np.asarray(strip)
        channels[:, :, :3].sum(axis=2, dtype=np.uint16, out=shade[rows])
        if alpha is not None:
            alpha[rows] = channels[:, :, 3]
    return Raster(shade, 3 * 255, alpha)
