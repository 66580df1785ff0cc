"""`expedition status`: how designs stand, at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from expedition.bench.standing import standings
from expedition.bench.store import Store
from tests.bench.many import make_store, plan, tiny_design, tiny_result, varied

HEAVY = ("numpy", "polars", "numba", "scipy", "matplotlib", "multiprocessing.context")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A design of 120 missions of which 80 are done, and a second that has 40 of them."""
    store = make_store(tmp_path_factory.mktemp("status"), 80)
    store.save_design(tiny_design(), plan(120))
    store.save_design(tiny_design("part"), plan(40))
    store.give_up(plan(120)[100], "Traceback ...\nMemoryError: no room")
    return store


def test_missions_are_counted_by_design_and_ending(store: Store) -> None:
    many, part = standings(store)
    assert (many.design, many.done, many.missions) == ("many", 80, 120)
    assert (part.design, part.done, part.missions) == ("part", 40, 40)
    assert many.endings.keys() == {"explored", "timed out"}
    assert many.endings.total() == 80
    assert many.last is not None
    assert [one.why.rpartition("\n")[2] for one in many.given_up] == ["MemoryError: no room"]
    assert part.given_up == ()


def test_missions_being_run_are_shown_with_machine_and_process(store: Store) -> None:
    with store.begin(plan(120)[110].key):
        many, part = standings(store)
    assert [(one.key, one.pid) for one in many.running] == [(plan(120)[110].key, os.getpid())]
    assert part.running == ()


def test_what_a_killed_process_left_behind_is_not_being_run(store: Store) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    from expedition.bench.places import this_host

    left = store.missions / f".{plan(120)[110].key}.{this_host()}.{gone.pid}.0"
    left.mkdir()
    try:
        assert standings(store)[0].running == ()
    finally:
        left.rmdir()


def test_an_unreadable_result_does_not_count_as_done(tmp_path: Path) -> None:
    store, result = Store(tmp_path), tiny_result()
    missions = plan(2)
    store.save_design(tiny_design(), missions)
    for one in missions:
        store.write(one, varied(result, one))
    (store.missions / missions[0].key / "result.json").unlink()
    (standing,) = standings(store)
    assert (standing.done, standing.endings["unreadable"]) == (1, 1)


def test_the_command_shows_it_without_importing_anything_heavy(store: Store) -> None:
    script = (
        "import sys; from expedition.cli import main\n"
        f"sys.argv = ['expedition', 'status', {str(store.folder)!r}]\n"
        "try: main()\n"
        f"finally: print('heavy:', [name for name in {HEAVY} if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "heavy: []" in ended.stdout
    assert "80 of 120" in ended.stdout
    assert "MemoryError: no room" in ended.stdout


def test_a_folder_without_a_store_is_a_mistake(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "expedition", "status", str(tmp_path / "nowhere")]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"error: {tmp_path}/nowhere: no store there")
