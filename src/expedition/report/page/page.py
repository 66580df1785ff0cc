"""The page from top to bottom: what was run and found, figures, tables, definitions, how to do it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl

import expedition
from expedition.fleet.reach import LITTLE
from expedition.measure.metrics import Metric
from expedition.report.evidence import Evidence
from expedition.report.naming import capital, counted
from expedition.report.page.headlines import all_findings, headlines
from expedition.report.page.html import anchor, code, folded, image, links, listed, paragraph, section, table, text
from expedition.report.provenance import CITATIONS, Provenance, bibtex, commands, ships, view_command
from expedition.report.statistics.analysis import Analysis
from expedition.report.statistics.factors import case_names, short_name, values_of
from expedition.report.tables.table import Table

MOST_LISTED = 12
"""Values of a parameter that are named; of more, the first and last."""


@dataclass(frozen=True)
class Placed:
    """A figure that was saved: what is said of it, and its files relative to the page."""

    title: str
    caption: str
    alt: str
    width_cm: float
    shown: Path
    """The file that the page shows."""
    files: tuple[str, ...]


def page(
    evidence: Evidence,
    analysis: Analysis,
    figures: Mapping[str, Sequence[Placed]],
    tables: Sequence[Table],
    table_files: Mapping[str, Sequence[str]],
    provenance: Provenance,
) -> str:
    """The whole page. Figures stand by their headings; tables, all but those of success and failures, at the end."""
    by_name = {one.name: one for one in tables}
    apart = ("success", "failures")
    numbers = iter(range(1, 10_000))
    bodies = [
        section("Findings", *_findings(evidence, analysis)),
        section("Missions that succeeded", _success(evidence, by_name["success"], table_files)),
        *(section(heading, *(_figure(one, next(numbers)) for one in drawn)) for heading, drawn in figures.items()),
        section(
            "Tables",
            _replays(evidence),
            *(table(one, table_files[one.name], replays=evidence.recorded) for one in tables if one.name not in apart),
            _octave(),
        ),
        section("Missions that did not succeed", *_failures(by_name.get("failures"), table_files, evidence.recorded)),
        section("Definitions", _definitions(evidence.every), paragraph(_methods(evidence))),
        section("Reproduce and cite", *_reproduce(evidence, provenance)),
    ]
    headings = [line.partition("<h2>")[2].partition("</h2>")[0] for line in bodies if line]
    style = files("expedition.report.page").joinpath("page.css").read_text(encoding="utf-8")
    contents = " ".join(f'<a href="#{anchor(heading)}">{heading}</a>' for heading in headings)
    return "\n".join([
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(evidence.record.name)}: report</title>",
        f"<style>\n{style}</style>\n</head>\n<body>",
        _header(evidence, contents),
        "<main>",
        *(body for body in bodies if body),
        f"<footer>Written by expedition {escape(expedition.__version__)}.</footer>",
        "</main>\n</body>\n</html>\n",
    ])  # fmt: skip


def _header(evidence: Evidence, contents: str) -> str:
    record, results, factors = evidence.record, evidence.results, evidence.factors
    succeeded = int(results["succeeded"].sum())
    counts = [
        (f"{len(results):,}", "missions finished" if len(results) != 1 else "mission finished"),
        (f"{succeeded:,}", f"succeeded ({succeeded / len(results):.1%})"),
        (f"{results['seed'].n_unique():,}", "seeds" if results["seed"].n_unique() != 1 else "seed"),
    ]
    for name in dict.fromkeys([factors.panels, *factors.cases, factors.x, *factors.covariates]):
        if name is not None:
            values = values_of(results, name)
            counts.append((f"{len(values):,}", f"{name}: {_values(values)}"))
    if len(case_names(results)) > 1 and len(factors.cases) > 1:
        counts.append((f"{len(case_names(results)):,}", "cases"))
    cards = "".join(f"<li><b>{number}</b>{escape(label)}</li>" for number, label in counts)
    warnings = []
    if len(results) < evidence.planned:
        missing = evidence.planned - len(results)
        warnings.append(
            f"This design is not finished: {len(results):,} of {evidence.planned:,} missions are, "
            f"{counted(missing, 'mission')} {'is' if missing == 1 else 'are'} missing. All that follows is of those "
            "that are there."
        )
    if evidence.given_up:
        warnings.append(f"{counted(len(evidence.given_up), 'mission')} could not be brought to an end; see below.")
    return "\n".join([
        "<header>",
        f"<h1>{escape(record.name)}</h1>",
        paragraph(record.description.strip(), "lead") if record.description.strip() else "",
        f'<ul class="counts">{cards}</ul>',
        *(paragraph(one, "warning") for one in warnings),
        f"<nav>{contents}</nav>",
        "</header>",
    ])  # fmt: skip


def _findings(evidence: Evidence, analysis: Analysis) -> Iterator[str]:
    yield listed(headlines(analysis, evidence.shown), "findings")
    for about, said in all_findings(analysis, evidence.shown).items():
        yield folded(f"All that was found about {about} ({len(said)})", listed(said))


def _success(evidence: Evidence, made: Table, table_files: Mapping[str, Sequence[str]]) -> str:
    endings = evidence.results["ending"].value_counts().sort("count", "ending", descending=[True, False])
    words = ", ".join(f"{count:,} {ending}" for ending, count in endings.iter_rows())
    shown = table(made, table_files["success"], marks=True, heading=False)
    return "\n".join([paragraph(f"How the missions ended: {words}."), *_what_success_is_worth(evidence), shown])


def _what_success_is_worth(evidence: Evidence) -> Iterator[str]:
    """How far maps are off, and of how little ground some missions tell, where that was measured."""
    results = evidence.results
    mean, worst, wrong = (
        results[name].drop_nulls().to_numpy() if name in results.columns else np.zeros(0)
        for name in ("trajectory_error_mean_m", "trajectory_error_max_m", "map_error_share")
    )
    if mean.size and worst.size and wrong.size:
        yield paragraph(
            f"Poses were off by {mean.mean():.2f} m on average, and at worst by {worst.max():.2f} m; "
            f"{wrong.mean():.1%} of the known map cells are wrong, mean over missions."
        )
    if "map_distorted" in results.columns:
        yield _warning(
            results, pl.col("map_distorted") > 0.5, "the map is distorted: poses are off, on average, by more than the "
            "width of the narrowest opening that the robots pass",
        )  # fmt: skip
    if "reachable_share" in results.columns:
        yield _warning(
            results, pl.col("reachable_share") < LITTLE, f"the fleet could reach less than {LITTLE:.0%} of the free "
            "ground, and only of that the mission tells",
        )  # fmt: skip


def _warning(results: pl.DataFrame, is_so: pl.Expr, words: str) -> str:
    """In how many missions something is so, and in how many of those that succeeded; nothing if in none."""
    found = results.filter(is_so)
    if found.is_empty():
        return ""
    succeeded = int(found["succeeded"].sum())
    return paragraph(
        f"In {len(found):,} of {counted(len(results), 'mission')}, of which {succeeded:,} succeeded, {words}.",
        "warning",
    )


def _figure(one: Placed, number: int) -> str:
    words = f"<b>Figure {number}. {text(one.title)}.</b> {text(one.caption)} {links(one.files)}"
    shown = image(one.shown, one.alt, one.width_cm)
    return f'<figure id="figure-{number}"><div class="wide">{shown}</div><figcaption>{words}</figcaption></figure>'


def _failures(made: Table | None, table_files: Mapping[str, Sequence[str]], recorded: Set[str]) -> Iterator[str]:
    if made is None:
        yield paragraph("None: every finished mission succeeded.")
    else:
        yield table(made, table_files["failures"], heading=False, replays=recorded)


def _replays(evidence: Evidence) -> str:
    """How to watch missions that were recorded."""
    if not evidence.recorded:
        return ""
    return paragraph(
        f"{counted(len(evidence.recorded), 'mission')} can be watched again: run "
        f"`{view_command(evidence)}` on this machine, and follow the links in the tables."
    )


def _octave() -> str:
    return (
        '<p class="caption">For MATLAB and Octave: <a href="results.mat">results.mat</a> has all of this as arrays, '
        'and <a href="plot_results.m">plot_results.m</a> draws a metric from it.</p>'
    )


def _definitions(metrics: Iterable[Metric]) -> str:
    better = {"lower": "lower is better", "higher": "higher is better", "": "neither way is better"}
    rows = [
        f"<dt>{text(capital(one.label))}{f' ({escape(one.unit)})' if one.unit else ''}<br>"
        f"<code>{escape(one.name)}</code></dt>"
        f"<dd>{text(one.definition)} {capital(better[one.better])}."
        f"{' Measured on the machine that ran it, so it differs from run to run.' if one.measured else ''}</dd>"
        for one in metrics
    ]
    return f"<dl>{''.join(rows)}</dl>"


def _methods(evidence: Evidence) -> str:
    interval = "Student's t" if evidence.centre == "mean" else "order statistics"
    return (
        "A mission succeeds if it reaches what the design asks for; metrics of effort and quality are of missions that "
        f"succeeded. Intervals of a {evidence.centre} are 95 % and by {interval}, those of shares by Wilson's score. "
        "Missions with the same seed, terrain and fleet are compared in pairs, where there are such; differences have "
        "bootstrap intervals, tests are Wilcoxon's signed-rank (rank-sum without pairs) with failed missions as the "
        "worst. p values are corrected by Holm's method over all comparisons of one metric and parameter, those at "
        "single sizes apart from those over all sizes; they are not corrected over metrics. With eight seeds or more, "
        "whole seeds are resampled and tested; with fewer, missions of one seed at different sizes are taken as "
        "independent."
    )


def _reproduce(evidence: Evidence, provenance: Provenance) -> Iterator[str]:
    record = evidence.record
    yield paragraph(
        f"The design `{record.name}` ships with expedition; these commands run it and write this page:"
        if ships(evidence)
        else f"Save the design below as `{record.name}.yaml`; these commands run it and write this page:"
    )
    yield code("\n".join(commands(evidence)))
    yield folded("The design", code(record.text))
    for versions, count in provenance.versions:
        words = ", ".join(f"{name} {version}" for name, version in versions.items())
        yield paragraph(
            f"Run with {words}" + (f" ({counted(count, 'mission')})." if len(provenance.versions) > 1 else ".")
        )
    digests = ", ".join(f"`{digest}` ({counted(count, 'mission')})" for digest, count in provenance.code)
    yield paragraph(f"Digest of the code that the missions ran through: {digests}.")
    if len(provenance.code) > 1:
        yield paragraph(
            "These missions were not all run with the same code, so some may come out differently when run again.",
            "warning",
        )
    yield paragraph(
        "The same design, versions and kind of machine give the same bytes, except for processor and memory."
    )
    yield "<h3>Cite</h3>"
    yield code(bibtex())
    cited = "".join(
        f"<li>{text(words)}{f' <a href={chr(34)}{address}{chr(34)}>{address}</a>' if address else ''}</li>"
        for words, address in CITATIONS
    )
    yield f"{paragraph('The metrics and the form of the figures are those of:')}<ul>{cited}</ul>"


def _values(values: Sequence[object]) -> str:
    words = [short_name(value) for value in values]
    whole = [value for value in values if isinstance(value, int)]
    run = len(whole) == len(values) > 3 and whole[-1] - whole[0] == len(whole) - 1
    return f"{words[0]} to {words[-1]}" if run or len(words) > MOST_LISTED else ", ".join(words)
