"""Maps that nobody here drew: do robots finish, without standing about and without running into walls?

Missions go into a table a row at a time, so that an interrupted study goes on with what is missing. What the table
cannot keep, since it is another on every machine or too large, goes into the store: the seconds that missions take, the
robots' ways that the first figure shows, and pictures of missions that failed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import yaml
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from expedition.errors import ExpeditionError
from studies.maps import figures, published
from studies.maps.mission import TIME_LIMIT, Case, Job, Row, trajectories_file
from studies.maps.report import report, terrains_of, timing
from studies.maps.seconds import add_seconds, read_seconds
from studies.maps.table import add, read, write
from studies.maps.terrains import PLANS, chosen, label, maps_in
from studies.maps.workers import each

NAME = "maps"
FOLDER = Path(__file__).parent
STRATEGIES = ("nearest-frontier", "coordinated", "market", "min-pos", "hungarian", "role-based")
FLEETS = (1, 4, 8)
LOCALISERS = ("perfect", "scan-matching")
SHOWN = ("nearest-frontier", 4, "scan-matching", 1)
"""Strategy, robots, localiser and seed of the missions whose ways are drawn."""


def carry_out(options: argparse.Namespace, console: Console) -> None:
    """Run what is missing in the table, then write the page and draw the figures."""
    folder, store = options.out or FOLDER, options.store / NAME
    folder.mkdir(parents=True, exist_ok=True)
    if options.published is not None:
        published.carry_out(options.published, folder, options.workers, console)
        return
    table, limit = folder / "missions.csv", min(TIME_LIMIT, options.time_limit or TIME_LIMIT)
    names = [*(maps_in(options.maps) if options.maps else []), *PLANS]
    wanted = [
        case
        for case in cases(chosen(names, options.terrains), range(1, 1 + (options.seeds or 1)), limit)
        if all(
            value in (allowed or [value])
            for value, allowed in (
                (case.robots, options.robots),
                (case.strategy, options.strategies),
                (case.localiser, options.localisers),
            )
        )
    ]
    if not wanted:
        raise ExpeditionError(f"study {NAME}: none of its missions has these terrains, robots, strategies, localisers")
    if options.again is not None:
        again = {case for case in wanted if options.again == "all"}
        rows = read(table)
        again |= {case for case in wanted if case in rows and not rows[case].succeeded}
        write(table, [row for case, row in rows.items() if case not in again])
    run_missing(wanted, table, options.maps, store, options.workers, console)
    rows = {case: row for case, row in read(table).items() if case.time_limit_s == limit}
    write_results(in_order(rows.values()), folder, store, console)


def cases(terrains: Sequence[str], seeds: Sequence[int] = (1,), time_limit: float = TIME_LIMIT) -> list[Case]:
    """All missions in these terrains."""
    every = product(terrains, STRATEGIES, FLEETS, LOCALISERS, seeds)
    return [
        Case(terrain, strategy, robots, localiser, seed, time_limit)
        for terrain, strategy, robots, localiser, seed in every
    ]


def run_missing(
    wanted: Sequence[Case], table: Path, maps: Path | None, store: Path, workers: int, console: Console
) -> None:
    """Run the missions that the table does not have, and add the row of each as it is done."""
    rows = read(table)
    # The large ones first, so that no core idles at the end while one of them is still to run.
    missing = sorted((case for case in wanted if case not in rows), key=lambda case: -case.robots)
    jobs = [Job(case, maps, store, is_shown(case)) for case in missing]
    failed = 0
    with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console, disable=not jobs) as bar:
        task = bar.add_task(NAME, total=len(jobs))
        for done in each(jobs, workers):
            row = done.row
            add(table, row)
            add_seconds(store, row.case, done.seconds)
            failed += not row.succeeded
            bar.update(task, advance=1, description=f"{NAME}, {failed} failed")
            if not row.succeeded:
                explored = f"{row['explored_share']:.1%} in {row['time_s']:,.0f} s"
                console.print(f"{row.case}: {row.ending}, {row.reason or explored}", markup=False, soft_wrap=True)


def write_results(rows: list[Row], folder: Path, store: Path, console: Console) -> None:
    """The page, what missions take of the machine, and both figures."""
    planned = len(cases(sorted({*terrains_of(rows), *PLANS})))
    text = report(rows, planned, read_causes(folder))
    (folder / "statements.md").write_text(text, encoding="utf-8")
    console.print(text, markup=False, soft_wrap=True)
    taken = read_seconds(store)
    if timed := [(row, taken[row.case]) for row in rows if row.case in taken]:
        lines = timing(timed)
        (folder / "timing.md").write_text(lines, encoding="utf-8")
        console.print(lines, markup=False, soft_wrap=True)
    figures.keep(figures.successes(rows), folder / "successes.png")
    shown = {row.case.terrain: row for row in rows if is_shown(row.case)}
    files = {terrain: trajectories_file(store, terrain) for terrain in shown}
    if gone := [label(terrain) for terrain, file in files.items() if not file.exists()]:
        console.print(
            f"ways.png stays as it is: the store has no trajectories of {', '.join(gone)}; run these missions anew "
            f"with --again all --strategies {SHOWN[0]} --robots {SHOWN[1]} --localisers {SHOWN[2]}",
            soft_wrap=True,
        )
    elif shown:
        figures.keep(figures.ways([(row, files[terrain]) for terrain, row in shown.items()]), folder / "ways.png")


def read_causes(folder: Path) -> dict[str, str]:
    """Why missions failed, as people found out: `causes.yaml` has a sentence by mission."""
    path = folder / "causes.yaml"
    if not path.exists():
        return {}
    found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    if not isinstance(found, dict):
        raise ExpeditionError(f"{path}: expected lines such as `'floorplan:seed=1 market 4 perfect': why it failed`")
    return {str(mission): str(cause) for mission, cause in found.items()}


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Rows by terrain, then in the order of the study's strategies, fleets and localisers."""
    rows = list(rows)
    order = {case: place for place, case in enumerate(cases(terrains_of(rows)))}
    last = len(order)
    return sorted(rows, key=lambda row: (order.get(replace(row.case, seed=1, time_limit_s=TIME_LIMIT), last), row.case))


def is_shown(case: Case) -> bool:
    """Whether the first figure shows this mission."""
    return (case.strategy, case.robots, case.localiser, case.seed) == SHOWN
