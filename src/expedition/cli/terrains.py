"""`expedition terrain`: list, show, make and convert terrains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from expedition.cli.app import HELP, terrain_app
from expedition.cli.words import out, parameters_table, say, table, warn

if TYPE_CHECKING:
    from expedition.terrain import Terrain
    from expedition.terrain.files import Saved

# Commands that take a terrain's parameters read the words that are not options of their own.
FREE: dict[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True, **HELP}

Force = Annotated[bool, typer.Option("--force", "-f", help="Write over files that are there already.")]


@terrain_app.command("list")
def list_terrains() -> None:
    """List all terrains by name."""
    from expedition.terrain import terrain

    out.print(table(("terrain", "what it is"), [(name, terrain.find(name).summary) for name in terrain.names()]))
    out.print("\nParameters of one: expedition terrain make NAME --help")
    out.print("Your own map: expedition terrain show FILE")


@terrain_app.command("show", context_settings=FREE)
def show_terrain(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A terrain's name or a map file.")],
    picture: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a picture: .png, .svg or .pdf.", show_default=False)
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            help="A start x,y in metres: says how much is reachable from there. May be repeated.", show_default=False
        ),
    ] = None,
    robot: Annotated[
        list[str] | None,
        typer.Option(
            help="A robot model: says how much it can reach. May be repeated.  [default: pioneer-3dx]",
            show_default=False,
        ),
    ] = None,
    radius: Annotated[
        float | None,
        typer.Option(help="With --start: how much a disc of that radius in metres can touch.", show_default=False),
    ] = None,
) -> None:
    """Show a terrain: its figures, what robots can reach, and a sketch or with --out a picture.

    The terrain's parameters, or the file's options, follow as --parameter value; or in the name, as in
    cave:seed=7,size=75 and office.png:resolution=0.05

    Files: .yaml (ROS map_server), .pgm, .png and other images, .txt (MRESim), .map (Moving AI); all but .yaml may be
    packed, as in berlin.map.gz.
    """
    from expedition.errors import ExpeditionError
    from expedition.terrain import find_terrain
    from expedition.terrain.picture import save_picture
    from expedition.terrain.sketch import ASCII_BLOCKS, BLOCKS, facts, reachable_fact, sketch

    terrain = find_terrain(name, **_pairs(context.args))
    warn(terrain.name, terrain.notes)
    told = facts(terrain)
    starts = [_point(text) for text in start or []]
    if starts and radius is not None:
        told.append(("reachable", reachable_fact(terrain, starts, radius)))
    elif radius is not None:
        raise ExpeditionError("--radius: needs a --start")
    if robot or radius is None:
        told += [("reachable", _reach(terrain, name, starts)) for name in robot or ["pioneer-3dx"]]
    if picture is None:
        # A terminal shows all of it, with room for the figures; elsewhere it may be as high as a page.
        height = max(10, out.height - len(told) - 2) if out.is_terminal else 60
        blocks = BLOCKS if out.encoding.lower().startswith("utf") else ASCII_BLOCKS
        out.print(sketch(terrain, min(out.width, 100), height, blocks), markup=False)
    for label, value in told:
        say(f"{label:<10} {value}")
    if picture is not None:
        save_picture(terrain, picture, starts=starts or [(marked.x, marked.y) for marked in terrain.starts])
        say(f"wrote {picture}")


@terrain_app.command("make", context_settings={**FREE, "help_option_names": []})
def make_terrain(
    context: typer.Context,
    target: Annotated[Path | None, typer.Option("--out", "-o", help="The map file to write.")] = None,
    force: Force = False,
) -> None:
    """Make a terrain and write it as a map file: make cave --seed 7 --size 75 --out cave.yaml"""
    from expedition.terrain import save, terrain

    words = [word for word in context.args if word not in ("-h", "--help")]
    names: list[str] = []
    parameters = _pairs(words, names)
    wants_help = len(words) < len(context.args)
    if wants_help or not names:
        _help_on_making(names)
        raise typer.Exit(0 if wants_help else 2)
    component, written = terrain.parse(names[0])
    made = component.build(**component.check({**written, **parameters}))
    _tell_written(save(made, target or Path(f"{made.name}.yaml"), overwrite=force))


@terrain_app.command("convert")
def convert_terrain(
    source: Annotated[str, typer.Argument(help="A terrain's name or a map file, as for `show`.")],
    target: Annotated[Path, typer.Argument(help="The map file to write; its suffix says the format.")],
    force: Force = False,
) -> None:
    """Convert a terrain from one map format to another: .yaml (keeps all), .pgm, .png, .txt or .map."""
    from expedition.terrain import find_terrain, save

    terrain = find_terrain(source)
    warn(terrain.name, terrain.notes)
    _tell_written(save(terrain, target, overwrite=force))


def _tell_written(saved: Saved) -> None:
    say(f"wrote {', '.join(str(file) for file in saved.files)}")
    if saved.lost:
        say(f"not kept by this format: {', '.join(saved.lost)} (a .yaml file keeps all)")


def _help_on_making(names: list[str]) -> None:
    from expedition.terrain import terrain

    name = names[0] if names else "NAME"
    print(f"Usage: expedition terrain make {name} [--PARAMETER VALUE ...] [--out FILE] [--force]\n")
    if names:
        component, _ = terrain.parse(name)
        print(f"{component.summary}\n")
        out.print(parameters_table(component.parameters, "--"))
    else:
        print("Makes a terrain and writes it as a map file. For a terrain's parameters: make NAME --help\n")
        print("Terrains: " + ", ".join(terrain.names()))
    print("\n--out FILE: .yaml (the default, which keeps all), .pgm, .png, .txt or .map. --force writes over files")
    print("that are there already. Pictures for a paper are made by: expedition terrain show NAME --out FILE")


def _reach(terrain: Terrain, name: str, starts: list[tuple[float, float]]) -> str:
    """What a robot can reach: in the largest area for it, or from the starts."""
    import numpy as np

    from expedition.errors import ExpeditionError
    from expedition.fleet import Fleet, robot_model
    from expedition.fleet.access import Access, largest_sentence

    model = robot_model(name)
    if not starts:
        return f"{model.name}, in its largest area: {largest_sentence(terrain, model)}"
    for start in starts:
        if not terrain.reachable([start], model.body.inscribed_radius).any():
            raise ExpeditionError(
                f"{model.name} cannot stand at ({start[0]:g}, {start[1]:g}) in terrain {terrain.name!r}"
            )
    access = Access.of(terrain, Fleet((model,) * len(starts), np.array([(x, y, 0.0) for x, y in starts])))
    places = " and ".join(f"({x:g}, {y:g})" for x, y in starts)
    return f"{model.name}, from {places}: {access.figures()}"


def _point(text: str) -> tuple[float, float]:
    from expedition.errors import ExpeditionError

    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise ExpeditionError(f"--start: expected x,y in metres, such as -38,38, found {text!r}") from None
    return x, y


def _pairs(arguments: list[str], names: list[str] | None = None) -> dict[str, Any]:
    """`--key value`, `--key=value` and `--no-key` as parameters; the first other word goes to `names`, if given."""
    from expedition.errors import ExpeditionError
    from expedition.spec import parse_value

    pairs: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--") or len(word) == 2:
            if names is None or names:
                raise ExpeditionError(f"expected --parameter value, found {word!r}")
            names.append(word)
            continue
        key, equals, value = word[2:].partition("=")
        if not equals and key.startswith("no-"):
            key, value = key[3:], "false"
        elif not equals:
            if not rest:
                raise ExpeditionError(f"--{key}: a value is missing")
            value = rest.pop(0)
        pairs[key.replace("-", "_")] = parse_value(value, place=f"--{key}")
    return pairs
