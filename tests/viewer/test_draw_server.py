"""What the server of the drawing page takes from a browser: nothing that it did not check."""

from __future__ import annotations

import io
import json
import math
import struct
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.fleet import robot_model
from expedition.terrain import Door, Landmark, Person, Rectangle, Start, Terrain, find_terrain
from expedition.viewer.draw import image, message
from expedition.viewer.draw.checks import findings
from expedition.viewer.draw.image import image_frame
from expedition.viewer.draw.message import from_frame, to_frame
from expedition.viewer.draw.routes import add_routes, made
from expedition.viewer.draw.saved import SavedTerrains, ThereAlready, zipped

PIONEER = robot_model("pioneer-3dx")


def small() -> Terrain:
    heights = np.zeros((70, 90), dtype=np.uint16)
    heights[:, 40:42] = 250
    return Terrain(
        "small",
        heights,
        0.1,
        (-1.0, 2.0),
        np.where(heights > 0, 3, 0).astype(np.uint8),
        np.tile(np.arange(1, 91, dtype=np.uint8), (70, 1)),
        (Landmark(0.5, 3.0, (0.25, 1.0)),),
        (Door(area=Rectangle(left=3, bottom=4, right=3.2, top=5), switches=(5.0,)), Person(waypoints=((0.0, 3.0),))),
        (Start(0.5, 3.5, 1.0), Start(1.5, 3.5)),
    )


def message_of(head: dict[str, object], *arrays: bytes) -> bytes:
    """A message as a stranger may write one."""
    text = json.dumps(head).encode()
    return struct.pack("<I", len(text)) + text + b"".join(arrays)


def head(**fields: object) -> dict[str, object]:
    plain = {"wall_height_cm": 0, "material": 0, "speed_percent": 100}
    return {"name": "x", "rows": 2, "columns": 3, "resolution": 0.1, "origin": [0, 0], **plain, **fields}


def test_terrain_goes_out_and_comes_back_equal() -> None:
    assert from_frame(to_frame(small(), {})) == small()


def test_layers_may_be_numbers() -> None:
    terrain = from_frame(message_of(head(wall_height_cm=150)))
    assert terrain.wall_height_cm.tolist() == [[150] * 3] * 2


HEIGHTS = {"wall_height_cm": None}
FAR = {"left": 90, "bottom": 90, "right": 91, "top": 91}


def heights(kind: str, shape: list[int], at: int, size: int, content: bytes, packed: bool = False) -> bytes:
    """A message with one layer, which it says to be so and so."""
    place = {"type": kind, "shape": shape, "at": at, "bytes": size, "packed": packed}
    return message_of(head(**HEIGHTS, arrays={"wall_height_cm": place}), content)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "begins with the length"),
        (b"\xff\xff\xff\xff{}", "begins with the length"),
        (struct.pack("<I", 900) + b"{}", "begins with the length"),
        (message_of(head())[:-3] + b"\x00\x00\x00", "is JSON"),
        (struct.pack("<I", 100_000) + b"[" * 100_000, "is JSON"),
        (message_of(head(rows=0)), "rows"),
        (message_of(head(rows=5000, columns=5000)), "too many to draw"),
        (message_of(head(rows=16_000_000, columns=16_000_000)), "too many to draw"),
        (message_of(head(resolution=0)), "resolution"),
        (message_of(head(origin=[0, 1e300])), "origin"),
        (message_of(head(name="\x00")), "characters that can be printed"),
        (message_of(head(name="n" * 300)), "characters that can be printed"),
        (message_of(head(material=77)), "material"),
        (message_of(head(speed_percent=0)), "speed_percent"),
        (message_of(head(**HEIGHTS)), "no layer wall_height_cm"),
        (heights("u2", [2, 2], 0, 8, b"0" * 8), "2 x 3 cells"),
        (heights("u1", [2, 3], 0, 6, b"0" * 6), "must be u2"),
        (heights("u2", [2, 3], 0, 12, b"0" * 4), "cut off"),
        (heights("u2", [2, 3], 9, 12, b"0" * 12), "cut off"),
        (heights("u2", [2, 3], -4, 12, b"0" * 12), "at"),
        (heights("u2", [2, 3], 0, 9, b"not zlib!", packed=True), "cannot be unpacked"),
        (message_of(head(changes=[{"kind": "door", "area": FAR}])), "covers no cell"),
        (message_of(head(changes=[{"kind": "person", "waypoints": [[5, 5]]}])), "not on free ground"),
        (message_of(head(changes=[{"kind": "lava"}])), "lava"),
        (message_of(head(starts=[[0, 0, 0, 0]])), "starts"),
        (message_of(head(starts=[["a", 0]])), "starts"),
        (message_of(head(landmarks=[{"x": 0}])), "missing"),
    ],
)  # fmt: skip
def test_message_that_is_none_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(ExpeditionError, match=said) as caught:
        from_frame(data)
    assert len(str(caught.value)) < 500


def test_layer_that_unfolds_to_gigabytes_is_stopped_at_its_size() -> None:
    bomb = zlib.compress(bytes(50_000_000), 9)
    place = {"type": "u2", "shape": [2, 3], "at": 0, "bytes": len(bomb), "packed": True}
    with pytest.raises(ExpeditionError, match="must be 12 bytes"):
        from_frame(message_of(head(**HEIGHTS, arrays={"wall_height_cm": place}), bomb))


@settings(max_examples=150)
@given(st.data())
def test_damaged_message_is_a_terrain_or_a_sentence(data: st.DataObject) -> None:
    whole = bytearray(to_frame(small(), {}))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=6))
    with suppress(ExpeditionError):
        assert isinstance(from_frame(bytes(whole)), Terrain)


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "/etc/passwd", "a\\b", "a.b", "a b", "-x", "x" * 65, "a\x00", "ä", "a\n"]
)
def test_name_that_is_no_plain_name_is_refused_everywhere(tmp_path: Path, name: str) -> None:
    saved = SavedTerrains(tmp_path / "store" / "terrains")
    for attempt in (lambda: saved.save(small(), name, True), lambda: saved.load(name), lambda: zipped(small(), name)):
        with pytest.raises(ExpeditionError, match="letters, digits"):
            attempt()
    assert list(tmp_path.rglob("*")) == []


def test_saving_keeps_names_apart_and_removes_what_a_name_no_longer_needs(tmp_path: Path) -> None:
    saved = SavedTerrains(tmp_path)
    saved.save(small(), "hall", False)
    saved.save(small(), "hall-2", False)
    assert len(list(tmp_path.glob("hall.*"))) == 4
    with pytest.raises(ThereAlready, match="already a terrain named 'hall'"):
        saved.save(small(), "hall", False)
    plain = Terrain.from_occupied("plain", np.eye(5, dtype=bool))
    saved.save(plain, "hall", True)
    assert sorted(path.name for path in tmp_path.glob("hall.*")) == ["hall.pgm", "hall.yaml"]
    assert saved.load("hall") == plain
    assert saved.load("hall").name == "hall"
    assert saved.load("hall-2") == small()
    assert saved.names() == ["hall", "hall-2"]


def test_files_of_others_in_the_folder_are_neither_listed_nor_followed(tmp_path: Path) -> None:
    saved = SavedTerrains(tmp_path / "terrains")
    saved.folder.mkdir()
    (saved.folder / "odd name.yaml").write_text("image: x.pgm")
    secret = tmp_path / "secret.pgm"
    secret.write_bytes(b"P5 1 1 255\n\x00")
    (saved.folder / "evil.yaml").write_text(
        "{image: ../secret.pgm, resolution: 1, origin: [0, 0, 0], negate: 0, occupied_thresh: 0.65, free_thresh: 0.25}"
    )
    assert saved.names() == ["evil"]
    with pytest.raises(ExpeditionError, match="must not leave the folder"):
        saved.load("evil")


@pytest.mark.parametrize(
    "spec", ["my_file.py:make", "/etc/passwd", "secret.yaml", "../x.png:resolution=1", "", "cave:seed", "nowhere"]
)
def test_spec_that_names_a_file_or_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_file.py").write_text("open('ran', 'w')\ndef make(): pass\n")
    with pytest.raises(ExpeditionError):
        made(spec)
    assert not (tmp_path / "ran").exists()


def test_spec_of_a_registered_terrain_is_made() -> None:
    assert made("maze:resolution=0.2") == find_terrain("maze:resolution=0.2")


def png(size: tuple[int, int]) -> bytes:
    packed = io.BytesIO()
    Image.new("L", size).save(packed, "PNG")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "x.png", "not an image"),
        (b"P5 9999999 9999999 255\n", "x.pgm", "at most"),
        (b"%PDF", "x.pdf", "not an image that can be read"),
        (b"import os", "../../x.py", "not an image that can be read"),
        (png((5000, 4000)), "large.png", "too many to draw"),
        (png((900, 900))[:100], "cut.png", "damaged"),
        (b"<svg/>", "x.png/../../y.svg", "not an image that can be read"),
    ],
)
def test_upload_that_is_no_usable_image_is_refused_by_its_own_name(data: bytes, name: str, said: str) -> None:
    with pytest.raises(ExpeditionError, match=said) as caught:
        image_frame(data, name)
    assert "/tmp/" not in str(caught.value)


def test_picture_bomb_is_refused_by_its_header() -> None:
    header = bytearray(png((1, 1)))
    header[16:24] = struct.pack(">II", 100_000, 100_000)
    header[29:33] = struct.pack(">I", zlib.crc32(bytes(header[12:29])))
    with pytest.raises(ExpeditionError, match=r"at most [\d,]+ are allowed"):
        image_frame(bytes(header), "bomb.png")


def walled(**fields: object) -> Terrain:
    """A room of 6 x 4 m with a wall around it, and a closed cell of 1 x 1 m in its corner."""
    occupied = np.ones((40, 60), dtype=bool)
    occupied[1:-1, 1:-1] = False
    occupied[1:12, 1:12] = True
    occupied[1:11, 1:11] = False
    return replace(Terrain.from_occupied("walled", occupied), **fields)


def test_findings_are_right_about_a_closed_room() -> None:
    found, unreached = findings(walled(starts=(Start(3, 2), Start(0.3, 2), Start(3.2, 2.1), Start(5, 2))), PIONEER)
    assert [one["said"] for one in found if one["about"] == "starts"] == [
        "Start 1 stands in a wall (pioneer-3dx).",
        "Start 2 overlaps start 0 (pioneer-3dx).",
    ]
    assert unreached.sum() == 100
    assert unreached[1:11, 1:11].all()
    (reach,) = [one for one in found if one["about"] == "reach"]
    assert reach["said"] == "1 m² of free ground cannot be reached from start 0 (pioneer-3dx)."
    assert reach["marks"] == [pytest.approx((0.1, 0.1, 1.1, 1.1))]


def test_findings_without_starts_begin_in_the_largest_room() -> None:
    found, unreached = findings(walled(), PIONEER)
    assert unreached.sum() == 100
    assert [one["fine"] for one in found] == [True, True, False]


def test_findings_mark_where_the_edge_is_open() -> None:
    terrain = walled()
    heights = terrain.wall_height_cm.copy()
    heights[20:25, -1] = 0
    (edge, *_), _ = findings(replace(terrain, wall_height_cm=heights), PIONEER)
    assert edge["said"] == "The ground is open: 0.5 m of the edge have no wall."
    assert edge["marks"] == [pytest.approx((5.9, 2.0, 6.0, 2.5))]


@pytest.mark.parametrize("start", [Start(-50, 2), Start(0.05, 0.05), Start(5.99, 3.99, math.pi)])
def test_start_beyond_the_edge_or_in_a_wall_is_told_and_breaks_nothing(start: Start) -> None:
    found, _ = findings(walled(starts=(start,)), PIONEER)
    assert not next(one for one in found if one["about"] == "starts")["fine"]
    assert "unknown until start 0" in next(one for one in found if one["about"] == "reach")["said"]


def test_terrain_of_one_wall_has_no_free_ground() -> None:
    found, unreached = findings(Terrain.from_occupied("block", np.ones((5, 5), dtype=bool)), PIONEER)
    assert found[-1]["said"] == "There is no free ground: no robot can be anywhere."
    assert not unreached.any()


@pytest.fixture
def api(tmp_path: Path) -> FastAPI:
    application = FastAPI()
    add_routes(application, SavedTerrains(tmp_path / "store" / "terrains"))
    return application


async def asked(api: FastAPI, method: str, path: str, content: bytes = b"", **query: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=api), base_url="http://localhost") as client:
        return await client.request(method, f"/api/draw/{path}", content=content, params=query)


def answer(api: FastAPI, method: str, path: str, content: bytes = b"", **query: str) -> httpx.Response:
    import asyncio

    return asyncio.run(asked(api, method, path, content, **query))


def test_drawing_is_saved_once_and_written_over_only_if_told(api: FastAPI, tmp_path: Path) -> None:
    data = to_frame(small(), {})
    assert answer(api, "POST", "save", data, name="hall").status_code == 200
    refused = answer(api, "POST", "save", data, name="hall")
    assert (refused.status_code, refused.json()["why"]) == (409, "there is already a terrain named 'hall'")
    assert answer(api, "POST", "save", data, name="hall", overwrite="true").status_code == 200
    assert answer(api, "GET", "names").json() == {"names": ["hall"]}
    assert from_frame(answer(api, "GET", "saved", name="hall").content) == small()
    assert find_terrain(str(tmp_path / "store/terrains/hall.yaml")) == small()


@pytest.mark.parametrize(
    ("method", "path", "query"),
    [
        ("POST", "save", {"name": "../../out"}),
        ("POST", "zip", {"name": "../../out"}),
        ("GET", "saved", {"name": "../../../etc/passwd"}),
        ("GET", "registered", {"spec": "x.py:f"}),
        ("GET", "registered", {"spec": "cave:size=" + "9" * 3000}),
        ("GET", "registered", {"spec": "cave:size=10000,resolution=0.02"}),
        ("POST", "check", {"robot": "/etc/passwd"}),
        ("POST", "check", {"robot": "evil.yaml"}),
        ("POST", "image", {"name": "../../x.png"}),
    ],
)
def test_crafted_request_gets_a_sentence_and_writes_nothing(
    api: FastAPI, tmp_path: Path, method: str, path: str, query: dict[str, str]
) -> None:
    content = b"no image" if path == "image" else to_frame(small(), {})
    response = answer(api, method, path, content if method == "POST" else b"", **query)
    assert response.status_code == 400
    assert response.json()["why"]
    assert list(tmp_path.rglob("*")) == []


def test_body_beyond_the_limit_is_given_up(api: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "MAX_BYTES", 1000)
    monkeypatch.setattr(message, "MAX_BYTES", 1000)
    for path in ("image", "save", "check", "zip"):
        response = answer(api, "POST", path, bytes(1001), name="x.png")
        assert (response.status_code, response.json()["why"]) == (400, "too large; the limit is 1,000 bytes")
