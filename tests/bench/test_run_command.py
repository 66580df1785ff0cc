"""`expedition run` as users run it: resumed, interrupted, killed, on a full disk, twice at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from expedition.bench.soundness import check
from expedition.bench.store import Store
from tests.bench.designs import write_design
from tests.bench.processes import alive, wait_for
from tests.bench.starting import being_run, run, started


def endless(folder: Path) -> Path:
    """A design of three missions that last until someone ends them: the robots stand and wait."""
    (folder / "waiting.py").write_text("async def waiting(robot):\n    while True:\n        await robot.wait(5.0)\n")
    return write_design(folder, strategy="waiting.py:waiting", explored=1.0, time=1e6)


def test_a_design_is_run_resumed_and_run_anew(tmp_path: Path) -> None:
    design, store = write_design(tmp_path), tmp_path / "store"
    first = run(design, store, "--workers", "2")
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == [
        f"tiny: 3 missions in {store}: 3 explored",
        f"report: expedition report {store} tiny",
    ]
    missions = sorted(Store(store).finished())
    (store / "missions" / missions[0] / "series.parquet").write_bytes(b"PAR1")
    with Store(store).begin(missions[0]):
        second = run(design, store, "--workers", "1", "--resume")
    assert second.returncode == 0
    assert f"1 mission is being run into {store} by other processes; it is left for last" in second.stderr
    assert "1 finished mission is damaged and run again" in second.stderr
    assert f"{missions[0]}: series.parquet is not what was written" in second.stderr
    assert "2 of 3 missions are finished already; 1 to go" in second.stderr
    assert len(check(store / "missions", missions).sound) == 3


def test_a_mission_that_kills_its_worker_is_given_up_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os, signal\nasync def mine(robot, *, deadly: bool = False):\n"
        "    if deadly: os.kill(os.getpid(), signal.SIGKILL)\n    raise ValueError('my mistake')\n"
    )
    design = write_design(tmp_path, strategy="['mine.py:mine:deadly=true', nearest-frontier]", iterations=1)
    ended = run(design, tmp_path / "store", "--workers", "2")
    assert ended.returncode == 1, ended.stderr
    assert "tiny: 2 missions" in ended.stdout
    assert "1 explored, 1 given up" in ended.stdout
    assert "its worker was killed (SIGKILL)" in ended.stdout
    assert "3 times" in ended.stdout
    (noted,) = Store(tmp_path / "store").given_up().values()
    assert "mine.py" in str(noted.vector["strategy"])
    assert Store(tmp_path / "store").running() == []


@pytest.mark.parametrize(
    ("number", "option", "standing"),
    [
        (signal.SIGINT, "--resume", "are finished and kept in {store}; the same command continues"),
        (signal.SIGTERM, "--fresh", "were run anew and kept in {store}; without --fresh, the same command keeps these"),
    ],
)
def test_interrupted_it_keeps_what_is_finished_and_says_how_to_continue(
    tmp_path: Path, number: int, option: str, standing: str
) -> None:
    design, store = endless(tmp_path), tmp_path / "store"
    with started(design, store, "--workers", "2", option) as process:
        wait_for(lambda: len(being_run(store)) == 2)
        workers = being_run(store)
        # Ctrl-C goes to all processes of the group, a request to end to the one that was named.
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        _, said = process.communicate()
    assert process.returncode == 130, said
    assert f"interrupted: 0 of 3 missions {standing.format(store=store)}" in said
    assert "Traceback" not in said
    assert not any(alive(pid) for pid in workers)
    assert os.listdir(store / "missions") == []


def test_killed_it_leaves_no_half_written_mission_and_its_workers_end(tmp_path: Path) -> None:
    design, store = endless(tmp_path), tmp_path / "store"
    with started(design, store, "--workers", "2") as process:
        wait_for(lambda: len(being_run(store)) == 2)
        workers = being_run(store)
        process.kill()
        process.communicate()
    wait_for(lambda: not any(alive(pid) for pid in workers))
    assert Store(store).finished() == set()
    # What they had begun is removed by the next run, whose missions are others.
    assert run(write_design(tmp_path, iterations=1), store).returncode == 0
    assert being_run(store) == []
    assert len(os.listdir(store / "missions")) == 1


def test_a_killed_worker_costs_one_more_try(tmp_path: Path) -> None:
    design, store = write_design(tmp_path, explored=0.4, time=2000.0, iterations=4), tmp_path / "store"
    with started(design, store, "--workers", "2") as process:
        os.kill(wait_for(lambda: being_run(store))[0], signal.SIGKILL)
        written, said = process.communicate()
    assert process.returncode == 0, said
    assert "4 explored" in written
    assert "it is tried again" in said
    assert len(check(store / "missions", Store(store).finished()).sound) == 4
    assert being_run(store) == []


def test_on_a_full_disk_it_ends_with_one_sentence_and_continues_when_there_is_room(small_disk: Path) -> None:
    design, store = write_design(small_disk, iterations=7), small_disk / "store"
    (small_disk / "ballast").write_bytes(bytes(250_000))
    full = run(design, store, "--workers", "2")
    assert full.returncode == 2, full.stderr
    assert full.stderr.splitlines()[-1] == (
        f"error: {store}: the disk is full; put that right and give the same command again, finished missions are kept"
    )
    assert "Traceback" not in full.stderr
    finished = Store(store).finished()
    assert 0 < len(finished) < 7
    assert sorted(os.listdir(store / "missions")) == sorted(finished)
    assert len(check(store / "missions", finished).sound) == len(finished)
    before = {key: (store / "missions" / key).stat().st_ino for key in finished}
    (small_disk / "ballast").unlink()
    assert run(design, store, "--workers", "2").returncode == 0
    assert len(Store(store).finished()) == 7
    assert all((store / "missions" / key).stat().st_ino == inode for key, inode in before.items())


def test_two_runs_into_one_store_both_end_well(tmp_path: Path) -> None:
    design, store = write_design(tmp_path, iterations=8), tmp_path / "store"
    with started(design, store, "--workers", "1") as one, started(design, store, "--workers", "1") as other:
        said = [process.communicate() for process in (one, other)]
    assert [one.returncode, other.returncode] == [0, 0], said
    assert all("8 missions" in written and "8 explored" in written for written, _ in said)
    assert len(check(store / "missions", Store(store).finished()).sound) == 8
    assert being_run(store) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["no-such-design"], "no-such-design"),
        (["tiny.yaml", "--cluster", "no-such.yaml"], "no-such.yaml"),
        (["tiny.yaml", "--store", "tiny.yaml"], "tiny.yaml: cannot be written: Not a directory"),
    ],
)
def test_a_mistake_ends_with_one_sentence(tmp_path: Path, options: list[str], sentence: str) -> None:
    write_design(tmp_path)
    words: list[Any] = [sys.executable, "-m", "expedition", "run", *options]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: ")
    assert sentence in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
