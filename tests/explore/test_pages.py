"""The commands, and whole Python examples, on the pages about networks and base stations run as they stand."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NEEDS_A_FILE = re.compile(r"\.(py|yaml|png)\b")


def commands() -> list[str]:
    """Those of `expedition explore` that need no file of the reader's own."""
    text = "".join((DOCS / name).read_text().replace("\\\n", " ") for name in ("networks.md", "base-stations.md"))
    found = re.findall(r"^\$ expedition (explore .*)$", text, re.MULTILINE)
    return [command for command in found if not NEEDS_A_FILE.search(command)]


def test_pages_have_commands() -> None:
    assert len(commands()) >= 10


@pytest.mark.parametrize("command", commands())
def test_command_is_no_mistake(command: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "expedition", *shlex.split(command), "--quiet", "--time-limit", "2"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stderr  # Two seconds are not enough, which is no mistake.
    assert "timed out" in ended.stdout


def examples() -> list[str]:
    """Those in Python that send robots out by themselves."""
    text = "".join((DOCS / name).read_text() for name in ("networks.md", "base-stations.md"))
    found = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [example for example in found if "= explore(" in example]


def test_pages_have_examples() -> None:
    assert examples()


@pytest.mark.parametrize("example", examples())
def test_example_runs_as_it_stands(example: str, tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
