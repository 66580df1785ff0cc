"""PGM files as plain images: dark is wall."""

from __future__ import annotations

from pathlib import Path

from expedition.terrain.files.pgm import encode_ascii_pgm, encode_pgm, read_pgm
from expedition.terrain.files.picture import ImageOptions, black_walls
from expedition.terrain.terrain import Terrain


def read(path: Path, options: ImageOptions) -> Terrain:
    """The terrain that a PGM file shows."""
    return options.terrain_of(path, read_pgm(path))


def write(terrain: Terrain, path: Path, ascii: bool = False) -> dict[Path, bytes]:
    """The occupancy as a PGM file: walls black, the rest white."""
    encode = encode_ascii_pgm if ascii else encode_pgm
    return {path: encode(black_walls(terrain))}
