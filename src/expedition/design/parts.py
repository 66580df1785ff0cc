"""Parts of a mission's parameters: plain data, and the text of it from which the mission's key is made.

A mission's parameters are put together from few distinct parts, each checked and written once, so that a design of many
thousand missions is planned in a moment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from expedition.design.files import Digests


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a mission's parameters."""

    data: Any
    files: Digests = field(default_factory=dict)
    """The files that `data` names, by their whole paths."""
    text: str = ""
    """`data` as canonical JSON in which a file's content stands for its path."""

    @classmethod
    def of(cls, data: Any, files: Digests | None = None) -> Part:
        """The part that holds `data`, which becomes plain JSON data."""
        plain = json.loads(canonical(data))
        return cls(plain, files or {}, canonical(_without_paths(plain, files) if files else plain))


def canonical(data: Any) -> str:
    """One text for equal data, whatever the order in which its fields were written."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _without_paths(data: Any, files: Digests) -> Any:
    if isinstance(data, str):
        for path, content in files.items():
            if data == path or data.startswith(f"{path}:"):
                return content + Path(path).suffix + data[len(path) :]
        return data
    if isinstance(data, dict):
        return {_without_paths(key, files): _without_paths(value, files) for key, value in data.items()}
    return [_without_paths(item, files) for item in data] if isinstance(data, list) else data
