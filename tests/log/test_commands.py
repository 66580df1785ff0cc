"""Logs by command: `expedition explore --record`, and those of the missions of a design."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from expedition.bench.places import LOG, SUMS
from expedition.bench.soundness import check
from expedition.bench.store import Store
from expedition.bench.work import carry_out
from expedition.design import load_design
from expedition.errors import ExpeditionError
from expedition.log.detail import Detail
from expedition.log.reader import LogReader
from tests.bench.conftest import small_disk  # noqa: F401  a fixture
from tests.bench.designs import tiny, write_design
from tests.bench.starting import run

EXPLORE = ["explore", "-t", "loop", "-n", "2", "--time-limit", "12", "--quiet"]


def expedition(*words: str, folder: Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program; `limit` is the size of the largest file that it may write, in kB."""
    program = [sys.executable, "-m", "expedition", *words]
    if limit is not None:
        program = ["bash", "-c", f'ulimit -f {limit}; exec "$@"', "-", *program]
    return subprocess.run(program, cwd=folder, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})


@pytest.mark.parametrize(
    ("words", "file"),
    [(["--record"], "log.mcap"), (["--record", "--seed", "4"], "log.mcap"), (["--record", "my.mcap"], "my.mcap")],
)
def test_explore_records_into_the_file_named_or_the_usual_one(words: list[str], file: str, tmp_path: Path) -> None:
    done = expedition(*EXPLORE, *words, folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert f"wrote {file}" in done.stdout
    log = LogReader(tmp_path / file)
    assert log.end == 12.0
    assert not log.is_growing


def test_explore_tells_of_a_log_that_ends_early_and_still_of_the_result(tmp_path: Path) -> None:
    whole = expedition(*EXPLORE, "--json", folder=tmp_path)
    cut = expedition(*EXPLORE, "--json", "--record", folder=tmp_path, limit=40)
    assert cut.stdout == whole.stdout
    assert cut.stderr.strip().startswith("log.mcap: the log ends at ")
    assert cut.returncode == whole.returncode == 1
    assert LogReader(tmp_path / "log.mcap").is_growing


def test_explore_refuses_a_place_for_its_log_before_it_begins(tmp_path: Path) -> None:
    done = expedition(*EXPLORE, "--record", "nowhere/log.mcap", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: nowhere/log.mcap: no log can be written there: No such file or directory\n"


def test_a_design_that_records_keeps_logs_beside_the_same_results(tmp_path: Path) -> None:
    plain = write_design(tmp_path, iterations=1)
    (tmp_path / "recorded.yaml").write_text(plain.read_text() + "record: {scans: 5}\n")
    for design, store in ((plain, "a"), (tmp_path / "recorded.yaml", "b")):
        done = run(design, tmp_path / store, "--workers", "1")
        assert done.returncode == 0, done.stderr
    ((key,), same) = (Store(tmp_path / name).finished() for name in "ab")
    assert same == {key}
    folders = [tmp_path / name / "missions" / key for name in "ab"]
    assert [(folder / LOG).exists() for folder in folders] == [False, True]
    assert (folders[0] / SUMS).read_bytes() == (folders[1] / SUMS).read_bytes()
    assert check(tmp_path / "b" / "missions", [key]).sound.keys() == {key}
    log = LogReader(folders[1] / LOG)
    assert log.header.detail["scans"] == 5.0
    assert log.events == Store(tmp_path / "b").events(key)


def test_run_records_on_demand(tmp_path: Path) -> None:
    done = run(write_design(tmp_path, iterations=1), tmp_path / "store", "--workers", "1", "--record")
    assert done.returncode == 0, done.stderr
    (key,) = Store(tmp_path / "store").finished()
    assert not LogReader(tmp_path / "store" / "missions" / key / LOG).is_growing


def test_a_design_says_whether_and_how_it_records(tmp_path: Path) -> None:
    design = write_design(tmp_path)
    text = design.read_text()
    assert load_design(str(design)).record is None
    design.write_text(text + "record: true\n")
    assert load_design(str(design)).record == Detail()
    design.write_text(text + "record: {maps: null, keyframes: 10}\n")
    assert load_design(str(design)).record == Detail(maps=None, keyframes=10.0)
    design.write_text(text + "record: {mpas: 3}\n")
    with pytest.raises(ExpeditionError, match=r"line \d+: unknown field 'mpas'; did you mean 'maps'"):
        load_design(str(design))


def test_recording_is_no_part_of_what_a_mission_is(tmp_path: Path) -> None:
    design = tiny(tmp_path)
    assert [one.key for one in design.missions()] == [one.key for one in design.recorded().missions()]
    assert [one.parameters for one in design.missions()] == [one.parameters for one in design.recorded().missions()]


def test_results_are_kept_where_a_log_fills_the_disk(small_disk: Path, tmp_path: Path) -> None:  # noqa: F811
    (planned,) = tiny(tmp_path, iterations=1, robots="4", explored=1.0, time=120.0).recorded().missions()
    assert carry_out(str(small_disk / "store"), planned) == "timed out"
    store = Store(small_disk / "store")
    assert not check(store.missions, [planned.key]).damaged
