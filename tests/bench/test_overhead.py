"""The benchmark of the executor runs and says what it is to say."""

from __future__ import annotations

import io

import pytest
from benchmarks.executor import overhead
from rich.console import Console


@pytest.mark.slow
def test_the_executor_is_measured_beside_a_bare_loop() -> None:
    written = io.StringIO()
    overhead(Console(file=written, width=160), rounds=1, missions=2, robots=1, seconds=3.0)
    for row in ("bare loop", "one worker", "two workers"):
        assert row in written.getvalue()
