"""That the benchmark of radios runs, and that both ways of counting walls agree in it."""

from __future__ import annotations

import io

from benchmarks.markdown import MarkdownConsole
from benchmarks.radio import radio


def test_benchmark_of_radios_finds_no_line_on_which_counts_differ() -> None:
    out = io.StringIO()
    radio(MarkdownConsole(file=out), nodes=12, terrains=("maze", "cave:size=30"), models=("path-loss",), rounds=1)
    rows = [
        line.strip("| ").split(" | ") for line in out.getvalue().splitlines() if line.startswith(("| maze", "| cave"))
    ]
    assert [row[:2] for row in rows[:2]] == [["maze", "66"], ["cave", "66"]]
    assert [row[-1] for row in rows[:2]] == ["0", "0"]
    assert all(float(row[1]) > 0 for row in rows[2:])
