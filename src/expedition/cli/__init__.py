"""The command line. Commands import what they need when they run, so that help answers at once."""

from expedition.cli.app import app, main

# They add their commands.
from expedition.cli import check, cluster, compare, design, explore, film, report, robots, run  # isort: skip  # noqa: F401
from expedition.cli import status, strategies, terrains, view  # isort: skip  # noqa: F401

__all__ = ["app", "main"]
