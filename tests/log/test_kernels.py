"""The kernels of recording, against slow obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import TILE
from expedition.log.cdr import decode
from expedition.log.file import FRONT, MESSAGE
from expedition.log.markers import LINKS, PointsMarker, link_ends
from expedition.log.paths import changed_paths, path_message
from expedition.log.rectangles import MOST_PARTS, cover_changes, find_changes, forget, join, pack_updates
from tests.log.test_messages import STORE

TILES = (5, 7)
SHAPE = (TILES[0] * TILE, TILES[1] * TILE)
CELLS = st.lists(st.tuples(st.integers(0, SHAPE[0] - 1), st.integers(0, SHAPE[1] - 1), st.integers(0, 2)), max_size=60)


def nothing() -> np.ndarray:
    bounds = np.empty((*TILES, 4), dtype=np.int32)
    forget(bounds)
    return bounds


@settings(max_examples=60, database=None)
@given(CELLS)
def test_rectangles_hold_all_that_changed_and_no_cell_twice(cells) -> None:
    state, last, union = (np.ones(SHAPE, dtype=np.uint8) for _ in range(3))
    stamp = np.full(TILES, -1)
    for row, column, value in cells:
        state[row, column] = value
        stamp[row // TILE, column // TILE] = 5
    differs = state != last
    bounds, joint = nothing(), nothing()
    assert find_changes(state, last, stamp, 4, bounds, union, joint) == differs.any()
    assert (last == state).all()
    assert (union == np.where(state > 0, state, 1)).all()
    for changed, where in ((differs, bounds), (differs & (state > 0), joint)):
        rectangles = np.empty((MOST_PARTS + 2, 4), dtype=np.int64)
        count = cover_changes(where, rectangles)
        held = np.zeros(SHAPE, dtype=int)
        for row, column, rows, columns in rectangles[:count]:
            assert rows > 0
            assert columns > 0
            held[row : row + rows, column : column + columns] += 1
        assert held.max(initial=0) <= 1
        assert (held[changed] == 1).all()


def test_changes_far_apart_are_not_in_one_rectangle() -> None:
    bounds, rectangles = nothing(), np.empty((MOST_PARTS + 2, 4), dtype=np.int64)
    for row, column in ((0, 0), (SHAPE[0] - 1, SHAPE[1] - 1)):
        bounds[row // TILE, column // TILE] = row, row, column, column
    assert cover_changes(bounds, rectangles) == 2
    assert sorted(rectangles[:2].tolist()) == [[0, 0, 1, 1], [SHAPE[0] - 1, SHAPE[1] - 1, 1, 1]]


def test_tiles_that_are_not_stamped_are_not_looked_at() -> None:
    state, last = np.ones(SHAPE, dtype=np.uint8), np.zeros(SHAPE, dtype=np.uint8)
    stamp = np.zeros(TILES, dtype=np.int64)
    assert not find_changes(state, last, stamp, 0, nothing(), np.zeros((0, 0), dtype=np.uint8), nothing())
    assert not last.any()


def test_joining_takes_what_is_known_and_has_changed() -> None:
    rng = np.random.default_rng(0)
    now, before, union = (rng.integers(0, 3, SHAPE).astype(np.uint8) for _ in range(3))
    news = (now != before) & (now > 0) & (now != union)
    expected, bounds = np.where(news, now, union), nothing()
    join(now, before, union, bounds)
    assert (union == expected).all()
    assert (before == now).all()
    rows, columns = np.nonzero(news)
    assert bounds[..., 0].min() == rows.min()
    assert bounds[..., 3].max() == columns.max()


@settings(max_examples=30, database=None)
@given(
    st.lists(st.tuples(st.integers(0, 1), *[st.integers(0, 20)] * 2, *[st.integers(1, 30)] * 2), min_size=1, max_size=5)
)
def test_updates_are_the_messages_that_rosbags_writes(parts) -> None:
    states = np.random.default_rng(1).integers(0, 3, (2, *SHAPE)).astype(np.uint8)
    rectangles = np.array(parts, dtype=np.int64).reshape(-1, 5)
    kind = STORE.types["map_msgs/msg/OccupancyGridUpdate"]
    header = STORE.types["std_msgs/msg/Header"](STORE.types["builtin_interfaces/msg/Time"](0, 0), "world")
    empty = bytes(STORE.serialize_cdr(kind(header, 0, 0, 0, 0, np.zeros(0, np.int8)), kind.__msgtype__))
    front = np.frombuffer(MESSAGE.pack(5, FRONT + len(empty), 0, 0, 0, 0) + empty, dtype=np.uint8)
    starts = np.empty(len(rectangles), dtype=np.uint64)
    data = bytes(pack_updates(states, rectangles, front, np.array([300, 7], dtype=np.uint16), starts))
    ends = [*starts.tolist()[1:], len(data)]
    for (node, row, column, rows, columns), begin, end in zip(rectangles.tolist(), starts.tolist(), ends, strict=True):
        cells = states[node, row : row + rows, column : column + columns]
        occupancy = np.array([-1, 0, 100], dtype=np.int8)[cells].ravel()
        message = kind(header, column, row, columns, rows, occupancy)
        expected = bytes(STORE.serialize_cdr(message, kind.__msgtype__))
        assert data[begin + MESSAGE.size : end] == expected
        assert MESSAGE.unpack_from(data, begin)[:3] == (5, FRONT + len(expected), [300, 7][node])


@pytest.mark.parametrize("count", [0, 1, 2, 37])
def test_paths_and_markers_are_the_messages_that_rosbags_writes(count: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, 2))
    for data, name in (
        (path_message(points, 12.5), "nav_msgs/msg/Path"),
        (PointsMarker(LINKS).message(12.5, points), "visualization_msgs/msg/MarkerArray"),
    ):
        message = STORE.deserialize_cdr(data, name)
        assert bytes(STORE.serialize_cdr(message, name)) == data
    path = decode("nav_msgs/Path", path_message(points, 12.5))
    found = [(one["pose"]["position"]["x"], one["pose"]["position"]["y"]) for one in path["poses"]]
    assert found == [tuple(point) for point in points.tolist()]
    assert all(one["header"] == path["header"] for one in path["poses"])


def test_links_are_the_pairs_that_hear_each_other() -> None:
    rng = np.random.default_rng(2)
    links, places = rng.random((9, 9)) < 0.5, rng.normal(size=(9, 2))
    expected = [(places[i], places[j]) for i in range(9) for j in range(i + 1, 9) if links[i, j] and links[j, i]]
    assert np.array_equal(link_ends(links, places).reshape(-1, 2, 2), expected)


def test_a_path_is_another_one_when_it_leads_elsewhere() -> None:
    way = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (5.0, 2.0)]
    cases = [
        (way, False),
        ([(1.0, 0.0), *way[1:]], False),  # it has driven on
        (way[2:], False),
        ([(0.0, 0.0), (2.0, 0.5), (2.0, 2.0), (5.0, 2.0)], True),  # around something
        ([*way[:-1], (5.0, 3.0)], True),
        ([*way, (6.0, 2.0)], True),
        ([], True),
    ]
    last = np.zeros((len(cases), 8, 2))
    paths, lengths = np.zeros((len(cases), 8, 2)), np.array([len(path) for path, _ in cases])
    last[:, : len(way)] = way
    for path, (points, _) in zip(paths, cases, strict=True):
        path[: len(points)] = np.array(points).reshape(-1, 2)
    last_lengths = np.full(len(cases), len(way))
    changed = changed_paths(paths, lengths, last, last_lengths)
    assert changed.tolist() == [expected for _, expected in cases]
    assert last_lengths[-1] == 0
