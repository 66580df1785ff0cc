"""MRESim's text maps and Moving AI's octile maps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expedition.errors import ExpeditionError
from expedition.terrain import MATERIALS, Terrain
from expedition.terrain.files import load, save

OCTILE = "type octile\nheight 2\nwidth 7\nmap\n"


def test_mresim_map_is_rows_columns_and_digits(tmp_path: Path) -> None:
    save(Terrain.from_occupied("map", np.array([[False, True, True], [True, False, False]])), tmp_path / "map.txt")
    assert (tmp_path / "map.txt").read_text() == "2\n3\n100\n011\n"


@pytest.mark.parametrize("text", ["2\r\n3\r\n100\r\n011\r\n", "2\n3\n100\n011", " 2\n3 \n100\n011\n\n \n"])
def test_line_ends_of_windows_and_missing_or_empty_last_lines_do_not_matter(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.txt").write_bytes(text.encode())
    assert load(tmp_path / "map.txt").occupied.tolist() == [[False, True, True], [True, False, False]]


def test_octile_map_reads_every_kind_of_ground(tmp_path: Path) -> None:
    (tmp_path / "map.map").write_text(OCTILE + ".GSTW@O\n.......\n")
    ground = load(tmp_path / "map.map", resolution=1, material="rock")
    assert ground.occupied[1].tolist() == [False, False, False, True, True, True, True]
    assert not ground.occupied[0].any()
    assert ground.speed_percent[1].tolist() == [100, 100, 50, 100, 100, 100, 100]
    assert [MATERIALS[number].name for number in ground.material[1, 3:]] == ["foliage", "rock", "rock", "rock"]
    assert load(tmp_path / "map.map", swamp_speed_percent=20).speed_percent.min() == 20


def test_octile_map_is_written_with_its_header(tmp_path: Path) -> None:
    save(Terrain.from_occupied("map", np.array([[False, True, True], [True, False, False]])), tmp_path / "map.map")
    assert (tmp_path / "map.map").read_text() == "type octile\nheight 2\nwidth 3\nmap\n@..\n.@@\n"


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("map.txt", "", "begins with the number of rows"),
        ("map.txt", "2\n3", "begins with the number of rows"),
        ("map.txt", "two\n3\n000\n", "line 1: expected the number of rows, found 'two'"),
        ("map.txt", "-2\n3\n000\n", "line 1: expected the number of rows, found '-2'"),
        ("map.txt", "1\n9999999999\n000\n", "line 2: expected the number of columns"),
        ("map.txt", "99999\n99999\n000\n", "99999 x 99999 cells; at most 64,000,000 are allowed"),
        ("map.txt", "0\n3\n000\n", "at least one cell"),
        ("map.txt", "2\n3\n000\n", "cut off: 2 rows announced, 1 found"),
        ("map.txt", "2\n3\n", "cut off: 2 rows announced, 0 found"),
        ("map.txt", "2\n3\n000\n00\n", "line 4: 2 characters, but the header says 3"),
        ("map.txt", "2\n3\n0000\n00\n", "line 3: 4 characters, but the header says 3"),
        ("map.txt", "2\n3\n000\n000\n000\n", "line 5: lines after the last of 2 rows"),
        ("map.txt", "2\n3\n000\n040\n", "line 4, column 2: found '4'; allowed: 0 1"),
        ("map.map", "", "begins with the lines 'type octile'"),
        ("map.map", "type octile\nheight 2\nwidth 3\nmap", "begins with the lines"),
        ("map.map", "type octil\nheight 2\nwidth 3\nmap\n...", "unknown map type 'octil'; did you mean 'octile'"),
        ("map.map", "type octile\nheight two\nwidth 3\nmap\n...", "line 2: expected the height, found 'two'"),
        ("map.map", "type octile\nheight\nwidth 3\nmap\n...", "line 2: expected the height, found ''"),
        ("map.map", "type octile\nheight 9 9\nwidth 3\nmap\n...", "line 2: expected the height, found '9 9'"),
        ("map.map", OCTILE + ".......\n...x...\n", "line 6, column 4: found 'x'"),
        ("map.map", OCTILE + ".......\n", "cut off: 2 rows announced, 1 found"),
    ],
)  # fmt: skip
def test_wrong_line_is_named(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ExpeditionError, match=complaint):
        load(tmp_path / name)
