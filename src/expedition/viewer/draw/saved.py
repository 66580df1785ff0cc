"""The terrains that were saved on the page: `STORE/terrains/NAME.yaml` and the images beside it.

A name is letters, digits, - and _, so that no name can lead out of the folder, and what belongs to one name cannot
belong to another.
"""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.terrain import Terrain, load, save
from expedition.terrain.files.map_server import write

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
FOLDER = "terrains"


class ThereAlready(ExpeditionError):
    """A terrain of that name is there, and nobody said that it may be written over."""


@dataclass(frozen=True)
class SavedTerrains:
    """The folder of a store that holds them; it is made when the first one is saved."""

    folder: Path

    def names(self) -> list[str]:
        """Of all that are there."""
        return sorted(path.stem for path in self.folder.glob("*.yaml") if NAME.fullmatch(path.stem))

    def load(self, name: str) -> Terrain:
        """The terrain of that name."""
        path = self._path(name)
        if not path.is_file():
            raise unknown("terrain", name, self.names())
        return load(path)

    def save(self, terrain: Terrain, name: str, overwrite: bool) -> list[str]:
        """Keep a terrain under a name; the names of the files written."""
        path = self._path(name)
        if path.exists() and not overwrite:
            raise ThereAlready(f"there is already a terrain named {name!r}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExpeditionError(f"{self.folder}: cannot be made: {error.strerror}") from None
        files = save(terrain.renamed(name), path).files
        self._remove_others(name, {file.name for file in files})
        return [file.name for file in files]

    def _remove_others(self, name: str, kept: set[str]) -> None:
        """What an earlier version of a terrain had beside its YAML and the present one has not."""
        for path in self.folder.glob(f"{name}.*"):
            if path.name not in kept and path.suffix in (".pgm", ".csv"):
                with suppress(OSError):
                    path.unlink()

    def _path(self, name: str) -> Path:
        check_name(name)
        return self.folder / f"{name}.yaml"


def check_name(name: str) -> None:
    """Refuse what is no plain name."""
    if not NAME.fullmatch(name):
        raise ExpeditionError(
            f"a terrain's name is 1 to 64 letters, digits, - and _, and does not begin with -, found {shorten(name)}"
        )


def zipped(terrain: Terrain, name: str) -> bytes:
    """A terrain's files in one, to be downloaded."""
    check_name(name)
    with tempfile.TemporaryDirectory() as folder:
        files = write(terrain.renamed(name), Path(folder) / f"{name}.yaml")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path.name, content)
    return packed.getvalue()
