"""`expedition status`: how the designs of a store stand. Nothing heavy is imported: it answers at once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import out, say, table

if TYPE_CHECKING:
    from expedition.bench.standing import Standing

MOST_SHOWN = 20


@app.command("status")
def status_command(
    store: Annotated[Path, typer.Argument(help="The folder of finished missions.")] = Path("results"),
) -> None:
    """Show how far the designs of a store are: missions done and how they ended, given up, being run now."""
    from expedition.bench.standing import standings
    from expedition.bench.store import Store

    found = standings(Store.existing(store))
    if not found:
        say(f"{store}: no design was run into it yet")
        return
    rows = [
        (
            one.design,
            f"{one.done} of {one.missions}",
            ", ".join(f"{number} {ending}" for ending, number in one.endings.most_common()),
            str(len(one.given_up)),
            str(len(one.running)),
            _when(one.last),
        )
        for one in found
    ]
    out.print(table(("design", "done", "endings", "given up", "running", "last finished"), rows))
    for one in found:
        _show_running(one)
        _show_given_up(one)


def _show_running(standing: Standing) -> None:
    if standing.running:
        say(f"\n{standing.design}, being run now:")
        rows = [
            (one.key[:8], one.host, str(one.pid), f"since {_when(one.since)}")
            for one in sorted(standing.running, key=lambda one: one.since)[:MOST_SHOWN]
        ]
        out.print(table(("mission", "machine", "process", ""), rows))
        _show_rest(len(standing.running))


def _show_given_up(standing: Standing) -> None:
    if standing.given_up:
        say(f"\n{standing.design}, given up; the next run tries them again:")
        rows = [
            (one.key[:8], one.when, one.host, one.why.strip().rpartition("\n")[2])
            for one in standing.given_up[:MOST_SHOWN]
        ]
        out.print(table(("mission", "when", "machine", "why"), rows))
        _show_rest(len(standing.given_up))


def _show_rest(number: int) -> None:
    if number > MOST_SHOWN:
        say(f"and {number - MOST_SHOWN} more")


def _when(moment: float | None) -> str:
    """A moment on this machine's clock, the day only if it is not today."""
    if moment is None:
        return ""
    then = time.localtime(moment)
    return time.strftime("%H:%M:%S" if then[:3] == time.localtime()[:3] else "%Y-%m-%d %H:%M", then)
