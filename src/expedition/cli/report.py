"""`expedition report`: figures, tables and a page from what was run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import say


@app.command("report")
def report_command(
    store: Annotated[Path, typer.Argument(help="The folder that missions were run into.")],
    design: Annotated[
        str | None, typer.Argument(help="The design's name; without one, a report of each design in the store.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write it; reports/DESIGN in the store if not given.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="A metric to show, in place of the design's. May be repeated.", metavar="NAME"),
    ] = None,
    statistic: Annotated[
        str,
        typer.Option(
            help="What a point in a figure and a cell of the summary and the MATLAB file is: mean or median. "
            "Comparisons and findings stay the same."
        ),
    ] = "mean",
    formats: Annotated[
        str, typer.Option(help="Formats of the figures; what the page shows, SVG or PNG, is written in any case.")
    ] = "png,svg,pdf",
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write a report: one page, its figures and tables, and files for MATLAB and Octave."""
    from rich.console import Console

    from expedition.bench.store import Store
    from expedition.errors import ExpeditionError
    from expedition.report.report import write_report

    place = Store.existing(store)
    designs = place.designs() if design is None else [design]
    if not designs:
        raise ExpeditionError(
            f"{store}: no design was run into this store; `expedition run DESIGN --store {store}` does"
        )
    if out is not None and len(designs) > 1:
        raise ExpeditionError(f"{store}: has several designs, {', '.join(designs)}; with --out, name the one to report")
    console = Console(stderr=True, highlight=False)
    wanted = [part.strip().lower() for part in formats.split(",") if part.strip()]
    for name in designs:
        with console.status(f"{name}: reading missions") as status:
            made = write_report(
                place, name, out, metric or [], wanted, statistic,  # type: ignore[arg-type]
                tell=lambda doing, name=name: status.update(f"{name}: {doing}"),  # type: ignore[misc]
            )  # fmt: skip
        of = f" of {made.planned:,}" if made.missions < made.planned else ""
        say(f"{name}: {made.missions:,}{of} missions, {made.figures} figures, {made.tables} tables")
        say(f"wrote {made.page}")
        if show:
            typer.launch(str(made.page))
