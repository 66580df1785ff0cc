"""The terrains of the study: floor plans that are drawn by seed, and whatever maps a folder has."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import yaml

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.terrain import Terrain, find_terrain
from expedition.terrain.files.packed import PACKED, map_suffix

PLANS = tuple(f"floorplan:seed={seed}" for seed in range(1, 21))
SUFFIXES = (".png", ".gif", ".map", ".pgm", ".yaml", ".yml")
OPTIONS = {
    # Its walls are grey 127, which the default threshold reads as free.
    "ariadne_complex_1.png": "threshold=161",
    # Around the building it is grey 128, which nobody knows anything of: read as free, most robots start out there.
    "stage_SRI-AIC-kwing.png": "threshold=192",
}
"""What has to be said of a map, by the name of its file; all others are read as they are."""


def maps_in(folder: Path) -> list[str]:
    """The maps in a folder, each as the study names it: its file with the options that it needs."""
    if not folder.is_dir():
        raise ExpeditionError(f"--maps: there is no folder {shorten(str(folder))}")
    files = [path for path in sorted(folder.iterdir()) if map_suffix(path).removesuffix(PACKED) in SUFFIXES]
    drawn = {image for path in files if path.suffix in (".yaml", ".yml") if (image := _image_of(path))}
    return [_with_options(path.name) for path in files if path.name not in drawn]


def terrain_of(name: str, folder: Path | None) -> Terrain:
    """The terrain that the study names so."""
    return find_terrain(name if is_plan(name) or folder is None else str(folder / name))


def is_plan(name: str) -> bool:
    """Whether it is a floor plan drawn by seed, and no file."""
    return name.startswith("floorplan:")


def label(name: str) -> str:
    """A terrain's name as tables and figures have it: `floorplan 3`, `mresim_library`."""
    if is_plan(name):
        return name.replace(":seed=", " ")
    file = Path(name.partition(":")[0])
    return file.name.removesuffix(map_suffix(file)) or file.name


def chosen(names: list[str], wanted: list[str] | None) -> list[str]:
    """Those that are wanted, by their names, files or labels; `floorplan` and `files` are all of those."""
    if not wanted:
        return names
    known = {name: _words(name) for name in names}
    every = sorted(set().union(*known.values())) if known else []
    for word in wanted:
        if word not in every:
            raise unknown("terrain", word, every, "--terrains")
    return [name for name in names if known[name] & set(wanted)]


def _words(name: str) -> set[str]:
    return {name, name.partition(":")[0], label(name), *(() if is_plan(name) else ("files",))}


def _with_options(file: str) -> str:
    return f"{file}:{OPTIONS[file]}" if file in OPTIONS else file


def _image_of(path: Path) -> str | None:
    """The picture that a map's YAML names: it is part of that map, and no map of its own."""
    with suppress(yaml.YAMLError, OSError, UnicodeDecodeError):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        if isinstance(content, dict) and isinstance(image := content.get("image"), str):
            return Path(image).name
    return None
