"""The store: whole missions or none, the same bytes each time, and what happens when something gets in between."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expedition.bench.durable import StoreError, swap_folder
from expedition.bench.places import CONTACTS, OLD, RESOURCES, SAME_IN_EVERY_RUN, SUMS, running_in, this_host
from expedition.bench.soundness import check, fault_of
from expedition.bench.store import Store
from expedition.bench.threads import ONE_THREAD
from expedition.errors import ExpeditionError
from expedition.measure.metrics import METRICS
from expedition.mission import Result
from tests.bench.many import planned, tiny_design, tiny_result

VECTOR = {"terrain": "cross", "strategy": "coordinated", "robots": 2}
EVERY_FILE = {*SAME_IN_EVERY_RUN, CONTACTS, SUMS, RESOURCES, "measured.json"}


@pytest.fixture(scope="module")
def result() -> Result:
    return tiny_result()


@pytest.fixture
def store(tmp_path: Path, result: Result) -> Store:
    """A store with one mission."""
    made = Store(tmp_path / "store")
    made.write(planned(VECTOR), result)
    return made


KEY = planned(VECTOR).key


def test_a_mission_is_one_folder_with_its_files_and_nothing_else_is_left(store: Store) -> None:
    assert os.listdir(store.missions) == [KEY]
    assert set(os.listdir(store.missions / KEY)) == EVERY_FILE
    assert store.finished() == {KEY}


def test_what_is_read_is_what_was_measured(store: Store, result: Result) -> None:
    assert store.series(KEY).equals(result.measurements.series_frame())
    assert store.resources(KEY).equals(result.measurements.resources_frame())
    assert store.events(KEY) == [dict(event) for event in result.measurements.events]
    maps = store.maps(KEY)
    assert maps.keys() == result.measurements.maps.keys()
    for name, array in result.measurements.maps.items():
        assert np.array_equal(maps[name], array, equal_nan=array.dtype.kind == "f"), name
    outcome = store.outcome(KEY)
    assert outcome["ending"] == result.ending
    assert outcome["metrics"]["cost_m"] == result.metrics["cost_m"]
    measured = {name for name, metric in METRICS.items() if metric.measured}
    assert {"cpu_share", "ram_mb"} <= measured
    assert not measured & outcome["metrics"].keys()
    assert store.measured(KEY).keys() == measured
    measurements = store.measurements(KEY)
    assert np.array_equal(measurements.poses, result.measurements.poses)
    assert len(measurements.contacts) > 0
    assert np.array_equal(measurements.contacts, result.measurements.contacts)
    assert measurements.facts["ground_m2"] == result.measurements.facts["ground_m2"]


def test_the_same_mission_run_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    stores = [Store(tmp_path / name) for name in "ab"]
    for one in stores:
        one.write(planned(VECTOR), tiny_result(time_limit=5.0))
    for name in (*SAME_IN_EVERY_RUN, CONTACTS, SUMS):
        first, second = ((one.missions / KEY / name).read_bytes() for one in stores)
        assert first == second, name


def test_a_mission_that_keeps_no_contacts_has_no_file_of_them_and_is_whole(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(planned(VECTOR), tiny_result(time_limit=5.0, measurements={"contacts": False}))
    assert set(os.listdir(store.missions / KEY)) == EVERY_FILE - {CONTACTS}
    assert fault_of(store.missions / KEY)[0] == ""
    assert store.contacts(KEY) is None
    assert store.measurements(KEY).contacts.shape == (0, 4)


def test_the_digests_are_those_that_sha256sum_checks(store: Store) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=store.missions / KEY, check=True)


def test_the_first_to_finish_stays_and_the_second_leaves_nothing(store: Store) -> None:
    before = (store.missions / KEY / RESOURCES).read_bytes()
    store.write(planned(VECTOR), tiny_result())
    assert (store.missions / KEY / RESOURCES).read_bytes() == before
    assert os.listdir(store.missions) == [KEY]


def test_a_mission_run_anew_takes_the_place_of_the_old_one(store: Store) -> None:
    store.write(planned(VECTOR), tiny_result(time_limit=3.0, explored=0.9), replace=True)
    assert store.outcome(KEY)["ending"] == "timed out"
    assert os.listdir(store.missions) == [KEY]
    assert fault_of(store.missions / KEY)[0] == ""


def test_two_folders_swap_their_names(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / f"was {name}").touch()
    swap_folder(tmp_path / "a", tmp_path / "b")
    assert os.listdir(tmp_path / "a") == ["was b"]
    assert os.listdir(tmp_path / "b") == ["was a"]
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_mission_that_breaks_off_leaves_nothing(store: Store) -> None:
    def breaks_off() -> None:
        with store.begin("f" * 32) as place:
            assert [one.key for one in store.running()] == ["f" * 32]
            (place / "half").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        breaks_off()
    assert os.listdir(store.missions) == [KEY]


def test_a_folder_that_was_cleaned_away_is_made_anew_when_there_is_something_to_write(
    tmp_path: Path, result: Result
) -> None:
    store = Store(tmp_path)
    with store.begin(KEY) as place:
        place.rmdir()
        store.complete(place, planned(VECTOR), result)
    assert store.finished() == {KEY}


@pytest.mark.parametrize(
    ("host", "alive", "age", "stays"),
    [
        ("here", False, 0.0, False),
        ("here", True, 0.0, True),
        ("node17.cluster.example.org", False, 0.0, True),
        ("node17.cluster.example.org", False, OLD + 60.0, False),
    ],
    ids=["killed here", "running here", "running elsewhere", "long ago elsewhere"],
)
def test_only_what_was_surely_left_behind_is_removed(
    store: Store, host: str, alive: bool, age: float, stays: bool
) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    pid = os.getpid() if alive else gone.pid
    left = store.missions / f".{KEY}.{this_host() if host == 'here' else host}.{pid}.3"
    left.mkdir()
    (left / "series.parquet").write_bytes(b"half")
    moment = time.time() - age
    os.utime(left, (moment, moment))
    (one,) = running_in(store.missions)
    assert (one.key, one.pid, one.host) == (KEY, pid, this_host() if host == "here" else host)
    assert store.clean_up() == (0 if stays else 1)
    assert left.exists() == stays
    assert store.finished() == {KEY}


@pytest.mark.parametrize(
    ("work", "folder"),
    [
        ("Store(sys.argv[1]).save_design(SimpleNamespace(**design), [])", "designs"),
        ("Store(sys.argv[1]).give_up(SimpleNamespace(key='k', vector={}, seed=1), 'why')", "given-up"),
        ("_marker(Path(sys.argv[1])).__enter__(); os.fsync(0)", "."),
        ("_problem_with(Path(sys.argv[1]), '', 0.0)", "."),
    ],
)
def test_files_that_a_killed_process_left_are_removed(tmp_path: Path, work: str, folder: str) -> None:
    script = (
        "import os, sys; from pathlib import Path; from types import SimpleNamespace\n"
        "from expedition.bench.store import Store; from expedition.bench.crew import _problem_with\n"
        "from expedition.bench.dask_executor import _marker\n"
        "design = dict(name='a.b', description='', text='', varied=(), metrics=())\n"
        "os.fsync = Path.unlink = lambda *given, **more: os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", script + work, str(tmp_path)], env=environment)
    assert killed.returncode == -9
    (left,) = [path for path in (tmp_path / folder).iterdir() if path.is_file()]
    assert left.name.startswith(".")
    store = Store(tmp_path)
    assert store.designs() == []
    assert store.clean_up() == 1
    assert not left.exists()


@pytest.mark.parametrize("name", sorted(EVERY_FILE))
def test_a_missing_file_is_found(store: Store, name: str) -> None:
    (store.missions / KEY / name).unlink()
    assert check(store.missions, [KEY]).damaged == {KEY: f"{name} is missing"}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(EVERY_FILE)), where=st.floats(0.0, 1.0, exclude_max=True), truncated=st.booleans())
def test_a_file_that_was_cut_off_or_changed_is_found(store: Store, name: str, where: float, truncated: bool) -> None:
    path = store.missions / KEY / name
    content = path.read_bytes()
    spot = int(where * len(content))
    if not content:
        return
    try:
        changed = content[:spot] if truncated else content[:spot] + bytes([content[spot] ^ 0xFF]) + content[spot + 1 :]
        path.write_bytes(changed)
        fault, _ = fault_of(store.missions / KEY)
        # What was measured of the machine has no digest of its own; it counts as whole if all in it can be read.
        assert fault or name == "measured.json"
    finally:
        path.write_bytes(content)
    assert fault_of(store.missions / KEY)[0] == ""


def test_reading_a_damaged_file_says_which_and_what_to_do(store: Store) -> None:
    for name, read in [
        ("series.parquet", store.series),
        ("resources.parquet", store.resources),
        ("maps.npz", store.maps),
        ("contacts.parquet", store.contacts),
        ("result.json", store.outcome),
        ("events.jsonl", store.events),
    ]:
        path = store.missions / KEY / name
        path.write_bytes(b"{" + path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(ExpeditionError, match=rf"{KEY}/{name}: damaged \(.*`expedition run`"):
            read(KEY)
    path.unlink()
    with pytest.raises(ExpeditionError, match=r"events.jsonl: damaged \(not there\)"):
        store.events(KEY)


def test_a_discarded_mission_is_gone(store: Store) -> None:
    store.discard(KEY)
    store.discard(KEY)
    assert os.listdir(store.missions) == []


def write_all(store: Store, missions: list[Any], result: Result) -> None:
    for one in missions:
        store.write(one, result)


def test_a_full_disk_is_said_in_one_sentence_and_what_is_finished_stays(small_disk: Path, result: Result) -> None:
    store = Store(small_disk / "store")
    missions = [planned({**VECTOR, "robots": number}) for number in range(1, 50)]
    with pytest.raises(StoreError, match=r"store: the disk is full; put that right and give the same command again"):
        write_all(store, missions, result)
    written = len(store.finished())
    assert written > 2
    assert sorted(os.listdir(store.missions)) == sorted(one.key for one in missions[:written])
    assert len(check(store.missions, store.finished()).sound) == written
    store.discard(missions[0].key)
    store.write(missions[written], result)
    assert missions[written].key in store.finished()


def test_a_limit_on_the_size_of_files_is_said_in_one_sentence(tmp_path: Path, result: Result) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(StoreError, match="the limit on the size of files is reached"):
            Store(tmp_path).write(planned(VECTOR), result)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path / "missions") == []


def test_a_store_that_cannot_be_made_is_said_in_one_sentence(tmp_path: Path, result: Result) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file: cannot be written: Not a directory"):
        Store(tmp_path / "file").write(planned(VECTOR), result)


@pytest.fixture(scope="module")
def written_by_two(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store into which two processes wrote the same missions at the same time, one of them without threads."""
    folder = tmp_path_factory.mktemp("two")
    script = (
        "import sys; from tests.bench.many import plan, planned, tiny_result\n"
        "from expedition.bench.store import Store\n"
        "result = tiny_result()\n"
        f"for one in [planned({VECTOR!r}), *plan(20)]: Store(sys.argv[1]).write(one, result)"
    )
    environments = [{**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more} for more in (ONE_THREAD, {})]
    words = [sys.executable, "-c", script, str(folder)]
    running = [subprocess.Popen(words, env=environment) for environment in environments]
    assert [process.wait() for process in running] == [0, 0]
    return Store(folder)


def test_two_processes_may_finish_the_same_missions(written_by_two: Store) -> None:
    assert len(written_by_two.finished()) == 21
    assert len(check(written_by_two.missions, written_by_two.finished()).sound) == 21
    assert written_by_two.running() == []


def test_bytes_do_not_depend_on_process_and_threads(store: Store, written_by_two: Store) -> None:
    """A worker has one thread, a script that writes to a store as many as there are cores."""
    assert (written_by_two.missions / KEY / SUMS).read_bytes() == (store.missions / KEY / SUMS).read_bytes()


@pytest.mark.parametrize("name", ["yan2017", "a.b", "x-1_2"])
def test_a_design_is_read_as_it_was_saved(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    missions = [planned(VECTOR, iteration) for iteration in range(3)]
    store.save_design(tiny_design(name), missions)
    assert store.designs() == [name]
    record = store.design(name)
    assert [one.key for one in record.missions] == [one.key for one in missions]
    assert record.missions[2].seed == 3
    assert record.missions[0].vector["terrain"] == "cross"
    assert record.varied == ("terrain", "strategy", "robots")


def test_a_changed_design_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in (3, 2):
        store.save_design(tiny_design(), [planned(VECTOR, iteration) for iteration in range(number)])
    assert len(store.design("many").missions) == 2
    assert len(list((tmp_path / "designs").iterdir())) == 1


def test_an_unknown_design_names_those_there_are(store: Store) -> None:
    store.save_design(tiny_design(), [])
    with pytest.raises(ExpeditionError, match=r"unknown design 'mary'; did you mean 'many'\? allowed: many"):
        store.design("mary")


def test_a_folder_without_a_store_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match=r"nowhere: no store there; `expedition run DESIGN --store"):
        Store.existing(tmp_path / "nowhere")


def test_a_mission_given_up_is_noted_until_it_is_finished(tmp_path: Path, result: Result) -> None:
    store = Store(tmp_path)
    one = planned(VECTOR)
    store.give_up(one, "its worker was killed (SIGKILL), 3 times")
    (noted,) = store.given_up().values()
    assert (noted.key, noted.why, noted.host) == (one.key, "its worker was killed (SIGKILL), 3 times", this_host())
    store.write(one, result)
    assert store.given_up() == {}
