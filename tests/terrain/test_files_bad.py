"""Files that are broken, hostile or not files at all: one clear sentence each, and nothing half-written."""

from __future__ import annotations

import json
import os
import resource
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain import Terrain
from expedition.terrain.files import FORMATS, load, save

GROUND = Terrain.from_occupied("ground", np.eye(5, dtype=bool))
WRITABLE = [suffix for suffix, found in FORMATS.items() if found.write]


@pytest.mark.parametrize("suffix", FORMATS)
def test_empty_missing_garbage_and_things_that_are_no_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    with pytest.raises(ExpeditionError, match="no such file"):
        load(path)
    for content in (b"", b"\0", b"\xff\xfe\xfd garbage \x00" * 9, b"\n" * 50, b"P5", b"9" * 6000, b"{[" * 3000):
        path.write_bytes(content)
        with pytest.raises(ExpeditionError) as caught:
            load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    path.unlink()
    path.mkdir()
    with pytest.raises(ExpeditionError, match="not a file"):
        load(path)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(ExpeditionError, match="not a file"):
        load(path)
    with pytest.raises(ExpeditionError, match=r"not a file|unknown file suffix"):
        save(GROUND, path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(ExpeditionError, match="not a file"):
        load(path)
    with pytest.raises(ExpeditionError, match=r"cannot be read|no such file"):
        load(tmp_path / f"{'x' * 5000}{suffix}")
    with pytest.raises(ExpeditionError, match=r"no such file|cannot be read"):
        load(tmp_path / f"nul\0{suffix}")


@pytest.mark.parametrize("suffix", FORMATS)
def test_misspelled_option_gets_the_nearest_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    with pytest.raises(ExpeditionError, match="unknown field 'nam'; did you mean 'name'"):
        load(path, nam="x")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"treshold": 3}, "did you mean 'threshold'"),
        ({"resolution": 0}, "resolution: .*found 0"),
        ({"resolution": float("nan")}, "resolution"),
        ({"origin": (1, 2, 3)}, "origin"),
        ({"origin": (1, 1e9)}, "origin"),
        ({"threshold": "dark"}, "threshold"),
        ({"threshold": 300}, "threshold"),
        ({"material": "cheese"}, "material"),
        ({"wall_height": -1}, "wall_height"),
        ({"unknown": "wall"}, "unknown field 'unknown'"),
    ],
)
def test_wrong_option_is_named(tmp_path: Path, options: dict[str, object], complaint: str) -> None:
    save(GROUND, tmp_path / "map.png")
    with pytest.raises(ExpeditionError, match=complaint):
        load(tmp_path / "map.png", **options)


@pytest.mark.parametrize("name", ["map.svg", "map", "", ".yaml", ".gz", "map.svg.gz", "map.yaml.gz"])
def test_unknown_suffix_gets_the_list_of_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(ExpeditionError, match=r"unknown file suffix.*allowed: \.bmp.*\.yaml"):
        load(tmp_path / name)
    with pytest.raises(ExpeditionError, match=r"unknown file suffix.*allowed: \.map, \.pgm"):
        save(GROUND, tmp_path / name)


def test_only_pgm_is_written_as_ascii(tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match=r"only \.pgm"):
        save(GROUND, tmp_path / "map.png", ascii=True)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"P6 1 1 255 \0\0\0", "must begin with P2 or P5, but begins with b'P6'"),
        (b"P5", "the PGM header ends before its width"),
        (b"P5 3", "the PGM header ends before its height"),
        (b"P5 3 2 # no more", "the PGM header ends before its maximum value"),
        (b"P5 3 2 255", "does not end with white space"),
        (b"P5 -3 2 255 \0", "width in the PGM header must be a whole number, found '-3'"),
        (b"P5 3.5 2 255 \0", "width .* found '3.5'"),
        (b"P5 99999999999999999999 2 255 \0", "width .* whole number"),
        (b"P5 999999999 999999999 255 \0", "at most 64,000,000 are allowed"),
        (b"P5 0 2 255 \0", "at least one cell"),
        (b"P5 1 1 0 \0", "maximum value must be within 1 and 65535, found 0"),
        (b"P5 1 1 65536 \0\0", "maximum value must be within 1 and 65535"),
        (b"P5 8000 8000 255 \0\0", "cut off: 64,000,000 bytes of pixels announced, 2 found"),
        (b"P5 2 2 256 \0\0\0\0", "cut off: 8 bytes of pixels announced, 4 found"),
        (b"P5 2 2 255 \0\0\0\0more", "4 bytes after the last pixel"),
        (b"P5 2 2 9 \0\0\0\x0a", "pixel value 10 is above the header's maximum, 9"),
        (b"P2 2 2 255  1 2 3", "cut off: 4 pixels announced"),
        (b"P2 8000 8000 255  1 2 3", "cut off: 64,000,000 pixels announced"),
        (b"P2 2 2 255  1 2 3         ", "cut off: 4 pixels announced"),
        (b"P2 2 2 255  1 2 3 4 5", "numbers after the last of 4 pixels"),
        (b"P2 2 2 255  1 2 3 x", "pixels must be whole numbers, found the character 'x'"),
        (b"P2 2 2 255  1 2 3 -4", "found the character '-'"),
        (b"P2 2 2 255  1 2 3 256", "above the header's maximum, 255"),
        (b"P2 2 2 255  1 2 3 " + b"9" * 100_000, "above the header's maximum, 255"),
    ],
)
def test_broken_pgm_is_told_apart(tmp_path: Path, data: bytes, complaint: str) -> None:
    (tmp_path / "map.pgm").write_bytes(data)
    with pytest.raises(ExpeditionError, match=complaint):
        load(tmp_path / "map.pgm")


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".gif", ".jpg", ".tif"])
def test_image_cut_off_anywhere_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    shades = np.arange(4096, dtype=np.uint8).reshape(64, 64)
    Image.fromarray(shades).save(path)
    whole = path.read_bytes()
    for share in (0.1, 0.3, 0.5):
        path.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(ExpeditionError, match=r"damaged|not an image"):
            load(path)


# Six lines of nine aliases each to the line before.
UNFOLDING = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("image: [", "not valid YAML"),
        ("just words", "dictionary"),
        ("- a\n- b", "dictionary"),
        (UNFOLDING, "entries"),
        ("!!python/object/apply:os.system ['true']", "not valid YAML"),
        ("a: &a [*a]", "nested"),
        ("resolution: 1" + "0" * 5000, "YAML|resolution|image"),
        ("1: 2\nnull: 3\n2020-01-01: 4", "missing: image|string"),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_hostile_yaml_is_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "map.yaml").write_text(text)
    with pytest.raises(ExpeditionError, match=complaint) as caught:
        load(tmp_path / "map.yaml")
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1: expected the heading"),
        ("x;y\n", "line 1: expected the heading"),
        ("x,y,descriptor\n1,2\n3\n", "line 3: expected finite numbers x,y,descriptor, found '3'"),
        ("x,y,descriptor\n1,nan\n", "line 2"),
        ("x,y,descriptor\n1,2,inf\n", "line 2"),
        ("x,y,descriptor\n1,1e9\n", "line 2"),
    ],
)
def test_broken_landmark_file_names_the_line(tmp_path: Path, text: str, complaint: str) -> None:
    save(GROUND, tmp_path / "map.yaml")
    with (tmp_path / "map.yaml").open("a") as file:
        file.write("  landmarks_file: marks.csv\n")
    (tmp_path / "marks.csv").write_text(text)
    with pytest.raises(ExpeditionError, match=complaint):
        load(tmp_path / "map.yaml")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *extra: bytes, pixels: bytes, colour: int = 0) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
    return b"".join([b"\x89PNG\r\n\x1a\n", header, *extra, chunk(b"IDAT", pixels), chunk(b"IEND", b"")])


def tiff(tags: dict[int, int]) -> bytes:
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(400)


def webp(width: int, height: int, frame: bytes) -> bytes:
    """An animation on a canvas of the given size, with one small frame."""
    canvas = b"\x02\0\0\0" + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    chunks = [(b"VP8X", canvas), (b"ANIM", bytes(6)), (b"ANMF", bytes(6) + b"\1\0\0\1\0\0" + bytes(4) + frame[12:])]
    body = b"WEBP" + b"".join(kind + struct.pack("<I", len(content)) + content for kind, content in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bombs(folder: Path) -> dict[str, bytes]:
    """Small files that claim or unfold to something gigantic."""
    zeros = zlib.compress(bytes(200 << 20), 9)
    row = zlib.compress(b"\0\0")
    Image.new("RGB", (2, 2)).save(folder / "frame.webp", lossless=True)
    frame = (folder / "frame.webp").read_bytes()
    return {
        "size.png": png(100_000, 100_000, pixels=row),
        "warning.png": png(10_000, 9_500, pixels=row),
        "colours.png": png(8_000, 8_000, pixels=row, colour=6),
        "profile.png": png(1, 1, chunk(b"iCCP", b"x\0\0" + zeros), pixels=row),
        "text.png": png(1, 1, chunk(b"zTXt", b"x\0\0" + zeros), pixels=row),
        "utf8.png": png(1, 1, chunk(b"iTXt", b"x\0\1\0\0\0" + zeros), pixels=row),
        "size.gif": b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x44\x01\0;",
        "frame.gif": b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x44\x01\0;",
        "size.bmp": b"BM" + struct.pack("<IHHIIiiHHIIiiII", 0, 0, 0, 54, 40, 2**31 - 1, 1 - 2**31, 1, 24, *[0] * 6),
        "size.tif": tiff({256: 2**31, 257: 2**31, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 279: 10}),
        "tile.tif": tiff({256: 9, 257: 9, 258: 8, 259: 8, 262: 1, 277: 1, 322: 2**20, 323: 2000, 324: 300, 325: 99}),
        "strip.tif": tiff({256: 9, 257: 9, 258: 8, 259: 8, 262: 1, 273: 300, 277: 1, 278: 2**31, 279: 2**31}),
        "canvas.webp": webp(8_000, 8_000, frame),
        "size.webp": webp(16_384, 16_384, frame),
        "entries.yaml": b"[" + b"a," * 1_900_000 + b"]",
        "size.pgm": b"P5 65535 65535 65535\n",
        "size.txt": b"999999999\n999999999\n0",
        "size.map": b"type octile\nheight 999999999\nwidth 999999999\nmap\n.",
    }


CHILD = """
import json, resource, sys
from expedition.errors import ExpeditionError
from expedition.terrain.files import load
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, told = peak(), {}
for path in sys.argv[1:]:
    try:
        load(path)
        told[path] = "loaded"
    except ExpeditionError as error:
        told[path] = str(error)
print(json.dumps([peak() - before, told]))
"""


def test_bombs_are_refused_in_little_memory_and_without_a_word_on_the_error_stream(tmp_path: Path) -> None:
    files = bombs(tmp_path)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    command = [sys.executable, "-W", "error", "-c", CHILD, *(str(tmp_path / name) for name in files)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    kilobytes, told = json.loads(done.stdout)
    assert kilobytes < 200_000
    assert done.stderr == ""
    for path, sentence in told.items():
        assert sentence.startswith(path)
        assert "\n" not in sentence


def test_compressed_rows_beyond_the_image_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(png(1, 1, pixels=zlib.compress(bytes(50 << 20), 9)))
    assert load(tmp_path / "map.png").occupied.tolist() == [[True]]


def limit_file_size(limit: int) -> tuple[int, int]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    return before


@pytest.mark.parametrize("suffix", WRITABLE)
def test_disk_that_fills_up_leaves_the_old_files_and_no_new_ones(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    save(GROUND, path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    heights = generator(3, "test/heights").integers(-30_000, 30_000, (300, 300)).clip(0)
    large = Terrain("map", heights.astype(np.uint16))
    limits = limit_file_size(5_000)
    try:
        with pytest.raises(ExpeditionError, match="cannot be written: File too large"):
            save(large, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("suffix", WRITABLE)
def test_target_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ExpeditionError, match="cannot be written: there is no folder"):
        save(GROUND, tmp_path / "missing" / f"map{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(ExpeditionError, match="not a file"):
        save(GROUND, tmp_path / f"folder{suffix}")
    (tmp_path / "plain").write_text("")
    with pytest.raises(ExpeditionError, match="cannot be written: there is no folder"):
        save(GROUND, tmp_path / "plain" / f"map{suffix}")
    with pytest.raises(ExpeditionError, match="cannot be written"):
        save(GROUND, tmp_path / f"{'x' * 300}{suffix}")
    with pytest.raises(ExpeditionError, match="cannot be written"):
        save(GROUND, tmp_path / f"nul\0{suffix}")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([f"folder{suffix}", "plain"])


def test_saved_files_have_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    save(GROUND, tmp_path / "map.yaml")
    (tmp_path / "other").touch()
    assert (tmp_path / "map.yaml").stat().st_mode == (tmp_path / "other").stat().st_mode
