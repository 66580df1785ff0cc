"""Run a design from Python: its missions on all cores, then what came of them as a table, and a report.

python examples/03_compare_strategies.py [DESIGN.yaml]
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from expedition.bench import run_design
from expedition.report import write_report


def main(design: str) -> None:
    """Run a design into the folder `results`; what is finished there is not run again."""
    results = run_design(design, "results", tell=print)
    print(results.group_by("strategy", "robots").agg(pl.col("time_s").mean(), pl.col("succeeded").sum()).sort("robots"))
    print(write_report("results", Path(design).stem if design.endswith("yaml") else design).page)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).with_suffix(".yaml")))
