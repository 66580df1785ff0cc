"""Damaged terrain files by the thousand: each is a terrain or an ExpeditionError, in bounded memory and without a hang.

The damage happens in a process of its own, this file run as a script, so that its memory can be limited and measured.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import resource
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.streams import generator
from expedition.terrain import Door, Landmark, Person, Rectangle, Terrain
from expedition.terrain.files import FORMATS, load, save
from expedition.terrain.files.packed import map_suffix

TRIES_PER_SEED = 360
YAML_TRIES = 2_000
MEGABYTE = 1 << 20

Damage = Callable[[bytes, np.random.Generator], bytes]

NASTY_NUMBERS = (
    *b"0 -1 1 255 256 65535 65536 8000 99999 2147483648 999999999999999999999".split(),
    *b"1e308 nan .inf -.nan 0x7f 1_0 ~ [] {} '' *a".split(),
    b"&a [*a]",
)
NASTY_INTEGERS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 8_000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def flip_bits(data: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(data)
    for position in rng.integers(0, len(data), rng.integers(1, 8)):
        changed[position] ^= 1 << rng.integers(8)
    return bytes(changed)


def cut_off(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: rng.integers(0, len(data))]


def splice(data: bytes, rng: np.random.Generator) -> bytes:
    """A part of the file in another place of it, over what was there or between."""
    start, end = sorted(rng.integers(0, len(data) + 1, 2))
    place, over = rng.integers(0, len(data)), rng.integers(0, 2) * (end - start)
    return data[:place] + data[start:end] + data[place + over :]


def random_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    start = rng.integers(0, min(len(data), 40))
    return data[:start] + rng.bytes(int(rng.integers(0, 60))) + data[start + rng.integers(0, 60) :]


def nasty_number(data: bytes, rng: np.random.Generator) -> bytes:
    """A number that is written in the file becomes another."""
    numbers = list(re.finditer(rb"-?\d+\.?\d*", data[:3_000]))
    if not numbers:
        return flip_bits(data, rng)
    found = numbers[rng.integers(0, len(numbers))]
    return data[: found.start()] + NASTY_NUMBERS[rng.integers(0, len(NASTY_NUMBERS))] + data[found.end() :]


def nasty_field(data: bytes, rng: np.random.Generator) -> bytes:
    """A binary number near the start of the file becomes another."""
    layout = ("<H", ">H", "<I", ">I")[rng.integers(0, 4)]
    size = struct.calcsize(layout)
    place = rng.integers(0, max(1, min(len(data), 200) - size))
    value = NASTY_INTEGERS[rng.integers(0, len(NASTY_INTEGERS))] & (256**size - 1)
    return data[:place] + struct.pack(layout, value) + data[place + size :]


DAMAGES: tuple[Damage, ...] = (flip_bits, cut_off, splice, random_bytes, nasty_number, nasty_field)


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    changed = DAMAGES[rng.integers(0, len(DAMAGES))](data, rng)
    if changed.startswith(b"\x89PNG") and rng.random() < 0.7:
        # A PNG with wrong checksums never gets to the decoder.
        changed = with_checksums(changed)
    return changed


def with_checksums(data: bytes) -> bytes:
    out, position = [data[:8]], 8
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        if position + 12 + length > len(data):
            break
        body = data[position + 4 : position + 8 + length]
        out += [data[position : position + 4], body, struct.pack(">I", zlib.crc32(body))]
        position += 12 + length
    return b"".join([*out, data[position:]])


def seeds() -> dict[str, bytes]:
    """One small valid file for each way to write a map, by a name that ends with its suffix."""
    shades = (np.add.outer(np.arange(12) * 20, np.arange(10) * 9) % 256).astype(np.uint8)
    grey, colour = Image.fromarray(shades), Image.fromarray(np.dstack([shades, shades.T.reshape(12, 10), shades]))
    clear = Image.fromarray(np.dstack([shades] * 4))
    deep = Image.fromarray(shades.astype(np.uint16) * 257)
    arena = b"type octile\nheight 3\nwidth 5\nmap\nTTTTT\nT.SWO\n@G..@\n"
    found: dict[str, bytes] = {
        "ascii.pgm": b"P2 # drawn by hand\n4 3\n255\n0 0 0 0\n0 255 255 0\n0 0 0 0\n",
        "eight.pgm": b"P5\n10 12\n255\n" + shades.tobytes(),
        "sixteen.pgm": b"P5\n10 12\n65535\n" + shades.astype(">u2").tobytes(),
        "rooms.txt": b"3\n4\n1111\n1001\n1111\n",
        "arena.map": arena,
        "packed.map.gz": gzip.compress(arena),
    }

    def add(name: str, image: Image.Image, **options: object) -> None:
        buffer = io.BytesIO()
        image.save(buffer, name.split(".")[1], **options)
        suffix = {"jpeg": "jpg", "tiff": "tif"}.get(name.split(".")[1], name.split(".")[1])
        found[f"{name.split('.')[0]}.{suffix}"] = buffer.getvalue()

    for kind in ("png", "bmp", "gif", "jpeg", "tiff", "webp"):
        add(f"grey.{kind}", grey)
        add(f"colour.{kind}", colour)
    for kind in ("png", "tiff", "webp"):
        add(f"clear.{kind}", clear)
    add("deep.png", deep)
    add("palette.png", colour.quantize(8), transparency=1)
    add("lines.png", grey.convert("1"))
    add("packed.tiff", colour, compression="tiff_adobe_deflate")
    add("words.tiff", grey, compression="tiff_lzw")
    add("frames.gif", grey, save_all=True, append_images=[grey.transpose(Image.Transpose.ROTATE_180)])
    add("frames.webp", colour, save_all=True, append_images=[colour.transpose(Image.Transpose.ROTATE_180)])
    return found


def complete_map(folder: Path) -> list[Path]:
    """A map_server map with every extra, and the files that belong to it."""
    area = Rectangle(left=1.6, bottom=-2.5, right=1.8, top=-2.3)
    heights = np.arange(12, dtype=np.uint16).reshape(3, 4) * 30
    ground = Terrain(
        "hall", heights, 0.1, (1.5, -2.5), heights.astype(np.uint8) % 9, heights.astype(np.uint8) % 50 + np.uint8(1),
        (Landmark(0.5, 0.5, (1.0, 2.0)),),
        (Door(area=area, switches=(5, 9)), Person(waypoints=((1.55, -2.45), (1.55, -2.45)))),
    )  # fmt: skip
    save(ground, folder / "hall.yaml")
    (folder / "marks.csv").write_text("x,y,descriptor\n1.5,2.5,0.1,0.2\n-3.0,4.0\n")
    with (folder / "hall.yaml").open("a") as file:
        file.write("  landmarks_file: marks.csv\n")
    return [*sorted(folder.glob("hall*")), folder / "marks.csv"]


def outcome(path: Path, data: bytes) -> str:
    try:
        ground = load(path)
    except ExpeditionError as error:
        sentence = str(error)
        assert "\n" not in sentence, (sentence, data)
        assert "MemoryError" not in sentence, (sentence, data)
        return "refused"
    except BaseException:
        sys.stderr.write(f"{path.name}: {data!r}\n")
        raise
    assert isinstance(ground, Terrain)
    return "loaded"


def fuzz(folder: Path, seed: int) -> dict[str, int]:
    """Damage every seed in every way and count what came of it."""
    counts = {"refused": 0, "loaded": 0}
    for name, data in seeds().items():
        rng = generator(seed, f"fuzz/{name}")
        path = folder / name
        path.write_bytes(data)
        assert outcome(path, data) == "loaded", name
        for _ in range(TRIES_PER_SEED):
            changed = damaged(data, rng)
            path.write_bytes(changed)
            counts[outcome(path, changed)] += 1
    files = complete_map(folder)
    assert outcome(folder / "hall.yaml", b"") == "loaded"
    contents = {file: file.read_bytes() for file in files}
    rng = generator(seed, "fuzz/map")
    for number in range(YAML_TRIES):
        file = folder / "hall.yaml" if number % 2 else files[number // 2 % len(files)]
        changed = damaged(contents[file], rng)
        file.write_bytes(changed)
        counts[outcome(folder / "hall.yaml", changed)] += 1
        file.write_bytes(contents[file])
    return counts


def test_damaged_files_are_terrains_or_clear_errors_in_bounded_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", __file__, str(tmp_path), "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3_000:]
    result = json.loads(done.stdout)
    assert result["refused"] + result["loaded"] >= 10_000
    assert result["refused"] > 1_000
    assert result["loaded"] > 1_000
    assert result["growth"] < 600 * MEGABYTE
    assert done.stderr == ""


def test_every_format_is_among_the_seeds() -> None:
    covered = {map_suffix(Path(name)) for name in seeds()} | {".yaml"}
    assert {FORMATS[suffix.removesuffix(".gz")].read for suffix in covered} == {
        found.read for found in FORMATS.values()
    }
    assert {".png", ".bmp", ".gif", ".jpg", ".tif", ".webp", ".map.gz"} <= covered


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    before = peak_memory()
    # A blow-up ends this process, not the machine.
    resource.setrlimit(resource.RLIMIT_AS, (before + 4_096 * MEGABYTE,) * 2)
    print(json.dumps({**fuzz(Path(sys.argv[1]), seed=int(sys.argv[2])), "growth": peak_memory() - before}))
