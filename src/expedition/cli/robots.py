"""`expedition robot`: list and show robot models."""

from __future__ import annotations

from typing import Annotated

import typer

from expedition.cli.app import robot_app
from expedition.cli.words import out, table

SIZES = (0.05, 0.1, 0.2)
"""Cells of maps, in metres, for which the narrowest opening is shown."""


@robot_app.command("list")
def list_robots() -> None:
    """List all robot models by name."""
    from expedition.fleet.library import names, robot_model

    rows = []
    for name in names():
        model = robot_model(name)
        lidar = f"{model.lidar.beams} beams, {model.lidar.range:g} m" if model.lidar else "none"
        rows.append((name, model.body.shape, f"{model.drive.kind}, {model.drive.max_speed:g} m/s", lidar))
    out.print(table(("robot", "body", "drive", "lidar"), rows))
    out.print("\nAll of one, and where its figures come from: expedition robot show NAME")


@robot_app.command("show")
def show_robot(
    name: Annotated[
        str, typer.Argument(help="A robot's name, perhaps with fields (pioneer-3dx:lidar.range=10), or a file.")
    ],
) -> None:
    """Show a robot model as YAML, in the form in which you write your own."""
    import yaml

    from expedition.fleet import robot_model
    from expedition.fleet.clearance import narrowest_opening

    model = robot_model(name)
    print(yaml.safe_dump(model.model_dump(mode="json", exclude_none=True), sort_keys=False, allow_unicode=True), end="")
    print("# The narrowest openings that it is sure to pass, by the cells of its maps:")
    for size in SIZES:
        print(f"#   {f'{size:g} m':<6}  {narrowest_opening(model.body, size):.2f} m")
