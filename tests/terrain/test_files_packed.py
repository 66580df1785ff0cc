"""Maps packed by gzip are read as they are, within the same limits."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from expedition.errors import ExpeditionError
from expedition.terrain import Terrain, find_terrain
from expedition.terrain.files import format_of, load, mresim, save

WALLS = np.pad(np.random.default_rng(7).random((20, 30)) < 0.3, 1, constant_values=True)


def packed(folder: Path, suffix: str, name: str = "hall") -> Path:
    """A map that gzip, as a program of its own, has packed."""
    save(Terrain.from_occupied("hall", WALLS), folder / f"{name}{suffix}")
    subprocess.run(["gzip", "-f", folder / f"{name}{suffix}"], check=True)
    return folder / f"{name}{suffix}.gz"


@pytest.mark.parametrize("suffix", [".map", ".pgm", ".png", ".txt"])
def test_packed_map_is_the_map_that_was_packed(tmp_path: Path, suffix: str) -> None:
    found = load(packed(tmp_path, suffix))
    assert (found.occupied == WALLS).all()
    assert found.name == "hall"
    assert found.notes == ()
    assert load(packed(tmp_path, suffix), resolution=0.5).resolution == 0.5


def test_packed_map_stands_wherever_a_map_file_does(tmp_path: Path) -> None:
    path = packed(tmp_path, ".map", "Hall.v2")
    assert find_terrain(f"{path}:resolution=0.5").extent == (0, 16, 0, 11)
    assert load(path).name == "Hall.v2"
    path.rename(tmp_path / "HALL.MAP.GZ")
    assert load(tmp_path / "HALL.MAP.GZ").name == "HALL"


def test_image_of_a_ros_map_may_be_packed_and_its_yaml_not(tmp_path: Path) -> None:
    packed(tmp_path, ".pgm")
    content = {
        "image": "hall.pgm.gz", "resolution": 0.05, "origin": [0, 0, 0], "negate": 0, "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }  # fmt: skip
    (tmp_path / "hall.yaml").write_text(yaml.safe_dump(content))
    assert (load(tmp_path / "hall.yaml").occupied == WALLS).all()
    subprocess.run(["gzip", tmp_path / "hall.yaml"], check=True)
    assert format_of(tmp_path / "hall.yaml.gz") is None
    with pytest.raises(ExpeditionError, match=r"unknown file suffix '\.yaml\.gz'; did you mean '\.yaml'\?"):
        load(tmp_path / "hall.yaml.gz")


def test_packed_map_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match=r"unknown file suffix '\.gz'"):
        save(Terrain.from_occupied("hall", WALLS), tmp_path / "hall.png.gz")


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda data: data[: len(data) // 2], "the gzip file is damaged: 'EOFError"),
        (lambda data: data[:-8] + bytes(8), "the gzip file is damaged: .*CRC"),
        (lambda data: b"type octile" + data, "the gzip file is damaged: .*Not a gzipped file"),
        (lambda data: data + b"more", "the gzip file is damaged"),
        (lambda data: data[:40] + bytes(40) + data[80:], "the gzip file is damaged"),
        (lambda data: b"", "begins with the lines"),
        (lambda data: gzip.compress(b""), "begins with the lines"),
        (lambda data: gzip.compress(data), "begins with the lines"),
    ],
    ids=["cut off", "checksum", "no gzip", "appended", "garbled", "empty file", "empty content", "twice"],
)
def test_damaged_packing_is_one_clear_sentence(tmp_path: Path, damage: object, complaint: str) -> None:
    path = packed(tmp_path, ".map")
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(ExpeditionError, match=complaint) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_file_of_several_packed_parts_is_read_whole(tmp_path: Path) -> None:
    path = packed(tmp_path, ".txt")
    text = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(text[:200]) + gzip.compress(text[200:]))
    assert (load(path).occupied == WALLS).all()


def test_what_unpacks_to_just_the_limit_is_read_and_a_byte_more_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path, ".txt")
    size = len(gzip.decompress(path.read_bytes()))
    monkeypatch.setattr(mresim, "MAX_BYTES", size)
    assert (load(path).occupied == WALLS).all()
    monkeypatch.setattr(mresim, "MAX_BYTES", size - 1)
    with pytest.raises(ExpeditionError, match=rf"hall\.txt\.gz: unpacks to too many bytes; the limit is {size - 1:,}"):
        load(path)


CHILD = """
import json, resource, sys
from expedition.errors import ExpeditionError
from expedition.terrain.files import load
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
try:
    load(sys.argv[1])
except ExpeditionError as error:
    print(json.dumps([peak() - before, str(error)]))
"""


@pytest.mark.parametrize("suffix", ["map", "pgm", "png"])
def test_bomb_is_refused_in_little_memory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bomb.{suffix}.gz"
    # Parts that follow each other count together: 1.6 GB from some 200 kB.
    path.write_bytes(gzip.compress(bytes(100_000_000), 9) * 16)
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, check=True, text=True)
    kilobytes, sentence = json.loads(done.stdout)
    assert "unpacks to too many bytes; the limit is" in sentence
    assert kilobytes < 60_000
