"""Maps that their YAML turns: walls stay closed, little area is lost, and places are where ROS has them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw
from scipy import ndimage

from expedition.belief.grid import UNKNOWN
from expedition.belief.prior import make_prior
from expedition.errors import ExpeditionError
from expedition.terrain import Landmark, Start, Terrain
from expedition.terrain.files import load
from expedition.terrain.files.turned import joined_at_corners

RESOLUTION = 0.05
LEFT, BOTTOM = -1.5, 2.25


def turned(folder: Path, occupied: np.ndarray, yaw: float, expedition: Any = None, **options: Any) -> Terrain:
    """A ROS map, its lowest row first, whose origin has this yaw."""
    Image.fromarray(np.where(occupied[::-1], 0, 254).astype(np.uint8)).save(folder / "map.png")
    content = {
        "image": "map.png", "resolution": RESOLUTION, "origin": [LEFT, BOTTOM, float(yaw)], "negate": 0,
        "occupied_thresh": 0.65, "free_thresh": 0.196, **({"expedition": expedition} if expedition else {}),
    }  # fmt: skip
    (folder / "map.yaml").write_text(yaml.safe_dump(content))
    return load(folder / "map.yaml", **options)


def world(column: float, row: float, yaw: float) -> tuple[float, float]:
    """Where ROS has a point of the picture, given in cells from its lower left corner."""
    x, y = column * RESOLUTION, row * RESOLUTION
    return LEFT + math.cos(yaw) * x - math.sin(yaw) * y, BOTTOM + math.sin(yaw) * x + math.cos(yaw) * y


def one_cell_ring(kind: str) -> np.ndarray:
    """A closed line of single cells around the middle of 80 x 80."""
    picture = Image.new("1", (80, 80))
    draw = ImageDraw.Draw(picture)
    if kind == "circle":
        draw.ellipse((12, 12, 68, 68), outline=1)
    elif kind == "square":
        draw.rectangle((12, 12, 68, 68), outline=1)
    else:
        draw.polygon([(40, 9), (71, 40), (40, 71), (9, 40)], outline=1)
    return np.asarray(picture)


ANGLES = [*np.linspace(-math.pi, math.pi, 41), 0.01, 0.1, math.pi / 6, math.pi / 4, 1.5, 10.0]


@pytest.mark.parametrize("kind", ["circle", "square", "diamond"])
def test_ring_of_single_cells_has_no_leak_at_any_angle_and_keeps_its_area(tmp_path: Path, kind: str) -> None:
    ring = one_cell_ring(kind)
    inside = ndimage.binary_fill_holes(ring) & ~ring
    for yaw in ANGLES:
        found = turned(tmp_path, ring, yaw, unknown="free", edges="open")
        regions, _ = ndimage.label(~found.occupied)
        # The tip of a corner may be a pocket of its own.
        assert sorted(np.bincount(regions[regions > 0]))[:-2] in ([], [0], [0, 1]), yaw
        row, column = found.cell(*world(40.5, 40.5, yaw))
        within = regions == regions[row, column]
        assert within.sum() == within[1:-1, 1:-1].sum(), yaw
        # A cell more for each two that meet at a corner only, of 124 around 1861 in the diamond.
        assert abs(within.sum() / inside.sum() - 1) < 0.04, yaw
        assert found.occupied.sum() < 2.1 * ring.sum()


def rooms(seed: int) -> np.ndarray:
    """Thin walls at random with gaps in them: many rooms, some of them closed."""
    rng = np.random.default_rng(seed)
    picture = Image.new("1", (90, 70))
    draw = ImageDraw.Draw(picture)
    for _ in range(14):
        draw.line([(int(x), int(y)) for x, y in rng.integers((3, 3), (87, 67), (2, 2))], fill=1)
    draw.rectangle((2, 2, 87, 67), outline=1)
    return np.asarray(picture)


@pytest.mark.parametrize("seed", range(6))
def test_no_two_places_that_walls_part_are_joined_by_turning(tmp_path: Path, seed: int) -> None:
    walls = rooms(seed)
    parts, _ = ndimage.label(~walls)
    for yaw in np.random.default_rng(seed).uniform(-4, 4, 12):
        found = turned(tmp_path, walls, yaw, unknown="free", edges="open")
        regions, number = ndimage.label(~found.occupied)
        of_part: dict[int, set[int]] = {}
        for row, column in np.argwhere(regions > 0):
            x, y = found.centre(int(row), int(column))
            along = math.cos(yaw) * (x - LEFT) + math.sin(yaw) * (y - BOTTOM)
            up = math.cos(yaw) * (y - BOTTOM) - math.sin(yaw) * (x - LEFT)
            at = math.floor(up / RESOLUTION), math.floor(along / RESOLUTION)
            inside = 0 <= at[0] < 70 and 0 <= at[1] < 90
            of_part.setdefault(int(regions[row, column]), set()).add(int(parts[at]) if inside else int(parts[0, 0]))
        assert number >= 1
        assert all(len(parts_of) == 1 for parts_of in of_part.values()), yaw


def test_a_point_of_the_picture_is_where_ros_has_it(tmp_path: Path) -> None:
    """By the transform of map_server: origin is the pose of the lower left pixel, yaw counter-clockwise."""
    walls = np.zeros((40, 60), dtype=bool)
    walls[28:33, 45:50] = walls[5:10, 7:10] = True
    for yaw in ANGLES:
        found = turned(tmp_path, walls, yaw)
        for column, row in ((47.5, 30.5), (8.5, 7.5)):
            assert not found.is_free(*world(column, row, yaw))
        for column, row in ((30, 20), (40, 30.5), (47.5, 22), (3, 7.5), (55, 5)):
            assert found.is_free(*world(column, row, yaw))


@pytest.mark.parametrize(("quarters", "yaw"), [(1, math.pi / 2), (1, 1.5708), (2, 3.1416), (3, -1.5708), (0, 1e-7)])
def test_right_angles_keep_every_cell_and_say_nothing(tmp_path: Path, quarters: int, yaw: float) -> None:
    walls = np.random.default_rng(4).random((37, 53)) < 0.3
    walls[0] = walls[-1] = walls[:, 0] = walls[:, -1] = True
    found = turned(tmp_path, walls, yaw)
    assert (found.occupied == np.rot90(walls, -quarters)).all()
    assert found.notes == ()
    expected = {0: (0, 0), 1: (-37, 0), 2: (-53, -37), 3: (0, -53)}[quarters]
    assert found.origin == pytest.approx((LEFT + expected[0] * RESOLUTION, BOTTOM + expected[1] * RESOLUTION))


def test_outside_of_the_turned_picture_is_unknown(tmp_path: Path) -> None:
    room = np.zeros((30, 40), dtype=bool)
    corner = (0, -1)
    walled = turned(tmp_path, room, 0.4, unknown="wall")
    assert walled.occupied[corner]
    assert walled.free_area == pytest.approx(30 * 40 * RESOLUTION**2, rel=0.03)
    assert walled.notes[0] == "turned by 22.9183 degrees as its origin says: walls lie up to a cell off"
    open_ = turned(tmp_path, room, 0.4, unknown="free", edges="open")
    assert not open_.occupied.any()
    closed = turned(tmp_path, room, 0.4, unknown="free")
    assert closed.occupied[0].all()
    assert not closed.occupied[1:-1, 1:-1].any()
    ground = Terrain.from_occupied("site", np.zeros((60, 60), dtype=bool), origin=(LEFT, BOTTOM))
    assert make_prior(str(tmp_path / "map.yaml"), ground, 0).state[corner] == UNKNOWN


def test_a_single_pole_is_never_lost(tmp_path: Path) -> None:
    for column in range(3, 30, 4):
        pole = np.zeros((33, 33), dtype=bool)
        pole[16, column] = True
        for yaw in ANGLES:
            found = turned(tmp_path, pole, yaw, unknown="free", edges="open")
            assert 1 <= found.occupied.sum() <= 2


def test_landmarks_starts_and_changes_are_in_the_world_and_do_not_turn(tmp_path: Path) -> None:
    room = np.zeros((40, 40), dtype=bool)
    x, y = world(20, 20, 0.7)
    person = {"kind": "person", "waypoints": [[x, y]]}
    extras = {"landmarks": [{"x": x, "y": y}], "starts": [[x, y, 0.3]], "changes": [person]}
    found = turned(tmp_path, room, 0.7, {**extras, "material": "brick", "wall_height_cm": 90})
    assert found.landmarks == (Landmark(x, y),)
    assert found.starts == (Start(x, y, 0.3),)
    assert found.wall_height_cm.max() == 90
    assert found.material.min() == 1


@pytest.mark.parametrize("layer", ["material_image", "wall_height_cm_image", "speed_percent_image"])
def test_layer_cell_by_cell_in_a_turned_map_is_refused_in_a_sentence(tmp_path: Path, layer: str) -> None:
    (tmp_path / "layer.pgm").write_bytes(b"P5 4 3 255 " + bytes([1] * 12))
    walls = np.zeros((3, 4), dtype=bool)
    assert turned(tmp_path, walls, 0.0, {layer: "layer.pgm"}).shape == (3, 4)
    sentence = rf"map\.yaml: origin: the third number, yaw, must be 0 in a map with expedition\.{layer}, found 0\.5"
    with pytest.raises(ExpeditionError, match=sentence):
        turned(tmp_path, walls, 0.5, {layer: "layer.pgm"})


def test_a_turned_map_that_would_be_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match=r"map\.yaml: turned by 0\.785 rad: .* at most 64,000,000 are allowed"):
        turned(tmp_path, np.zeros((2, 12_000), dtype=bool), 0.785)


def test_cells_that_meet_at_corners_only_are_joined_by_few_others() -> None:
    for seed in range(20):
        walls = np.random.default_rng(seed).random((23, 31)) < 0.2
        joined = joined_at_corners(walls)
        assert (joined | walls == joined).all()
        a, b, c, d = joined[:-1, :-1], joined[:-1, 1:], joined[1:, :-1], joined[1:, 1:]
        assert not ((a & d & ~b & ~c) | (b & c & ~a & ~d)).any()
    line = np.eye(9, dtype=bool)
    assert joined_at_corners(line).sum() == 9 + 8
