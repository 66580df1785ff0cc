"""What a store knows besides missions: the designs that were run into it, and the missions that were given up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expedition.errors import ExpeditionError, shorten


@dataclass(frozen=True)
class Listed:
    """A mission of a design."""

    key: str
    vector: dict[str, Any]
    """The design's parameters by dotted name."""
    iteration: int
    seed: int


@dataclass(frozen=True)
class DesignRecord:
    """A design as it was last run into a store."""

    name: str
    description: str
    text: str
    """The YAML as it was written."""
    varied: tuple[str, ...]
    """Parameters with several values."""
    metrics: tuple[str, ...]
    missions: tuple[Listed, ...]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the store."""
        listed = [
            {"key": one.key, "vector": one.vector, "iteration": one.iteration, "seed": one.seed}
            for one in self.missions
        ]
        return {
            "name": self.name,
            "description": self.description,
            "text": self.text,
            "varied": list(self.varied),
            "metrics": list(self.metrics),
            "missions": listed,
        }


@dataclass(frozen=True)
class GivenUp:
    """A mission that no worker could bring to an end."""

    key: str
    when: str
    host: str
    why: str
    """A sentence, or the traceback of an error in the testbed."""
    vector: dict[str, Any]
    seed: int


def read_design(path: Path) -> DesignRecord:
    """The record in a file of `designs/`."""
    data = read_json(path)
    try:
        return DesignRecord(
            data["name"],
            data["description"],
            data["text"],
            tuple(data["varied"]),
            tuple(data["metrics"]),
            tuple(Listed(one["key"], one["vector"], one["iteration"], one["seed"]) for one in data["missions"]),
        )
    except (KeyError, TypeError) as error:
        raise damaged(path, f"no field {error}") from error


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file of the store."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise damaged(path, error) from error
    if not isinstance(data, dict):
        raise damaged(path, f"expected an object, found {shorten(data)}")
    return data


def damaged(path: Path, reason: object) -> ExpeditionError:
    """The error for a file of the store that is missing or cannot be read."""
    said = "not there" if isinstance(reason, FileNotFoundError) else str(reason).strip().partition("\n")[0]
    return ExpeditionError(f"{path}: damaged ({said}); `expedition run` with its design makes it anew")
