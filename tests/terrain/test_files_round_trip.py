"""What is saved comes back: everything from a map_server YAML, the occupancy from every other format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from expedition.errors import ExpeditionError
from expedition.terrain import MATERIALS, Collapse, Door, Landmark, Person, Rectangle, Start, Terrain, terrain
from expedition.terrain.files import load, save
from expedition.terrain.files.extras import MAX_LANDMARK_NUMBERS

PLAIN = [".pgm", ".png", ".txt", ".map"]

shapes = st.tuples(st.integers(1, 12), st.integers(1, 12))
metres = st.floats(-1e6, 1e6)
seconds = st.floats(0, 1e9)


times = st.lists(seconds, max_size=4, unique=True).map(lambda times: tuple(sorted(times)))
landmarks = st.builds(Landmark, metres, metres, st.lists(st.floats(-1e300, 1e300), max_size=3).map(tuple))
starts = st.builds(Start, metres, metres, st.floats(-7, 7))
names = st.text(st.characters().filter(str.isprintable), min_size=1, max_size=20)


@st.composite
def changes(draw: st.DrawFn, ground: Terrain) -> Door | Person | Collapse:
    """Something that happens where the terrain has cells."""
    rows, columns = ground.shape
    left, bottom = ground.centre(draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1)))
    side = ground.resolution
    area = Rectangle(
        left=left - side, bottom=bottom - side, right=left + 2 * side, top=bottom + draw(st.floats(1, 9)) * side
    )
    height = draw(st.floats(0.02, 655))
    free = [ground.centre(int(row), int(column)) for row, column in np.argwhere(~ground.occupied)]
    means = st.floats(0.001, 1e9)
    kinds = [
        st.builds(Door, area=st.just(area), closed=st.booleans(), switches=times, height=st.just(height)),
        st.builds(Door, area=st.just(area), mean_open=means, mean_closed=means),
        st.builds(Collapse, area=st.just(area), time=seconds, fill=st.floats(1e-9, 1)),
    ]
    if free:
        kinds.append(st.builds(Person, waypoints=st.lists(st.sampled_from(free), min_size=1, max_size=3)))
    return draw(st.one_of(kinds))


@st.composite
def terrains(draw: st.DrawFn) -> Terrain:
    shape = draw(shapes)
    layer = arrays.arrays
    uniform_height = draw(st.booleans())
    height = draw(layer(np.bool_, shape)) * np.uint16(draw(st.integers(1, 65535)))
    ground = Terrain(
        draw(names),
        height if uniform_height else draw(layer(np.uint16, shape)),
        draw(st.floats(1e-2, 1e4)),
        (draw(metres), draw(metres)),
        draw(st.integers(0, len(MATERIALS) - 1).map(np.uint8) | layer(np.uint8, shape, elements=st.integers(0, 8))),
        draw(st.integers(1, 100).map(np.uint8) | layer(np.uint8, shape, elements=st.integers(1, 100))),
        tuple(draw(st.lists(landmarks, max_size=3))),
        starts=tuple(draw(st.lists(starts, max_size=3))),
    )
    return replace(ground, changes=tuple(draw(st.lists(changes(ground), max_size=3))))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("maps")


@given(terrains())
@settings(max_examples=150)
def test_map_server_yaml_gives_back_every_terrain_exactly(folder: Path, ground: Terrain) -> None:
    assert save(ground, folder / "ground.yaml").lost == []
    back = load(folder / "ground.yaml")
    assert back == ground
    assert back.name == ground.name
    assert back.origin == ground.origin
    assert back.resolution == ground.resolution
    assert back.changes == ground.changes


@pytest.mark.parametrize("suffix", PLAIN)
@given(occupied=shapes.flatmap(lambda shape: arrays.arrays(np.bool_, shape)))
@settings(max_examples=50)
def test_plain_formats_give_back_the_occupancy_exactly(folder: Path, suffix: str, occupied: np.ndarray) -> None:
    ground = Terrain.from_occupied("ground", occupied)
    lost = save(ground, folder / f"ground{suffix}").lost
    assert (lost == []) == (load(folder / f"ground{suffix}") == ground)
    assert lost in ([], ["open edges"])
    assert load(folder / f"ground{suffix}", edges="open") == ground


@given(occupied=st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(lambda s: arrays.arrays(np.bool_, s)))
@settings(max_examples=30)
def test_ascii_pgm_gives_back_the_occupancy_in_short_lines(folder: Path, occupied: np.ndarray) -> None:
    ground = Terrain.from_occupied("ground", occupied)
    save(ground, folder / "ground.pgm", ascii=True)
    assert load(folder / "ground.pgm", edges="open") == ground
    text = (folder / "ground.pgm").read_bytes()
    assert text.startswith(b"P2")
    assert max(map(len, text.splitlines())) <= 70


@pytest.mark.parametrize("name", ["loop", "cross", "zigzag", "maze"])
@pytest.mark.parametrize("suffix", [".yaml", *PLAIN])
def test_published_terrains_keep_every_wall(tmp_path: Path, name: str, suffix: str) -> None:
    ground = terrain.make(name, resolution=0.2)
    save(ground, tmp_path / f"{name}{suffix}")
    assert (load(tmp_path / f"{name}{suffix}").occupied == ground.occupied).all()


def test_plain_map_with_the_terrains_resolution_and_origin_given_is_equal_again(tmp_path: Path) -> None:
    ground = terrain.make("maze", resolution=0.2)
    assert save(ground, tmp_path / "maze.png").lost == ["resolution", "origin"]
    assert load(tmp_path / "maze.png", resolution=ground.resolution, origin=ground.origin) == ground


def test_saving_tells_everything_a_plain_map_loses(tmp_path: Path) -> None:
    area = Rectangle(left=1, bottom=2, right=2, top=3)
    ground = Terrain(
        "hall",
        np.array([[0, 150]], dtype=np.uint16),
        0.05,
        (1.0, 2.0),
        np.array([[0, 2]], dtype=np.uint8),
        np.array([[40, 100]], dtype=np.uint8),
        (Landmark(0, 0),),
        (Door(area=area),),
        (Start(1.02, 2.02),),
    )
    lost = save(ground, tmp_path / "other.map").lost
    assert lost == [
        "name", "resolution", "origin", "wall heights", "materials", "roughness", "landmarks", "changes", "starts",
    ]  # fmt: skip


def test_uniform_layers_are_numbers_and_others_images(tmp_path: Path) -> None:
    walls = np.eye(3, dtype=bool)
    save(Terrain.from_occupied("uniform", walls, wall_height=0.5, material="glass"), tmp_path / "uniform.yaml")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["uniform.pgm", "uniform.yaml"]
    text = (tmp_path / "uniform.yaml").read_text()
    assert "wall_height_cm: 50\n" in text
    assert "material: glass\n" in text

    varied = Terrain("varied", np.arange(9, dtype=np.uint16).reshape(3, 3), speed_percent=np.uint8([[9], [8], [7]]))
    save(varied, tmp_path / "varied.yaml")
    made = sorted(file.name for file in tmp_path.glob("varied*"))
    assert made == ["varied.pgm", "varied.speed_percent.pgm", "varied.wall_height_cm.pgm", "varied.yaml"]


def test_many_landmarks_get_a_file_of_their_own_and_come_back(tmp_path: Path) -> None:
    marks = tuple(Landmark(i / 3, -i / 7, (0.1 * i,) * (i % 5)) for i in range(MAX_LANDMARK_NUMBERS))
    ground = Terrain.from_occupied("marked", np.eye(4, dtype=bool), landmarks=marks)
    save(ground, tmp_path / "marked.yaml")
    assert (tmp_path / "marked.landmarks.csv").exists()
    assert load(tmp_path / "marked.yaml") == ground


def test_changes_too_long_for_yaml_are_refused_when_saving(tmp_path: Path) -> None:
    area = Rectangle(left=0, bottom=0, right=1, top=1)
    door = Door(area=area, switches=tuple(map(float, range(100_000))))
    ground = Terrain.from_occupied("busy", np.eye(4, dtype=bool), changes=(door, door))
    with pytest.raises(ExpeditionError, match="too long"):
        save(ground, tmp_path / "busy.yaml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [int, np.float64, np.float32, np.int64])
def test_number_types_do_not_matter(tmp_path: Path, kind: type) -> None:
    ground = Terrain.from_occupied(
        "typed", np.eye(2, dtype=bool), kind(2), (kind(1), kind(3)), landmarks=[Landmark(kind(1), kind(2), (kind(5),))]
    )
    save(ground, tmp_path / "typed.yaml")
    assert load(tmp_path / "typed.yaml") == ground


def test_first_text_row_is_the_highest_y(tmp_path: Path) -> None:
    (tmp_path / "top.txt").write_text("2\n3\n111\n100\n")
    ground = load(tmp_path / "top.txt", resolution=1)
    assert not ground.is_free(0.5, 1.5)
    assert not ground.is_free(2.5, 1.5)
    assert not ground.is_free(0.5, 0.5)
    assert ground.is_free(2.5, 0.5)
    for suffix in (".pgm", ".png", ".map", ".yaml"):
        save(ground, tmp_path / f"top{suffix}")
        assert (load(tmp_path / f"top{suffix}").occupied == ground.occupied).all()


def test_files_that_are_there_are_written_over_only_when_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "ground.pgm").write_text("a drawing of mine")
    ground = Terrain.from_occupied("ground", np.eye(4, dtype=bool))
    with pytest.raises(ExpeditionError, match=r"ground\.pgm: there already"):
        save(ground, tmp_path / "ground.yaml", overwrite=False)
    assert (tmp_path / "ground.pgm").read_text() == "a drawing of mine"
    assert save(ground, tmp_path / "ground.yaml").files == [tmp_path / "ground.pgm", tmp_path / "ground.yaml"]
