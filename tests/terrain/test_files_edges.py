"""What is put right in the walls of an imported map, and that it says so: open edges and specks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw

from expedition.belief.grid import FREE
from expedition.belief.prior import make_prior
from expedition.errors import ExpeditionError
from expedition.terrain import Start, Terrain, find_terrain
from expedition.terrain.files import load, save

CLOSED = "closed {} open cells at the map's edge: lidars see nothing beyond; edges=open leaves them"


def yard() -> np.ndarray:
    """6 x 8 cells with one wall inside; 24 cells are at the edge, of which one is wall."""
    occupied = np.zeros((6, 8), dtype=bool)
    occupied[2:4, 3] = occupied[0, 0] = True
    return occupied


def ring(shape: tuple[int, int]) -> np.ndarray:
    inside = np.zeros(shape, dtype=bool)
    inside[1:-1, 1:-1] = True
    return ~inside


def ros_map(folder: Path, occupied: np.ndarray, **expedition: Any) -> Path:
    """A map as ROS's map_saver writes it, without or with a section of ours."""
    Image.fromarray(np.where(occupied[::-1], 0, 254).astype(np.uint8)).save(folder / "hall.pgm")
    content: dict[str, Any] = {
        "image": "hall.pgm", "resolution": 0.1, "origin": [0, 0, 0], "negate": 0, "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }  # fmt: skip
    content |= {"expedition": expedition} if expedition else {}
    (folder / "hall.yaml").write_text(yaml.safe_dump(content))
    return folder / "hall.yaml"


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".txt", ".map", ".yaml"])
def test_open_edge_is_closed_with_a_note_in_every_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hall{suffix}"
    if suffix == ".yaml":
        ros_map(tmp_path, yard())
    else:
        assert "open edges" in save(Terrain.from_occupied("hall", yard()), path).lost
    assert (load(path).occupied == (yard() | ring((6, 8)))).all()
    assert load(path).notes == (CLOSED.format(23),)
    assert (load(path, edges="open").occupied == yard()).all()
    assert load(path, edges="open").notes == ()
    assert load(path, edges="closed") == load(path)


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".txt", ".map", ".yaml"])
def test_nothing_changes_and_nothing_is_said_where_the_border_is_all_wall(tmp_path: Path, suffix: str) -> None:
    walls = yard() | ring((6, 8))
    save(Terrain.from_occupied("hall", walls), tmp_path / f"hall{suffix}")
    ros_map(tmp_path, walls) if suffix == ".yaml" else None
    found = load(tmp_path / f"hall{suffix}")
    assert (found.occupied == walls).all()
    assert found.notes == ()


def test_terrain_that_was_saved_is_loaded_with_its_open_edge_and_written_again_to_the_byte(tmp_path: Path) -> None:
    ground = Terrain.from_occupied("yard", yard(), material="brick")
    save(ground, tmp_path / "yard.yaml")
    written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    found = load(tmp_path / "yard.yaml")
    assert found == ground
    assert found.notes == ()
    save(found, tmp_path / "yard.yaml")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == written
    assert load(tmp_path / "yard.yaml", edges="closed").notes == (CLOSED.format(23),)


def test_a_ros_map_with_a_few_lines_of_ours_added_is_still_an_import(tmp_path: Path) -> None:
    found = load(ros_map(tmp_path, yard(), name="brickyard", material="brick"))
    assert found.name == "brickyard"
    assert found.notes == (CLOSED.format(23),)


def test_a_map_of_nothing_but_edge_is_left_as_it_is_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "strip.txt").write_text("2\n3\n100\n100\n")
    found = load(tmp_path / "strip.txt")
    assert found.free_cells == 4
    assert found.notes == ("left 4 open cells at the map's edge: without them the map has no free cell",)


def test_one_open_cell_is_told_in_the_singular(tmp_path: Path) -> None:
    walls = ring((4, 4))
    walls[0, 2] = False
    save(Terrain.from_occupied("hall", walls), tmp_path / "hall.png")
    assert load(tmp_path / "hall.png").notes[0].startswith("closed 1 open cell at")


def test_edge_of_a_map_that_robots_are_given_stays_open_as_the_ground_may_go_on(tmp_path: Path) -> None:
    save(Terrain.from_occupied("hall", yard()), tmp_path / "hall.png")
    ground = Terrain.from_occupied("site", ring((20, 20)))
    given = make_prior(str(tmp_path / "hall.png"), ground, 0)
    assert ((given.state == FREE) == ~yard()).all()
    walled = make_prior(f"{tmp_path / 'hall.png'}:edges=closed", ground, 0)
    assert ((walled.state == FREE) == ~(yard() | ring((6, 8)))).all()


def test_notes_are_no_part_of_a_terrain_and_go_with_it_under_another_name() -> None:
    ground = Terrain.from_occupied("yard", yard())
    noted = replace(ground, notes=("closed something",))
    assert noted == ground
    assert noted.digest == ground.digest
    assert noted.renamed("garden").notes == ("closed something",)
    assert find_terrain("cross:resolution=0.2").notes == ()


def lettered(folder: Path) -> tuple[Path, np.ndarray, int]:
    """A room of 12 x 9 m with a wall at a slant, one short wall of 0.7 m and words; where the walls are; pieces."""
    room = Image.new("L", (120, 90), 255)
    draw = ImageDraw.Draw(room)
    draw.rectangle((0, 0, 119, 89), outline=0)
    draw.line((10, 80, 60, 40), fill=0)
    draw.line((80, 60, 86, 60), fill=0)
    walls = np.asarray(room)[::-1] < 125
    specks = [(20, 20), (21, 21), (100, 12), (101, 12), (40, 30)]
    for speck in specks:
        room.putpixel(speck, 0)
    draw.line((30, 10, 30, 15), fill=0)
    room.save(folder / "room.png")
    return folder / "room.png", walls, 4


def test_pieces_no_larger_than_asked_for_are_removed_and_every_wall_stays(tmp_path: Path) -> None:
    path, walls, pieces = lettered(tmp_path)
    dirty = load(path)
    assert dirty.occupied.sum() == walls.sum() + 11
    assert dirty.notes == ()
    found = load(path, clean=0.6)
    assert (found.occupied == walls).all()
    assert found.notes == (f"removed {pieces} pieces of wall no larger than 0.6 m, 11 cells",)


def test_extent_counts_the_longer_side_and_a_piece_of_just_that_size_goes(tmp_path: Path) -> None:
    path, walls, _ = lettered(tmp_path)
    assert load(path, clean=0.5).occupied.sum() == walls.sum() + 6
    assert load(path, clean=0.69).occupied.sum() == walls.sum()
    assert load(path, clean=0.7).occupied.sum() == walls.sum() - 7
    assert load(path, clean=1.2, resolution=0.2).occupied.sum() == walls.sum()


def test_cleaning_works_on_ros_maps_and_before_the_edge_is_closed(tmp_path: Path) -> None:
    found = load(ros_map(tmp_path, yard()), clean=0.2)
    assert (found.occupied == ring((6, 8))).all()
    assert found.notes == ("removed 2 pieces of wall no larger than 0.2 m, 3 cells", CLOSED.format(24))


@pytest.mark.parametrize("seed", range(8))
def test_cleaning_agrees_with_a_slow_flood_fill(tmp_path: Path, seed: int) -> None:
    occupied = np.random.default_rng(seed).random((30, 17 + 9 * seed)) < 0.25
    save(Terrain.from_occupied("noise", occupied), tmp_path / "noise.png")
    kept = occupied.copy()
    seen: set[tuple[int, int]] = set()
    for start in map(tuple, np.argwhere(occupied)):
        if start in seen:
            continue
        piece, waiting = [start], [start]
        seen.add(start)
        while waiting:
            row, column = waiting.pop()
            around = [(row + dy, column + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
            for y, x in around:
                if 0 <= y < 30 and 0 <= x < occupied.shape[1] and occupied[y, x] and (y, x) not in seen:
                    seen.add((y, x))
                    piece.append((y, x))
                    waiting.append((y, x))
        rows, columns = zip(*piece, strict=True)
        if max(max(rows) - min(rows), max(columns) - min(columns)) + 1 <= 4:
            kept[list(rows), list(columns)] = False
    assert (load(tmp_path / "noise.png", clean=0.4, edges="open").occupied == kept).all()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"edges": "shut"}, "edges: input should be 'closed' or 'open', found 'shut'"),
        ({"clean": -1}, "clean: .*greater than or equal to 0, found -1"),
        ({"clean": "letters"}, "clean: .*found 'letters'"),
    ],
)
@pytest.mark.parametrize("suffix", [".png", ".map", ".yaml"])
def test_wrong_wish_is_named(tmp_path: Path, suffix: str, options: dict[str, Any], complaint: str) -> None:
    save(Terrain.from_occupied("hall", yard()), tmp_path / f"hall{suffix}")
    with pytest.raises(ExpeditionError, match=complaint):
        load(tmp_path / f"hall{suffix}", **options)


def test_marked_starts_and_materials_of_ours_stay_where_an_edge_is_closed(tmp_path: Path) -> None:
    path = ros_map(tmp_path, yard(), material="glass", starts=[[0.35, 0.15]])
    found = load(path)
    assert found.starts == (Start(0.35, 0.15),)
    assert found.material.max() == found.material.min() == 3
    assert found.wall_height_cm[0].tolist() == [200] * 8
