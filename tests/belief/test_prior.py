"""Prior maps: how they are made, what they say in a robot's frame, and which are refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.finder import FrontierFinder
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, Grids
from expedition.belief.prior import Prior, PriorMap, check_prior, drawn, make_prior
from expedition.errors import ExpeditionError
from expedition.terrain import Terrain
from expedition.terrain.files import save

FRAME = Frame((-1.0, -2.0), 0.2, 3 * TILE, 4 * TILE)


def box() -> Terrain:
    """8 x 6 m inside walls of 0.1 m, with a wall across at x = 4 m that leaves 2 m at the top."""
    occupied = np.zeros((60, 80), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[:40, 40] = True
    return Terrain.from_occupied("box", occupied)


def state_at(given: PriorMap, x: float, y: float) -> int:
    row, column = (
        math.floor((y - given.origin[1]) / given.resolution),
        math.floor((x - given.origin[0]) / given.resolution),
    )
    inside = 0 <= row < given.state.shape[0] and 0 <= column < given.state.shape[1]
    return int(given.state[row, column]) if inside else UNKNOWN


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([0.07, 0.1, 0.2, 0.5]))
def test_a_cell_is_occupied_if_a_part_of_it_is_and_free_if_all_parts_are(seed: int, resolution: float) -> None:
    rng = np.random.default_rng(seed)
    given = PriorMap(
        rng.choice([UNKNOWN, FREE, FREE, FREE, OCCUPIED], (40, 50)).astype(np.uint8), resolution, (0.513, -0.717)
    )
    pose = np.array([*rng.uniform(-1, 1, 2), rng.uniform(-3, 3)])
    layer = drawn(given, FRAME, pose)
    parts = max(2, math.ceil(FRAME.resolution / resolution - 1e-9))
    c, s = math.cos(pose[2]), math.sin(pose[2])
    for row, column in rng.integers(0, FRAME.shape, (60, 2)).tolist():
        found = set()
        for up in range(parts):
            for across in range(parts):
                x = FRAME.origin[0] + (column + (across + 0.5) / parts) * FRAME.resolution
                y = FRAME.origin[1] + (row + (up + 0.5) / parts) * FRAME.resolution
                found.add(state_at(given, pose[0] + c * x - s * y, pose[1] + s * x + c * y))
        expected = OCCUPIED if OCCUPIED in found else FREE if found == {FREE} else UNKNOWN
        assert layer[row, column] == expected


def test_the_whole_truth_is_the_terrain_itself() -> None:
    given = make_prior("truth", box(), 0)
    assert np.array_equal(given.state == OCCUPIED, box().occupied)
    assert given.extent == box().extent


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5])
def test_a_share_of_the_blocks_is_known_and_each_block_as_a_whole(share: float) -> None:
    given = make_prior(f"truth:known={share},block=1", box(), 3)
    blocks = given.state.reshape(6, 10, 8, 10) != UNKNOWN
    whole = blocks.all(axis=(1, 3))
    assert np.array_equal(whole, blocks.any(axis=(1, 3)))
    assert whole.sum() == round(share * 48)


def test_a_share_of_the_walls_is_missing_and_as_many_are_added() -> None:
    terrain = box()
    given = make_prior("truth:wrong=0.25,piece=0.5", terrain, 1)
    walls = terrain.occupied.reshape(12, 5, 16, 5).any(axis=(1, 3))
    found = (given.state == OCCUPIED).reshape(12, 5, 16, 5)
    missing, added = walls & ~found.any(axis=(1, 3)), ~walls & found.all(axis=(1, 3))
    assert missing.sum() == added.sum() == round(0.25 * walls.sum())


def test_a_shifted_map_lies_as_far_off_as_asked_for_and_elsewhere_for_other_seeds() -> None:
    origins = [make_prior("truth:shift=0.3", box(), seed).origin for seed in range(3)]
    assert [math.hypot(*origin) for origin in origins] == pytest.approx([0.3] * 3)
    assert len(set(origins)) == 3
    assert make_prior("truth:shift=0.3", box(), 0).origin == origins[0]


def test_what_is_known_does_not_move_what_is_wrong() -> None:
    """Every draw has a stream of its own."""
    whole, half = (make_prior(f"truth:wrong=0.2,known={known}", box(), 5).state for known in (1.0, 0.5))
    assert np.array_equal(whole[half != UNKNOWN], half[half != UNKNOWN])


def test_a_map_file_is_a_prior_and_what_it_calls_unknown_stays_unknown(tmp_path: Path) -> None:
    save(box(), tmp_path / "site.yaml")
    given = make_prior(str(tmp_path / "site.yaml"), box(), 0)
    assert np.array_equal(given.state == OCCUPIED, box().occupied)
    pixels = (tmp_path / "site.pgm").read_bytes()
    assert len(set(pixels[-4800:])) == 2
    grey = bytearray(pixels)
    grey[-80 * 30 : -80 * 20] = bytes([128]) * 800
    (tmp_path / "site.pgm").write_bytes(bytes(grey))
    partial = make_prior(str(tmp_path / "site.yaml"), box(), 0)
    assert (partial.state[20:30] == UNKNOWN).all()
    assert np.array_equal(partial.state[30:], given.state[30:])
    walled = make_prior(f"{tmp_path / 'site.yaml'}:unknown=wall", box(), 0)
    assert (walled.state[20:30] == OCCUPIED).all()


def test_a_function_of_the_users_makes_a_prior(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from expedition.terrain import Terrain\n"
        "def old_map(terrain, seed, *, wall: int = 3):\n"
        "    occupied = terrain.occupied.copy()\n"
        "    occupied[:, wall] = True\n"
        "    return Terrain.from_occupied('old', occupied)\n"
        "def nonsense(terrain, seed):\n"
        "    return 7\n"
    )
    assert (make_prior(f"{file}:old_map:wall=20", box(), 0).state[:, 20] == OCCUPIED).all()
    with pytest.raises(ExpeditionError, match="prior: expected a PriorMap or a Terrain, found 7"):
        make_prior(f"{file}:nonsense", box(), 0)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("thruth", "prior: unknown prior 'thruth'; did you mean 'truth'"),
        ("truth:known=1.5", "prior: truth: known: input should be less than or equal to 1, found 1.5"),
        ("truth:knows=0.5", "prior: truth: unknown field 'knows'; did you mean 'known'"),
        ("truth:known", "expected key=value, found 'known'"),
        ("nowhere.png", "prior: nowhere.png: no such file"),
        ("nowhere.png:size=3", "prior: nowhere.png: unknown field 'size'"),
    ],
)
def test_a_malformed_prior_is_refused_before_anything_runs(spec: str, sentence: str) -> None:
    with pytest.raises(ExpeditionError) as told:
        check_prior(spec)
    assert sentence in str(told.value)


def test_a_map_of_another_place_is_refused(tmp_path: Path) -> None:
    save(Terrain.from_occupied("far", box().occupied, origin=(100.0, 0.0)), tmp_path / "far.yaml")
    with pytest.raises(ExpeditionError, match=r"x 100 to 108 and y 0 to 6 m, .* no ground in common"):
        make_prior(str(tmp_path / "far.yaml"), box(), 0)


def test_each_robot_with_a_frame_of_its_own_has_the_map_in_that_frame() -> None:
    starts = np.array([[1.0, 1.0, 0.0], [6.0, 3.0, math.pi / 2]])
    frame = Frame((-10.0, -10.0), 0.2, 6 * TILE, 6 * TILE)
    prior = Prior(make_prior("truth", box(), 0), frame, starts)
    # The wall across begins at (4, 0.1): 3 m ahead of the first robot, and 2 m to the left of the second, a bit back.
    assert prior.layer(0)[frame.cell(3.05, 0.5)] == OCCUPIED
    assert prior.layer(1)[frame.cell(-1.0, 1.95)] == OCCUPIED
    assert prior.layer(0)[frame.cell(1.0, 1.0)] == prior.layer(1)[frame.cell(0.5, 0.5)] == FREE


def test_walls_of_a_prior_hide_what_lies_behind_until_the_cell_is_sensed() -> None:
    grids = Grids(1, FRAME)
    state = np.full(FRAME.shape, FREE, dtype=np.uint8)
    state[:, 30] = OCCUPIED
    prior = Prior(PriorMap(state, FRAME.resolution, FRAME.origin), FRAME)
    grids.state[0, :, :20] = FREE
    blind, told = FrontierFinder(grids), FrontierFinder(grids, prior)
    assert 0 < told.unknown_in_view(0, 20, 18, 20.0) < blind.unknown_in_view(0, 20, 18, 20.0)
    grids.state[0, :, 30] = FREE
    assert told.unknown_in_view(0, 20, 18, 20.0) == blind.unknown_in_view(0, 20, 18, 20.0)
