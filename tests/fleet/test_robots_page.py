"""The page about robots says what is true, and what it shows works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from expedition.fleet import names, placement, robot_model

PAGE = (Path(__file__).parents[2] / "docs" / "robots.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_page_lists_every_preset_and_placement():
    listed = re.findall(r"^\| `([\w-]+)`", PAGE, flags=re.MULTILINE)
    assert sorted(listed) == sorted([*names(), *placement.names()])


@pytest.mark.parametrize("text", blocks("yaml"))
def test_robots_on_the_page_are_valid(text, tmp_path):
    path = tmp_path / "shown.yaml"
    path.write_text(text)
    assert robot_model(str(path)).name in text


def test_python_on_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-robot.yaml").write_text(blocks("yaml")[0])
    exec("\n".join(blocks("python")), {})
