"""A design continues where it stopped: nothing finished is repeated, and nothing damaged is believed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from expedition.bench.executor import Done
from expedition.bench.places import MISSION, RESOURCES, SAME_IN_EVERY_RUN, SUMS
from expedition.bench.results import load_results
from expedition.bench.running import Prospect, carry_on, prepare, run_design
from expedition.bench.soundness import check
from expedition.bench.store import Store
from expedition.bench.work import Work, carry_out
from expedition.design import Design
from tests.bench.designs import tiny, write_design


class OneAfterTheOther:
    """The plainest executor: missions run in this process."""

    def __init__(self) -> None:
        self.carried_out: list[str] = []

    def run(self, folder: str, planned: Sequence[Any], work: Work = carry_out) -> Iterator[Done]:
        for one in planned:
            self.carried_out.append(one.key)
            yield Done(one, ending=work(folder, one))


def run(store: Store, design: Design, fresh: bool = False) -> tuple[list[str], Prospect]:
    """Run a design; the keys of what was carried out, and what was found before."""
    executor = OneAfterTheOther()
    prospect = prepare(store, design, fresh)
    list(carry_on(store, prospect, executor))
    return executor.carried_out, prospect


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Design]:
    """A store with a design of three missions, all run."""
    folder = tmp_path_factory.mktemp("finished")
    design = tiny(folder)
    done, _ = run(Store(folder / "store"), design)
    assert len(done) == 3
    return folder / "store", design


@pytest.fixture
def store(finished: tuple[Path, Design], tmp_path: Path) -> Store:
    """A copy of it, to do with as one likes."""
    shutil.copytree(finished[0], tmp_path / "store")
    return Store(tmp_path / "store")


@pytest.fixture
def design(finished: tuple[Path, Design]) -> Design:
    return finished[1]


def keys(design: Design) -> list[str]:
    return [one.key for one in design.missions()]


def test_what_is_finished_is_not_repeated(store: Store, design: Design) -> None:
    done, prospect = run(store, design)
    assert done == []
    assert (len(prospect.planned), len(prospect.waiting), prospect.damaged) == (3, 0, {})


def test_a_deleted_result_is_run_again_and_comes_out_the_same(store: Store, design: Design) -> None:
    lost = keys(design)[1]
    sums = (store.missions / lost / SUMS).read_bytes()
    shutil.rmtree(store.missions / lost)
    done, prospect = run(store, design)
    assert done == [lost]
    assert prospect.damaged == {}
    assert (store.missions / lost / SUMS).read_bytes() == sums


def test_damaged_results_are_run_again(store: Store, design: Design) -> None:
    first, second, third = keys(design)
    (store.missions / first / "series.parquet").unlink()
    path = store.missions / third / "maps.npz"
    path.write_bytes(path.read_bytes()[:100])
    done, prospect = run(store, design)
    assert done == [first, third]
    assert prospect.damaged == {first: "series.parquet is missing", third: "maps.npz is not what was written"}
    assert set(check(store.missions, store.finished()).sound) == {first, second, third}


def test_a_changed_design_shares_what_it_has_in_common(store: Store, design: Design, tmp_path: Path) -> None:
    changed = tiny(tmp_path, robots="[1, 2]", iterations=2)
    done, _ = run(store, changed)
    kept = set(keys(design)) & set(keys(changed))
    assert len(kept) == 2
    assert set(done) == set(keys(changed)) - kept
    assert len(load_results(store, "tiny")) == 4
    assert store.finished() == set(keys(design)) | set(keys(changed))
    assert run(store, design)[0] == []


def test_everything_is_run_anew_when_asked_for(store: Store, design: Design) -> None:
    before = {key: (store.missions / key).stat().st_ino for key in keys(design)}
    sums = {key: (store.missions / key / SUMS).read_bytes() for key in keys(design)}
    done, _ = run(store, design, fresh=True)
    assert sorted(done) == sorted(keys(design))
    assert all((store.missions / key).stat().st_ino != before[key] for key in keys(design))
    assert all((store.missions / key / SUMS).read_bytes() == sums[key] for key in keys(design))
    assert store.running() == []


def test_missions_of_another_version_of_the_code_are_kept_and_counted(store: Store, design: Design) -> None:
    folder = store.missions / keys(design)[0]
    text = (folder / MISSION).read_text()
    code = json.loads(text)["code"]
    changed = text.replace(code, "0" * len(code))
    (folder / MISSION).write_text(changed)
    old, new = (hashlib.sha256(one.encode()).hexdigest() for one in (text, changed))
    (folder / SUMS).write_text((folder / SUMS).read_text().replace(old, new))
    done, prospect = run(store, design)
    assert done == []
    assert prospect.by_other_code == 1
    outdated = prepare(store, design, outdated=True)
    assert [one.key for one in outdated.waiting] == [folder.name]
    assert outdated.by_other_code == 0
    list(carry_on(store, outdated, OneAfterTheOther()))
    assert store.parameters(folder.name)["code"] == code


def test_the_dearest_missions_come_first(tmp_path: Path) -> None:
    design = tiny(tmp_path, robots="[1, 2, 3]", iterations=1)
    prospect = prepare(Store(tmp_path / "store"), design, cost=lambda one: one.vector["robots"])
    assert [one.vector["robots"] for one in prospect.waiting] == [3, 2, 1]


def test_what_other_processes_have_begun_comes_last(tmp_path: Path) -> None:
    store, design = Store(tmp_path / "store"), tiny(tmp_path, iterations=12)
    begun = keys(design)[:2]
    with store.begin(begun[0]), store.begin(begun[1]), store.begin("f" * 32):
        prospect = prepare(store, design)
    assert prospect.elsewhere == 2
    assert {one.key for one in prospect.waiting[-2:]} == set(begun)
    assert sorted(one.key for one in prospect.waiting) == sorted(keys(design))


def test_from_python_the_dearest_come_first_and_what_is_given_up_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[int] = []

    class GivesAllUp:
        def run(self, folder: str, planned: Sequence[Any], work: Work = carry_out) -> Iterator[Done]:
            for one in planned:
                tried.append(one.vector["robots"])
                yield Done(one, error="its worker was killed")

    file = write_design(tmp_path, robots="[10, 30, 20]", iterations=1, explored=1.0, time=9000.0)
    assert run_design(file, tmp_path / "store", GivesAllUp()).is_empty()
    assert tried == [30, 20, 10]
    assert f"3 of 3 missions were given up: {tmp_path}/store/given-up says why" in capsys.readouterr().err


def test_results_are_the_same_in_another_folder_but_for_paths_in_what_the_mission_is_made_of(tmp_path: Path) -> None:
    stores = []
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text("async def mine(robot):\n    await robot.wait(1.0)\n")
        design = tiny(tmp_path / name, strategy="mine.py:mine", iterations=1, time=2.0)
        stores.append(Store(tmp_path / name / "store"))
        run(stores[-1], design)
    (key,) = stores[0].finished()
    assert stores[1].finished() == {key}
    for name in set(SAME_IN_EVERY_RUN) - {MISSION}:
        first, second = ((store.missions / key / name).read_bytes() for store in stores)
        assert first == second, name


def test_a_mission_that_another_machine_finished_meanwhile_is_not_run(store: Store, design: Design) -> None:
    one = design.missions()[0]
    before = (store.missions / one.key / RESOURCES).stat().st_mtime_ns
    assert carry_out(str(store.folder), one) == "explored"
    assert (store.missions / one.key / RESOURCES).stat().st_mtime_ns == before


def test_a_mission_given_up_is_noted_and_tried_again(tmp_path: Path) -> None:
    class GivesUp(OneAfterTheOther):
        def run(self, folder: str, planned: Sequence[Any], work: Work = carry_out) -> Iterator[Done]:
            yield Done(planned[0], error="its worker was killed")
            yield from super().run(folder, planned[1:], work)

    store, design = Store(tmp_path / "store"), tiny(tmp_path, iterations=2)
    over = list(carry_on(store, prepare(store, design), GivesUp()))
    assert [done.error for done in over] == ["its worker was killed", None]
    assert list(store.given_up()) == [keys(design)[0]]
    assert run(store, design)[0] == [keys(design)[0]]
    assert store.given_up() == {}


def test_a_strategy_that_raises_is_a_result(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("async def mine(robot):\n    raise ValueError('my mistake')\n")
    store, design = Store(tmp_path / "store"), tiny(tmp_path, strategy="mine.py:mine", iterations=1)
    run(store, design)
    outcome = store.outcome(keys(design)[0])
    assert outcome["ending"] == "failed"
    assert "my mistake" in outcome["failure"]["report"]
    assert run(store, design)[0] == []
    assert load_results(store, "tiny")["ending"].to_list() == ["failed"]
