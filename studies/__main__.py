"""`python -m studies [mresim|yan2015|yan2017|terrains|maze|localisation|maps ...]`: all of them if none is named."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image
from rich.console import Console

from expedition.errors import ExpeditionError, unknown
from expedition.plotstyle import save
from studies import localisation, maps, maze, mresim, reproduction, terrains, yan2015, yan2017
from studies.missions import run_all
from studies.study import Study

STUDIES = {study.STUDY.name: study.STUDY for study in (terrains, maze, localisation)}
REPRODUCTIONS = {study.STUDY.design: study.STUDY for study in (yan2015, yan2017, mresim)}
STORE = Path(__file__).parent / "store"
RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the studies named on the command line."""
    options = _options(arguments)
    console = Console(highlight=False)
    try:
        names = options.names or [*REPRODUCTIONS, *STUDIES, maps.NAME]
        if missing := [name for name in names if name not in (*STUDIES, *REPRODUCTIONS, maps.NAME)]:
            raise unknown("study", missing[0], [*REPRODUCTIONS, *STUDIES, maps.NAME])
        for name in names:
            if name == maps.NAME:
                maps.carry_out(options, console)
            elif name in REPRODUCTIONS:
                reproduction.carry_out(REPRODUCTIONS[name], options.store, options.workers, console)
            else:
                carry_out(STUDIES[name], options, console)
    except ExpeditionError as error:
        sys.exit(f"error: {error}")


def carry_out(study: Study, options: argparse.Namespace, console: Console) -> None:
    """Run what is missing in a study's table, then write and print its summary and draw its figure."""
    runs = study.runs(options.seeds or study.seeds)
    if options.robots:
        runs = [run for run in runs if run.robots in options.robots]
    if options.terrains:
        runs = [run for run in runs if run.terrain in options.terrains]
    if options.time_limit:
        runs = [replace(run, time_limit=min(run.time_limit, options.time_limit)) for run in runs]
    if not runs:
        raise ExpeditionError(f"study {study.name}: none of its missions has these robots and terrains")
    out: Path = options.out or RESULTS
    out.mkdir(parents=True, exist_ok=True)
    rows = run_all(runs, out / f"{study.name}.csv", options.workers, console)
    text = study.report(rows)
    (out / f"{study.name}.md").write_text(text, encoding="utf-8")
    picture = save(study.figure(rows), out / f"{study.name}.png")
    with Image.open(picture) as drawn:
        few = drawn.convert("RGB").quantize(64, dither=Image.Dither.NONE)  # enough for lines, and a quarter of the size
    few.save(picture, optimize=True)
    console.print(f"{study.title}\n\n{text}", markup=False, soft_wrap=True)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m studies",
        description="Run studies, all of them if none is named. What a study's table has already is not run again: "
        "delete the table to start anew. yan2015, yan2017 and mresim are designs, run in full into a store; of the "
        "others, the options below choose some of the missions.",
    )
    parser.add_argument("names", nargs="*", metavar="STUDY", help=", ".join([*REPRODUCTIONS, *STUDIES, maps.NAME]))
    parser.add_argument("--seeds", type=int, help="how many seeds (default: the study's)")
    parser.add_argument("--robots", type=int, nargs="+", help="only these fleet sizes")
    parser.add_argument("--terrains", nargs="+", help="only these terrains")
    parser.add_argument("--time-limit", type=float, help="end missions early, in simulated seconds")
    parser.add_argument("--store", type=Path, default=STORE, help="where designs are run into (default: studies/store)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument(
        "--out", type=Path, help="folder for the results (default: studies/results; maps: studies/maps)"
    )
    own = parser.add_argument_group("the study maps alone")
    own.add_argument("--maps", type=Path, metavar="FOLDER", help="also explore all maps in this folder")
    own.add_argument("--strategies", nargs="+", choices=maps.STRATEGIES, metavar="STRATEGY", help="only these")
    own.add_argument("--localisers", nargs="+", choices=maps.LOCALISERS, metavar="LOCALISER", help="only these")
    own.add_argument(
        "--again",
        nargs="?",
        const="failed",
        choices=("failed", "all"),
        help="of the missions asked for, run those anew that failed, or all",
    )
    own.add_argument(
        "--published",
        type=Path,
        metavar="SRC",
        help="instead compare missions of published designs with the code in another checkout's folder src",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
