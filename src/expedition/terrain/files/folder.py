"""Files that another file names: only inside its own folder, so that a downloaded map cannot reach for others."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from expedition.errors import ExpeditionError, shorten


def named_file(owner: Path, name: str, field: str) -> Path:
    """The file that `owner` names in `field`, if it lies in the folder of `owner` or below."""
    place = f"{owner}: {field}"
    written = PurePosixPath(name)
    if written.is_absolute():
        raise ExpeditionError(f"{place}: must be relative to the folder of {owner.name}, found {shorten(name)}")
    if ".." in written.parts:
        raise ExpeditionError(f"{place}: must not leave the folder of {owner.name}, found {shorten(name)}")
    try:
        folder = owner.parent.resolve()
        file = (folder / written).resolve()
    except (OSError, RuntimeError, ValueError):
        raise ExpeditionError(f"{place}: no usable path: {shorten(name)}") from None
    if not file.is_relative_to(folder):
        raise ExpeditionError(f"{place}: {shorten(name)} is a link out of the folder of {owner.name}")
    return owner.parent / written
