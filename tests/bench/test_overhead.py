"""The benchmark of the executor runs and says what it is to say."""

from __future__ import annotations

import io

import pytest
from benchmarks.executor import overhead
from rich.console import Console


@pytest.mark.slow
def test_the_executor_is_measured_beside_bare_loops() -> None:
    written = io.StringIO()
    design = {"tiny": (2, "terrain: cross\n  robots: 1\n  localiser: perfect", "{explored: 0.08, time: 5}")}
    overhead(Console(file=written, width=160), rounds=1, designs=design)
    rows = [line for line in written.getvalue().splitlines() if "tiny" in line]
    assert len(rows) == 2
