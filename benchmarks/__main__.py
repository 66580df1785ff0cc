"""`python -m benchmarks [--markdown] [NAME ...] [FILE ...]`: all but those of `ONLY_BY_NAME`, if none is named.

Files are maps for the benchmark `largest`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

# One core, as the figures say: before NumPy starts its threads.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

FOLDER = Path("build/bench")
MARKDOWN = "--markdown"
ONLY_BY_NAME = ("swaps", "live", "seek")
"""A count that takes ten minutes, and those that need a browser and the tools for tests."""


def main() -> None:
    """Run the benchmarks named on the command line."""
    from rich.console import Console

    from benchmarks.cave import cave
    from benchmarks.executor import overhead
    from benchmarks.largest import largest
    from benchmarks.live import live
    from benchmarks.markdown import MarkdownConsole
    from benchmarks.mresim import mresim
    from benchmarks.network import network
    from benchmarks.phases import phases
    from benchmarks.radio import radio
    from benchmarks.rays import compare_casters
    from benchmarks.record import record
    from benchmarks.seek import seek
    from benchmarks.speed import fleets, growth
    from benchmarks.stack import stack
    from benchmarks.swaps import swaps

    console = MarkdownConsole() if MARKDOWN in sys.argv else Console(width=160)
    FOLDER.mkdir(parents=True, exist_ok=True)
    words = [word for word in sys.argv[1:] if word != MARKDOWN]
    maps = [Path(word) for word in words if Path(word).is_file()]
    benchmarks = {
        "rays": lambda: compare_casters(console),
        "fleets": lambda: fleets(console),
        "growth": lambda: growth(console, FOLDER),
        "stack": lambda: stack(console),
        "phases": lambda: phases(console),
        "cave": lambda: cave(console),
        "executor": lambda: overhead(console),
        "network": lambda: network(console),
        "radio": lambda: radio(console),
        "mresim": lambda: mresim(console),
        "largest": lambda: largest(console, maps),
        "swaps": lambda: swaps(console),
        "record": lambda: record(console),
        "live": lambda: live(console),
        "seek": lambda: seek(console),
    }
    named = [word for word in words if Path(word) not in maps] or [
        name for name in benchmarks if name not in ONLY_BY_NAME
    ]
    if unknown := [name for name in named if name not in benchmarks]:
        sys.exit(f"unknown benchmark {unknown[0]!r}; allowed: {', '.join(benchmarks)}, and {MARKDOWN}")
    for name in named:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        benchmarks[name]()
        console.print()


if __name__ == "__main__":
    main()
