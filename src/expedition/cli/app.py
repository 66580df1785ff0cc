"""The program as a whole: its groups of commands, its options, and how it ends when something is wrong."""

from __future__ import annotations

import io
import sys
import traceback
from typing import Annotated, Any

import typer

from expedition import __version__

HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="expedition",
    help="A testbed for multi-robot exploration.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)
terrain_app = typer.Typer(help="Terrains: list, look at, make and convert them.", no_args_is_help=True)
robot_app = typer.Typer(help="Robot models: list and look at them.", no_args_is_help=True)
strategy_app = typer.Typer(help="Strategies: list and look at them.", no_args_is_help=True)
design_app = typer.Typer(help="Experimental designs: list, look at and check them.", no_args_is_help=True)
app.add_typer(terrain_app, name="terrain")
app.add_typer(robot_app, name="robot")
app.add_typer(strategy_app, name="strategy")
app.add_typer(design_app, name="design")


def main() -> None:
    """Run the command line: a mistake of the user ends with one sentence and exit code 2."""
    from expedition.errors import ExpeditionError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A terminal that cannot show a character shows another.
    debug = "--debug" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--debug"]
    try:
        app()
    except ExpeditionError as error:
        if debug:
            traceback.print_exc()
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
