"""Looking at processes from outside."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any


def alive(pid: int) -> bool:
    """Whether a process runs: one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(happened: Any, seconds: float = 300.0) -> Any:
    """Wait until something has happened and give it; a test that waits in vain fails."""
    until = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
    return found
