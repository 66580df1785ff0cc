"""The executor on a Dask scheduler that is running already: workers come, go and die."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

import expedition
from expedition.bench import cluster as cluster_module
from expedition.bench import dask_executor
from expedition.bench.cluster import Running, Workplace, make_executor
from expedition.bench.crew import JOB_BEGAN
from expedition.bench.dask_executor import DaskExecutor
from expedition.bench.durable import StoreError
from expedition.bench.executor import Done
from expedition.bench.store import Store
from expedition.errors import ExpeditionError
from tests.bench.deeds import Undeliverable, deeds, do, in_background, tries
from tests.bench.processes import wait_for
from tests.bench.slurm import free_ports

ROOT = Path(__file__).parents[2]
SOURCE = Path(expedition.__file__).parents[1]
ONE_THREAD = ("--nthreads", "1", "--no-dashboard")


@contextmanager
def scheduler_alone() -> Iterator[LocalCluster]:
    """A scheduler that workers have yet to come to."""
    with LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster


@contextmanager
def worker_of(
    cluster: LocalCluster | str,
    *options: str,
    before: tuple[str, ...] = (),
    source: Path = SOURCE,
    job_age_s: float | None = None,
) -> Iterator[None]:
    """A worker as users start one, in a process of its own."""
    address = cluster if isinstance(cluster, str) else cluster.scheduler_address
    command = [*before, sys.executable, "-m", "distributed.cli.dask_worker", address, *options]
    environment = {**os.environ, "PYTHONPATH": f"{source}:{ROOT}"}
    if job_age_s is not None:
        environment[JOB_BEGAN] = str(int(time.time() - job_age_s))
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def two_workers() -> Iterator[LocalCluster]:
    with scheduler_alone() as cluster, worker_of(cluster, "--nworkers", "2", *ONE_THREAD):
        yield cluster


def process_of(folder: Path, key: str) -> int:
    """The process that began a deed last."""
    wait_for(lambda: tries(folder, key))
    return int((folder / f"{key}.tries").read_text().splitlines()[-1])


def by_key(results: Iterator[Done]) -> dict[str, Done]:
    return {done.planned.key: done for done in results}


def test_all_is_done_once_and_the_scheduler_never_knows_more_than_workers_can_do(
    two_workers: LocalCluster, tmp_path: Path
) -> None:
    planned = deeds(200)
    known = []
    keys = set()
    for done in make_executor(two_workers.scheduler_address).run(str(tmp_path), planned, do):
        assert (done.ending, done.error) == ("done", None)
        keys.add(done.planned.key)
        known.append(len(two_workers.scheduler.tasks))
    assert keys == {one.key for one in planned}
    assert all(tries(tmp_path, key) == 1 for key in keys)
    assert max(known) <= 2 * 2  # What they do, and what they have just done.


def test_relative_folder_is_the_same_one_for_workers(
    two_workers: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    results = by_key(make_executor(two_workers.scheduler_address).run("results", deeds(2), do))
    assert len(results) == 2
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["d0.tries", "d1.tries"]


def test_worker_killed_in_the_middle_costs_its_mission_one_more_try(two_workers: LocalCluster, tmp_path: Path) -> None:
    planned = deeds(30, d0={"wait for": "go"})
    results = make_executor(two_workers.scheduler_address).run(str(tmp_path), planned, do)
    first = next(results)
    os.kill(process_of(tmp_path, "d0"), signal.SIGKILL)
    (tmp_path / "go").touch()
    rest = by_key(results)
    assert {done.ending for done in (first, *rest.values())} == {"done"}
    assert len(rest) == 29
    assert [tries(tmp_path, one.key) for one in planned] == [2] + 29 * [1]


def test_mission_that_always_kills_its_worker_is_given_up_after_three_tries_and_no_other(
    two_workers: LocalCluster, tmp_path: Path
) -> None:
    planned = deeds(40, d2={"kill": True}, d20={"kill once": True})
    results = by_key(make_executor(two_workers.scheduler_address).run(str(tmp_path), planned, do))
    assert len(results) == 40
    for key, done in results.items():
        if key == "d2":
            assert done.ending is None
            assert "its worker died on" in str(done.error)
            assert "3 times" in str(done.error)
            assert tries(tmp_path, key) == 3
        else:
            assert done.ending == "done"
            assert tries(tmp_path, key) == (2 if key == "d20" else 1)


def test_worker_that_comes_back_at_its_old_address_does_not_hide_a_death(tmp_path: Path) -> None:
    port = str(free_ports(1)[0])
    options = ("--worker-port", port, *ONE_THREAD)
    with scheduler_alone() as cluster, worker_of(cluster, *options):
        planned = deeds(5, d1={"kill": True})
        results = by_key(make_executor(cluster.scheduler_address).run(str(tmp_path), planned, do))
    assert [key for key, done in results.items() if done.error] == ["d1"]
    assert [tries(tmp_path, f"d{i}") for i in range(5)] == [1, 3, 1, 1, 1]


def test_worker_closed_by_order_is_no_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "TRIES", 2)
    planned = deeds(1, d0={"wait for": "go", "begin": True})
    with (
        scheduler_alone() as cluster,
        worker_of(cluster, "--nworkers", "3", *ONE_THREAD),
        Client(cluster, set_as_default=False) as client,
    ):
        client.wait_for_workers(3)
        with in_background(make_executor(cluster.scheduler_address).run(str(tmp_path), planned, do)) as found:
            for turn in (1, 2):
                wait_for(lambda turn=turn: tries(tmp_path, "d0") == turn)
                number = process_of(tmp_path, "d0")
                address = next(address for address, pid in client.run(os.getpid).items() if pid == number)
                client.retire_workers([address], close_workers=True)
            wait_for(lambda: tries(tmp_path, "d0") == 3)
            (tmp_path / "go").touch()
    assert [done.ending for done in found] == ["done"]
    assert Store(tmp_path).running() == []


def test_error_of_a_mission_is_reported_and_the_worker_goes_on(two_workers: LocalCluster, tmp_path: Path) -> None:
    planned = deeds(4, d0={"raise": "too bad"}, d1={"exit": 3})
    results = by_key(make_executor(two_workers.scheduler_address).run(str(tmp_path), planned, do))
    assert "Traceback" in str(results["d0"].error)
    assert "ValueError: too bad" in str(results["d0"].error)
    assert "SystemExit: 3" in str(results["d1"].error)
    assert [results["d2"].ending, results["d3"].ending] == ["done", "done"]
    assert [tries(tmp_path, one.key) for one in planned] == [1, 1, 1, 1]


def test_parcels_that_no_worker_can_open_are_blamed_on_no_mission(two_workers: LocalCluster, tmp_path: Path) -> None:
    results = make_executor(two_workers.scheduler_address).run(str(tmp_path), deeds(9), Undeliverable())
    with pytest.raises(
        ExpeditionError, match=r"Dask cannot hand missions to its workers, the last on .*: RuntimeError"
    ):
        next(results)


def test_error_of_the_store_ends_the_run(two_workers: LocalCluster, tmp_path: Path) -> None:
    planned = deeds(50, d0={"store error": "the disk is full"})
    with pytest.raises(StoreError, match="the disk is full"):
        list(make_executor(two_workers.scheduler_address).run(str(tmp_path), planned, do))


def test_closing_the_iterator_lets_go_of_what_workers_were_sent(two_workers: LocalCluster, tmp_path: Path) -> None:
    results = make_executor(two_workers.scheduler_address).run(str(tmp_path), deeds(20, d0={"wait for": "go"}), do)
    next(results)
    results.close()  # type: ignore[attr-defined]
    wait_for(lambda: not two_workers.scheduler.tasks)
    (tmp_path / "go").touch()
    assert len(two_workers.scheduler.workers) == 2
    assert not list(tmp_path.glob(".seen*"))
    assert tries(tmp_path, "d19") == 0


def test_address_where_nobody_answers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_S", 1)
    address = f"tcp://127.0.0.1:{free_ports(1)[0]}"
    with pytest.raises(ExpeditionError, match=f"{address}: no Dask scheduler answers there"):
        list(make_executor(address).run(str(tmp_path), deeds(1), do))


def test_scheduler_without_workers_is_waited_for_with_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "PATIENCE_S", 0.1)
    said: list[str] = []
    with (
        scheduler_alone() as cluster,
        contextlib.ExitStack() as later,
        in_background(make_executor(cluster.scheduler_address, said.append).run(str(tmp_path), deeds(1), do)) as found,
    ):
        wait_for(lambda: said)
        later.enter_context(worker_of(cluster, *ONE_THREAD))
    assert said == [
        f"the scheduler at {cluster.scheduler_address} has no workers; start some: "
        f"dask worker {cluster.scheduler_address} --nthreads 1"
    ]
    assert [done.ending for done in found] == ["done"]


class Hourly(Running):
    """Workers that are there for one run, each for an hour."""

    own = True
    walltime_s = 3600.0


def hourly(cluster: LocalCluster) -> Callable[[Path], AbstractContextManager[Workplace]]:
    @contextmanager
    def opened(folder: Path) -> Iterator[Workplace]:
        with Client(cluster, set_as_default=False) as client:
            yield Hourly(client, cluster.scheduler_address)

    return opened


def test_what_workers_of_this_run_had_begun_is_removed_when_it_is_broken_off(tmp_path: Path) -> None:
    with scheduler_alone() as cluster, worker_of(cluster, "--nworkers", "2", *ONE_THREAD):
        planned = deeds(5, d0={"wait for": "go", "begin": True})
        results = DaskExecutor(hourly(cluster)).run(str(tmp_path), planned, do)
        next(results)
        wait_for(lambda: [one.key for one in Store(tmp_path).running()] == ["d0"])
        results.close()  # type: ignore[attr-defined]
        assert Store(tmp_path).running() == []
        (tmp_path / "go").touch()


def test_worker_whose_job_is_about_to_end_gets_no_mission_and_goes_home(tmp_path: Path) -> None:
    with (
        scheduler_alone() as cluster,
        worker_of(cluster, "--name", "old", *ONE_THREAD, job_age_s=3700),
        worker_of(cluster, "--name", "new", *ONE_THREAD, job_age_s=10),
        in_background(DaskExecutor(hourly(cluster)).run(str(tmp_path), deeds(20, d0={"wait for": "go"}), do)) as found,
    ):
        wait_for(lambda: len(found) == 0 and [one.name for one in cluster.scheduler.workers.values()] == ["new"])
        (tmp_path / "go").touch()
    assert {done.ending for done in found} == {"done"}
    assert len({process_of(tmp_path, f"d{i}") for i in range(20)}) == 1


def test_scheduler_that_goes_away_ends_the_run_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_S", 2)
    with scheduler_alone() as cluster, worker_of(cluster, *ONE_THREAD):
        results = make_executor(cluster.scheduler_address).run(str(tmp_path), deeds(50), do)
        next(results)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        pytest.raises(ExpeditionError, match=r"lost the Dask scheduler.*give the same command again"),
    ):
        list(results)


def test_scheduler_that_is_killed_in_the_middle_of_a_mission_ends_the_run_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_S", 5)
    port = str(free_ports(1)[0])
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", port, "--no-dashboard"]
    quiet = subprocess.DEVNULL
    scheduler = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)

    def kill() -> None:
        with contextlib.suppress(AssertionError):
            wait_for(lambda: tries(tmp_path, "d0"), 60.0)
        scheduler.kill()

    def answers() -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", int(port))) == 0

    wait_for(answers)
    address = f"tcp://127.0.0.1:{port}"
    killer = threading.Thread(target=kill, daemon=True)
    with worker_of(address, "--no-nanny", *ONE_THREAD), dask.config.set({"distributed.comm.timeouts.connect": "2s"}):
        killer.start()
        with pytest.raises(ExpeditionError, match=r"lost the Dask scheduler.*give the same command again"):
            list(make_executor(address).run(str(tmp_path), deeds(1, d0={"wait for": "go"}), do))
    killer.join()
    scheduler.wait()


def test_worker_that_does_not_see_the_store_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        pytest.skip("this user cannot give a process file systems of its own")
    monkeypatch.setattr(dask_executor, "SLOW_FILE_SYSTEM_S", 0.5)
    monkeypatch.setattr(dask_executor, "PATIENCE_S", 0.5)
    hidden = tmp_path / "results"
    hidden.mkdir()
    covered = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs none "{hidden}" && exec "$@"', "worker")
    with (
        scheduler_alone() as cluster,
        worker_of(cluster, *ONE_THREAD, before=covered),
        pytest.raises(ExpeditionError, match=rf"worker on .* does not see the store; it must lie .* \({hidden}\)"),
    ):
        list(make_executor(cluster.scheduler_address, lambda sentence: None).run(str(hidden), deeds(3), do))


@pytest.fixture(scope="module")
def other_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where another version of the code lies."""
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(Path(expedition.__file__).parent, other / "expedition", ignore=shutil.ignore_patterns("*.pyc"))
    with (other / "expedition" / "mission.py").open("a") as file:
        file.write("# Changed.\n")
    return other


def test_worker_with_other_code_is_named(tmp_path: Path, other_code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "PATIENCE_S", 0.5)
    with (
        scheduler_alone() as cluster,
        worker_of(cluster, *ONE_THREAD, source=other_code),
        pytest.raises(ExpeditionError, match=r"worker on .* has another version of expedition's code"),
    ):
        list(make_executor(cluster.scheduler_address, lambda sentence: None).run(str(tmp_path), deeds(3), do))


def test_refused_worker_ends_nothing_while_another_comes_or_is_restarted(tmp_path: Path, other_code: Path) -> None:
    said: list[str] = []
    planned = deeds(3, d0={"kill once": True})
    with (
        scheduler_alone() as cluster,
        contextlib.ExitStack() as later,
        worker_of(cluster, *ONE_THREAD, source=other_code),
        in_background(make_executor(cluster.scheduler_address, said.append).run(str(tmp_path), planned, do)) as found,
    ):
        wait_for(lambda: any("has another version" in sentence for sentence in said))
        later.enter_context(worker_of(cluster, *ONE_THREAD))
    assert [done.ending for done in found] == 3 * ["done"]
    assert [tries(tmp_path, one.key) for one in planned] == [2, 1, 1]


@pytest.mark.parametrize("library", ["distributed", "dask_jobqueue"])
def test_missing_library_gives_a_hint_how_to_install_it(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ExpeditionError, match=rf"needs {library}, .*pip install 'expedition\[cluster\]'"):
        make_executor("tcp://127.0.0.1:8786")
