"""Designs of missions that take a moment."""

from __future__ import annotations

from pathlib import Path

from expedition.design import Design, load_design

TINY = """
name: tiny
parameters:
  terrain: cross
  robots: {robots}
  strategy: {strategy}
  localiser: perfect
iterations: {iterations}
stop: {{explored: {explored}, time: {time}}}
"""


def write_design(
    folder: Path,
    robots: str = "1",
    strategy: str = "nearest-frontier",
    iterations: int = 3,
    explored: float = 0.08,
    time: float = 60.0,
) -> Path:
    """The file of a design."""
    path = folder / "tiny.yaml"
    path.write_text(TINY.format(robots=robots, strategy=strategy, iterations=iterations, explored=explored, time=time))
    return path


def tiny(folder: Path, **changes: object) -> Design:
    """A design of three missions, or of what is asked for."""
    return load_design(str(write_design(folder, **changes)))  # type: ignore[arg-type]
