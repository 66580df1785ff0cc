"""A user's own radio model: a plain function of a line, or one that makes a model."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.exploring import plan_mission
from expedition.failure import StrategyFailed
from expedition.fleet.model import Radio
from expedition.mission import run
from expedition.network import Circle, Obstacles, radios
from expedition.robot import Robot
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


MODEL = """
import numpy as np
class Model:
    def reception(self, positions, obstacles, time):
        return {answer}
    def between(self, sender, receiver, starts, ends, obstacles):
        return {answer}
def mine(nodes, seed):
    return Model()
"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("None", "`reception` answered None; allowed: an array (3, 3) of chances from 0 to 1"),
        ("'hello'", "`reception` answered 'hello'; allowed"),
        ("np.ones((1, 1))", "`reception` answered an array (1, 1); allowed: an array (3, 3)"),
        ("np.full((3, 3), np.nan)", "`reception` answered nan at [0, 0]; allowed"),
        ("7.0 * (1 - np.eye(3))", "`reception` answered 7 at [0, 1]; allowed"),
        ("np.eye(3) - 1", "`reception` answered -1 at [0, 1]; allowed"),
        ("np.eye(3)", "`reception` lets node 0 hear itself; allowed: 0 on the diagonal"),
        ("1 / 0", "mine.py:5: ZeroDivisionError: 'division by zero'"),
    ],
)
def test_model_that_answers_no_chances_fails_with_its_name(tmp_path: Path, answer: str, told: str) -> None:
    model = radios.make(write(tmp_path, MODEL.format(answer=answer)), NODES, 1)
    with pytest.raises(StrategyFailed, match=re.escape(told)) as caught:
        model.reception(PLACES, obstacles(), 3.0)
    assert str(caught.value).startswith(f"the radio {tmp_path}/mine.py:mine failed after 3.0 s")


def test_model_is_asked_about_plans_with_the_same_care(tmp_path: Path) -> None:
    good = radios.make(write(tmp_path, MODEL.format(answer="[0.5, True]")), NODES, 1)
    assert good.between(0, 1, PLACES[:2], PLACES[:2], obstacles()).tolist() == [0.5, 1.0]
    with pytest.raises(StrategyFailed, match=re.escape("`between` answered an array (2,); allowed: an array (3,)")):
        good.between(0, 1, PLACES, PLACES, obstacles())


def test_models_that_ship_are_not_looked_at() -> None:
    assert isinstance(radios.make("circle", NODES, 1), Circle)


@pytest.mark.parametrize("code", ["def mine(nodes, seed):\n    return 3\n", "def mine(*given):\n    return []\n"])
def test_function_that_makes_no_model_is_refused(tmp_path: Path, code: str) -> None:
    model = radios.make(write(tmp_path, code), NODES, 1)
    with pytest.raises(StrategyFailed, match=r"mine.py:mine failed .* without `reception`"):
        model.reception(PLACES, obstacles(), 0.0)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "takes no arguments; allowed: distance, walls, wall_metres, or (nodes, seed)"),
        ("dist", "unknown argument 'dist'; did you mean 'distance'? allowed: distance, wall_metres, walls, or (nodes,"),
        ("distance, wals", "unknown argument 'wals'; did you mean 'walls'?"),
        ("distance, reach=40.0", "unknown argument 'reach'; allowed: .* what may be set stands after a `\\*`"),
        ("nodes, seed, more", "unknown argument 'nodes'; allowed"),
    ],
)
def test_function_with_other_arguments_is_refused_before_it_is_called(
    tmp_path: Path, arguments: str, told: str
) -> None:
    pattern = told if ".*" in told else re.escape(told)
    with pytest.raises(ExpeditionError, match=rf"radio .*mine.py:mine: {pattern}"):
        radios.find(write(tmp_path, f"def mine({arguments}):\n    return 1.0\n"))


@pytest.mark.parametrize(
    "code",
    [
        "def mine(distance):\n    raise ValueError('boom')\n",
        "def mine(nodes, seed):\n    raise ValueError('boom')\n",
    ],
)
def test_radio_that_raises_fails_its_mission_with_its_name_and_line(tmp_path: Path, code: str) -> None:
    radio = write(tmp_path, code)
    mission = plan_mission("cross", 2, "nearest-frontier", 1, settings={"radio": radio}, stop={"time": 3.0})
    result = run(mission)
    assert result.ending == "failed"
    assert str(result.failure) == f"the radio {radio} failed after 0.0 s at {tmp_path}/mine.py:2: ValueError: 'boom'"
    assert "raise ValueError('boom')" in result.failure.report  # type: ignore[union-attr]


def test_strategy_that_asks_a_radio_that_raises_is_not_blamed(tmp_path: Path) -> None:
    async def asks(robot: Robot) -> None:
        await robot.wait(1.0)
        robot.link_chance((0.0, 0.0), (1.0, 1.0))

    radio = write(tmp_path, MODEL.format(answer="np.zeros((2, 2))"))
    result = run(plan_mission("cross", 2, asks, 1, settings={"radio": radio}, stop={"time": 3.0}))
    assert str(result.failure).startswith(f"the radio {radio} failed after 1.0 s: `between` answered an array (2, 2)")
