"""Tables of reports say the same in every format, and other programs can read them."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.io import loadmat

from expedition.bench.records import GivenUp
from expedition.measure.metrics import METRICS
from expedition.report.matlab import field_name, mat_file, plot_script
from expedition.report.statistics.analysis import analyse
from expedition.report.tables.contents import missions_table, success_table, summary_table
from expedition.report.tables.failures import failures_table
from expedition.report.tables.latex import escape, latex_table
from expedition.report.tables.statistics import statistics_tables
from expedition.report.tables.table import Table, plain, save_table
from tests.report.results_of_designs import METRIC_NAMES, VARIED, results_of

SHOWN = [METRICS[name] for name in METRIC_NAMES]


def all_tables() -> list[Table]:
    results, factors = results_of(
        fleets=[1, 2, 4], succeeded=lambda terrain, strategy, robots, seed: (terrain, robots) != ("maze", 1)
    )
    analysis = analyse(results.drop("case"), VARIED, SHOWN)
    return [
        missions_table(results, factors, SHOWN),
        summary_table(results, factors, SHOWN, SHOWN, "mean"),
        success_table(results, factors),
        failures_table(results, factors, {}, []),
        *statistics_tables(analysis, {metric.name: metric for metric in SHOWN}),
    ]


def test_csv_and_parquet_of_every_table_hold_the_same(tmp_path: Path) -> None:
    tables = all_tables()
    assert {table.name for table in tables} >= {
        "missions",
        "summary",
        "success",
        "failures",
        "comparisons",
        "best-fleet",
    }
    for table in tables:
        csv, parquet, *_ = save_table(table, tmp_path)
        read = pl.read_parquet(parquet)
        again = pl.read_csv(csv, schema_overrides=dict(read.schema))
        assert_frame_equal(again, read)
        assert_frame_equal(read, plain(table.frame))


def test_tables_written_twice_have_the_same_bytes(tmp_path: Path) -> None:
    for table in all_tables():
        first = [path.read_bytes() for path in save_table(table, tmp_path / "a")]
        assert [path.read_bytes() for path in save_table(table, tmp_path / "b")] == first


def test_every_row_of_a_latex_table_has_as_many_cells_as_its_head() -> None:
    for table in all_tables():
        text = latex_table(table.shown.header, table.shown.rows, table.shown.words)
        rows = [line for line in text.splitlines() if line.endswith(r"\\") and not line.startswith(r"\caption")]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(table.shown.header) - 1}
        assert len(rows) == len(table.shown.rows) + 1


def test_latex_has_the_rules_of_booktabs_and_long_tables_break_over_pages() -> None:
    short = latex_table(["a", "b"], [("x_1", "50 %")], 1)
    assert short.splitlines()[2:] == [
        r"\begin{tabular}{lr}", r"\toprule", r"a & b \\", r"\midrule", r"x\_1 & 50 \% \\", r"\bottomrule",
        r"\end{tabular}",
    ]  # fmt: skip
    assert r"\begin{longtable}{lr}" in latex_table(["a", "b"], [("x", "1")] * 46, 1, "A & B", "long")


def test_what_latex_reads_as_commands_is_escaped() -> None:
    assert escape("my_file.py:f & 50% of $x^2$ #1 {a} ~ \\end") == (
        r"my\_file.py:f \& 50\% of \$x\textasciicircum{}2\$ \#1 \{a\} \textasciitilde{} \textbackslash{}end"
    )


@given(st.text())
def test_no_text_leaves_an_unescaped_special_character(text: str) -> None:
    left = re.sub(r"\\text[a-z]+\{2?\}|\\ldots\{\}|\$[^$]+\$|\\[&%$#_{}]", "", escape(text))
    assert not set(left) & set('\\&%$#_{}^<>|"') - {"~"}


def test_the_table_of_missions_has_a_row_for_each() -> None:
    results, factors = results_of()
    table = missions_table(results, factors, SHOWN)
    assert table.frame.height == len(table.shown.rows) == results.height
    assert table.frame["key"].to_list() == results["key"].to_list()
    assert table.shown.header[:5] == ("terrain", "strategy", "robots", "ending", "seed")


def test_the_summary_has_the_mean_of_the_missions_that_succeeded_in_each_cell() -> None:
    results, factors = results_of(succeeded=lambda terrain, strategy, robots, seed: seed < 4 and robots > 1)
    frame = summary_table(results, factors, SHOWN, SHOWN, "mean").frame
    (row,) = frame.filter(terrain="maze", case="coordinated", robots=4).iter_rows(named=True)
    assert (row["missions"], row["succeeded"], row["time_s"]) == (5, 3, pytest.approx(np.mean([110.0, 120.0, 130.0])))
    empty = frame.filter(pl.col("robots") == 1)
    assert empty["succeeded"].sum() == 0
    assert empty["time_s"].is_null().all()


def test_the_summary_is_one_latex_file_a_metric(tmp_path: Path) -> None:
    results, factors = results_of()
    files = save_table(summary_table(results, factors, SHOWN, SHOWN, "mean"), tmp_path)
    assert [path.name for path in files] == [
        "summary.csv", "summary.parquet", "summary-time-s.tex", "summary-cost-m.tex", "summary-efficiency-m2-per-m.tex",
        "summary-map-quality.tex",
    ]  # fmt: skip
    text = (tmp_path / "summary-time-s.tex").read_text()
    assert r"terrain & case & robots & succeeded & time (s) \\" in text
    assert r"\caption{Time: the mean of each cell's" in text


def test_small_percentages_have_digits_that_tell_them_apart() -> None:
    results, factors = results_of()
    processor, complete = METRICS["cpu_share"], METRICS["completeness"]
    results = results.with_columns((pl.col("seed") * 1e-5).alias("cpu_share"))
    rows = summary_table(results, factors, [processor, complete], [processor, complete], "mean").shown.rows
    assert rows[0][-2:] == ("0.00300% (0.00104% to 0.00496%)", "99.00% (99.00% to 99.00%)")
    assert missions_table(results, factors, [processor]).shown.rows[0][-1] == "0.00100%"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_latex_sets_every_table(tmp_path: Path) -> None:
    files = [path for table in all_tables() for path in save_table(table, tmp_path) if path.suffix == ".tex"]
    long = [path for path in files if "longtable" in path.read_text()]
    assert 0 < len(long) < len(files)
    inputs = [rf"\input{{{path.name}}}" for path in files]
    body = "\n".join(
        line if path in long else rf"\begin{{table}}\caption{{x}}{line}\end{{table}}\clearpage"
        for path, line in zip(files, inputs, strict=True)
    )
    (tmp_path / "all.tex").write_text(
        rf"\documentclass{{article}}\usepackage{{booktabs,longtable}}\begin{{document}}{body}\end{{document}}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert made.returncode == 0, made.stdout[-2000:]


def test_the_table_of_success_counts_by_fleet() -> None:
    results, factors = results_of(succeeded=lambda terrain, strategy, robots, seed: seed <= robots)
    table = success_table(results, factors)
    assert table.shown.header == ("terrain", "case", "1", "2", "4")
    assert table.shown.rows[0] == ("loop", "nearest-frontier", "1/5", "2/5", "4/5")


def test_missions_that_did_not_succeed_are_listed_with_the_reason() -> None:
    results, factors = results_of(["loop"], ["market", "mine"], [1, 2], succeeded=lambda t, s, robots, seed: seed > 1)
    results = results.with_columns(
        pl.when(pl.col("key") == "loop-mine-2-1").then(pl.lit("failed")).otherwise("ending").alias("ending")
    )
    report = 'Traceback (most recent call last):\n  File "mine.py"\nValueError: no goal\n'
    vector = {"strategy": "mine", "robots": 2}
    lost = GivenUp("f" * 32, "2026-01-01", "node", "the worker died three times", vector, 9)
    rows = failures_table(results, factors, {"loop-mine-2-1": report}, [lost]).shown.rows
    assert len(rows) == 5
    assert ("mine", "2", "1", "failed", "ValueError: no goal", "loop-min") in rows
    assert ("market", "1", "1", "timed out", "60.0% explored after 2,000 s", "loop-mar") in rows
    assert ("mine", "2", "9", "given up", "the worker died three times", "ffffffff") in rows


def test_the_mat_file_has_arrays_over_terrain_case_and_fleet() -> None:
    results, factors = results_of(succeeded=lambda terrain, strategy, robots, seed: (terrain, robots) != ("maze", 1))
    read = loadmat(io.BytesIO(mat_file(results, factors, SHOWN, "mean", "small")), simplify_cells=True)
    found = read["results"]
    assert list(found["terrains"]) == ["loop", "maze"]
    assert list(found["cases"]) == ["nearest-frontier", "coordinated"]
    assert list(found["x"]) == [1.0, 2.0, 4.0]
    assert found["time_s"]["centre"].shape == (2, 2, 3)
    assert found["time_s"]["centre"][0, 1, 2] == pytest.approx(130.0)
    assert np.isnan(found["time_s"]["centre"][1, :, 0]).all()
    assert (found["succeeded"][1, :, 0] == 0).all()
    np.testing.assert_array_equal(read["missions"]["time_s"], results["time_s"])
    assert list(read["missions"]["ending"]) == results["ending"].to_list()


def test_the_mat_file_of_the_same_results_has_the_same_bytes() -> None:
    results, factors = results_of()
    made = [mat_file(results, factors, SHOWN, "mean", "small") for _ in range(2)]
    assert made[0] == made[1]
    assert made[0][:116].strip() == b"MATLAB 5.0 MAT-file, written by expedition"  # and so no time


@given(st.text(min_size=1))
def test_any_name_gives_a_field_that_matlab_takes(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z]\w{0,62}", field_name(name), re.ASCII)


@pytest.mark.skipif(shutil.which("octave") is None, reason="needs Octave")
def test_octave_reads_the_results_and_runs_the_script_as_far_as_it_draws(tmp_path: Path) -> None:
    results, factors = results_of()
    (tmp_path / "results.mat").write_bytes(mat_file(results, factors, SHOWN, "mean", "small"))
    script = plot_script().decode().partition("\nfigure(")[0]
    (tmp_path / "plot_results.m").write_text(f"{script}\nprintf('%g ', squeeze(values.centre(2, 1, :)));\n")
    run = subprocess.run(
        ["octave", "--no-gui", "--norc", "--eval", "metric = 'cost_m'; plot_results"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert run.stdout.split() == ["103", "203", "403"], run.stderr
