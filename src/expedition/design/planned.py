"""A planned mission: everything that it depends on as plain data, and the key under which it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from expedition.design.parts import Part
from expedition.log.detail import Detail

KEY_DIGITS = 32


@dataclass(frozen=True, slots=True)
class Planned:
    """One mission of a design."""

    key: str
    """32 hex digits: a hash of all that the mission depends on. Files count by their content, not by their place."""
    parameters: dict[str, Any]
    """All that the mission depends on as JSON data, all defaults filled in; `build_mission` needs nothing else."""
    vector: dict[str, Any]
    """The design's parameters by dotted name, fixed ones too; None where one does not apply."""
    iteration: int
    """Counted from 0."""
    seed: int
    record: Detail | None = None
    """What goes into the mission's log; None for no log. It changes no result, and so is no part of the key."""

    @classmethod
    def of(
        cls, parts: Mapping[str, Part], vector: dict[str, Any], iteration: int, seed: int, record: Detail | None = None
    ) -> Planned:
        """Put a mission together from its parts, which missions share."""
        files = {path: content for part in parts.values() for path, content in part.files.items()}
        parameters = {**{name: part.data for name, part in parts.items()}, "seed": seed, "files": files}
        return cls(_key(parts, seed), parameters, vector, iteration, seed, record)


def _key(parts: Mapping[str, Part], seed: int) -> str:
    """The hash of canonical JSON, put together from texts that are written once for each part."""
    texts = {**{name: part.text for name, part in parts.items()}, "seed": str(seed)}
    whole = ",".join(f'"{name}":{texts[name]}' for name in sorted(texts))
    return hashlib.sha256(f"{{{whole}}}".encode()).hexdigest()[:KEY_DIGITS]
