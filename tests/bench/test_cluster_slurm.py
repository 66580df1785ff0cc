"""Designs on a real Slurm of one node: the same bytes as here, and jobs that die, are cancelled, or never start."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import expedition
from expedition.bench import jobs as jobs_module
from expedition.bench.cluster import make_executor
from expedition.bench.places import SAME_IN_EVERY_RUN
from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from tests.bench.deeds import deeds, do, in_background, tries
from tests.bench.designs import write_design
from tests.bench.processes import wait_for
from tests.bench.slurm import Slurm, running_slurm, what_is_missing
from tests.bench.starting import being_run, run, started

ROOT = Path(__file__).parents[2]
SOURCE = Path(expedition.__file__).parents[1]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    if reason := what_is_missing():
        pytest.skip(reason)
    with running_slurm(tmp_path_factory.mktemp("slurm")) as started, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLURM_CONF", str(started.configuration))
        yield started


def cluster_file(folder: Path, jobs: int = 2, more: str = "") -> Path:
    path = folder / "cluster.yaml"
    path.write_text(
        f"kind: slurm\njobs: {jobs}\nmemory: 2GB\nwalltime: 10m\ninterface: lo\n"
        f"prologue: ['export PYTHONPATH={SOURCE}:{ROOT}']\n{more}"
    )
    return path


def test_design_gives_the_same_bytes_here_and_on_slurm(slurm: Slurm, tmp_path: Path) -> None:
    design = write_design(tmp_path, strategy="[nearest-frontier, coordinated]", iterations=2)
    here, there = tmp_path / "here", tmp_path / "there"
    for ended in (run(design, here), run(design, there, "--cluster", str(cluster_file(tmp_path)))):
        assert ended.returncode == 0, ended.stderr
        assert "4 explored" in ended.stdout
    keys = Store(here).finished()
    assert len(keys) == 4
    assert keys == Store(there).finished()
    for key in keys:
        for name in SAME_IN_EVERY_RUN:
            assert (here / "missions" / key / name).read_bytes() == (there / "missions" / key / name).read_bytes(), name
    assert len(list((there / "job-logs").glob("expedition-*.err"))) == 2
    wait_for(lambda: not slurm.jobs())


def test_mission_that_kills_its_worker_is_given_up_and_all_others_finish(slurm: Slurm, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os, signal\nasync def deadly(robot):\n"
        "    with open(os.path.join(os.path.dirname(__file__), 'tries'), 'a') as file: file.write('once\\n')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    design, store = write_design(tmp_path, strategy="[mine.py:deadly, nearest-frontier]", iterations=1), tmp_path / "s"
    ended = run(design, store, "--cluster", str(cluster_file(tmp_path)))
    assert ended.returncode == 1, ended.stderr
    assert "1 explored, 1 given up" in ended.stdout
    assert "its worker died on" in ended.stdout
    assert (tmp_path / "tries").read_text().splitlines() == 3 * ["once"]
    (noted,) = Store(store).given_up().values()
    assert "3 times" in noted.why
    assert being_run(store) == []
    wait_for(lambda: not slurm.jobs())


def test_killed_worker_costs_one_more_try(slurm: Slurm, tmp_path: Path) -> None:
    design, store = write_design(tmp_path, explored=0.2, time=300, iterations=4), tmp_path / "store"
    with started(design, store, "--cluster", str(cluster_file(tmp_path))) as process:
        os.kill(wait_for(lambda: being_run(store))[0], signal.SIGKILL)
        written, said = process.communicate()
    assert process.returncode == 0, said
    assert "4 explored" in written
    assert "it is tried again" in said
    assert being_run(store) == []


def test_interrupted_it_cancels_its_jobs(slurm: Slurm, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("async def patient(robot):\n    while True: await robot.wait(1)\n")
    design, store = write_design(tmp_path, strategy="mine.py:patient", explored=0.9, time=1e6), tmp_path / "store"
    with started(design, store, "--cluster", str(cluster_file(tmp_path))) as process:
        wait_for(lambda: len(being_run(store)) == 2)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130, said
    assert "interrupted: 0 of" in said
    assert "Traceback" not in said
    wait_for(lambda: not slurm.jobs())


def test_cancelled_job_is_replaced(slurm: Slurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "GONE_AFTER_S", 2.0)
    planned = deeds(2, d0={"wait for": "go"}, d1={"wait for": "go"})
    executor = make_executor(str(cluster_file(tmp_path, jobs=1)))
    with in_background(executor.run(str(tmp_path / "store"), planned, do)) as found:
        wait_for(lambda: tries(tmp_path / "store", "d0"))
        slurm.ask("scancel", *slurm.jobs())
        (tmp_path / "store" / "go").touch()
    assert [done.ending for done in found] == ["done", "done"]


def test_jobs_without_a_mission_end_while_others_go_on(slurm: Slurm, tmp_path: Path) -> None:
    store = tmp_path / "store"
    planned = deeds(3, d0={"wait for": "go"})
    executor = make_executor(str(cluster_file(tmp_path, jobs=4)))
    with in_background(executor.run(str(store), planned, do)) as found:
        wait_for(lambda: len(found) == 2)
        wait_for(lambda: len(slurm.jobs()) == 1)
        (store / "go").touch()
    assert len(found) == 3
    assert len(list((store / "job-logs").glob("*.err"))) <= 3  # Never more jobs than missions.


def test_jobs_that_end_before_a_worker_comes_are_shown_with_their_last_words(
    slurm: Slurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "ASK_QUEUE_EVERY_S", 0.5)
    path = cluster_file(tmp_path, more="python: /no/such/python\n")
    with pytest.raises(ExpeditionError, match=r"jobs ended before a worker came; .*\n.*/no/such/python: No such file"):
        list(make_executor(str(path)).run(str(tmp_path / "store"), deeds(9), do))
    assert slurm.jobs() == []


def test_job_that_slurm_refuses_is_explained(slurm: Slurm, tmp_path: Path) -> None:
    path = cluster_file(tmp_path, more="partition: nowhere\n")
    with pytest.raises(ExpeditionError, match=r"slurm refuses the job: .*invalid partition"):
        list(make_executor(str(path)).run(str(tmp_path / "store"), deeds(1), do))


def test_program_that_is_not_here_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExpeditionError, match="sbatch: no such program here; is this a machine that submits to slurm"):
        list(make_executor(str(cluster_file(tmp_path))).run(str(tmp_path / "store"), deeds(1), do))
