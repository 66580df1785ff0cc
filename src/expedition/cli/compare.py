"""`expedition compare`: two stores side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import out, say, table

if TYPE_CHECKING:
    from expedition.report.compare import StoreComparison

LISTED = 10
"""Missions that differ are listed up to so many."""


@app.command("compare")
def compare_command(
    first: Annotated[Path, typer.Argument(metavar="STORE_A", help="The folder that missions were run into.")],
    second: Annotated[Path, typer.Argument(metavar="STORE_B", help="The one to compare with it.")],
    design: Annotated[
        list[str] | None,
        typer.Option(help="The design's name; twice, if it has another name in STORE_B.", metavar="NAME"),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="A metric to compare, in place of the design's. May be repeated.", metavar="NAME"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Say which missions of two stores are the same to the byte, and how the metrics of the others compare.

    Missions are matched by seed and by the parameters that both designs have. The exit code is 0 whether they are
    the same or not, and 2 for a mistake.
    """
    import json

    from expedition.report.compare import as_data, compare_stores

    found = compare_stores(first, second, design or [], metric or [])
    if as_json:
        print(json.dumps(as_data(found), indent=1, allow_nan=False))
    else:
        _show(found)


def _show(found: StoreComparison) -> None:
    from expedition.report.compare import sentences

    for side in (found.first, found.second):
        say(f"{side.name}: {len(side.results):,} missions of {side.record.name}")
    say("")
    out.print(table((), _counts(found)))
    for line in _differing(found):
        say(line)
    if found.overall:
        say("")
        out.print(
            table(("metric", "pairs", found.first.name, found.second.name, "change", "95 % CI", "p"), _rows(found))
        )
        say("")
    for sentence in sentences(found):
        say(sentence)


def _counts(found: StoreComparison) -> list[tuple[str, str]]:
    rows = [
        ("the same to the byte", f"{len(found.identical):,}"),
        ("same parameters, other results", f"{len(found.differing):,}"),
        (f"only in {found.first.name}", f"{len(found.only_first):,}"),
        (f"only in {found.second.name}", f"{len(found.only_second):,}"),
    ]
    if found.unlike:
        rows.insert(2, (f"pairs that differ in {', '.join(found.unlike)}", f"{found.pairs:,}"))
    return rows


def _differing(found: StoreComparison) -> list[str]:
    """Which missions have other results, the first of them."""
    if not found.differing:
        return []
    listed = {one.key: one for one in found.first.record.missions}
    lines = ["", "other results" + (", by other code:" if found.other_code else ", by the same code:")]
    for key in found.differing[:LISTED]:
        one = listed[key]
        varied = [f"{name}={one.vector[name]}" for name in found.first.record.varied if name in one.vector]
        lines.append(f"  {key[:12]}  {', '.join([*varied, f'seed={one.seed}'])}")
    more = len(found.differing) - LISTED
    return [*lines, f"  and {more:,} more"] if more > 0 else lines


def _rows(found: StoreComparison) -> list[list[str]]:
    from expedition.report.words import change_in_words

    described = {metric.name: metric for metric in found.metrics}
    rows = []
    for one in found.overall:
        metric = described[one.metric]
        change, interval, p = change_in_words(one, metric)
        means = [("" if mean is None else metric.written(mean)) for mean in (one.first_mean, one.second_mean)]
        rows.append([metric.label, f"{one.count:,}", *means, change, interval, p])
    return rows
