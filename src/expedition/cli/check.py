"""`expedition check`: whether a strategy keeps to what strategies promise."""

from __future__ import annotations

from typing import Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import out, say, table


@app.command("check")
def check(
    strategy: Annotated[str, typer.Argument(help="my_file.py:my_strategy, or a strategy's name.")],
) -> None:
    """Check a strategy: finishes, deterministic, respects the network, survives losing its teammates."""
    from rich.progress import Progress

    from expedition.conformance import CHECKS, subject_of, verdicts

    subject = subject_of(strategy)
    found = []
    with Progress(console=out, transient=True) as progress:
        task = progress.add_task("checking", total=len(CHECKS))
        for verdict in verdicts(subject):
            found.append(verdict)
            progress.update(task, advance=1, description=verdict.name)
    rows = [(one.name, "pass" if one.passed else "FAIL", one.detail) for one in found]
    out.print(table(("check", "", "what was seen"), rows))
    failed = [one for one in found if not one.passed]
    for one in failed:
        say(f"\n{one.name}: {one.why}")
    say(f"\n{strategy}: {len(found) - len(failed)} of {len(found)} checks passed")
    raise typer.Exit(1 if failed else 0)
