"""map_server's reading of pixels, by hand, and the paths that its YAML may name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image

from expedition.errors import ExpeditionError
from expedition.terrain import Door, Terrain
from expedition.terrain.files import load, save

HEADER: dict[str, Any] = {
    "image": "map.png",
    "resolution": 0.05,
    "origin": [-1.5, 2.25, 0.0],
    "negate": 0,
    "occupied_thresh": 0.65,
    "free_thresh": 0.196,
}


def write_map(folder: Path, pixels: Any, **header: Any) -> Path:
    """A map_server map whose image Pillow has written; a header field of None is left out."""
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(np.asarray(pixels, dtype=np.uint8))
    image.save(folder / "map.png")
    content = {key: value for key, value in {**HEADER, **header}.items() if value is not None}
    (folder / "map.yaml").write_text(yaml.safe_dump(content))
    return folder / "map.yaml"


def walls(path: Path, **options: Any) -> list[bool]:
    """The only row of a map."""
    row: list[bool] = load(path, **options).occupied[0].tolist()
    return row


def test_resolution_and_origin_come_from_the_yaml_and_the_top_row_is_the_highest_y(tmp_path: Path) -> None:
    ground = load(write_map(tmp_path, [[0, 254], [254, 254], [254, 254]]))
    assert ground.resolution == 0.05
    assert ground.origin == (-1.5, 2.25)
    assert ground.name == "map"
    assert ground.occupied.tolist() == [[False, False], [False, False], [True, False]]
    assert ground.wall_height_cm.max() == 200


# p = (255 - x) / 255. Occupied above 0.65: x up to 89 (0.651), not 90 (0.647).
# Free below 0.196: x from 206 (0.192), not 205 (0.19608), the shade map_saver writes for unknown.
def test_trinary_thresholds_are_those_of_map_server(tmp_path: Path) -> None:
    path = write_map(tmp_path, [[0, 89, 90, 205, 206, 255]])
    assert walls(path, unknown="free") == [True, True, False, False, False, False]
    assert walls(path, unknown="wall") == [True, True, True, True, False, False]
    assert walls(path) == [True, True, True, True, False, False]


def test_thresholds_are_strict_as_documented(tmp_path: Path) -> None:
    # (255 - 204) / 255 is 0.2 and (255 - 51) / 255 is 0.8: neither free nor occupied.
    path = write_map(tmp_path, [[51, 204]], occupied_thresh=0.8, free_thresh=0.2)
    assert walls(path, unknown="free") == [False, False]
    assert walls(path, unknown="wall") == [True, True]


@pytest.mark.parametrize("negate", [1, True, "true"])
def test_negated_map_has_white_walls(tmp_path: Path, negate: Any) -> None:
    # p = x / 255: free up to 49 (0.192), occupied from 166 (0.651).
    path = write_map(tmp_path, [[0, 49, 50, 165, 166, 255]], negate=negate)
    assert walls(path, unknown="free") == [False, False, False, False, True, True]
    assert walls(path, unknown="wall") == [False, False, True, True, True, True]


def test_scale_mode_splits_the_range_between_the_thresholds(tmp_path: Path) -> None:
    # p is 153/255 = 0.6 and 102/255 = 0.4; between 0.2 and 0.8 that is 67 % and 33 %.
    path = write_map(tmp_path, [[0, 102, 153, 255]], mode="scale", occupied_thresh=0.8, free_thresh=0.2)
    assert walls(path) == [True, True, False, False]
    assert walls(path, wall_percent=67) == [True, True, False, False]
    assert walls(path, wall_percent=68) == [True, False, False, False]
    assert walls(path, wall_percent=33) == [True, True, True, False]
    assert walls(path, wall_percent=34) == [True, True, False, False]


def test_scale_mode_calls_everything_that_is_not_opaque_unknown(tmp_path: Path) -> None:
    pixels = [[[0, 0, 0, 255], [0, 0, 0, 254], [255, 255, 255, 255], [255, 255, 255, 0]]]
    path = write_map(tmp_path, pixels, mode="scale")
    assert walls(path, unknown="wall") == [True, True, False, True]
    assert walls(path, unknown="free") == [True, False, False, False]


def test_raw_mode_takes_the_shade_as_percentage_and_is_not_negated(tmp_path: Path) -> None:
    for negate in (0, 1):
        path = write_map(tmp_path, [[0, 49, 50, 100, 101, 255]], mode="raw", negate=negate)
        assert walls(path, unknown="free") == [False, False, True, True, False, False]
        assert walls(path, unknown="wall") == [False, False, True, True, True, True]
        assert walls(path, unknown="free", wall_percent=100) == [False, False, False, True, False, False]


def test_colours_are_averaged(tmp_path: Path) -> None:
    # Averages 255/3 = 85 (p = 0.667, occupied) and 510/3 = 170 (p = 0.333, unknown).
    path = write_map(tmp_path, [[[255, 0, 0], [255, 255, 0], [0, 255, 0], [255, 255, 255]]])
    assert walls(path, unknown="free") == [True, False, True, False]
    assert walls(path, unknown="wall") == [True, True, True, False]


def test_trinary_mode_counts_opacity_as_one_more_colour(tmp_path: Path) -> None:
    # Opaque black: (0 + 0 + 0 + 255) / 4 = 63.75, p = 0.75. Transparent white: 765 / 4 = 191.25, p = 0.25.
    pixels = [[[0, 0, 0, 255], [255, 255, 255, 0], [255, 255, 255, 255], [0, 0, 0, 0]]]
    path = write_map(tmp_path, pixels)
    assert walls(path, unknown="free") == [True, False, False, True]
    assert walls(path, unknown="wall") == [True, True, False, True]
    grey_with_alpha = Image.fromarray(np.asarray(pixels, dtype=np.uint8)).convert("LA")
    assert walls(write_map(tmp_path, grey_with_alpha), unknown="wall") == [True, True, False, True]


def test_shades_of_16_bits_count_as_shares_of_white(tmp_path: Path) -> None:
    shades = np.array([[0, 22937, 22938, 52690, 52691, 65535]], dtype=np.uint16)
    # p = (65535 - x) / 65535: occupied up to 22937 (0.650004), free from 52691 (0.195987).
    path = write_map(tmp_path, Image.fromarray(shades))
    assert walls(path, unknown="free") == [True, True, False, False, False, False]
    assert walls(path, unknown="wall") == [True, True, True, True, False, False]


def test_pgm_with_another_maximum_counts_as_shares_of_white(tmp_path: Path) -> None:
    path = write_map(tmp_path, [[0]], image="map.pgm")
    (tmp_path / "map.pgm").write_bytes(b"P2 4 1 4  0 1 2 4")
    assert walls(path, unknown="free") == [True, True, False, False]


def test_keys_of_other_programs_are_passed_over(tmp_path: Path) -> None:
    assert walls(write_map(tmp_path, [[0, 254]], elevation_image="hills.pgm", cost=7)) == [True, False]


def test_yaml_and_image_may_lie_in_a_folder_below(tmp_path: Path) -> None:
    path = write_map(tmp_path, [[0, 254]], image="images/map.png")
    (tmp_path / "images").mkdir()
    (tmp_path / "map.png").rename(tmp_path / "images" / "map.png")
    assert walls(path) == [True, False]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("image", None, "missing: image"),
        ("resolution", None, "missing: resolution"),
        ("negate", None, "missing: negate"),
        ("resolution", float("nan"), "line .*resolution: .*finite"),
        ("resolution", 0, "resolution: .*greater than or equal to 0.0001"),
        ("resolution", -0.05, "resolution"),
        ("resolution", 10**400, "resolution"),
        ("resolution", "wide", "resolution: .*number.*'wide'"),
        ("origin", [0, 0], "origin"),
        ("origin", [0, 0, float("nan")], "origin"),
        ("origin", [float("inf"), 0, 0], "origin"),
        ("origin", "here", "origin"),
        ("mode", "binary", "mode: input should be 'trinary', 'scale' or 'raw', found 'binary'"),
        ("occupied_thresh", 1.5, "occupied_thresh"),
        ("free_thresh", 0.7, "free_thresh must not be above occupied_thresh"),
        ("negate", 7, "negate"),
        ("image", "map.svg", "unknown image suffix '.svg'"),
        ("image", "missing.png", "no such file"),
        ("image", "", "image suffix"),
        ("image", "/etc/map.png", "relative to the folder of map.yaml"),
        ("image", "../map.png", "must not leave the folder"),
        ("image", "images/../map.png", "must not leave the folder"),
        ("image", "map\0.png", "image"),
        ("image", "x" * 5000 + ".png", "cannot be read"),
        ("expedition", {"nmae": "hall"}, "unknown field 'nmae'; did you mean 'name'"),
        ("expedition", {"wall_height_cm": 0}, "expedition.wall_height_cm"),
        ("expedition", {"material": "cheese"}, "expedition.material"),
        ("expedition", {"speed_percent": 101}, "expedition.speed_percent"),
        ("expedition", {"material_image": "../x.pgm"}, "expedition.material_image: must not leave"),
        ("expedition", {"landmarks": [{"x": 1}]}, "missing: expedition.landmarks.0.y"),
        ("expedition", {"landmarks_file": "/etc/passwd"}, "relative to the folder"),
        ("expedition", {"changes": [{"kind": "flood"}]}, "expedition.changes"),
        ("expedition", {"changes": [{"kind": "door"}]}, "missing: expedition.changes.0.area"),
    ],
)  # fmt: skip
def test_wrong_field_is_named_in_one_sentence(tmp_path: Path, field: str, value: Any, complaint: str) -> None:
    with pytest.raises(ExpeditionError, match=complaint) as caught:
        load(write_map(tmp_path, [[0, 254]], **{field: value}))
    assert "\n" not in str(caught.value)


def test_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    Image.new("L", (2, 2)).save(outside)
    (tmp_path / "maps").mkdir()
    path = write_map(tmp_path / "maps", [[0]])
    (tmp_path / "maps" / "map.png").unlink()
    (tmp_path / "maps" / "map.png").symlink_to(outside)
    with pytest.raises(ExpeditionError, match="link out of the folder"):
        load(path)
    (tmp_path / "maps" / "map.png").unlink()
    (tmp_path / "maps" / "map.png").symlink_to("map.png")
    with pytest.raises(ExpeditionError, match=r"map\.png"):
        load(path)


def test_layer_of_another_size_or_with_impossible_values_is_refused(tmp_path: Path) -> None:
    path = write_map(tmp_path, [[0, 254]], expedition={"material_image": "layer.pgm"})
    (tmp_path / "layer.pgm").write_bytes(b"P5 3 1 255 \0\0\0")
    with pytest.raises(ExpeditionError, match=r"layer\.pgm: 3 x 1 pixels, but the map has 2 x 1"):
        load(path)
    (tmp_path / "layer.pgm").write_bytes(b"P5 2 1 255 \0\x09")
    with pytest.raises(ExpeditionError, match=r"layer\.pgm: values must be within 0 and 8, found 0 to 9"):
        load(path)


def test_walls_of_the_image_decide_over_the_layer_of_heights(tmp_path: Path) -> None:
    extras = {"wall_height_cm_image": "high.pgm", "wall_height_cm": 90}
    path = write_map(tmp_path, [[0, 0, 254, 254]], expedition=extras)
    (tmp_path / "high.pgm").write_bytes(b"P2 4 1 255  30 0 30 0")
    assert load(path).wall_height_cm.tolist() == [[30, 90, 0, 0]]


def test_hand_written_extras_are_read(tmp_path: Path) -> None:
    path = write_map(tmp_path, [[0, 254]])
    path.write_text(
        path.read_text()
        + """
expedition:
  name: entrance
  wall_height_cm: 90
  material: brick
  speed_percent: 80
  landmarks:
    - {x: 1, y: 2.5, descriptor: [0.5, 3]}
  changes:
    - {kind: door, area: {left: -1.5, bottom: 2.25, right: -1.4, top: 2.3}, switches: [10, 20]}
"""
    )
    ground = load(path)
    assert ground.name == "entrance"
    assert ground.wall_height_cm.tolist() == [[90, 0]]
    assert ground.speed_percent.tolist() == [[80, 80]]
    assert ground.landmarks[0].descriptor == (0.5, 3.0)
    assert isinstance(ground.changes[0], Door)
    assert load(path, name="exit").name == "exit"


def test_saved_map_is_a_plain_map_server_map(tmp_path: Path) -> None:
    occupied = np.array([[True, False, False], [False, False, False]])
    save(Terrain.from_occupied("hall", occupied, 0.1, (3.0, -4.0)), tmp_path / "hall.yaml")
    content = yaml.safe_load((tmp_path / "hall.yaml").read_text())
    assert {key: value for key, value in content.items() if key != "expedition"} == {
        "image": "hall.pgm",
        "mode": "trinary",
        "resolution": 0.1,
        "origin": [3.0, -4.0, 0.0],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.25,
    }
    with Image.open(tmp_path / "hall.pgm") as image:
        assert np.asarray(image).tolist() == [[255, 255, 255], [0, 255, 255]]


def test_examples_of_the_documentation_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "terrain-files.md").read_text()
    blocks = dict(re.findall(r"```(yaml|text)\n(.*?)```", page, re.DOTALL))
    (tmp_path / "hall.yaml").write_text(blocks["yaml"])
    for name in ("hall.pgm", "hall.material.pgm"):
        value = b" 5" if "material" in name else b" 254"
        (tmp_path / name).write_bytes(b"P2 380 260 255\n" + value * (380 * 260))
    hall = load(tmp_path / "hall.yaml")
    assert hall.name == "hall"
    assert [change.kind for change in hall.changes] == ["door", "door", "person", "person", "collapse"]
    assert [(start.x, start.y, start.heading) for start in hall.starts] == [(-4.0, 0.0, 0.0), (-4.0, 1.0, 1.57)]
    (tmp_path / "room.txt").write_text(blocks["text"])
    assert load(tmp_path / "room.txt").shape == (3, 5)
