"""`expedition robot`: list and show robot models."""

from __future__ import annotations

from typing import Annotated

import typer

from expedition.cli.app import robot_app
from expedition.cli.words import out, table


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

    model = robot_model(name).model_dump(mode="json", exclude_none=True)
    print(yaml.safe_dump(model, sort_keys=False, allow_unicode=True), end="")
