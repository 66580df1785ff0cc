"""The page on logs: its examples run as they stand, and its table is that of the settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from expedition.log.detail import Detail
from expedition.log.topics import OF_BASE, OF_MISSION, OF_ROBOT

PAGE = (Path(__file__).parents[2] / "docs" / "logs.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert len(examples) == 3
    for example in examples:
        exec(compile(example, "docs/logs.md", "exec"), {"__name__": "__main__"})
    assert "timed out" not in capsys.readouterr().err


def test_the_table_of_details_is_that_of_the_settings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\S+) \|$", PAGE, re.M)
    defaults = {name: str(field.default).lower().removesuffix(".0") for name, field in Detail.model_fields.items()}
    assert dict(rows) == defaults


def test_every_topic_is_on_the_page() -> None:
    for topic in [*OF_MISSION, *OF_BASE, *(f"/robot_i/{name}" for name in OF_ROBOT)]:
        name = topic.removesuffix("_updates")
        assert f"`{name}`" in PAGE or topic == "/base/decision", topic
