"""From a store to a folder with a page, figures, tables and files for MATLAB and Octave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from expedition.bench.store import Store
from expedition.errors import ExpeditionError, shorten, unknown
from expedition.plotstyle import FORMATS, save
from expedition.report.cells import Centre
from expedition.report.evidence import Evidence, gather
from expedition.report.figures.drawing import Drawing
from expedition.report.figures.every import sections
from expedition.report.matlab import mat_file, plot_script
from expedition.report.page.page import Placed, page
from expedition.report.provenance import provenance_of
from expedition.report.statistics.analysis import Analysis, analyse
from expedition.report.tables.contents import missions_table, success_table, summary_table
from expedition.report.tables.failures import failures_table
from expedition.report.tables.statistics import statistics_tables
from expedition.report.tables.table import Table, save_table, write_bytes

SUFFIXES = ("png", "svg", "pdf")
CM_PER_INCH = 2.54


@dataclass(frozen=True)
class Report:
    """A report that was written."""

    folder: Path
    page: Path
    figures: int
    tables: int
    missions: int
    planned: int


def write_report(
    store: Store,
    design: str,
    folder: Path | str | None = None,
    metrics: Sequence[str] = (),
    formats: Sequence[str] = SUFFIXES,
    centre: Centre = "mean",
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """Write the report of a design into a folder, by default `reports/DESIGN` in the store; `tell` hears of it."""
    for suffix in formats:
        if f".{suffix}" not in FORMATS:
            raise unknown("picture format", suffix, SUFFIXES)
    if centre not in ("mean", "median"):
        raise unknown("statistic", centre, ("mean", "median"))
    folder = Path(folder) if folder is not None else store.folder / "reports" / design.replace("/", "-")
    tell("reading missions")
    evidence = gather(store, design, metrics, centre)
    for place in (folder / "figures", folder / "tables"):
        _make(place)
    tell("computing statistics")
    analysis = analyse(evidence.in_order, evidence.record.varied, evidence.shown)
    tables = all_tables(evidence, analysis)
    table_files = {one.name: [f"tables/{path.name}" for path in save_table(one, folder / "tables")] for one in tables}
    drawn: dict[str, list[Placed]] = {}
    for heading, drawings in sections(evidence):
        tell(f"drawing: {heading[:1].lower()}{heading[1:]}")
        drawn[heading] = [_place(drawing, folder, formats) for drawing in drawings]
    mat = mat_file(evidence.results, evidence.cells, evidence.every, centre, evidence.record.name)
    write_bytes(folder / "results.mat", mat)
    write_bytes(folder / "plot_results.m", plot_script())
    made = page(evidence, analysis, drawn, tables, table_files, provenance_of(evidence))
    written = write_bytes(folder / "index.html", made.encode())
    figures = sum(len(listed) for listed in drawn.values())
    return Report(folder, written, figures, len(tables), len(evidence.results), evidence.planned)


def all_tables(evidence: Evidence, analysis: Analysis) -> list[Table]:
    """The tables of a report that have rows, in the order in which a page shows them."""
    results, cells = evidence.results, evidence.cells
    described = {metric.name: metric for metric in (*evidence.every, *evidence.shown)}
    tables = [
        success_table(results, cells),
        *statistics_tables(analysis, described),
        summary_table(results, cells, evidence.every, evidence.shown, evidence.centre),
        missions_table(results, evidence.factors, evidence.shown),
        failures_table(results, evidence.factors, _failures(evidence), evidence.given_up),
    ]
    return [table for table in tables if table.shown.rows]


def _failures(evidence: Evidence) -> dict[str, str]:
    """What the strategies of failed missions raised, by key."""
    failed = evidence.results.filter(evidence.results["ending"] == "failed")["key"].to_list()
    outcomes = {key: evidence.store.outcome(key).get("failure") for key in failed}
    return {key: _sentence(failure) for key, failure in outcomes.items() if failure}


def _sentence(failure: object) -> str:
    if isinstance(failure, dict):
        return str(failure.get("sentence") or failure.get("message") or failure.get("report") or failure)
    return str(failure)


def _place(drawing: Drawing, folder: Path, formats: Sequence[str]) -> Placed:
    """Save a figure; the page shows vectors, or pixels where it is a picture."""
    shown = "png" if drawing.raster else "svg"
    width = drawing.figure.get_figwidth() * CM_PER_INCH
    files = []
    for suffix in dict.fromkeys([*formats, shown]):
        save(drawing.figure, folder / "figures" / f"{drawing.name}.{suffix}")
        drawing.figure.set_layout_engine("none")  # It is laid out; doing so for each format takes a third of the time.
        files.append(f"figures/{drawing.name}.{suffix}")
    return Placed(
        drawing.title, drawing.caption, drawing.alt, width, folder / "figures" / f"{drawing.name}.{shown}", tuple(files)
    )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExpeditionError(f"{shorten(str(folder))}: cannot be written: {error.strerror or error}") from None
