"""`expedition explore` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from expedition.cli import app
from expedition.errors import ExpeditionError
from expedition.settings import ControllerSettings

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "expedition", "explore", "--terrain", "cross", "--localiser", "perfect"]
FAILING = """
async def stumble(robot, *, after: float = 1.0):
    await robot.wait(after)
    robot.memory["nothing"]
"""


def explore(*words: str, folder: Path, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run([*COMMAND, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def refused(*words: str) -> str:
    """The sentence with which the command refuses."""
    result = CliRunner().invoke(app, ["explore", "--terrain", "cross", "--robots", "2", *words])
    assert isinstance(result.exception, ExpeditionError), result.output
    return str(result.exception)


def test_a_mission_ends_with_a_sentence_a_table_and_a_picture(tmp_path: Path) -> None:
    run = explore("--robots", "2", "--seed", "1", "--explored", "0.5", "--picture", "end.png", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "cross, 2 x pioneer-3dx, nearest-frontier, seed 1"
    assert re.match(r"explored: after [\d.]+ s robot [01] knows 50\.\d% of the ground", lines[1])
    table = dict(re.split(r"\s{2,}", line.strip())[:2] for line in lines[4:] if "  " in line)
    assert {"time", "T90", "T99", "cost", "efficiency", "map error", "map quality", "traffic sent"} <= set(table)
    assert table["T99"] == "not reached"
    assert table["mean trajectory error"] == "0.000 m"
    assert re.fullmatch(r"[\d.]+ MB, [\d.]+ MB a robot", table["traffic sent"])
    assert "wrote end.png" in run.stdout
    with Image.open(tmp_path / "end.png") as picture:
        assert min(picture.size) > 500


def test_json_has_the_same_bytes_in_two_runs_and_all_that_was_asked_for(tmp_path: Path) -> None:
    words = ["--robots", "2", "--seed", "3", "--time-limit", "20", "--json-series", "--set", "local.horizon=1.5"]
    words += ["--strategy", "cost-utility:range=6", "--param", "weight=0.25"]
    first, second = explore(*words, folder=tmp_path), explore(*words, "--quiet", folder=tmp_path)
    assert first.returncode == second.returncode == 1  # The time was over before 99 % were explored.
    assert first.stdout == second.stdout
    told = json.loads(first.stdout)
    assert told["ending"] == "timed out"
    assert told["mission"]["strategy"] == "cost-utility:range=6,weight=0.25"
    assert told["mission"]["settings"]["local"]["horizon"] == 1.5
    assert told["mission"]["settings"]["localiser"] == "perfect"
    assert told["series"]["time_s"] == [float(second) for second in range(21)]
    assert len(told["series"]["pose"][0]) == len(told["robots"]) == 2
    assert told["robots"][0]["explored"] == told["series"]["explored"][-1][0]
    assert told["metrics"]["t99_s"] is None


def test_a_strategy_that_raises_shows_its_line_and_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FAILING)
    words = ["--robots", "2", "--strategy", "mine.py:stumble", "--param", "after=2"]
    run = explore(*words, folder=tmp_path, encoding="ascii")  # And the table does not fail over its m².
    assert run.returncode == 1, run.stderr
    assert "failed: the strategy of robot 0 failed after 2.0 s" in run.stdout
    assert "completeness" in run.stdout
    assert 'robot.memory["nothing"]' in run.stderr
    assert "line 4, in stumble" in run.stderr


def test_a_radio_that_raises_is_a_mistake_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def deaf(distance):\n    raise ValueError('no ears')\n")
    run = explore("--robots", "2", "--radio", "mine.py:deaf", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines()[-1].startswith("error: the radio mine.py:deaf failed after 0.0 s at ")
    assert run.stderr.endswith("mine.py:2: ValueError: 'no ears'\n")


def test_control_c_ends_the_mission_and_shows_what_was_measured(tmp_path: Path) -> None:
    words = [*COMMAND, "--robots", "1", "--strategy", "random-walk", "--explored", "1", "--time-limit", "100000"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as run:
        assert run.stderr is not None
        assert run.stderr.readline().startswith("1 robot can reach 100.0% of ")
        assert run.stderr.readline().startswith("100 s: ")
        run.send_signal(signal.SIGINT)
        shown, _ = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "interrupted: after " in shown
    assert "completeness" in shown


def test_a_terminal_sees_the_mission_run_and_then_the_table(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "110", "LINES": "30"}
    words = [*COMMAND, "--robots", "2", "--time-limit", "30"]
    with subprocess.Popen(words, stdout=theirs, stderr=theirs, stdin=theirs, env=environment, cwd=tmp_path) as run:
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 4096):
                written += chunk
        except OSError:  # The end, on Linux.
            pass
    os.close(ours)
    assert run.returncode == 1, written.decode()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written.decode())
    assert "cross, 2 robots, nearest-frontier, seed 0" in shown
    assert re.search(r"[\d.]+% explored +30 s", shown)
    assert re.search(r"● 1 +driving", shown)
    assert "▀▀▀▀" in shown  # the map
    assert shown.index("● 1") < shown.index("timed out: when 30 s were over")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--terrain", "cros"], "did you mean 'cross'?"),
        (["--strategy", "nearest-frontir"], "unknown strategy 'nearest-frontir'; did you mean 'nearest-frontier'?"),
        (["--strategy", "nowhere.py:mine"], "nowhere.py: no such file"),
        (["--strategy", "cost-utility:rang=8"], "unknown field 'rang'; did you mean 'range'?"),
        (["--param", "range=8"], "nearest-frontier: unknown field 'range'"),
        (["--param", "range"], "--param: expected name=value, found 'range'"),
        (["--set", "local.horizn=1"], "unknown field 'horizn'; did you mean 'horizon'?"),
        (["--set", "local.horizon=-1"], "local.horizon: input should be greater than 0, found -1"),
        (["--set", "=1"], "--set: expected name=value"),
        (["--set", "grid=counters", "--set", "grid=log-odds"], "--set: grid is set already"),
        (["--set", "radio=none", "--radio", "circle"], "--set: radio is set already"),
        (["--set", "local=1", "--set", "local.horizon=2"], "--set local.horizon: local is set as a whole already"),
        (["--localiser", "pefect"], "did you mean 'perfect'?"),
        (["--robots", "0"], "a fleet has 1 to"),
        (["--explored", "1.5"], "explored: share: input should be less than or equal to 1, found 1.5"),
        (["--time-limit", "0"], "time: seconds: input should be greater than 0, found 0.0"),
        (["--picture", "end.doc"], "unknown picture format '.doc'"),
        (["--picture", "/nowhere/end.png"], "there is no folder '/nowhere'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    assert sentence in refused(*words)


def test_the_help_names_the_defaults_of_the_settings() -> None:
    helped = " ".join(CliRunner().invoke(app, ["explore", "--help"], env={"COLUMNS": "200"}).output.split())
    for field in ("localiser", "merge", "planner", "radio"):
        assert f"{ControllerSettings.model_fields[field].default} (the default)" in helped


def test_strategies_are_listed_and_shown_with_their_papers() -> None:
    listed = CliRunner().invoke(app, ["strategy", "list"], env={"COLUMNS": "200"}).output
    for name in ("nearest-frontier", "cost-utility", "coordinated", "market", "min-pos", "hungarian", "random-walk"):
        assert f"\n{name} " in listed
    shown = CliRunner().invoke(app, ["strategy", "show", "hungarian"]).output
    assert "H. W. Kuhn" in shown
    assert re.search(r"max_age +30.0", shown)


def test_the_example_that_compares_strategies_prints_a_table_and_writes_a_report(tmp_path: Path) -> None:
    design = tmp_path / "small.yaml"
    design.write_text(
        "name: small\nparameters: {terrain: cross, robots: [1, 2], strategy: nearest-frontier, localiser: perfect}\n"
        "iterations: 2\nstop: {explored: 0.2}\n"
    )
    script = ROOT / "examples" / "03_compare_strategies.py"
    run = subprocess.run(
        [sys.executable, str(script), str(design)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(" explored\n") == 4
    assert "nearest-frontier" in run.stdout
    page = (tmp_path / run.stdout.rpartition("report: ")[2].strip()).read_text(encoding="utf-8")
    assert "data:image" in page
