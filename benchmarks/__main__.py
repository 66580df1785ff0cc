"""`python -m benchmarks [rays|fleets|growth ...]`: all of them if none is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# One core, as the figures say: before NumPy starts its threads.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

FOLDER = Path("build/bench")


def main() -> None:
    """Run the benchmarks named on the command line."""
    from rich.console import Console

    from benchmarks.rays import compare_casters
    from benchmarks.speed import fleets, growth

    console = Console(width=120)
    FOLDER.mkdir(parents=True, exist_ok=True)
    benchmarks = {
        "rays": lambda: compare_casters(console),
        "fleets": lambda: fleets(console),
        "growth": lambda: growth(console, FOLDER),
    }
    named = sys.argv[1:] or list(benchmarks)
    if unknown := [name for name in named if name not in benchmarks]:
        sys.exit(f"unknown benchmark {unknown[0]!r}; allowed: {', '.join(benchmarks)}")
    for name in named:
        benchmarks[name]()
        console.print()


if __name__ == "__main__":
    main()
