"""A user's own radio model: a plain function of a line, or one that makes a model."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.exploring import plan_mission
from expedition.fleet.model import Radio
from expedition.mission import run
from expedition.network import Obstacles, radios
from expedition.terrain import Terrain

PAGE = Path(__file__).parents[2] / "docs/networks.md"
NODES = [Radio(), Radio(range=1.0), None]
PLACES = np.array([[0.5, 2.0], [8.5, 2.0], [1.0, 2.0]])


def obstacles() -> Obstacles:
    """20 x 4 m with walls of half a metre at x = 5 and x = 7."""
    occupied = np.zeros((8, 40), dtype=np.bool_)
    occupied[:, [10, 14]] = True
    return Obstacles.of(Terrain.from_occupied("walls", occupied, 0.5))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A file with the examples of the page on networks."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    file = tmp_path / "my_file.py"
    file.write_text("\n".join(block for block in blocks if "def my_" in block), encoding="utf-8")
    return file


def write(folder: Path, code: str) -> str:
    file = folder / "mine.py"
    file.write_text(code, encoding="utf-8")
    return f"{file}:mine"


def test_function_on_the_page_is_a_radio_model(page: Path) -> None:
    model = radios.make(f"{page}:my_radio", NODES, 1)
    chance = 1.0 - 8.0 / (40.0 * 0.25)
    assert model.reception(PLACES, obstacles(), 0.0).tolist() == [[0, chance, 0], [chance, 0, 0], [0, 0, 0]]
    wider = radios.make(f"{page}:my_radio:reach=80", NODES, 1)
    assert wider.reception(PLACES, obstacles(), 0.0)[0, 1] == pytest.approx(0.6)
    assert wider.between(0, 1, PLACES[[0, 0]], np.array([[8.5, 2.0], [4.5, 2.0]]), obstacles()).tolist() == (
        pytest.approx([0.6, 0.95])
    )


def test_model_on_the_page_talks_on_schedule(page: Path) -> None:
    model = radios.make(f"{page}:my_schedule", NODES, 1)
    near = np.array([[0.5, 2.0], [3.5, 2.0], [1.0, 2.0]])
    assert [model.reception(near, obstacles(), time).sum() for time in (0.0, 9.0, 11.0, 61.0)] == [2, 2, 0, 2]


def test_mission_runs_with_a_users_function(page: Path) -> None:
    mission = plan_mission(
        "cross", 2, "nearest-frontier", 1, settings={"radio": f"{page}:my_radio"}, stop={"time": 3.0}
    )
    assert run(mission).ending == "timed out"


def test_function_asks_for_what_it_needs_only_and_in_its_own_order(tmp_path: Path) -> None:
    code = "def mine(walls, distance):\n    return walls == 2 and distance == 8\n"
    model = radios.make(write(tmp_path, code), NODES, 1)
    assert model.reception(PLACES, obstacles(), 0.0).sum() == 2


@pytest.mark.parametrize("answer", ["1.2", "-0.1", "float('nan')", "None", "'yes'"])
def test_answer_that_is_no_chance_is_refused(tmp_path: Path, answer: str) -> None:
    model = radios.make(write(tmp_path, f"def mine(distance):\n    return {answer}\n"), NODES, 1)
    with pytest.raises(ExpeditionError, match=r"mine.*answered .* for distance 8; allowed: .* from 0 to 1"):
        model.reception(PLACES, obstacles(), 0.0)


@pytest.mark.parametrize("code", ["def mine(nodes, seed):\n    return 3\n", "def mine(*given):\n    return []\n"])
def test_function_that_makes_no_model_is_refused(tmp_path: Path, code: str) -> None:
    with pytest.raises(ExpeditionError, match="without `reception`"):
        radios.make(write(tmp_path, code), NODES, 1)
