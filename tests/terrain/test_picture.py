"""Pictures of terrains: what is drawn, that it can be drawn over, and that files are the same each time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.plotstyle import legend, new_figure, robot_colour, robot_marker, save
from expedition.terrain import MATERIALS, Collapse, Door, Landmark, Person, Rectangle, Terrain
from expedition.terrain.picture import draw, save_picture


def box(left: float, bottom: float, right: float, top: float) -> Rectangle:
    return Rectangle(left=left, bottom=bottom, right=right, top=top)


@pytest.fixture
def room() -> Terrain:
    occupied = np.ones((40, 60), dtype=bool)
    occupied[2:-2, 2:-2] = False
    return Terrain.from_occupied("room", occupied, 0.1)


@pytest.fixture
def busy(room: Terrain) -> Terrain:
    heights, materials = np.array(room.wall_height_cm), np.array(room.material)
    heights[10:14, 10:20], materials[10:14, 10:20] = 80, 2
    speeds = np.full(room.shape, 100)
    speeds[20:30, 30:50] = 40
    return replace(
        room,
        wall_height_cm=heights,
        material=materials,
        speed_percent=speeds,
        landmarks=(Landmark(1.0, 1.0), Landmark(2.0, 3.0)),
        changes=(
            Door(area=box(2, 1, 2.2, 2)),
            Door(area=box(3, 1, 3.2, 2), closed=True),
            Person(waypoints=((4.0, 1.0), (5.0, 2.0))),
            Person(waypoints=((4.0, 3.0),)),
            Collapse(area=box(1, 2, 2, 3), time=60),
        ),
    )


def axes_of_a_figure() -> Axes:
    return new_figure(8, 6).add_subplot()


def picture_of(terrain: Terrain) -> np.ndarray:
    axes = axes_of_a_figure()
    draw(terrain, axes)
    return np.asarray(axes.images[0].get_array())


def test_every_wall_cell_has_its_material_colour_and_free_ground_is_white(room: Terrain) -> None:
    picture = picture_of(room)
    concrete = np.round(255 * np.array(to_rgb(MATERIALS[0].colour)))
    assert (picture[room.occupied] == concrete).all()
    assert (picture[~room.occupied] == 255).all()


def test_low_walls_are_paler_than_high_ones_and_rough_ground_is_shaded(busy: Terrain, room: Terrain) -> None:
    high = picture_of(replace(busy, wall_height_cm=np.where(busy.occupied, np.uint16(200), np.uint16(0))))
    low = picture_of(busy)
    assert (low[12, 15] > high[12, 15]).all()
    assert low[25, 40].astype(int).sum() < 3 * 255
    assert (low[25, 5] == 255).all()


def test_axes_are_metres_and_equal(room: Terrain) -> None:
    axes = axes_of_a_figure()
    draw(room, axes)
    assert (*axes.get_xlim(), *axes.get_ylim()) == pytest.approx((0, 6, 0, 4))
    assert axes.get_aspect() == 1
    assert axes.get_xlabel() == "x (m)"


def test_plain_terrain_needs_no_legend(room: Terrain) -> None:
    assert draw(room, axes_of_a_figure()) == []


def test_legend_names_all_that_is_drawn(busy: Terrain) -> None:
    labels = {str(handle.get_label()) for handle in draw(busy, axes_of_a_figure())}
    assert labels == {
        "concrete",
        "wood, below 1.5 m",
        "rough ground, speed down to 40 %",
        "landmark",
        "door",
        "door, closed at first",
        "person",
        "collapse",
    }


def test_landmarks_and_changes_can_be_left_out(busy: Terrain) -> None:
    axes = axes_of_a_figure()
    handles = draw(busy, axes, landmarks=False, changes=False)
    assert len(handles) == 3
    assert not axes.patches
    assert not axes.lines


def test_other_plots_lie_above_the_terrain(busy: Terrain) -> None:
    axes = axes_of_a_figure()
    (path,) = axes.plot([1, 2, 3], [1, 1, 2])
    draw(busy, axes, starts=[(1.0, 1.0)])
    assert path.get_zorder() > axes.images[0].get_zorder()
    assert axes.get_xlim() == pytest.approx((0, 6))


def test_each_start_is_a_disc_with_a_number(room: Terrain) -> None:
    axes = axes_of_a_figure()
    draw(room, axes, starts=[(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)])
    assert len(axes.patches) == 6
    for patch in axes.patches:
        middle = patch.get_path().transformed(patch.get_patch_transform()).get_extents()
        assert abs((middle.x0 + middle.x1) / 2 - round((middle.x0 + middle.x1) / 2)) < 0.05


def test_large_terrain_is_drawn_from_blocks_without_losing_thin_walls() -> None:
    occupied = np.zeros((3001, 5003), dtype=bool)
    occupied[:, 2500] = True
    occupied[-1, -1] = True
    picture = picture_of(Terrain.from_occupied("large", occupied, 0.1))
    assert max(picture.shape) <= 2400
    walls = (picture != 255).all(axis=2)
    assert walls.any(axis=1).all()
    assert walls[-1, -1]


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_same_terrain_gives_the_same_bytes(busy: Terrain, tmp_path: Path, suffix: str) -> None:
    one = save_picture(busy, tmp_path / f"one{suffix}", starts=[(1.0, 1.0)], title="Room").read_bytes()
    other = save_picture(busy, tmp_path / f"other{suffix}", starts=[(1.0, 1.0)], title="Room").read_bytes()
    assert one == other
    assert one.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix])


def test_picture_shows_the_terrain_upright(tmp_path: Path) -> None:
    occupied = np.zeros((40, 40), dtype=bool)
    occupied[20:, 20:] = True
    path = save_picture(Terrain.from_occupied("corner", occupied, 0.1), tmp_path / "corner.png")
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("L"))
    dark = np.argwhere(pixels < 100).mean(axis=0) / pixels.shape
    assert dark[0] < 0.5 < dark[1]


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 2)])
def test_odd_shapes_make_reasonable_pictures(tmp_path: Path, shape: tuple[int, int]) -> None:
    path = save_picture(Terrain.from_occupied("odd", np.zeros(shape, dtype=bool), 0.1), tmp_path / "odd.png")
    with Image.open(path) as picture:
        width, height = picture.size
    assert 0.1 < height / width < 4


def test_legend_fits_into_the_figure(busy: Terrain) -> None:
    figure = new_figure(8, 6)
    height = figure.get_figheight()
    made = legend(figure, draw(busy, figure.add_subplot()))
    figure.draw_without_rendering()
    assert made is not None
    assert made.get_window_extent().width <= figure.bbox.width
    assert figure.get_figheight() > height


def test_unknown_picture_format_is_refused_with_the_allowed_ones(room: Terrain, tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match=r"unknown picture format '\.pgn'; did you mean '\.png'\?"):
        save_picture(room, tmp_path / "room.pgn")
    with pytest.raises(ExpeditionError, match=r"allowed: \.pdf, \.png, \.svg"):
        save_picture(room, tmp_path / "room")


def test_unwritable_path_is_one_sentence(room: Terrain, tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match="cannot be written: there is no folder"):
        save(new_figure(4, 4), tmp_path / "missing" / "room.png")
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(ExpeditionError, match="cannot be written: Is a directory"):
        save(new_figure(4, 4), tmp_path / "taken.png")


def test_sixty_four_robots_look_different() -> None:
    assert len({(robot_colour(robot), robot_marker(robot)) for robot in range(64)}) == 64
