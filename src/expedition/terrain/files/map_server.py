"""ROS map_server maps: a YAML file and the image beside it that it names.

The YAML says how large a cell is, where the map lies and how to read the image's shades. ROS reads the keys it knows
and passes over others, so `expedition:` holds what it cannot say, and the same file serves both.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, model_validator

from expedition.errors import ExpeditionError, unknown
from expedition.spec import MAX_YAML_BYTES, MAX_YAML_NODES, Spec, load_yaml, validate
from expedition.terrain.changes import Coordinate
from expedition.terrain.files.extras import IMAGES, Extras, write_extras
from expedition.terrain.files.folder import named_file
from expedition.terrain.files.greys import Split, doubt
from expedition.terrain.files.occupancy import Mode, as_read, wall_by_shade, walls_in
from expedition.terrain.files.options import CellSize, Edges, FileOptions
from expedition.terrain.files.packed import PACKED, map_suffix
from expedition.terrain.files.pgm import encode_pgm, read_pgm
from expedition.terrain.files.picture import SUFFIXES, black_walls, read_picture
from expedition.terrain.files.raster import Raster
from expedition.terrain.files.turned import quarter_turns, turn
from expedition.terrain.terrain import Terrain

Probability = Annotated[float, Field(ge=0, le=1)]


class MapOptions(FileOptions):
    """Options of map_server maps."""

    name: str | None = None
    """The terrain's name; without one, the name under `expedition:` or the file's name without its suffix."""
    unknown: Literal["wall", "free"] = "wall"
    """What cells are that the map calls unknown."""
    wall_percent: Annotated[float, Field(gt=0, le=100)] = 50
    """In the modes scale and raw, cells at least this much occupied are walls."""
    edges: Edges | None = None
    """What becomes of free cells at the map's edge: `closed` makes them walls, `open` leaves them. Without it, they are
    closed, but for a terrain that expedition saved, which is loaded as it was."""


class MapYaml(Spec):
    """The YAML of a map_server map. Keys of other programs may stand in it."""

    model_config = ConfigDict(extra="ignore")

    image: str
    resolution: CellSize
    origin: tuple[Coordinate, Coordinate, float]
    negate: bool
    occupied_thresh: Probability
    free_thresh: Probability
    mode: Mode = "trinary"
    expedition: Extras = Extras()

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> MapYaml:
        if self.free_thresh > self.occupied_thresh:
            raise ValueError("free_thresh must not be above occupied_thresh")
        if self.mode == "scale" and self.free_thresh == self.occupied_thresh:
            raise ValueError("the mode scale needs free_thresh below occupied_thresh")
        return self


def read(path: Path, options: MapOptions) -> Terrain:
    """The terrain of a map_server map."""
    content, lines = load_yaml(path)
    found = validate(MapYaml, content, str(path), lines)
    occupied, doubts = _walls(_read_image(path, found.image), found, options)
    extras = found.expedition
    x, y, yaw = found.origin
    quarters = quarter_turns(occupied, yaw)
    if quarters != 0:
        _check_layers_may_turn(extras, yaw, str(path))
        lowest_first, (right, up) = turn(occupied[::-1], yaw, options.unknown == "wall", str(path))
        occupied = lowest_first[::-1]
        x, y = x + right * found.resolution, y + up * found.resolution
    if quarters is None:
        doubts.append(f"turned by {math.degrees(yaw):g} degrees as its origin says: walls lie up to a cell off")
    edges = options.edges or ("open" if extras.is_whole else "closed")
    occupied, notes = options.put_right(occupied, found.resolution, edges)
    name = next(name for name in (options.name, extras.name, path.stem) if name is not None)
    return extras.terrain(path, name, occupied, found.resolution, (x, y), (*doubts, *notes))


def write(terrain: Terrain, path: Path) -> dict[Path, bytes]:
    """A map_server map that keeps everything: its images first, the YAML that names them last."""
    image = path.with_suffix(".pgm")
    extras, files = write_extras(terrain, path)
    content: dict[str, Any] = {
        "image": image.name,
        "mode": "trinary",
        "resolution": terrain.resolution,
        "origin": [*terrain.origin, 0.0],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.25,
        "expedition": extras,
    }
    too_long = ExpeditionError(
        f"{path}: the terrain's changes are too long for a YAML file; the limit is {MAX_YAML_NODES:,} entries"
    )
    if _entries(content) >= MAX_YAML_NODES:
        raise too_long
    text = yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120).encode()
    if len(text) > MAX_YAML_BYTES:
        raise too_long
    return {image: encode_pgm(black_walls(terrain)), **files, path: text}


class _Dumper(yaml.SafeDumper):
    """Lists of plain values on one line, as everybody writes an origin."""

    def _represent_list(self, values: list[Any]) -> yaml.Node:
        plain = not any(isinstance(value, (dict, list)) for value in values)
        return self.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=plain)


_Dumper.add_representer(list, _Dumper._represent_list)


def _walls(raster: Raster, found: MapYaml, options: MapOptions) -> tuple[NDArray[np.bool_], list[str]]:
    """Where the walls are, the top row first, and what is doubtful about them."""
    thresholds = (found.mode, found.negate, found.occupied_thresh, found.free_thresh)
    unknown_is_wall = options.unknown == "wall"
    occupied = walls_in(raster, *thresholds, unknown_is_wall, options.wall_percent)
    if found.mode == "raw":
        return occupied, []  # Its shades are no greys.

    def remedy(grey: float) -> str:
        middle = (grey if found.negate else 255 - grey) / 255
        return f"occupied_thresh: {middle + 0.01:.2f} with free_thresh: {middle - 0.01:.2f}"

    raster = as_read(raster, found.mode)
    table = wall_by_shade(raster.white, *thresholds, unknown_is_wall, options.wall_percent)
    where = f"occupied_thresh {found.occupied_thresh:g} and free_thresh {found.free_thresh:g}"
    note = doubt(raster, Split(table, not found.negate, where, remedy), occupied)
    return occupied, [] if note is None else [note]


def _check_layers_may_turn(extras: Extras, yaw: float, place: str) -> None:
    """Refuse a turned map with layers cell by cell: no sampling of heights or materials errs on the safe side."""
    for name in IMAGES:
        if getattr(extras, name) is not None:
            raise ExpeditionError(
                f"{place}: origin: the third number, yaw, must be 0 in a map with expedition.{name}, found {yaw:g}"
            )


def _read_image(path: Path, name: str) -> Raster:
    file = named_file(path, name, "image")
    suffix = map_suffix(file).removesuffix(PACKED)
    if suffix == ".pgm":
        return read_pgm(file)
    if suffix not in SUFFIXES:
        raise unknown("image suffix", suffix, (".pgm", *SUFFIXES), place=f"{path}: image")
    return read_picture(file)


def _entries(value: Any) -> int:
    """How many entries a value is in YAML, keys included."""
    if isinstance(value, dict):
        return 1 + sum(1 + _entries(item) for item in value.values())
    return 1 + sum(map(_entries, value)) if isinstance(value, list) else 1
