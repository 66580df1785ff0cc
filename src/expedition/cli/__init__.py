"""The command line. Commands import what they need when they run, so that help answers at once."""

from expedition.cli.app import app, main

from expedition.cli import check, cluster, compare, design, explore, film, report  # isort: skip  # noqa: F401  they add their commands
from expedition.cli import robots, run, status, strategies, terrains  # isort: skip  # noqa: F401

__all__ = ["app", "main"]
