"""Curves and maps in reports are those of the missions they are drawn from."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from expedition.plotstyle import robot_colour
from expedition.report.figures.curves import average, best_robot_curve, exploration_curves, fleet_curve
from expedition.report.figures.drawing import panel_grid
from expedition.report.figures.ground import Ground, draw_times, draw_ways, ways_of
from expedition.report.figures.missions import averaged_maps, chosen_missions, mean_times, mission_drawings
from tests.report.results_of_designs import RESULT, results_of

Floats = NDArray[np.float64]


def ground(seen_at: list[list[float]], explorable: list[list[bool]] | None = None) -> Ground:
    times = np.array(seen_at, dtype=np.float32)
    where = np.ones(times.shape, dtype=bool) if explorable is None else np.array(explorable)
    first = np.where(np.isfinite(times), 0, -1).astype(np.int16)
    return Ground(where, first, times, times, (0.0, float(times.shape[1]), 0.0, float(times.shape[0])))


def test_the_curve_is_that_of_the_robot_that_knows_most_at_each_time() -> None:
    series = pl.DataFrame({
        "time_s": [0.0, 0.0, 0.0, 5.0, 5.0, 5.0],
        "robot": [None, 0, 1, None, 0, 1],
        "explored": [0.4, 0.1, 0.3, 0.9, 0.8, 0.6],
    })  # fmt: skip
    times, shares = best_robot_curve(series)
    assert times.tolist() == [0.0, 5.0]
    assert shares.tolist() == [0.3, 0.8]


def test_the_curve_of_a_mission_ends_with_its_completeness() -> None:
    result = RESULT.made()
    times, shares = best_robot_curve(result.measurements.series_frame())
    assert shares[-1] == pytest.approx(result.metrics["completeness"])
    assert (np.diff(times) > 0).all()


def test_a_mission_that_has_ended_keeps_its_last_value_in_the_mean() -> None:
    short = (np.array([0.0, 10.0]), np.array([0.0, 1.0]))
    long = (np.array([0.0, 10.0, 100.0]), np.array([0.0, 0.2, 0.4]))
    mean = average([short, long], 100.0)
    assert mean.mean[-1] == pytest.approx(0.7)
    assert mean.mean[0] == 0.0
    assert mean.mean[np.searchsorted(mean.times, 50.0)] == pytest.approx(0.6)


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=20), min_size=1, max_size=6))
def test_the_mean_and_the_band_lie_within_the_missions(shares: list[list[float]]) -> None:
    curves = [(np.arange(len(one), dtype=float), np.array(sorted(one))) for one in shares]
    mean = average(curves, 20.0)
    least, most = min(map(min, shares)), max(map(max, shares))
    for values in (mean.mean, mean.low, mean.high):
        assert (values >= least - 1e-12).all()
        assert (values <= most + 1e-12).all()
    assert (np.diff(mean.mean) >= -1e-12).all()


def test_with_several_cases_curves_have_a_row_for_each_terrain_and_a_column_for_a_few_fleets() -> None:
    results, factors = results_of(fleets=[1, 2, 3, 4, 5])
    curve = (np.array([0.0, 50.0]), np.array([0.1, 0.9]))
    (drawing,) = exploration_curves(results, factors, lambda key: curve, 20)
    titles = [one.get_title() for one in drawing.figure.axes]
    assert titles == [
        f"{terrain}, {fleet}" for terrain in ("loop", "maze") for fleet in ("1 robot", "3 robots", "5 robots")
    ]
    assert all(len(one.lines) == 2 for one in drawing.figure.axes)


def test_with_one_case_curves_have_a_line_for_a_few_fleets() -> None:
    results, factors = results_of(strategies=["market"], fleets=[1, 2, 3])
    (drawing,) = exploration_curves(results, factors, lambda key: (np.array([0.0]), np.array([0.1])), 20)
    assert [one.get_title() for one in drawing.figure.axes] == ["loop", "maze"]
    assert all(len(one.lines) == 3 for one in drawing.figure.axes)


def test_of_large_cells_a_few_missions_are_read_and_the_caption_says_so() -> None:
    results, factors = results_of(["loop"], ["market"], [2], seeds=30)
    read: list[str] = []

    def curve_of(key: str) -> tuple[Floats, Floats]:
        read.append(key)
        return np.array([0.0, 9.0]), np.array([0.0, 1.0])

    (drawing,) = exploration_curves(results, factors, curve_of, 7)
    assert len(read) == 7
    assert "the 7 with the smallest seeds" in drawing.caption


def test_the_bases_curves_have_the_teams_beside_them() -> None:
    results, factors = results_of(["loop"], ["market", "coordinated"], [2])
    base, team = ((np.array([0.0, 50.0]), np.array([0.0, end])) for end in (0.6, 0.9))
    (drawing,) = exploration_curves(results, factors, lambda key: base, 20, lambda key: team)
    lines = drawing.figure.axes[0].lines
    assert [line.get_ydata()[-1] for line in lines] == [0.6, 0.9, 0.6, 0.9]  # type: ignore[index]
    assert lines[0].get_color() == lines[1].get_color() != lines[2].get_color()
    assert (drawing.name, drawing.title) == ("base-curves", "Known at base over time")
    assert "pale lines" in drawing.caption


def test_the_curve_of_the_base_is_that_of_the_series_and_there_is_none_without_a_base() -> None:
    series = pl.DataFrame({
        "time_s": [0.0, 0.0, 1.0, 1.0], "robot": [None, 0, None, 0], "explored": [0.2, 0.1, 0.4, 0.3],
        "at_base": [0.0, None, 0.25, None],
    })  # fmt: skip
    assert [part.tolist() for part in fleet_curve(series, "at_base") or ()] == [[0.0, 1.0], [0.0, 0.25]]
    assert [part.tolist() for part in fleet_curve(series, "explored") or ()] == [[0.0, 1.0], [0.2, 0.4]]
    assert fleet_curve(series.drop("at_base"), "at_base") is None


def test_missions_without_a_series_leave_a_panel_that_says_so() -> None:
    results, factors = results_of(["loop"], ["market"], [2])
    (drawing,) = exploration_curves(results, factors, lambda key: None, 7)
    assert [text.get_text() for text in drawing.figure.axes[0].texts] == ["no series stored"]


def test_ways_are_the_true_positions_by_sample_and_robot() -> None:
    measurements = RESULT.made().measurements
    np.testing.assert_array_equal(ways_of(measurements.series_frame()), measurements.poses[:, :, :2])


def test_the_chosen_mission_is_the_median_of_the_first_case() -> None:
    results, factors = results_of(succeeded=lambda terrain, strategy, robots, seed: seed > 2)
    assert chosen_missions(results, factors) == ["loop-nearest-frontier-4-4", "maze-nearest-frontier-4-4"]


@pytest.mark.parametrize(
    ("fleets", "chosen"), [([1, 4, 8, 16, 30], 8), ([2, 7, 9], 7), ([12, 19, 30], 12), ([1, 2, 3], 3)]
)
def test_the_chosen_mission_has_the_largest_fleet_that_colours_tell_apart(fleets: list[int], chosen: int) -> None:
    results, factors = results_of(["loop"], ["market"], fleets, seeds=1)
    layers = ground([[1.0, 2.0]])
    assert chosen_missions(results, factors) == [f"loop-market-{chosen}-1"]
    (drawing,) = mission_drawings(results, factors, lambda key: layers, lambda key: np.zeros((2, chosen, 2)))
    assert ("largest of at most 8 robots" in drawing.caption) == (8 >= chosen != fleets[-1])
    numbers = [text.get_text() for text in drawing.figure.axes[0].texts]
    assert numbers == ([str(robot) for robot in range(chosen)] if chosen > 8 else [])
    assert ("numbers of their robots" in drawing.caption) == (chosen > 8)


@pytest.mark.parametrize("shape", [(4, 4), (2, 8), (8, 4)])
def test_panels_of_maps_stand_at_the_same_height_with_their_titles_on_the_page(shape: tuple[int, int]) -> None:
    results, factors = results_of(["loop"], ["market"], [1, 2, 4], seeds=1)
    layers = ground(np.arange(float(np.prod(shape))).reshape(shape).tolist())
    (mission,) = mission_drawings(results, factors, lambda key: layers, lambda key: np.zeros((2, 2, 2)))
    (averaged,) = averaged_maps(results, factors, lambda key: layers, 3)
    for figure, panels in ((mission.figure, mission.figure.axes[:3]), (averaged.figure, averaged.figure.axes[:3])):
        figure.savefig(io.BytesIO(), format="png", dpi=50)
        assert len({(round(one.get_position().y0, 3), round(one.get_position().y1, 3)) for one in panels}) == 1
        for one in panels:
            title = figure.transFigure.inverted().transform_bbox(one.title.get_window_extent())
            assert 0 <= title.x0 < title.x1 <= 1
            assert title.y1 <= 1


def test_times_are_averaged_over_the_missions_that_saw_or_covered_a_cell() -> None:
    grounds = {"a": ground([[2.0, np.nan, np.nan]]), "b": ground([[4.0, 6.0, np.nan]])}
    grounds["b"] = replace(grounds["b"], covered_at=np.array([[np.nan, 9.0, np.nan]], dtype=np.float32))
    found = mean_times(grounds.get, ["a", "b"])
    assert found is not None
    np.testing.assert_array_equal(found.seen_at, [[3.0, 6.0, np.nan]])
    np.testing.assert_array_equal(found.covered_at, [[2.0, 9.0, np.nan]])
    assert found.missions == 2


def test_averaged_maps_have_a_row_for_what_was_seen_and_one_for_what_was_driven_over() -> None:
    results, factors = results_of(["loop"])
    layers = ground([[1.0, 2.0]])
    (drawing,) = averaged_maps(results, factors, lambda key: layers, 3)
    cases = ("nearest-frontier", "coordinated")
    assert [one.get_title() for one in drawing.figure.axes[:4]] == [
        f"{case}: {what}" for what in ("seen", "driven over") for case in cases
    ]


def test_maps_of_different_ground_are_not_averaged() -> None:
    grounds = {"a": ground([[2.0, 1.0]]), "b": ground([[4.0, 6.0]], [[True, False]])}
    assert mean_times(grounds.get, ["a", "b"]) is None
    assert mean_times(grounds.get, ["a", "gone"]) is None
    assert mean_times(grounds.get, []) is None


def test_early_ground_is_red_late_ground_blue_and_what_was_never_seen_is_left_out() -> None:
    _, (axes,) = panel_grid(1)
    image = draw_times(axes, ground([[0.0, 100.0, np.nan]]), np.array([[0.0, 100.0, np.nan]]), 100.0)
    colours = image.to_rgba(image.get_array())[0]  # type: ignore[arg-type]
    assert colours[0][0] > 0.5 > colours[0][2]
    assert colours[1][2] > 0.5 > colours[1][0]
    assert colours[2][3] == 0.0


def test_ground_has_the_colour_of_the_robot_that_saw_it_first() -> None:
    from matplotlib.colors import to_hex

    first = np.array([[0, 1, -1]], dtype=np.int16)
    layers = Ground(
        np.ones((1, 3), bool), first, np.zeros((1, 3), np.float32), np.zeros((1, 3), np.float32), (0, 3, 0, 1)
    )
    _, (axes,) = panel_grid(1)
    draw_ways(axes, layers, np.array([[[0.5, 0.5], [1.5, 0.5]]]))
    shades = axes.images[1].get_array()
    assert shades is not None
    assert [to_hex(shades[0, column, :3]) for column in (0, 1)] == [robot_colour(0), robot_colour(1)]
    assert shades[0, 2, 3] == 0.0


def test_mission_figures_come_from_stored_arrays_alone() -> None:
    results, factors = results_of()
    measurements = RESULT.made().measurements
    layers = Ground.of(measurements.maps, measurements.facts)
    assert layers is not None
    ways = ways_of(measurements.series_frame())
    drawings = list(mission_drawings(results, factors, lambda key: layers, lambda key: ways))
    assert [drawing.name for drawing in drawings] == ["mission-loop", "mission-maze"]
    assert [drawing.name for drawing in averaged_maps(results, factors, lambda key: layers, 3)] == [
        "heat-loop",
        "heat-maze",
    ]


def test_without_maps_there_are_no_figures_of_missions() -> None:
    results, factors = results_of()
    assert list(mission_drawings(results, factors, lambda key: None, lambda key: np.empty((0, 0, 2)))) == []
    assert list(averaged_maps(results, factors, lambda key: None, 3)) == []
    assert Ground.of({}, {}) is None


def test_sections_of_a_series_frame_without_robots_are_empty() -> None:
    empty = RESULT.made().measurements.series_frame().filter(pl.col("robot").is_null())
    assert len(best_robot_curve(empty)[0]) == 0
