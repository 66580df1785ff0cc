"""Run a design from Python: its missions on all cores, what came of them as a table, and a report.

The design is the file beside this one, or the one named on the command line. What is in `results` already is not run
again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from expedition.bench.running import run_design
from expedition.bench.store import Store
from expedition.design import load_design
from expedition.report.report import write_report


def main(design: str) -> None:
    """Run the design, print mean times, and write the report."""
    results = run_design(design, "results", tell=print)
    print(results.group_by("strategy", "robots").agg(pl.col("succeeded").sum(), pl.col("time_s").mean()).sort("robots"))
    print("report:", write_report(Store("results"), load_design(design).name).page)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).with_suffix(".yaml")))
