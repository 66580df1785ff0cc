"""A published design run in full: its missions in a table, its figures, and each statement of the paper beside ours.

The missions go into a store and are not run again as long as they are there; the table of them is small enough to be
kept with the code, and all else is made from it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl
from matplotlib.figure import Figure
from PIL import Image
from rich.console import Console

from expedition.bench.results import load_results
from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from expedition.plotstyle import save
from expedition.report.report import write_report
from studies.study import markdown

HERE = Path(__file__).parent
COLOURS = 64
Verdict = Literal["agrees", "in part", "differs"]


@dataclass(frozen=True)
class Statement:
    """What a paper says, what is found here, and why the two differ where they do."""

    paper: str
    here: str
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True)
class Reproduction:
    """A design that ships, and what its paper says of it."""

    design: str
    title: str
    metrics: tuple[str, ...]
    """The columns of the table that is kept."""
    figures: tuple[str, ...]
    """The figures of the report that are kept."""
    statements: Callable[[pl.DataFrame], list[Statement]]
    further: Mapping[str, Callable[[Store, str], float | None]]
    """Columns that are no metrics, each worked out from a mission's files in the store."""
    figure: Callable[[pl.DataFrame], Figure] | None = None
    """A figure of its own, drawn from the table."""
    centre: Literal["mean", "median"] = "mean"

    @property
    def folder(self) -> Path:
        """Where its results are kept."""
        return HERE / self.design


def carry_out(study: Reproduction, store: Path, workers: int, console: Console) -> None:
    """Run what is missing in the store, then write the study's table, figures and statements."""
    command = [sys.executable, "-m", "expedition", "run", study.design, "--store", str(store)]
    if subprocess.run([*command, "--workers", str(workers)], check=False).returncode:
        raise ExpeditionError(f"study {study.design}: its design was not run to the end; the same command goes on")
    place = Store(store)
    table = study.folder / "missions.csv"
    missions(place, study).write_csv(table)
    report = write_report(place, study.design, formats=["png"], centre=study.centre)
    for name in study.figures:
        _keep(report.folder / "figures" / f"{name}.png", study.folder / f"{name}.png")
    if study.figure is not None:
        picture = save(study.figure(pl.read_csv(table)), study.folder / f"{study.design}.png")
        _keep(picture, picture)
    text = write_statements(study)
    console.print(f"{study.title}\n\n{text}\nthe whole report: {report.page}", markup=False, soft_wrap=True)


def _keep(picture: Path, kept: Path) -> None:
    """A picture in few colours: enough for lines, and a quarter of the bytes."""
    with Image.open(picture) as drawn:
        few = drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(kept, optimize=True)


def missions(store: Store, study: Reproduction) -> pl.DataFrame:
    """The table of a study: what varies, seed, ending, and metrics with six digits."""
    results = load_results(store, study.design)
    kept = [*store.design(study.design).varied, "seed", "ending", "succeeded"]
    further = [
        pl.Series(name, [of(store, key) for key in results["key"]], dtype=pl.Float64)
        for name, of in study.further.items()
    ]
    metrics = results.with_columns(further).select(pl.col(*study.metrics, *study.further).round_sig_figs(6))
    return results.select(kept).hstack(metrics)


def write_statements(study: Reproduction) -> str:
    """The statements beside what the study's table says, written into its folder."""
    text = statements_table(study.statements(pl.read_csv(study.folder / "missions.csv")))
    (study.folder / "statements.md").write_text(text, encoding="utf-8")
    return text


def statements_table(statements: Sequence[Statement]) -> str:
    """Statements as a Markdown table; the reason stands where ours is another."""
    rows = [[one.paper, one.here, one.verdict, one.why if one.verdict != "agrees" else ""] for one in statements]
    return markdown(["the paper", "here", "", "why"], rows).replace("---:", "---")
