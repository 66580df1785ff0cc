"""Plain images: files that Pillow has written, every depth and colour, and what the options mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.terrain import Terrain
from expedition.terrain.files import load, save
from expedition.terrain.files.pgm import encode_pgm, read_pgm

GREY = np.array([[0, 60, 124], [125, 200, 255]], dtype=np.uint8)
DARK = [[True, True, True], [False, False, False]]

grids = st.tuples(st.integers(1, 9), st.integers(1, 9))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images")


def top_down(ground: Terrain) -> list[list[bool]]:
    rows: list[list[bool]] = ground.occupied[::-1].tolist()
    return rows


@pytest.mark.parametrize("suffix", [".pgm", ".png", ".bmp", ".gif", ".tif", ".tiff"])
def test_grey_images_of_another_program_are_read_with_maes_threshold(tmp_path: Path, suffix: str) -> None:
    Image.fromarray(GREY).save(tmp_path / f"map{suffix}")
    assert top_down(load(tmp_path / f"map{suffix}")) == DARK


MODES = {
    ".png": ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"],
    ".bmp": ["1", "L", "P", "RGB", "RGBA"],
    ".gif": ["1", "L", "LA", "P", "RGB", "RGBA"],
    ".jpg": ["1", "L", "RGB", "CMYK"],
    ".jpeg": ["L"],
    ".tif": ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"],
    ".tiff": ["L"],
    ".webp": ["L", "LA", "RGB", "RGBA"],
}


@pytest.mark.parametrize(("suffix", "mode"), [(suffix, mode) for suffix, modes in MODES.items() for mode in modes])
def test_black_and_white_images_of_every_mode_are_read(tmp_path: Path, suffix: str, mode: str) -> None:
    black_left = np.zeros((16, 32), dtype=np.uint8)
    black_left[:, 16:] = 255
    sixteen_bits = mode == "I;16"
    image = Image.fromarray(black_left.astype(np.uint16) * 257 if sixteen_bits else black_left)
    path = tmp_path / f"map{suffix}"
    (image if sixteen_bits else image.convert(mode)).save(path)
    # JPEG and WebP smear the edge.
    occupied = load(path, edges="open").occupied
    assert occupied[:, :14].all()
    assert not occupied[:, 18:].any()


@given(values=grids.flatmap(lambda shape: arrays.arrays(np.uint8, shape)))
@settings(max_examples=40)
def test_binary_pgm_of_8_bits_is_the_same_for_pillow(folder: Path, values: np.ndarray) -> None:
    (folder / "ours.pgm").write_bytes(encode_pgm(values))
    with Image.open(folder / "ours.pgm") as image:
        assert (np.asarray(image) == values).all()
    Image.fromarray(values).save(folder / "theirs.pgm")
    assert (read_pgm(folder / "theirs.pgm").shade == values).all()


@given(values=grids.flatmap(lambda shape: arrays.arrays(np.uint16, shape)))
@settings(max_examples=40)
def test_binary_pgm_of_16_bits_is_the_same_for_pillow(folder: Path, values: np.ndarray) -> None:
    (folder / "ours.pgm").write_bytes(encode_pgm(values))
    with Image.open(folder / "ours.pgm") as image:
        assert (np.asarray(image) == values).all()
    Image.fromarray(values).save(folder / "theirs.pgm")
    back = read_pgm(folder / "theirs.pgm")
    assert back.white == 65535
    assert (back.shade == values).all()


def test_saved_images_are_black_walls_on_white_for_pillow(tmp_path: Path) -> None:
    occupied = np.array([[True, False], [False, False], [False, True]])
    for name in ("map.png", "map.pgm", "ascii.pgm"):
        save(Terrain.from_occupied("map", occupied), tmp_path / name, ascii=name == "ascii.pgm")
        with Image.open(tmp_path / name) as image:
            assert np.asarray(image).tolist() == [[255, 0], [255, 255], [0, 255]]


def pgm(folder: Path, data: bytes) -> Path:
    (folder / "map.pgm").write_bytes(data)
    return folder / "map.pgm"


@pytest.mark.parametrize(
    "data",
    [
        b"P2\n3 2\n255\n0 60 124\n125 200 255\n",
        b"P2 3 2 255 0 60 124 125 200 255",
        b"P2\r\n3 2\r\n255\r\n0 60 124\r\n125 200 255\r\n",
        b"P2 # by hand\n#\n3 # wide\n2\n255\n0 60 124 # first row\n125\n200\n255\n\n",
        b"P2\n3 2\n00255\n000 060 124 125 200 255",
        b"P5\n3 2\n255\n" + bytes([0, 60, 124, 125, 200, 255]),
        b"P5\n# by hand\n3 2 255 " + bytes([0, 60, 124, 125, 200, 255]) + b"\n",
        b"P5 3 2 255#the line end of this is the last of the header\n" + bytes([0, 60, 124, 125, 200, 255]),
        b"P2 3 2 65535  0 15420 31868 32125 51400 65535",
        b"P5 3 2 65535 " + np.array([0, 15420, 31868, 32125, 51400, 65535], dtype=">u2").tobytes(),
        b"P2 3 2 2  0 0 0 1 1 2",
    ],
)
def test_ways_to_write_one_pgm(tmp_path: Path, data: bytes) -> None:
    assert top_down(load(pgm(tmp_path, data))) == DARK


NETPBM_PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x04\x03\0\0\0oZ{)\0\0\0\x12PLTE\0\0\0}}}"
    b"\xc8\xc8\xc8\xff\xff\xff<<<|||K\xeaLd\0\0\0\x0eIDAT\x08\x99c`\t`\x102\0\0\x01\xae\0\x97\xc6\x91\x82\xc4"
    b"\0\0\0\0IEND\xaeB`\x82"
)


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".pgm", b"P2\n3 2\n255\n0 60 124 \n125 200 255 \n"),
        (".pgm", b"P5\n3 2\n255\n\x00<|}\xc8\xff"),
        (".pgm", b"P5\n3 2\n65535\n\x00\x00<<||}}\xc8\xc8\xff\xff"),
        (".pgm", b"P2\n3 2\n65535\n0 15420 31868 \n32125 51400 65535 \n"),
        (".png", NETPBM_PNG),
    ],
)
def test_files_that_netpbm_has_written_are_read(tmp_path: Path, suffix: str, data: bytes) -> None:
    (tmp_path / f"map{suffix}").write_bytes(data)
    assert top_down(load(tmp_path / f"map{suffix}")) == DARK


def test_pixels_that_look_like_a_comment_or_white_space_are_pixels(tmp_path: Path) -> None:
    ground = load(pgm(tmp_path, b"P5 4 1 255\n# \n\xff"))
    assert ground.occupied.tolist() == [[True, True, True, False]]


def test_options_set_what_an_image_does_not_say(tmp_path: Path) -> None:
    path = pgm(tmp_path, b"P2 3 1 255  10 100 240")
    options: dict[str, Any] = {"name": "yard", "resolution": 0.5, "origin": (-1, 2), "wall_height": 0.4}
    ground = load(path, **options, material="brick")
    assert (ground.name, ground.resolution, ground.origin) == ("yard", 0.5, (-1.0, 2.0))
    assert ground.wall_height_cm.tolist() == [[40, 40, 0]]
    assert ground.material.max() == 1
    assert load(path).name == "map"
    assert load(path, threshold=100).occupied.tolist() == [[True, False, False]]
    assert load(path, threshold=0).occupied.tolist() == [[False, False, False]]
    assert load(path, threshold=256).occupied.tolist() == [[True, True, True]]
    assert load(path, inverted=True).occupied.tolist() == [[False, False, True]]


def test_threshold_is_on_the_scale_of_255_whatever_the_depth(tmp_path: Path) -> None:
    ground = load(pgm(tmp_path, b"P2 3 1 1000  299 300 301"), threshold=76.5)
    assert ground.occupied.tolist() == [[True, False, False]]


def test_what_is_more_than_half_transparent_is_free_also_when_inverted(tmp_path: Path) -> None:
    pixels = np.array([[[0, 0, 0, 127], [0, 0, 0, 128], [255, 255, 255, 0]]], dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "map.png")
    assert load(tmp_path / "map.png").occupied.tolist() == [[False, True, False]]
    assert load(tmp_path / "map.png", inverted=True).occupied.tolist() == [[False, False, False]]


def test_palette_with_a_transparent_colour_is_read(tmp_path: Path) -> None:
    image = Image.new("P", (3, 1))
    image.putpalette([0, 0, 0, 255, 255, 255, 10, 10, 10])
    image.putdata([0, 1, 2])
    image.save(tmp_path / "map.png", transparency=2)
    assert load(tmp_path / "map.png").occupied.tolist() == [[True, False, False]]


def test_first_frame_of_an_animation_is_the_map(tmp_path: Path) -> None:
    frames = [Image.new("L", (4, 4), shade) for shade in (0, 255, 128)]
    frames[0].save(tmp_path / "map.gif", save_all=True, append_images=frames[1:])
    frames[0].save(tmp_path / "map.tif", save_all=True, append_images=frames[1:])
    assert load(tmp_path / "map.gif").occupied.all()
    assert load(tmp_path / "map.tif").occupied.all()


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_pixels_without_an_agreed_white_are_refused(tmp_path: Path, dtype: type) -> None:
    Image.fromarray(np.ones((2, 2), dtype=dtype)).save(tmp_path / "map.tif")
    with pytest.raises(ExpeditionError, match="32 bits have no agreed white"):
        load(tmp_path / "map.tif")


def test_image_taller_than_a_strip_keeps_every_row(tmp_path: Path) -> None:
    rows = np.arange(700)[:, None, None] % 7 < 3
    Image.fromarray(np.where(rows, 0, 255).astype(np.uint8).repeat(3, 2)).save(tmp_path / "map.png")
    assert (load(tmp_path / "map.png").occupied[::-1, 0] == rows[:, 0, 0]).all()


def test_image_beside_a_yaml_that_names_it_stays_a_plain_image(tmp_path: Path) -> None:
    save(Terrain.from_occupied("other", np.eye(3, dtype=bool), 0.7), tmp_path / "map.yaml")
    assert load(tmp_path / "map.pgm").resolution == 0.1
    assert load(tmp_path / "map.yaml").resolution == 0.7


@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_suffix_may_be_in_capitals_and_content_in_another_image_format(tmp_path: Path, mode: str) -> None:
    Image.new(mode, (8, 8)).save(tmp_path / "MAP.PNG", "BMP")
    assert load(tmp_path / "MAP.PNG").occupied.all()
