"""Studies run end to end on a small part of their missions, go on where they stopped, and say what the rows say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from PIL import Image
from studies import localisation, maze, mresim, terrains, yan2015, yan2017
from studies.__main__ import STUDIES, main
from studies.missions import run_one
from studies.mresim.relays import carried
from studies.paired import changes, listed
from studies.reproduction import Reproduction, statements_table
from studies.table import FIGURES, Row, Run, read, write
from studies.yan2017 import LEADER

from expedition import explore

FEW = ["--seeds", "1", "--robots", "8", "--terrains", "maze", "--time-limit", "2"]
SHORT = Run("maze", 2, "nearest-frontier", 3, time_limit=8.0)


def made_up(run: Run, time: float = 200.0, ending: str = "explored", **figures: float) -> Row:
    """A row of a mission that nobody ran."""
    return Row(run, ending, {**dict.fromkeys(FIGURES, 1.0), "time_s": time, "completeness": 0.995, **figures})


@pytest.mark.parametrize(("name", "missions"), [("terrains", 6), ("maze", 12), ("localisation", 2)])
def test_a_study_leaves_a_table_a_summary_and_a_figure(name: str, missions: int, tmp_path: Path) -> None:
    main([name, *FEW, "--workers", "1", "--out", str(tmp_path)])
    assert len(read(tmp_path / f"{name}.csv")) == missions
    assert "| --- |" in (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    with Image.open(tmp_path / f"{name}.png") as picture:
        assert picture.width > 1000


def test_a_study_goes_on_where_it_stopped_and_keeps_rows_that_are_not_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "terrains.csv"
    of_old = [made_up(run, time=123.0) for run in terrains.runs(5)]
    write(table, of_old)
    main(["terrains", "--seeds", "1", "--robots", "4", "--workers", "1", "--out", str(tmp_path)])
    assert read(table) == {row.run: row for row in of_old}
    assert "123 ± 0" in (tmp_path / "terrains.md").read_text(encoding="utf-8")


def test_workers_leave_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        main(["localisation", *FEW, "--workers", workers, "--out", str(tmp_path / workers)])
    alone, together = ((tmp_path / workers / "localisation.csv").read_bytes() for workers in ("1", "2"))
    assert alone == together


def test_a_row_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    row = run_one(SHORT)
    write(tmp_path / "one.csv", [row])
    (again,) = read(tmp_path / "one.csv").values()
    assert again.run == row.run
    assert again.ending == "timed out"
    # What there is not, such as T99 of this mission, is NaN, which equals nothing.
    assert str(again.figures) == str(row.figures)


def test_robot_and_settings_of_a_run_reach_its_mission() -> None:
    plain = run_one(SHORT)
    assert run_one(replace(SHORT, robot="pioneer-3dx:drive.max_speed=0.2")).speed <= 0.2 < plain.speed
    shortsighted = run_one(replace(SHORT, settings="mapping.max_range=3 local.horizon=1.0"))
    assert shortsighted["completeness"] < plain["completeness"]


def test_dead_reckoning_beside_a_mission_changes_nothing_and_says_what_the_odometry_localiser_says() -> None:
    row = run_one(replace(SHORT, localiser="odometry"))
    alone = explore("maze", 2, "nearest-frontier", 3, localiser="odometry", time_limit=8.0).metrics
    assert row["reckoning_error_mean_m"] == pytest.approx(row["trajectory_error_mean_m"], rel=1e-5)
    assert row["trajectory_error_mean_m"] > 0.0
    assert row["reckoning_error_max_m"] == pytest.approx(row["trajectory_error_max_m"], rel=1e-5)
    assert row["cost_m"] == pytest.approx(alone["cost_m"], rel=1e-5)


def test_the_study_of_terrains_counts_missions_and_lists_those_that_failed() -> None:
    rows = [made_up(run) for run in terrains.runs(5)]
    rows[7:27] = [replace(row, ending="timed out") for row in rows[7:27]]
    text = terrains.report(rows)
    assert "700 of 720 explored (97.2%), required 95%" in text
    assert text.count("timed out") == 20


def test_the_study_of_the_maze_ranks_what_makes_missions_longer() -> None:
    slower = {"drives at most 0.4 m/s": 400.0, "laser 10 m": 250.0}
    cases = {case: slower.get(name, 200.0) for name, case in maze.CASES.items()}
    text = maze.report([made_up(run, cases[replace(run, seed=1)] + run.seed) for run in maze.runs(3)])
    assert "3 seeds: 202 ± 1 s (201 to 203)" in text
    assert "The mean is below the published times" in text
    assert "drives at most 0.4 m/s +200 s; laser 10 m +50 s" in text


def test_the_study_of_localisation_compares_along_the_same_ways() -> None:
    rows = [
        made_up(run, trajectory_error_mean_m=0.1, reckoning_error_mean_m=2.0 if run.robots == 8 else 6.0)
        for run in localisation.runs(1)
    ]
    rows[0] = replace(rows[0], ending="timed out")
    text = localisation.report(rows)
    assert "40 times smaller than that of odometry on average, and 20 times in the worst of 8 missions" in text
    assert "Missions lost: 1 of 8." in text


def missions_of(study: Reproduction, value: Callable[[str, int, str, str], float]) -> pl.DataFrame:
    """Missions that nobody ran; `value` gives a metric by terrain, robots, merging and its name."""
    columns = (*study.metrics, *study.further)
    return pl.DataFrame([
        {
            "terrain": terrain, "robots": robots, "merge": merge, "seed": seed, "ending": "explored", "succeeded": True,
            **{name: value(terrain, robots, merge, name) * (1 + 0.01 * seed) for name in columns},
        }
        for terrain in ("loop", "cross", "zigzag", "maze")
        for robots in (1, 2, 4, 8, 11, 16, 27, 30)
        for merge in (("greedy", "probabilistic") if study is yan2015.STUDY else ("probabilistic",))
        for seed in range(1, 6)
    ])  # fmt: skip


def test_a_world_as_the_paper_has_it_agrees_with_the_paper() -> None:
    def value(terrain: str, robots: int, merge: str, name: str) -> float:
        if name == "time_s":
            return {"zigzag": 900.0 + robots, "maze": 350.0 + 5 * abs(robots - 11)}.get(terrain, 150.0 + robots)
        falls, zigzag = name == "efficiency_m2_per_m", terrain == "zigzag"
        return {LEADER: 0.8 if zigzag else 0.1, "cpu_share": 0.6 if zigzag else 0.5, "ram_mb": 700.0}.get(
            name, 1.0 + 0.5 * zigzag - 0.01 * robots * (1 if falls else -1)
        )

    found = yan2017.statements(missions_of(yan2017.STUDY, value))
    verdicts = {one.paper: one.verdict for one in found}
    apart = [paper for paper, verdict in verdicts.items() if verdict != "agrees"]
    assert apart == [
        "runs fail, and with more than 26 robots in the zigzag all do (2015)",
        "about 85 Mb/s flow between the simulator and 8 controllers",
    ]


def test_a_world_unlike_the_papers_differs_from_it() -> None:
    found = yan2017.statements(missions_of(yan2017.STUDY, lambda terrain, robots, merge, name: 100.0 / robots))
    verdicts = {one.paper: one.verdict for one in found}
    assert verdicts["large fleets do not help in the zigzag"] == "differs"
    assert verdicts["time tends to grow with the fleet in the other terrains"] == "differs"
    assert next(iter(verdicts.values())) == "differs"


def test_mergings_that_differ_in_their_maps_alone_agree_with_the_paper() -> None:
    def value(terrain: str, robots: int, merge: str, name: str) -> float:
        worse = merge == "probabilistic" and name in ("map_quality", "map_error_cells")
        return (100.0 + robots) * (1.3 if worse else 1.0)

    found = yan2015.statements(missions_of(yan2015.STUDY, value))
    assert [one.verdict for one in found[:4]] == ["agrees"] * 4
    assert "**maze +30.0%**" in found[3].here
    greedy_slower = missions_of(yan2015.STUDY, lambda terrain, robots, merge, name: 100.0 + 20 * (merge == "greedy"))
    assert yan2015.statements(greedy_slower)[0].verdict == "differs"


def missions_at_base(value: Callable[[str, str, str, str], float]) -> pl.DataFrame:
    """Missions that nobody ran; `value` gives a metric by terrain, radio, strategy and its name."""
    return pl.DataFrame([
        {
            "robots": robots, "terrain": terrain, "terrain.seed": seed, "radio": radio, "strategy": strategy,
            "seed": 1, "ending": "explored", "succeeded": True,
            **{name: value(terrain, radio, strategy, name) * (1 + 0.01 * robots + 0.001 * seed)
               for name in (*mresim.STUDY.metrics, *mresim.STUDY.further)},
        }
        for robots in (3, 5, 7, 9)
        for terrain in mresim.KINDS
        for seed in (1, 2)
        for radio in ("circle", "line-of-sight", "path-loss")
        for strategy in (mresim.GREEDY, mresim.ROLES, mresim.THROUGH, mresim.SWAP, mresim.DEEP, mresim.PREFERENCE)
    ])  # fmt: skip


def test_a_world_in_which_roles_keep_the_base_informed_agrees_with_the_published_work() -> None:
    def value(terrain: str, radio: str, strategy: str, name: str) -> float:
        greedy = strategy == mresim.GREEDY
        if name in ("time_s", "cost_m"):
            return 80.0 if greedy else 90.0 if strategy == mresim.SWAP else 100.0
        if name == "base_ratio":
            return 0.5 if greedy else 0.8
        if name == mresim.RELAY_WAY:
            return 20.0 if strategy == mresim.THROUGH else 40.0
        return (100.0 if greedy else 40.0) - 10.0 * (strategy == mresim.SWAP)

    found = mresim.statements(missions_at_base(value))
    assert [one.verdict for one in found] == ["agrees"] * 7 + ["differs"]
    assert "news latency at base **all −60%**, **circle −60%**" in found[0].here
    same = mresim.statements(missions_at_base(lambda terrain, radio, strategy, name: 1.0))
    assert {one.verdict for one in same} == {"differs"}


def test_missions_are_compared_in_pairs_that_both_succeeded() -> None:
    missions = missions_at_base(lambda terrain, radio, strategy, name: 2.0 if strategy == mresim.ROLES else 1.0)
    missions = missions.with_columns(succeeded=(pl.col("strategy") != mresim.GREEDY) | (pl.col("robots") > 3))
    found = changes(
        missions, "strategy", mresim.GREEDY, mresim.ROLES, ["time_s"], alike=mresim.ALIKE, panels="radio",
        blocks=mresim.PLACE,
    )["time_s"]  # fmt: skip
    assert [one.pairs for one in found.values()] == [90, 30, 30, 30]
    assert all(one.found for one in found.values())
    assert listed(found) == "**all +100%**, **circle +100%**, **line-of-sight +100%**, **path-loss +100%**"


def test_the_way_of_a_relay_is_what_it_drives_between_its_child_and_its_parent() -> None:
    times = [0.0, 1.0, 2.0, 3.0, 4.0]
    series = pl.DataFrame({
        "time_s": times * 2, "robot": [0] * 5 + [1] * 5, "travelled_m": [*times, *(5.0 * time for time in times)],
    })  # fmt: skip
    told = [
        (0.0, "role", 0, "relay"), (0.0, "role", 1, "explorer"), (0.0, "activity", 0, "exploring"),
        (0.0, "activity", 1, "returning to parent"), (1.0, "activity", 0, "going to child"),
        (2.5, "activity", 0, "returning to parent"), (3.0, "activity", 0, "giving parent info"),
        (3.5, "role swap", 1, "relay"),
    ]  # fmt: skip
    events = [{"time_s": time, "event": what, "robot": robot, "text": text} for time, what, robot, text in told]
    # Robot 0 drives 2 m on its ways; robot 1 is a relay for the last half second, on its way to a parent: 2.5 m.
    assert carried(series, events) == (pytest.approx(4.5), 1)


KEPT = {"yan2015": 1200, "yan2017": 600, "mresim": 720}


@pytest.mark.parametrize("study", [mresim.STUDY, yan2015.STUDY, yan2017.STUDY], ids=["mresim", "yan2015", "yan2017"])
def test_the_statements_on_the_page_are_those_of_the_table_that_is_kept(study: Reproduction) -> None:
    missions = pl.read_csv(study.folder / "missions.csv")
    assert len(missions) == KEPT[study.design]
    text = (study.folder / "statements.md").read_text(encoding="utf-8")
    assert text == statements_table(study.statements(missions))
    page = (Path(__file__).parent.parent / "docs" / "studies.md").read_text(encoding="utf-8")
    assert f"../studies/{study.design}/statements.md" in page
    for figure in (*study.figures, *([study.design] if study.figure else [])):
        assert f"../studies/{study.design}/{figure}.png" in page
        assert (study.folder / f"{figure}.png").is_file()


def test_an_unknown_study_and_a_subset_without_missions_are_refused_with_a_sentence() -> None:
    with pytest.raises(SystemExit, match=r"unknown study 'mazes'.*did you mean 'maze'"):
        main(["mazes"])
    with pytest.raises(SystemExit, match="none of its missions"):
        main(["maze", "--robots", "3"])


def test_every_study_has_its_section_on_the_page() -> None:
    page = (Path(__file__).parent.parent / "docs" / "studies.md").read_text(encoding="utf-8")
    for name in STUDIES:
        for suffix in ("md", "png"):
            assert f"../studies/results/{name}.{suffix}" in page
        assert f"`python -m studies {name}`" in page
