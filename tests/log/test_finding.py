"""Which log a user means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from expedition.bench.places import temporary_name
from expedition.errors import ExpeditionError
from expedition.log.find import find_log

KEYS = ("0a11" + 28 * "0", "0a12" + 28 * "1", "ff00" + 28 * "2")


def store_in(folder: Path, *recorded: str, unrecorded: tuple[str, ...] = ()) -> Path:
    """A store with missions of these keys."""
    for key in (*recorded, *unrecorded):
        place = folder / "missions" / key
        place.mkdir(parents=True)
        (place / "mission.json").write_text("{}")
        if key in recorded:
            (place / "log.mcap").touch()
    return folder


def complaint(run: Path | str) -> str:
    with pytest.raises(ExpeditionError) as caught:
        find_log(run)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_is_itself_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "any.bag").touch()
    assert find_log(tmp_path / "any.bag") == tmp_path / "any.bag"


def test_a_folder_stands_for_the_log_in_it(tmp_path: Path) -> None:
    (tmp_path / "my.mcap").touch()
    assert find_log(str(tmp_path)) == tmp_path / "my.mcap"
    (tmp_path / "other.mcap").touch()
    assert "has 2 logs, my.mcap, other.mcap; name one of them" in complaint(tmp_path)
    (tmp_path / "log.mcap").touch()
    assert find_log(tmp_path) == tmp_path / "log.mcap"


def test_a_store_with_one_recorded_mission_stands_for_it(tmp_path: Path) -> None:
    store = store_in(tmp_path / "store", KEYS[0], unrecorded=KEYS[1:])
    for run in (store, store / "missions", store / "missions" / KEYS[0]):
        assert find_log(run) == store / "missions" / KEYS[0] / "log.mcap"


def test_of_several_missions_one_is_chosen_by_the_beginning_of_its_key(tmp_path: Path) -> None:
    store = store_in(tmp_path / "store", *KEYS)
    assert find_log(store / "ff") == store / "missions" / KEYS[2] / "log.mcap"
    assert find_log(store / KEYS[0]) == store / "missions" / KEYS[0] / "log.mcap"
    assert find_log(store / "missions" / "0a12") == store / "missions" / KEYS[1] / "log.mcap"
    assert "has 3 recorded missions: 0a1100000000..., 0a1211111111..., ff0022222222...; choose one as" in complaint(
        store
    )
    assert "2 keys of recorded missions begin with '0a1': 0a1100000000..., 0a1211111111..." in complaint(store / "0a1")
    assert "no mission's key begins with '0a13'; did you mean '0a1" in complaint(store / "0a13")


def test_many_missions_are_not_all_listed(tmp_path: Path) -> None:
    store = store_in(tmp_path / "store", *(f"{number:032x}" for number in range(20)))
    assert "has 20 recorded missions" in complaint(store)
    assert "and 15 more" in complaint(store)


def test_missions_recorded_without_a_log_are_told_with_the_way_to_get_one(tmp_path: Path) -> None:
    store = store_in(tmp_path / "store", unrecorded=KEYS)
    for run in (store, store / "missions" / KEYS[0], store / "ff"):
        assert "has no log; `expedition run DESIGN --record --fresh`" in complaint(run)


def test_a_mission_that_is_still_running_is_found(tmp_path: Path) -> None:
    store = store_in(tmp_path / "store", KEYS[0])
    running = store / "missions" / temporary_name(KEYS[2])
    running.mkdir()
    (running / "log.mcap").touch()
    assert str(os.getpid()) in running.name
    assert find_log(store / "ff") == running / "log.mcap"


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    assert complaint(tmp_path / "no.mcap").startswith(f"{tmp_path / 'no.mcap'}: no such file or folder; expected a log")
    assert "no log.mcap there; expected a log" in complaint(tmp_path)
