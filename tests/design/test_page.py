"""The page on designs shows what works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from expedition.design import load_design
from expedition.design.schema import DesignFile
from expedition.design.trial import try_out
from expedition.measure.stops import stop_condition
from tests.design.writing import write

PAGE = (Path(__file__).parents[2] / "docs" / "designs.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[str]:
    """The first cells of the table below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)`", section, flags=re.MULTILINE)


@pytest.mark.parametrize("text", blocks("yaml"))
def test_a_design_on_the_page_is_right(text: str, tmp_path: Path) -> None:
    write(tmp_path, "\n".join(code for code in blocks("python") if code.startswith("def ")), "my_file.py")
    design = load_design(write(tmp_path, text))
    assert try_out(design.missions()) >= 1


def test_the_first_design_makes_as_many_missions_as_the_page_says(tmp_path: Path) -> None:
    assert len(load_design(write(tmp_path, blocks("yaml")[0]))) == 30
    assert "30 missions" in PAGE


def test_functions_on_the_page_do_what_they_say(tmp_path: Path) -> None:
    functions: dict[str, object] = {}
    exec("\n".join(code for code in blocks("python") if code.startswith("def ")), functions)
    (vectors,) = (text for text in blocks("yaml") if "my_file.py:my_vectors" in text)
    write(tmp_path, "\n".join(code for code in blocks("python") if code.startswith("def ")), "my_file.py")
    found = [(vector["terrain"], vector["robots"]) for vector in load_design(write(tmp_path, vectors)).vectors]
    assert found == [("maze", 2), ("maze", 4), ("maze", 8), ("cross", 2), ("cross", 4)]


def test_tables_list_every_field_and_every_stop_condition() -> None:
    assert rows("Fields") == list(DesignFile.model_fields)
    named = {cell.partition(":")[0] for cell in rows("Stop conditions")} - {"my_file.py"}
    assert named == set(stop_condition.names())


def test_every_way_to_write_a_parameter_of_the_paper_is_right(tmp_path: Path) -> None:
    section = PAGE.partition("### Every parameter of the 2017 paper")[2].partition("\n## ")[0]
    # Some belong together: what a car or a disc needs, what only one terrain or placement has.
    needs = {
        "terrain.density": {"terrain": "forest"},
        "terrain.shape": {"terrain": "forest"},
        "terrain.size": {"terrain": "cave"},
        "placement.positions": {"placement": "at"},
        "robot.body.shape": {"robot.body.radius": 0.3},
    }
    usual = {"terrain": "maze", "robots": 2, "strategy": "nearest-frontier"}
    for written in re.findall(r"`([a-z_.]+: [^`]+)`", section):
        (name, value), *_ = yaml.safe_load(written).items()
        if name == "placement.file" or value == "at":
            continue
        parameters = {**usual, **needs.get(name, {}), name: value}
        assert len(load_design(write(tmp_path, yaml.safe_dump({"parameters": parameters})))) >= 1, written


def test_python_on_the_page_runs(tmp_path: Path) -> None:
    (code,) = (code for code in blocks("python") if "load_design" in code)
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "48 missions; varied: terrain, robots, strategy" in run.stdout
