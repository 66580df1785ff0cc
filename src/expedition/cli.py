"""The command line. Commands import what they need when they run, so that help answers at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from expedition import __version__

if TYPE_CHECKING:
    from pydantic import BaseModel

app = typer.Typer(
    name="expedition",
    help="A testbed for multi-robot exploration.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
terrain_app = typer.Typer(help="Terrains: list, look at, make and convert them.", no_args_is_help=True)
robot_app = typer.Typer(help="Robot models: list and look at them.", no_args_is_help=True)
app.add_typer(terrain_app, name="terrain")
app.add_typer(robot_app, name="robot")

out = Console(highlight=False)
NameOrFile = Annotated[
    str,
    typer.Argument(help="A terrain's name, perhaps with parameters (cave:seed=7,size=75), or a file."),
]


def main() -> None:
    """Run the command line: a mistake of the user ends with one sentence and exit code 2."""
    from expedition.errors import ExpeditionError

    debug = "--debug" in sys.argv
    try:
        app()
    except ExpeditionError as error:
        if debug:
            raise
        # Plain print: the message must not be wrapped, styled or taken for markup.
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"expedition {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """A testbed for multi-robot exploration."""


@terrain_app.command("list")
def list_terrains() -> None:
    """List all terrains by name."""
    from expedition.terrain import terrain

    out.print(_table(("terrain", "what it is"), [(name, terrain.find(name).summary) for name in terrain.names()]))
    out.print("\nParameters of one: expedition terrain make NAME --help")
    out.print("Your own map: expedition terrain show FILE")


@terrain_app.command("show")
def show_terrain(
    name: NameOrFile,
    picture: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a picture: .png, .svg or .pdf.", show_default=False)
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(help="A start position x,y in metres, to measure what is reachable.", show_default=False),
    ] = None,
    radius: Annotated[float, typer.Option(help="The robot radius for --start, in metres.")] = 0.3,
) -> None:
    """Show a terrain: its figures, a sketch, and with --out a picture.

    Files: .yaml (ROS map_server), .pgm, .png and other images, .txt (MRESim), .map (Moving AI). Options of a file
    follow a colon, as in office.png:resolution=0.05
    """
    from expedition.terrain import find_terrain
    from expedition.terrain.picture import save_picture
    from expedition.terrain.sketch import facts, reachable_fact, sketch

    terrain = find_terrain(name)
    told = facts(terrain)
    if start is not None:
        told.append(("reachable", reachable_fact(terrain, _point(start), radius)))
    if picture is None:
        out.print(sketch(terrain, width=min(out.width, 80)), markup=False)
    out.print(_table((), told))
    if picture is not None:
        save_picture(terrain, picture)
        out.print(f"wrote {picture}", markup=False)


@terrain_app.command(
    "make",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def make_terrain(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Which terrain, as in `expedition terrain list`.")] = "",
    target: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; its suffix says the format.")
    ] = None,
) -> None:
    """Make a terrain and write it to a file: expedition terrain make cave --seed 7 --size 75 --out cave.yaml"""
    from expedition.errors import ExpeditionError
    from expedition.terrain import save, terrain

    if name in ("", "--help"):
        print("Usage: expedition terrain make NAME [--PARAMETER VALUE ...] [--out FILE]\n")
        print("Makes a terrain and writes it to a file (NAME.yaml unless --out says otherwise).")
        print("For a terrain's parameters: expedition terrain make NAME --help\n")
        print("Terrains: " + ", ".join(terrain.names()))
        raise typer.Exit(0 if name else 2)
    component, written = terrain.parse(name)
    if "--help" in context.args:
        print(f"Usage: expedition terrain make {component.name} [--PARAMETER VALUE ...] [--out FILE]\n")
        print(component.summary + "\n")
        out.print(_parameters(component.parameters))
        raise typer.Exit
    made = component.build(**component.check({**written, **_pairs(context.args)}))
    target = target or Path(f"{name.partition(':')[0]}.yaml")
    if target.suffix == "":
        raise ExpeditionError(f"{target}: a file needs a suffix, such as .yaml, that says its format")
    _tell_written(target, save(made, target))


@terrain_app.command("convert")
def convert_terrain(
    source: NameOrFile,
    target: Annotated[Path, typer.Argument(help="The file to write; its suffix says the format.")],
) -> None:
    """Convert a terrain from one file format to another."""
    from expedition.terrain import find_terrain, save

    _tell_written(target, save(find_terrain(source), target))


@robot_app.command("list")
def list_robots() -> None:
    """List all robot models by name."""
    from expedition.fleet.library import names, robot_model

    rows = []
    for name in names():
        model = robot_model(name)
        lidar = f"{model.lidar.beams} beams, {model.lidar.range:g} m" if model.lidar else "none"
        rows.append((name, model.body.shape, f"{model.drive.kind}, {model.drive.max_speed:g} m/s", lidar))
    out.print(_table(("robot", "body", "drive", "lidar"), rows))
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


def _tell_written(target: Path, lost: list[str]) -> None:
    out.print(f"wrote {target}", markup=False)
    if lost:
        out.print(f"not kept by this format: {', '.join(lost)} (a .yaml file keeps all)", markup=False)


def _point(text: str) -> tuple[float, float]:
    from expedition.errors import ExpeditionError

    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise ExpeditionError(f"--start: expected x,y in metres, such as -38,38, found {text!r}") from None
    return x, y


def _pairs(arguments: list[str]) -> dict[str, Any]:
    """`--key value` and `--key=value` as parameters."""
    from expedition.errors import ExpeditionError
    from expedition.spec import parse_value

    pairs = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--") or len(word) == 2:
            raise ExpeditionError(f"expected --parameter value, found {word!r}")
        key, equals, value = word[2:].partition("=")
        if not equals:
            if not rest:
                raise ExpeditionError(f"--{key}: a value is missing")
            value = rest.pop(0)
        pairs[key.replace("-", "_")] = parse_value(value, place=f"--{key}")
    return pairs


def _parameters(model: type[BaseModel]) -> Table:
    rows = [
        (
            f"--{name.replace('_', '-')}",
            "required" if field.is_required() else str(field.default),
            field.description or "",
        )
        for name, field in model.model_fields.items()
    ]
    return _table(("parameter", "default", "what it is"), rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """The one look of tables on the terminal."""
    table = Table(*header, box=None, pad_edge=False, header_style="bold", show_header=bool(header))
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    return table


if __name__ == "__main__":
    main()
