"""The page on strategies: its examples run as they stand, and it names every member of the robot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from expedition.robot import Robot

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.splitlines()[-1][:30])
def test_an_example_runs_as_it_stands(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "docs/strategies.md", "exec"), {"__name__": "__main__"})


def test_the_page_names_every_member_of_the_robot() -> None:
    members = {name for name in vars(Robot) if not name.startswith("_")} | {"id", "rng", "inbox", "memory", "base"}
    assert {name for name in members if f"robot.{name}" not in PAGE} == set()
