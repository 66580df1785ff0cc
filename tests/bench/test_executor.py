"""The executor of this machine: workers die, raise, hang up; the rest goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from expedition.bench.durable import StoreError
from expedition.bench.executor import Done, LocalExecutor
from expedition.bench.threads import ONE_THREAD
from expedition.errors import ExpeditionError
from tests.bench.processes import alive, wait_for
from tests.bench.tiny_work import Unpicklable, asked, digests_known, do, prepared, threads, times


def carried_out(folder: Path, missions: list[Any], workers: int = 2, **options: Any) -> dict[str, Done]:
    executor = LocalExecutor(workers, prepare=None, **options)
    return {done.planned.key: done for done in executor.run(str(folder), missions, do)}


def test_every_mission_is_carried_out_once(tmp_path: Path) -> None:
    missions = [asked(f"m{number}", ending=f"ending {number}") for number in range(12)]
    over = carried_out(tmp_path, missions, 3)
    assert {key: done.ending for key, done in over.items()} == {
        f"m{number}": f"ending {number}" for number in range(12)
    }
    assert len(list(tmp_path.iterdir())) == 12


def test_missions_are_handed_out_in_the_order_given(tmp_path: Path) -> None:
    missions = [asked(f"m{number}") for number in (3, 1, 2, 0)]
    over = [done.planned.key for done in LocalExecutor(1, prepare=None).run(str(tmp_path), missions, do)]
    assert over == ["m3", "m1", "m2", "m0"]


def test_no_missions_need_no_workers(tmp_path: Path) -> None:
    assert list(LocalExecutor(4).run(str(tmp_path), [], do)) == []


def test_no_workers_are_a_mistake() -> None:
    with pytest.raises(ExpeditionError, match="workers: at least 1, found 0"):
        LocalExecutor(0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_killed_worker_costs_its_mission_one_more_try(tmp_path: Path, number: signal.Signals) -> None:
    said: list[str] = []
    missions = [asked("a"), asked("unlucky", die_until=1, by=int(number)), asked("b"), asked("c")]
    over = carried_out(tmp_path, missions, tell=said.append)
    assert [over[key].ending for key in ("a", "unlucky", "b", "c")] == ["explored"] * 4
    assert len(times(tmp_path, "unlucky")) == 2
    assert [len(times(tmp_path, key)) for key in "abc"] == [1, 1, 1]
    assert len(said) == 1
    assert number.name in said[0]
    assert "tried again" in said[0]


def test_a_mission_that_always_kills_its_worker_is_given_up_after_three_tries(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("deadly", die_until=99), *(asked(f"m{number}") for number in range(6))])
    assert over["deadly"].ending is None
    assert over["deadly"].error is not None
    assert "SIGKILL" in over["deadly"].error
    assert "3 times" in over["deadly"].error
    assert len(times(tmp_path, "deadly")) == 3
    assert all(over[f"m{number}"].ending == "explored" for number in range(6))


def test_a_worker_that_leaves_is_one_that_died(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("leaves", leave=7), asked("other")])
    assert over["leaves"].error == "its worker ended with exit code 7, 3 times"
    assert over["other"].ending == "explored"


def test_a_worker_that_closes_its_pipe_is_one_that_died(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("hangs up", hang_up=True), asked("other")])
    assert over["hangs up"].error is not None
    assert over["other"].ending == "explored"


def test_an_unexpected_error_is_reported_with_its_traceback_and_costs_no_worker(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("bug", bug="by nothing"), asked("after")], workers=1)
    assert over["bug"].error is not None
    assert over["bug"].error.startswith("Traceback")
    assert "ZeroDivisionError: by nothing" in over["bug"].error
    workers = {name.name.split(".")[1] for key in ("bug", "after") for name in times(tmp_path, key)}
    assert len(workers) == 1


def test_a_mission_that_raises_system_exit_ends_no_worker(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("quits", quit=0), asked("after")], workers=1)
    assert "SystemExit" in (over["quits"].error or "")
    assert len(times(tmp_path, "quits")) == 1


def test_a_mistake_of_the_user_is_reported_as_one_sentence(tmp_path: Path) -> None:
    over = carried_out(tmp_path, [asked("wrong", mistake="maze.yaml: not there")])
    assert over["wrong"].error == "maze.yaml: not there"


def test_a_full_store_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the disk is full"):
        carried_out(
            tmp_path, [asked("first", full="results: the disk is full"), *(asked(f"m{n}") for n in range(5))], 1
        )
    assert times(tmp_path, "m0") == []


def test_workers_that_cannot_start_end_the_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        ExpeditionError, match="workers die before their first mission: its worker ended with exit code"
    ):
        list(LocalExecutor(2, prepare=None).run(str(tmp_path), [asked("a")], Unpicklable()))
    capfd.readouterr()


def test_closing_the_results_ends_the_workers(tmp_path: Path) -> None:
    missions = [asked("quick"), *(asked(f"slow{number}", seconds=60.0) for number in range(3))]
    results = LocalExecutor(2, prepare=None).run(str(tmp_path), missions, do)
    assert next(iter(results)).planned.key == "quick"
    pids = {int(path.name.split(".")[1]) for path in tmp_path.iterdir()}
    results.close()  # type: ignore[attr-defined]
    assert not any(alive(pid) for pid in pids)


def test_workers_have_the_libraries_threads_off_and_this_process_keeps_its_own(tmp_path: Path) -> None:
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    over = list(LocalExecutor(1, prepare=None).run(str(tmp_path), [asked("a")], threads))
    assert over[0].ending == "1,1,1,1,1 polars=1"
    assert {name: os.environ.get(name) for name in ONE_THREAD} == before


def test_workers_take_the_digest_of_the_code_before_they_load_it(tmp_path: Path) -> None:
    over = list(LocalExecutor(1, prepare=None).run(str(tmp_path), [asked("a")], digests_known))
    assert over[0].ending == "1 known"


def test_only_the_first_worker_prepares_and_the_others_wait_for_it(tmp_path: Path) -> None:
    said: list[str] = []
    executor = LocalExecutor(3, said.append, prepare=prepared)
    missions = [asked(f"m{number}", folder=str(tmp_path), seconds=0.1) for number in range(6)]
    assert len(list(executor.run(str(tmp_path), missions, do))) == 6
    (ready,) = tmp_path.glob("ready.*")
    assert all(ready.stat().st_mtime_ns <= path.stat().st_mtime_ns for path in tmp_path.glob("m*"))
    assert said == ["preparing m0"]


@pytest.mark.parametrize("trouble", ["die_until", "bug"])
def test_trouble_while_preparing_is_left_to_the_mission_itself(tmp_path: Path, trouble: str) -> None:
    missions = [asked("first", folder=str(tmp_path), trouble=trouble), asked("other")]
    over = {done.planned.key: done for done in LocalExecutor(2, prepare=prepared).run(str(tmp_path), missions, do)}
    assert {key: done.ending for key, done in over.items()} == {"first": "explored", "other": "explored"}


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "from expedition.bench.executor import LocalExecutor\n"
        "from tests.bench.tiny_work import asked, do\n"
        "if __name__ == '__main__':\n"
        "    missions = [asked(f'm{n}', seconds=600.0) for n in range(4)]\n"
        f"    list(LocalExecutor(2, prepare=None).run({str(tmp_path)!r}, missions, do))\n"
    )
    (tmp_path / "parent.py").write_text(script)
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with subprocess.Popen([sys.executable, str(tmp_path / "parent.py")], env=environment) as parent:
        wait_for(lambda: len(list(tmp_path.glob("m*"))) == 2)
        pids = [int(path.name.split(".")[1]) for path in tmp_path.glob("m*")]
        parent.kill()
    wait_for(lambda: not any(alive(pid) for pid in pids))
