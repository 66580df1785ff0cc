"""ROS map_server maps: a YAML file and the image beside it that it names.

The YAML says how large a cell is, where the map lies and how to read the image's shades. ROS reads the keys it knows
and passes over others, so `expedition:` holds what it cannot say, and the same file serves both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import ConfigDict, Field, field_validator, model_validator

from expedition.errors import ExpeditionError, unknown
from expedition.spec import MAX_YAML_BYTES, MAX_YAML_NODES, Spec, load_yaml, validate
from expedition.terrain.changes import Coordinate
from expedition.terrain.files.extras import Extras, write_extras
from expedition.terrain.files.folder import named_file
from expedition.terrain.files.occupancy import Mode, walls_in
from expedition.terrain.files.options import CellSize
from expedition.terrain.files.pgm import encode_pgm, read_pgm
from expedition.terrain.files.picture import SUFFIXES, black_walls, read_picture
from expedition.terrain.files.raster import Raster
from expedition.terrain.terrain import Terrain

Probability = Annotated[float, Field(ge=0, le=1)]

# Over 10 km a turn by this much moves a wall by one centimetre: what a map saver's rounding leaves of no turn at all.
MAX_YAW = 1e-6


class MapOptions(Spec):
    """Options of map_server maps."""

    name: str | None = None
    """The terrain's name; without one, the name under `expedition:` or the file's name without its suffix."""
    unknown: Literal["wall", "free"] = "wall"
    """What cells are that the map calls unknown."""
    wall_percent: Annotated[float, Field(gt=0, le=100)] = 50
    """In the modes scale and raw, cells at least this much occupied are walls."""


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

    @field_validator("origin")
    @classmethod
    def _not_turned(cls, origin: tuple[float, float, float]) -> tuple[float, float, float]:
        if abs(origin[2]) > MAX_YAW:
            raise ValueError("a turned map cannot be read; its third number, yaw, must be 0")
        return origin

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
    occupied = walls_in(
        _read_image(path, found.image),
        found.mode,
        found.negate,
        found.occupied_thresh,
        found.free_thresh,
        options.unknown == "wall",
        options.wall_percent,
    )
    extras = found.expedition
    name = next(name for name in (options.name, extras.name, path.stem) if name is not None)
    return extras.terrain(path, name, occupied, found.resolution, found.origin[:2])


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


def _read_image(path: Path, name: str) -> Raster:
    file = named_file(path, name, "image")
    suffix = file.suffix.lower()
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
