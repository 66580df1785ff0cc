"""Figures of reports show what the papers' figures show: who succeeded, how well, and how sure that is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from scipy import stats

from expedition.measure.metrics import METRICS
from expedition.plotstyle import parts_of, save
from expedition.report.cells import cells_of, chosen_values, middle_of
from expedition.report.figures.against_axis import metric_by_panel, metrics_together
from expedition.report.figures.drawing import file_name
from expedition.report.figures.lines import is_logarithmic, marker_size, percent_tick
from expedition.report.figures.scatter import metric_against_samples
from expedition.report.statistics.factors import factors_of, with_case
from tests.report.results_of_designs import results_of

TIME = METRICS["time_s"]


def points(axes: Axes) -> list[tuple[float, float, float]]:
    """Where the markers of some axes are, and their areas."""
    found = []
    for one in axes.collections:
        if isinstance(one, PathCollection):
            places = np.asarray(one.get_offsets())
            sizes = np.resize(one.get_sizes(), len(places))
            found += [(float(x), float(y), float(size)) for (x, y), size in zip(places, sizes, strict=True)]
    return found


def legend_texts(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_there_is_a_panel_for_each_terrain_and_a_marker_for_each_cell() -> None:
    results, factors = results_of()
    (drawing,) = metric_by_panel(results, factors, TIME)
    axes = drawing.figure.axes
    assert [one.get_title() for one in axes] == ["loop", "maze"]
    assert [len(points(one)) for one in axes] == [6, 6]
    assert [one.get_ylabel() for one in axes] == ["time (s)"] * 2


def test_a_cell_whose_missions_all_failed_has_no_marker() -> None:
    results, factors = results_of(succeeded=lambda terrain, strategy, robots, seed: (terrain, robots) != ("maze", 1))
    (drawing,) = metric_by_panel(results, factors, TIME)
    loop, maze = drawing.figure.axes
    assert len(points(loop)) == 6
    assert sorted(round(x) for x, _, _ in points(maze)) == [2, 2, 4, 4]
    assert "Where all failed, there is no marker." in drawing.caption


def test_how_far_missions_came_is_shown_hollow_where_all_failed() -> None:
    results, factors = results_of(strategies=["market"], succeeded=lambda t, s, robots, seed: robots > 1)
    (drawing,) = metrics_together(results, factors, [METRICS["completeness"]], "fleet", "Fleet metrics")
    scatter = next(one for one in drawing.figure.axes[0].collections if isinstance(one, PathCollection))
    faces = [tuple(face[:3]) for face in scatter.get_facecolors()]  # type: ignore[attr-defined]
    assert faces[0] == (1.0, 1.0, 1.0)
    assert all(face != (1.0, 1.0, 1.0) for face in faces[1:])
    assert "Hollow" in drawing.caption


def test_markers_grow_with_the_number_of_missions_that_succeeded() -> None:
    results, factors = results_of(
        ["loop"], ["market"], [1, 2, 3, 4, 5], succeeded=lambda terrain, strategy, robots, seed: seed <= robots
    )
    (drawing,) = metrics_together(results, factors, [TIME], "fleet", "Fleet metrics")
    sizes = [size for _, _, size in sorted(points(drawing.figure.axes[0]))]
    assert sizes == sorted(set(sizes))
    assert len(sizes) == 5
    texts = legend_texts(drawing.figure)
    assert texts == ["1 of 5 succeeded", "3 of 5 succeeded", "5 of 5 succeeded"]


def test_a_mission_that_is_not_finished_is_no_failure() -> None:
    results, factors = results_of(["loop"], ["market"])
    results = results.filter(~((pl.col("robots") == 2) & (pl.col("seed") == 5)))
    (drawing,) = metrics_together(results, factors, [TIME], "fleet", "Fleet metrics")
    assert len({size for _, _, size in points(drawing.figure.axes[0])}) == 1
    assert legend_texts(drawing.figure) == ["all succeeded"]
    assert "5 missions" not in drawing.caption


@pytest.mark.parametrize("fleets", [[4, 8], [1, 2, 3], [1, 2, 4, 8, 16]])
def test_cases_stand_hardly_beside_their_fleet_size(fleets: list[int]) -> None:
    results, factors = results_of(["loop"], ["a", "b", "c"], fleets)
    (drawing,) = metrics_together(results, factors, [TIME], "fleet", "Fleet metrics")
    places = [x for x, _, _ in points(drawing.figure.axes[0])]
    assert {round(x) for x in places} == set(fleets)
    assert max(abs(x - round(x)) for x in places) <= 0.15 + 1e-9
    assert len(set(places)) == len(places)
    if fleets == [1, 2, 3]:
        assert max(abs(x - round(x)) for x in places) == pytest.approx(0.1)


@pytest.mark.parametrize("name", ["ram_mb", "cpu_share", "sent_kb_per_s", "time_s", "cost_m", "efficiency_m2_per_m"])
def test_amounts_begin_at_zero_however_little_they_differ(name: str) -> None:
    results, factors = results_of(["loop"], ["market"])
    results = results.with_columns((5.0 + pl.col("robots") * 0.001).alias(name))
    (drawing,) = metrics_together(results, factors, [METRICS[name]], "fleet", "Fleet metrics")
    low, high = drawing.figure.axes[0].get_ylim()
    assert low == 0.0
    assert high > 5.0


def test_scores_that_hardly_differ_are_not_drawn_as_if_they_did() -> None:
    results, factors = results_of(["loop"], ["market"])
    results = results.with_columns((0.99 + pl.col("robots") * 0.0001).alias("map_quality"))
    (drawing,) = metrics_together(results, factors, [METRICS["map_quality"]], "fleet", "Fleet metrics")
    low, high = drawing.figure.axes[0].get_ylim()
    assert 0.85 < low < 0.91
    assert 1.0 < high < 1.02
    assert "need not begin at 0" in drawing.caption


def test_a_small_percentage_has_no_needless_digits() -> None:
    assert [percent_tick(value) for value in (0.0, 0.0012, 0.5, 1.0)] == ["0%", "0.12%", "50%", "100%"]


def test_a_legend_that_does_not_fit_one_row_has_lines_and_sizes_in_rows_of_their_own() -> None:
    results, factors = results_of(
        ["a", "b", "c", "d"], ["market"], [1, 2, 3, 4, 5], succeeded=lambda t, s, robots, seed: seed <= robots
    )
    (drawing,) = metrics_together(results, factors, [TIME], "fleet", "Fleet metrics")
    texts = legend_texts(drawing.figure)
    assert [texts[number::2] for number in (0, 1)] == [
        ["a", "b", "c", "d"], ["1 of 5 succeeded", "3 of 5 succeeded", "5 of 5 succeeded", " "]
    ]  # fmt: skip


def test_colours_stay_those_of_the_design_where_terrains_are_missing() -> None:
    results, factors = results_of(["a", "b", "c"], ["market"])
    results = results.with_columns(pl.col("terrain").cast(pl.Enum(["a", "b", "c"])))
    whole, part = (
        next(metrics_together(shown, factors, [TIME], "fleet", "Fleet metrics")).figure.axes[0].lines
        for shown in (results, results.filter(pl.col("terrain") != "a"))
    )
    assert [line.get_color() for line in part] == [line.get_color() for line in whole][1:]


@given(st.integers(1, 200), st.data())
def test_more_successes_never_make_a_smaller_marker(most: int, data: st.DataObject) -> None:
    fewer = data.draw(st.integers(0, most))
    more = data.draw(st.integers(fewer, most))
    assert 0 < marker_size(fewer, most) <= marker_size(more, most)


def test_a_point_is_the_mean_of_the_successful_missions_and_its_bar_students_interval() -> None:
    results, factors = results_of(["loop"], ["market"], [1, 2, 4], succeeded=lambda t, s, robots, seed: seed != 3)
    cell = cells_of(results, factors, TIME)[0]
    values = [410.0, 420.0, 440.0, 450.0]
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (cell.missions, cell.succeeded, cell.centre) == (5, 4, pytest.approx(np.mean(values)))
    assert (cell.low, cell.high) == (pytest.approx(low), pytest.approx(high))


def test_the_interval_of_the_median_of_five_is_their_range_and_of_fewer_there_is_none() -> None:
    assert middle_of(np.array([5.0, 1.0, 2.0, 9.0, 3.0]), "median") == (3.0, 1.0, 9.0)
    assert middle_of(np.array([5.0, 1.0, 2.0]), "median") == (2.0, None, None)
    assert middle_of(np.array([]), "mean") == (None, None, None)
    assert middle_of(np.array([4.0]), "mean") == (4.0, None, None)


def test_with_one_case_there_is_a_panel_for_each_metric_and_a_line_for_each_terrain() -> None:
    results, factors = results_of(strategies=["market"])
    (drawing,) = metrics_together(results, factors, [TIME, METRICS["cost_m"]], "fleet", "Fleet metrics")
    assert [one.get_ylabel() for one in drawing.figure.axes] == ["time (s)", "cost (m)"]
    assert legend_texts(drawing.figure)[:2] == ["loop", "maze"]


def test_without_a_fleet_size_that_varies_cases_stand_beside_each_other() -> None:
    results, factors = results_of(fleets=[4])
    (drawing,) = metric_by_panel(results, factors, TIME)
    axes = drawing.figure.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["nearest-frontier", "coordinated"]
    assert [x for x, _, _ in points(axes)] == [0.0, 1.0]


def test_many_terrains_and_cases_are_drawn_in_several_parts() -> None:
    terrains = [f"terrain-{number}" for number in range(10)]
    strategies = [f"strategy-{number}" for number in range(9)]
    results, factors = results_of(terrains, strategies, seeds=1)
    drawings = list(metric_by_panel(results, factors, TIME))
    assert len(drawings) == 4
    assert len({drawing.name for drawing in drawings}) == 4
    assert sorted({one.get_title() for drawing in drawings for one in drawing.figure.axes}) == terrains


@given(st.lists(st.integers(), max_size=60), st.integers(1, 12))
def test_parts_hold_all_items_in_order_and_are_of_about_the_same_size(items: list[int], most: int) -> None:
    parts = parts_of(items, most)
    assert [item for part in parts for item in part] == items
    sizes = [len(part) for part in parts]
    assert max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1


def test_fleets_that_double_stand_on_a_logarithmic_axis() -> None:
    assert is_logarithmic([1, 2, 4, 8, 16, 30])
    assert not is_logarithmic(list(range(1, 31)))
    assert not is_logarithmic([0, 1, 2, 4, 8, 16])


def test_a_share_has_no_bar_above_all_of_it() -> None:
    results, factors = results_of(["loop"], ["market"], succeeded=lambda t, s, robots, seed: seed > 1)
    (drawing,) = metrics_together(results, factors, [METRICS["completeness"]], "fleet", "Fleet metrics")
    assert drawing.figure.axes[0].get_ylim()[1] < 1.05


def test_sampled_parameters_give_a_panel_each_with_a_point_a_mission() -> None:
    random = np.random.default_rng(1)
    results, _ = results_of(["loop"], ["market"], fleets=[1], seeds=40)
    results = results.drop("case").with_columns(
        pl.Series("lidar.range", random.uniform(5, 30, 40)), pl.Series("radio.range", random.uniform(10, 200, 40))
    )
    factors = factors_of(results, ["lidar.range", "radio.range"])
    (drawing,) = metric_against_samples(with_case(results, factors), factors, TIME)
    assert [one.get_xlabel() for one in drawing.figure.axes] == ["lidar.range", "radio.range"]
    assert [len(points(one)) for one in drawing.figure.axes] == [40, 40]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_figure_drawn_twice_has_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    results, factors = results_of()
    for number in range(2):
        (drawing,) = metric_by_panel(results, factors, TIME)
        save(drawing.figure, tmp_path / f"{number}.{suffix}")
    assert (tmp_path / f"0.{suffix}").read_bytes() == (tmp_path / f"1.{suffix}").read_bytes()


def test_a_few_values_of_many_are_the_ends_and_the_middle() -> None:
    assert chosen_values(list(range(1, 31))) == [1, 15, 30]
    assert chosen_values([3, 5]) == [3, 5]


@given(st.lists(st.text() | st.integers() | st.none(), max_size=5))
def test_any_words_give_a_name_for_a_file(words: list[object]) -> None:
    name = file_name(*words)
    assert name
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
