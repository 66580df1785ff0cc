"""What a ROS map cannot say, under `expedition:` in its YAML.

Each layer is one number for the whole map or, where it varies, a PGM image beside the YAML whose shades are the
values themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from expedition.errors import ExpeditionError
from expedition.spec import Spec
from expedition.terrain.changes import Change, Coordinate
from expedition.terrain.files.folder import named_file
from expedition.terrain.files.landmarks import encode_landmarks, read_landmarks
from expedition.terrain.files.pgm import encode_pgm, read_pgm
from expedition.terrain.files.raster import Shades
from expedition.terrain.material import MATERIALS, MaterialName, material_index
from expedition.terrain.terrain import WALL_HEIGHT, Landmark, Start, Terrain

WALL_HEIGHT_CM = round(100 * WALL_HEIGHT)
# YAML is slow to read; with more numbers than this the landmarks get a file of their own.
MAX_LANDMARK_NUMBERS = 2_000

MAX_STARTS = 10_000

FileName = Annotated[str, Field(min_length=1, max_length=1_000)]


LAYERS = ("wall_height_cm", "material", "speed_percent")
IMAGES = tuple(f"{layer}_image" for layer in LAYERS)


class LandmarkEntry(Spec):
    """A landmark as it stands in the YAML."""

    x: Coordinate
    y: Coordinate
    descriptor: tuple[float, ...] = ()


Heading = Annotated[float, Field(ge=-1e3, le=1e3)]
Marked = tuple[Coordinate, Coordinate, Heading] | tuple[Coordinate, Coordinate]


class Extras(Spec):
    """The content of `expedition:`."""

    name: str | None = None
    """The terrain's name; without one, the YAML's name without its suffix."""
    wall_height_cm: Annotated[int, Field(ge=1, le=65535)] = WALL_HEIGHT_CM
    """The height of the walls, where the image of heights says none."""
    wall_height_cm_image: FileName | None = None
    material: MaterialName = "concrete"
    material_image: FileName | None = None
    """Shade 0 is the first material, concrete, and so on."""
    speed_percent: Annotated[int, Field(ge=1, le=100)] = 100
    speed_percent_image: FileName | None = None
    landmarks: tuple[LandmarkEntry, ...] = ()
    landmarks_file: FileName | None = None
    changes: tuple[Change, ...] = ()
    starts: Annotated[tuple[Marked, ...], Field(max_length=MAX_STARTS)] = ()
    """Where robots start under the placement `marked`: `[x, y, heading]`, or `[x, y]` for heading 0."""

    @property
    def is_whole(self) -> bool:
        """Whether the name and all layers are given, as `save` gives them.

        Then this is a terrain that was saved, and no map from elsewhere to which a few lines were added.
        """
        given = self.model_fields_set
        return "name" in given and all(given & {layer, f"{layer}_image"} for layer in LAYERS)

    def terrain(
        self,
        owner: Path,
        name: str,
        occupied: NDArray[np.bool_],
        resolution: float,
        origin: tuple[float, float],
        notes: tuple[str, ...] = (),
    ) -> Terrain:
        """The terrain with these walls, top row first, and everything else as said here. The walls decide:
        a height where there is none does not count, and a wall without one is `wall_height_cm` high.
        """
        height = self._layer(owner, "wall_height_cm_image", occupied.shape, 0, 65535, default=0).astype(np.uint16)
        height = np.where(occupied, np.where(height > 0, height, np.uint16(self.wall_height_cm)), np.uint16(0))
        default = material_index(self.material)
        material = self._layer(owner, "material_image", occupied.shape, 0, len(MATERIALS) - 1, default)
        speed = self._layer(owner, "speed_percent_image", occupied.shape, 1, 100, self.speed_percent)
        landmarks = tuple(Landmark(mark.x, mark.y, mark.descriptor) for mark in self.landmarks)
        if self.landmarks_file is not None:
            file = named_file(owner, self.landmarks_file, "expedition.landmarks_file")
            landmarks += read_landmarks(file)
        return Terrain(
            name,
            height[::-1],
            resolution,
            origin,
            material.astype(np.uint8)[::-1],
            speed.astype(np.uint8)[::-1],
            landmarks,
            self.changes,
            tuple(Start(*start) for start in self.starts),
            notes,
        )

    def _layer(self, owner: Path, field: str, shape: tuple[int, ...], low: int, high: int, default: int) -> Shades:
        """The values in a layer's image, or a single value if there is no image."""
        file_name: str | None = getattr(self, field)
        if file_name is None:
            return np.full((1, 1), default, dtype=np.uint16)
        file = named_file(owner, file_name, f"expedition.{field}")
        values = read_pgm(file, (shape[0], shape[1])).shade
        if not low <= values.min() <= values.max() <= high:
            found = f"found {values.min()} to {values.max()}"
            raise ExpeditionError(f"{file}: values must be within {low} and {high}, {found}")
        return values


def write_extras(terrain: Terrain, owner: Path) -> tuple[dict[str, Any], dict[Path, bytes]]:
    """A terrain's `expedition:` for the YAML `owner`, and the files that it names."""
    extras: dict[str, Any] = {"name": terrain.name}
    files: dict[Path, bytes] = {}

    def layer(field: str, values: Shades, single: str | int | None) -> None:
        if single is not None:
            extras[field] = single
        else:
            file = owner.with_name(f"{owner.stem}.{field}.pgm")
            files[file] = encode_pgm(values[::-1])
            extras[f"{field}_image"] = file.name

    height = _single(terrain.wall_height_cm[terrain.occupied])
    material, speed = _single(terrain.material), _single(terrain.speed_percent)
    layer("wall_height_cm", terrain.wall_height_cm, height)
    layer("material", terrain.material, None if material is None else MATERIALS[material].name)
    layer("speed_percent", terrain.speed_percent, speed)

    if sum(2 + len(mark.descriptor) for mark in terrain.landmarks) > MAX_LANDMARK_NUMBERS:
        file = owner.with_name(f"{owner.stem}.landmarks.csv")
        files[file] = encode_landmarks(terrain.landmarks)
        extras["landmarks_file"] = file.name
    elif terrain.landmarks:
        entries = [LandmarkEntry(x=mark.x, y=mark.y, descriptor=mark.descriptor) for mark in terrain.landmarks]
        extras["landmarks"] = [entry.model_dump(mode="json", exclude_defaults=True) for entry in entries]
    if terrain.changes:
        extras["changes"] = [change.model_dump(mode="json", exclude_none=True) for change in terrain.changes]
    if terrain.starts:
        extras["starts"] = [[start.x, start.y, start.heading] for start in terrain.starts]
    return extras, files


def _single(values: Shades) -> int | None:
    """The value that holds everywhere, if there is one; without any cells, the default height will do."""
    if values.size == 0:
        return WALL_HEIGHT_CM
    first = values.flat[0]
    return int(first) if bool((values == first).all()) else None
