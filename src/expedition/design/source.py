"""A design as it stands in its file: the data, and on which line each field was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from expedition.errors import ExpeditionError, nearest, shorten
from expedition.spec import MAX_YAML_BYTES, read_text, read_yaml

REFERENCE = Path(__file__).parent / "reference"
SUFFIXES = (".yaml", ".yml")

Where = tuple[str | int, ...]
"""The way to a field: ("parameters", "robots", 2)."""


def shipped() -> list[str]:
    """The names of the designs that come with the package."""
    return sorted(path.stem for path in REFERENCE.glob("*.yaml"))


def file_of(name: str | Path) -> Path:
    """The file of a shipped design, or the file itself."""
    text = str(name)
    if text in shipped():
        return REFERENCE / f"{text}.yaml"
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        guess = nearest(text, shipped())
        hint = f"did you mean {guess!r}? " if guess else ""
        raise ExpeditionError(
            f"unknown design {shorten(text)}; {hint}allowed: {', '.join(shipped())}, or a .yaml file of your own"
        )
    return path


@dataclass(frozen=True)
class Source:
    """The content of a design file, and where in it things stand."""

    path: Path
    text: str
    data: Any
    lines: Mapping[Where, int] = field(repr=False)

    @classmethod
    def read(cls, name: str | Path) -> Source:
        """Read a design by its name or file; a field that is written twice is refused."""
        path = file_of(name)
        return cls.of(read_text(path, MAX_YAML_BYTES), path)

    @classmethod
    def of(cls, text: str, path: Path) -> Source:
        """The text of a design, as it would be read from the file `path`."""
        data, _ = read_yaml(text, str(path))  # It refuses what unfolds to too much.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        return cls(path, text, data, dict(_lines(root, (), str(path)) if root is not None else ()))

    @property
    def folder(self) -> Path:
        """What the files that the design names are relative to."""
        return self.path.resolve().parent

    def line(self, *where: str | int) -> int | None:
        """The line of a field, or of the nearest thing around it."""
        for length in range(len(where), 0, -1):
            if found := self.lines.get(where[:length]):
                return found
        return None

    def place(self, *where: str | int) -> str:
        """The file, and the line of a field in it."""
        line = self.line(*where)
        return f"{self.path}, line {line}" if line else str(self.path)

    def dotted(self, *where: str | int) -> dict[str, int]:
        """The lines of everything within a field, keyed `a.b.0` from there."""
        depth = len(where)
        return {
            ".".join(map(str, key[depth:])): line
            for key, line in self.lines.items()
            if len(key) > depth and key[:depth] == where
        }


def _lines(node: yaml.Node, where: Where, path: str) -> Iterator[tuple[Where, int]]:
    """Every field with the line of its name, every item of a list with the line on which it begins."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in seen and key.value != "<<":
                raise ExpeditionError(f"{path}, line {line}: {shorten(key.value)} is written twice")
            seen.add(key.value)
            yield (*where, key.value), line
            yield from _lines(value, (*where, key.value), path)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield (*where, index), item.start_mark.line + 1
            yield from _lines(item, (*where, index), path)
