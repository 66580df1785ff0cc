"""Designs for the tests, written as users write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from expedition.design import Design, load_design

PARAMETERS: dict[str, Any] = {"terrain": "maze", "robots": 2, "strategy": "nearest-frontier"}


def write(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    """A design file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def design_of(folder: Path, parameters: Mapping[str, Any], **fields: Any) -> Design:
    """The design with these parameters beside the usual ones; None takes one of those away."""
    both = {name: value for name, value in {**PARAMETERS, **parameters}.items() if value is not None}
    data = {"parameters": both, **fields}
    return load_design(write(folder, yaml.safe_dump(data, sort_keys=False)))
