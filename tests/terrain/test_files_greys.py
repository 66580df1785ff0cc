"""A picture whose threshold parts the wrong greys says so, and an ordinary one says nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw, ImageFilter

from expedition.terrain import Terrain
from expedition.terrain.files import load

SIDE = 160


def drawn(wall: int = 0, ground: int = 255, around: int | None = None, size: int = SIDE) -> Image.Image:
    """Rooms in a surround, as most plans have it."""
    picture = Image.new("L", (size, size), wall if around is None else around)
    draw = ImageDraw.Draw(picture)
    scale = size / SIDE
    for left, top, right, bottom in ((20, 20, 75, 90), (85, 20, 140, 90), (20, 100, 140, 140)):
        box = tuple(round(scale * value) for value in (left - 5, top - 5, right + 5, bottom + 5))
        draw.rectangle(box, fill=wall)
    for left, top, right, bottom in ((20, 20, 75, 90), (85, 20, 140, 90), (20, 100, 140, 140), (40, 85, 60, 110)):
        draw.rectangle(tuple(round(scale * value) for value in (left, top, right, bottom)), fill=ground)
    return picture


def read(folder: Path, picture: Image.Image, suffix: str = ".png", **options: Any) -> Terrain:
    picture.save(folder / f"plan{suffix}")
    return load(folder / f"plan{suffix}", edges="open", **options)


def shares(picture: Image.Image, grey: int) -> str:
    return f"{grey} ({np.mean(np.asarray(picture) == grey):.1%})"


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".gif"])
def test_walls_of_mid_grey_that_are_read_as_free_are_noticed_and_the_named_threshold_finds_them(
    tmp_path: Path, suffix: str
) -> None:
    picture = drawn(wall=127, ground=195)
    found = read(tmp_path, picture, suffix)
    assert found.free_cells == SIDE * SIDE
    (note,) = found.notes
    assert note == (
        f"hardly any walls (0.0% of the cells) at threshold 125; greys found: {shares(picture, 195)}, "
        f"{shares(picture, 127)}; threshold=161 would part them"
    )
    right = read(tmp_path, picture, suffix, threshold=161)
    assert (right.occupied[::-1] == (np.asarray(picture) == 127)).all()
    assert right.notes == ()


def test_a_surround_of_a_grey_just_above_the_threshold_is_noticed(tmp_path: Path) -> None:
    picture = drawn(around=128)
    (note,) = read(tmp_path, picture).notes
    assert note.startswith(
        f"grey {shares(picture, 128)} lies just above threshold 125 and is read as free; greys found:"
    )
    assert all(shares(picture, grey) in note for grey in (0, 128, 255))
    assert note.endswith("; threshold=192 would part them")
    right = read(tmp_path, picture, threshold=192)
    assert (right.occupied[::-1] == (np.asarray(picture) <= 128)).all()
    assert right.notes == ()


def test_a_floor_of_a_grey_just_below_the_threshold_is_noticed(tmp_path: Path) -> None:
    picture = drawn(ground=118, around=255)
    (note,) = read(tmp_path, picture).notes
    assert note.startswith("grey 118 ")
    assert "lies just below threshold 125 and is read as wall" in note
    assert "threshold=59 would part them" in note


def test_a_map_that_is_all_wall_is_noticed(tmp_path: Path) -> None:
    (note,) = read(tmp_path, drawn(wall=10, ground=90)).notes
    assert note.startswith("hardly any free ground (0.0% of the cells) at threshold 125; ")
    assert "threshold=50 would part them" in note


def test_inverted_map_is_judged_from_its_light_side(tmp_path: Path) -> None:
    picture = drawn(wall=110, ground=20)
    (note,) = read(tmp_path, picture, inverted=True).notes
    assert note.startswith("hardly any walls")
    right = read(tmp_path, picture, inverted=True, threshold=float(re.findall(r"threshold=(\d+) ", note)[0]))
    assert (right.occupied[::-1] == (np.asarray(picture) == 110)).all()
    assert read(tmp_path, drawn(wall=255, ground=0), inverted=True).notes == ()


def test_thin_grey_walls_beside_a_little_black_text_are_noticed(tmp_path: Path) -> None:
    picture = Image.new("L", (SIDE, SIDE), 255)
    draw = ImageDraw.Draw(picture)
    for inset in (10, 20, 30):
        draw.rectangle((inset, inset, SIDE - inset, SIDE - inset), outline=136)
    draw.rectangle((70, 70, 90, 80), fill=0)
    (note,) = read(tmp_path, picture).notes
    assert note.startswith("grey 136 (")


def test_a_faint_scan_without_distinct_greys_is_noticed_too(tmp_path: Path) -> None:
    noise = np.random.default_rng(2).normal(0, 12, (SIDE, SIDE))
    shades = np.asarray(drawn(wall=165, ground=225)) + noise
    picture = Image.fromarray(shades.clip(140, 250).astype(np.uint8))
    (note,) = read(tmp_path, picture).notes
    assert note.startswith("hardly any walls")
    threshold = int(re.findall(r"threshold=(\d+) ", note)[0])
    assert 185 <= threshold <= 205


def anti_aliased() -> Image.Image:
    """Drawn four times as large with a circle and slants, and scaled down: greys of every kind on each edge."""
    picture = drawn(size=4 * SIDE)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((100, 100, 280, 340), outline=0, width=9)
    draw.line((360, 120, 540, 340), fill=0, width=9)
    return picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def sparse_ros() -> Image.Image:
    """A large hall of which a little is mapped: 0.25 % walls, 20 % free, the rest unknown."""
    shades = np.full((400, 400), 205, dtype=np.uint8)
    shades[:80] = 254
    shades[80, :] = 0
    return Image.fromarray(shades)


ORDINARY = {
    "black and white": drawn(),
    "black walls in a white surround": drawn(around=255),
    "walls and ground of other shades": drawn(wall=60, ground=180),
    "two shades, one near the threshold": drawn(wall=0, ground=128),
    "anti-aliased": anti_aliased(),
    "blurred": drawn().filter(ImageFilter.GaussianBlur(0.8)),
    "as ROS saves it": drawn(ground=254, around=205),
    "as ROS saves it, with few walls": sparse_ros(),
    "empty": Image.new("L", (SIDE, SIDE), 255),
    "noisy": Image.fromarray(np.where(np.random.default_rng(1).random((SIDE, SIDE)) < 0.3, 50, 254).astype(np.uint8)),
}


@pytest.mark.parametrize("picture", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_pictures_are_read_without_a_word(tmp_path: Path, picture: Image.Image) -> None:
    assert len(picture.getcolors() or []) > 0
    assert read(tmp_path, picture).notes == ()


def test_jpeg_of_a_black_and_white_plan_is_read_without_a_word(tmp_path: Path) -> None:
    found = read(tmp_path, drawn(around=255), ".jpg")
    assert found.notes == ()
    assert found.occupied.any()


def test_what_is_clear_has_no_grey(tmp_path: Path) -> None:
    """A clear surround counts as free, whatever grey stands in its pixels."""
    picture = drawn(around=128)
    alpha = Image.fromarray(np.where(np.asarray(picture) == 128, 0, 255).astype(np.uint8))
    found = read(tmp_path, Image.merge("LA", (picture, alpha)))
    assert found.notes == ()


def test_deep_and_coloured_pictures_are_judged_by_the_same_greys(tmp_path: Path) -> None:
    picture = drawn(wall=127, ground=195)
    plain = read(tmp_path, picture).notes
    deep = Image.fromarray(np.asarray(picture).astype(np.uint16) * 257)
    assert read(tmp_path, deep).notes == read(tmp_path, picture.convert("RGB")).notes == plain


def ros(folder: Path, picture: Image.Image, **options: Any) -> Terrain:
    picture.save(folder / "plan.png")
    header = {"mode": "trinary", "negate": 0, "occupied_thresh": 0.65, "free_thresh": 0.196}
    header |= {name: options.pop(name) for name in list(options) if name in header}
    content = {"image": "plan.png", "resolution": 0.1, "origin": [0, 0, 0], **header}
    (folder / "plan.yaml").write_text(yaml.safe_dump(content))
    return load(folder / "plan.yaml", edges="open", **options)


@pytest.mark.parametrize("mode", ["trinary", "scale"])
@pytest.mark.parametrize("unknown", ["wall", "free"])
def test_ros_map_whose_greys_are_all_unknown_names_the_thresholds_that_find_its_walls(
    tmp_path: Path, unknown: str, mode: str
) -> None:
    picture = drawn(wall=127, ground=195)
    options = {"unknown": unknown, "mode": mode, "wall_percent": 90}
    found = ros(tmp_path, picture, **options)
    if mode == "scale" or unknown == "free":
        assert found.free_cells == SIDE * SIDE
    (note,) = found.notes
    assert "at occupied_thresh 0.65 and free_thresh 0.196; greys found: " in note
    high, low = map(float, re.findall(r"occupied_thresh: ([.\d]+) with free_thresh: ([.\d]+) would", note)[0])
    right = ros(tmp_path, picture, occupied_thresh=high, free_thresh=low, **options)
    assert (right.occupied[::-1] == (np.asarray(picture) == 127)).all()
    assert right.notes == ()


@pytest.mark.parametrize("unknown", ["wall", "free"])
@pytest.mark.parametrize("negate", [0, 1])
def test_ordinary_ros_map_is_read_without_a_word(tmp_path: Path, unknown: str, negate: int) -> None:
    picture = drawn(ground=254, around=205)
    shown = Image.fromarray(255 - np.asarray(picture)) if negate else picture
    assert ros(tmp_path, shown, unknown=unknown, negate=negate).notes == ()
    assert ros(tmp_path, picture, mode="raw").notes == ()
