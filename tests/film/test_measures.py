"""Views, speeds, palettes and which links are drawn, beside slow and obvious versions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from expedition.belief.grid import FREE, OCCUPIED, UNKNOWN
from expedition.film.ground import frontier_cells
from expedition.film.heading import clock
from expedition.film.palette import Palette
from expedition.film.timing import Timing, usual_speed
from expedition.film.view import around, fit, scale_bar
from expedition.film.ways import telling_links


@given(
    st.floats(-100, 100), st.floats(-100, 100), st.floats(0.5, 500), st.floats(0.5, 500), st.integers(40, 3000),
    st.integers(40, 3000),
)  # fmt: skip
def test_a_fitted_view_shows_all_of_the_terrain_and_little_more(
    left: float, bottom: float, wide: float, high: float, width: int, height: int
) -> None:
    view = fit((left, left + wide, bottom, bottom + high), width, height)
    assert 1 <= view.width <= width
    assert 1 <= view.height <= height
    corners = view.pixels(np.array([(left, bottom + high), (left + wide, bottom)]))
    assert (corners >= -1e-6).all()
    assert (corners <= np.array([view.width, view.height]) + 1e-6).all()
    if min(view.width, view.height) > 20:
        assert wide * view.scale > view.width - 2 or high * view.scale > view.height - 2


def test_a_view_around_a_place_has_it_in_its_middle() -> None:
    view = around(3.0, -4.0, 10.0, 400, 200)
    assert view.pixel(3.0, -4.0) == (200.0, 100.0)
    assert view.pixel(3.0, 1.0) == (200.0, 0.0)


@pytest.mark.parametrize(("metres", "bar"), [(7.3, 5.0), (1.0, 1.0), (2.0, 2.0), (0.19, 0.1), (480.0, 200.0)])
def test_scale_bars_are_round(metres: float, bar: float) -> None:
    assert scale_bar(metres) == pytest.approx(bar)


@given(st.floats(0.0, 1e5))
def test_films_last_about_half_a_minute_unless_the_mission_is_shorter(seconds: float) -> None:
    speed = usual_speed(seconds)
    assert speed >= 1.0
    if seconds > 30.0:
        assert 23.0 < seconds / speed < 38.0
    else:
        assert speed == 1.0


@given(st.floats(0.0, 50.0), st.floats(0.01, 500.0), st.floats(0.1, 100.0), st.floats(1.0, 60.0))
def test_moments_begin_at_the_start_and_end_at_the_end(start: float, long: float, speed: float, fps: float) -> None:
    timing = Timing(start, start + long, speed, fps)
    moments = [timing.moment(frame) for frame in (0, timing.frames // 2, timing.frames - 1)]
    assert moments == sorted(moments)
    assert moments[-1] == start + long
    if timing.frames > 1:
        assert moments[0] == start
        assert timing.end - timing.moment(timing.frames - 2) < 2.0 * speed / fps + 1e-6


def test_clocks() -> None:
    assert [clock(seconds, False) for seconds in (0, 59.99, 60, 3725)] == ["0:00", "0:59", "1:00", "1:02:05"]
    assert clock(59.96, True) == "1:00.0"
    assert clock(7.25, True) in ("0:07.2", "0:07.3")


def groups(nodes: int, pairs: list[tuple[int, int]]) -> set[frozenset[int]]:
    member = {node: {node} for node in range(nodes)}
    for one, other in pairs:
        joined = member[one] | member[other]
        for node in joined:
            member[node] = joined
    return {frozenset(group) for group in member.values()}


@pytest.mark.parametrize("seed", range(5))
def test_of_too_many_links_those_are_drawn_that_hold_groups_together_then_the_shortest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 100, (121, 2))
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    links = (apart < 30.0) & ~np.eye(121, dtype=bool)
    every = [(one, other) for one, other in itertools.combinations(range(121), 2) if links[one, other]]
    assert len(every) > 1000
    drawn = telling_links(links, places)
    assert len(drawn) == len(set(drawn)) == 300
    assert set(drawn) <= set(every)
    assert groups(121, drawn) == groups(121, every)
    few = telling_links(links & (apart < 8.0), places)
    assert set(few) == {(one, other) for one, other in every if apart[one, other] < 8.0}


def test_frontier_cells_are_free_beside_the_unknown_and_away_from_walls() -> None:
    state = np.random.default_rng(0).choice([UNKNOWN, FREE, FREE, FREE, FREE, OCCUPIED], (40, 50)).astype(np.uint8)
    found = frontier_cells(state)
    for row, column in np.ndindex(*state.shape):
        around_it = state[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        expected = state[row, column] == FREE and (around_it == UNKNOWN).any() and not (around_it == OCCUPIED).any()
        assert found[row, column] == expected


def test_a_palette_gives_every_pixel_its_nearest_entry() -> None:
    rng = np.random.default_rng(1)
    picture = Image.fromarray(rng.integers(0, 256, (30, 40, 3)).astype(np.uint8))
    palette = Palette([picture])
    entries = palette.entries(picture)
    assert entries.max() < 255
    pixels = np.asarray(picture, dtype=int).reshape(-1, 3)
    apart = ((pixels[:, None] - palette.colours[None, :255].astype(int)) ** 2).sum(axis=2)
    assert (apart[np.arange(len(pixels)), entries.ravel()] == apart.min(axis=1)).all()
