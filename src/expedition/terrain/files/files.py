"""Load and save a terrain; the file's suffix says the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from expedition.errors import ExpeditionError, unknown
from expedition.spec import validate
from expedition.terrain.files import map_server, moving_ai, mresim, picture, plain_pgm
from expedition.terrain.files.atomic import write_files
from expedition.terrain.files.cleaning import closed
from expedition.terrain.files.options import PlainOptions
from expedition.terrain.files.packed import PACKED, map_suffix
from expedition.terrain.terrain import Terrain


@dataclass(frozen=True)
class Format:
    """How files of one kind are read and written.

    `write` gives the bytes of each file that belongs to the terrain, the one that names the others last.
    `complete` formats keep everything; the others keep the occupancy.
    """

    title: str
    options: type[PlainOptions] | type[map_server.MapOptions]
    read: Callable[[Path, Any], Terrain]
    write: Callable[[Terrain, Path], dict[Path, bytes]] | None
    complete: bool = False


_MAP = Format("ROS map_server map", map_server.MapOptions, map_server.read, map_server.write, complete=True)
_PICTURE = Format("plain image", picture.ImageOptions, picture.read, None)

FORMATS: dict[str, Format] = {
    ".yaml": _MAP,
    ".yml": _MAP,
    ".pgm": Format("plain image", picture.ImageOptions, plain_pgm.read, plain_pgm.write),
    ".png": Format("plain image", picture.ImageOptions, picture.read, picture.write_png),
    **dict.fromkeys((suffix for suffix in picture.SUFFIXES if suffix != ".png"), _PICTURE),
    ".txt": Format("MRESim text map", PlainOptions, mresim.read, mresim.write),
    ".map": Format("Moving AI octile map", moving_ai.OctileOptions, moving_ai.read, moving_ai.write),
}


def load(path: str | Path, **options: Any) -> Terrain:
    """The terrain in a file.

    An image is read as a plain image even if a map_server YAML lies beside it; give the YAML to read the map.
    The options are the fields of the format's options model: `FORMATS[".png"].options` and so on.
    """
    path = Path(path)
    found = format_of(path)
    if found is None:
        raise unknown("file suffix", map_suffix(path), FORMATS, place=str(path))
    return found.read(path, validate(found.options, options, str(path)))


def format_of(path: str | Path) -> Format | None:
    """The format of a file, by its suffix; of a packed one, such as `.map.gz`, by the suffix before `.gz`.

    A YAML is not read packed: it is small, and what it names lies beside it.
    """
    suffix = map_suffix(Path(path))
    bare = suffix.removesuffix(PACKED)
    found = FORMATS.get(bare)
    return None if suffix != bare and found is _MAP else found


class Saved(NamedTuple):
    """What `save` did."""

    files: list[Path]
    lost: list[str]
    """What the format could not keep, such as `["resolution", "materials"]`."""


def save(terrain: Terrain, path: str | Path, *, ascii: bool = False, overwrite: bool = True) -> Saved:
    """Write a terrain; files appear whole or not at all.

    `ascii` writes a plain `.pgm` as text. Without `overwrite`, files that are there already are refused.
    """
    path = Path(path)
    writable = {suffix: found for suffix, found in FORMATS.items() if found.write}
    suffix = path.suffix.lower()
    if suffix not in writable:
        raise unknown("file suffix", suffix, writable, place=str(path))
    found = writable[suffix]
    assert found.write is not None
    if ascii and path.suffix.lower() != ".pgm":
        raise ExpeditionError(f"{path}: only .pgm can be written as ASCII")
    contents = plain_pgm.write(terrain, path, ascii=True) if ascii else found.write(terrain, path)
    if not overwrite and (there := [str(file) for file in contents if file.exists()]):
        raise ExpeditionError(f"{', '.join(there)}: there already, and not written over")
    write_files(contents)
    return Saved(list(contents), [] if found.complete else lost_in_plain_map(terrain, path.stem))


def lost_in_plain_map(terrain: Terrain, stem: str) -> list[str]:
    """What of a terrain is gone when it is read back, without options, from a file that keeps the occupancy only."""
    plain = Terrain.from_occupied(stem, terrain.occupied)
    kept = {
        "name": terrain.name == plain.name,
        "resolution": terrain.resolution == plain.resolution,
        "origin": terrain.origin == plain.origin,
        "wall heights": bool((terrain.wall_height_cm == plain.wall_height_cm).all()),
        "materials": bool((terrain.material == plain.material).all()),
        "roughness": bool((terrain.speed_percent == plain.speed_percent).all()),
        "landmarks": not terrain.landmarks,
        "changes": not terrain.changes,
        "starts": not terrain.starts,
        "open edges": closed(terrain.occupied)[0] is terrain.occupied,
    }
    return [what for what, same in kept.items() if not same]
