"""Files that a design names: found beside it, known by their content, and checked before they are used elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from expedition.errors import ExpeditionError
from expedition.spec import load_yaml, read_bytes

MAX_FILE_BYTES = 1_000_000_000
MAX_COMPANIONS = 1000

Digests = dict[str, str]
"""The absolute path of each file, and a hash of what it and the files that it names hold."""


def absolute(text: str, folder: Path) -> str:
    """A spec that begins with a file, `my_file.py:thing` or `map.png:resolution=0.05`, with the file's whole path."""
    path, rest = split(text)
    return str((folder / path.strip()).resolve()) + rest


def split(text: str) -> tuple[str, str]:
    """The file that a spec begins with, and the rest of it with its colon."""
    if ".py:" in text:
        path, _, rest = text.partition(".py:")
        return f"{path}.py", f":{rest}"
    path, colon, rest = text.partition(":")
    return path, colon + rest


def names_python(text: object) -> bool:
    """Whether a text means a function in a file, `my_file.py:my_function`."""
    return isinstance(text, str) and (".py:" in text or text.endswith(".py"))


def digest(path: str) -> str:
    """A hash of a file's content and, if it is YAML, of the files beside it that it names."""
    hasher = hashlib.sha256()
    for file in [Path(path), *_companions(Path(path), set())]:
        hasher.update(hashlib.sha256(read_bytes(file, MAX_FILE_BYTES)).digest())
    return hasher.hexdigest()


def check_unchanged(digests: Mapping[str, str]) -> None:
    """Refuse to run a mission whose files are no longer those that it was planned with."""
    for path, planned in digests.items():
        if digest(path) != planned:
            raise ExpeditionError(
                f"{path}: changed since the mission was planned; run the design again to plan it with the new content"
            )


def _companions(path: Path, seen: set[Path]) -> Iterator[Path]:
    """The files that a YAML file names anywhere, in the order in which it does, and those that they name."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return
    data, _ = load_yaml(path)
    for text in _texts(data):
        file = _beside(path, text)
        if file is not None and file not in seen and file != path.resolve():
            seen.add(file)
            if len(seen) > MAX_COMPANIONS:
                raise ExpeditionError(f"{path}: names more than {MAX_COMPANIONS:,} files")
            yield file
            yield from _companions(file, seen)


def _beside(path: Path, text: str) -> Path | None:
    try:
        file = (path.parent / text).resolve()
        return file if file.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None  # No text for a file: too long, or with characters that no name has.


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
