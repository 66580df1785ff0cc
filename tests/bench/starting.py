"""`expedition run` as a process of its own, and the missions that it is at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from expedition.bench.places import running_in


def command(design: Path, store: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "expedition", "run", str(design), "--store", str(store), *options]


def run(design: Path, store: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(design, store, *options), capture_output=True, text=True, cwd=design.parent)


@contextmanager
def started(design: Path, store: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run it in a group of processes of its own, as a shell does with what stands on its command line."""
    with subprocess.Popen(
        command(design, store, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, cwd=design.parent,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def being_run(store: Path) -> list[int]:
    return [one.pid for one in running_in(store / "missions")]
