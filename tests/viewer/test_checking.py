"""What is found of a draft before it is started."""

from __future__ import annotations

from pathlib import Path

from expedition.viewer.setup.allowed import Allowed
from expedition.viewer.setup.checking import Look, look_at
from expedition.viewer.setup.drafts import Draft


def look(folder: Path, **parameters: object) -> Look:
    given = {"terrain": "office", "robots": 2, "strategy": "nearest-frontier", **parameters}
    return look_at(Draft({name.replace("__", "."): value for name, value in given.items()}), Allowed(folder))


def test_a_draft_tells_where_robots_are_put_and_what_they_can_reach(tmp_path: Path) -> None:
    found = look(tmp_path)
    assert found.is_right
    assert found.access.startswith("2 robots can reach 99.")
    (note,) = found.notes
    assert note.startswith("line has no room for 2 robots in terrain 'office': placed together")
    assert look(tmp_path, terrain="maze").notes == []


def test_a_line_that_is_asked_for_is_marked_where_it_does_not_fit(tmp_path: Path) -> None:
    found = look(tmp_path, placement="line")
    assert found.mistakes["placement"].startswith("robot 0 at (-38, 38) is outside")
    assert found.access == ""
