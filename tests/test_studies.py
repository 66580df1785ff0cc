"""Studies run end to end on a small part of their missions, go on where they stopped, and say what the rows say."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image
from rich.console import Console
from studies import localisation, maps, maze, mresim, terrains, yan2015, yan2017
from studies.__main__ import STUDIES, main
from studies.maps import published
from studies.maps import table as maps_table
from studies.maps import workers as processes
from studies.maps.mission import Case, Done, Job, longest_still, row_of
from studies.maps.mission import Row as MapRow
from studies.maps.report import report as maps_report
from studies.maps.report import terrains_of
from studies.maps.terrains import PLANS, chosen, label, maps_in
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


def small_map(folder: Path, name: str = "room.png") -> Path:
    """A room of 6 x 4 m with a wall in it, as an image."""
    folder.mkdir(exist_ok=True)
    ground = np.full((40, 60), 255, dtype=np.uint8)
    ground[[0, -1]] = ground[:, [0, -1]] = ground[:25, 30:32] = 0
    Image.fromarray(ground).save(folder / name)
    return folder


def test_the_study_of_maps_explores_a_folder_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder, out, store = small_map(tmp_path / "maps"), tmp_path / "out", tmp_path / "store"
    words = ["--maps", str(folder), "--terrains", "files", "--localisers", "scan-matching", "--workers", "1"]
    words += ["--strategies", "nearest-frontier", "--out", str(out), "--store", str(store)]
    main(["maps", *words, "--robots", "4"])
    (row,) = maps_table.read(out / "missions.csv").values()
    assert (row.case.terrain, row.ending, row.succeeded) == ("room.png", "explored", True)
    assert row["explored_share"] >= 0.99
    text = (out / "statements.md").read_text(encoding="utf-8")
    assert "1 of 1: 100.0% | met" in text
    assert "missions of" in (out / "timing.md").read_text(encoding="utf-8")
    for name in ("ways", "successes"):
        with Image.open(out / f"{name}.png") as picture:
            assert picture.width > 1000
    marked = MapRow(row.case, "explored", True, {**row.figures, "time_s": 123.0})
    maps_table.write(out / "missions.csv", [marked])
    main(["maps", *words, "--robots", "4", "--again"])
    assert maps_table.read(out / "missions.csv") == {row.case: marked}
    main(["maps", *words, "--robots", "4", "--again", "all"])
    assert maps_table.read(out / "missions.csv")[row.case]["time_s"] == row["time_s"]


def test_maps_are_found_once_with_the_options_that_they_need(tmp_path: Path) -> None:
    for name in ("ariadne_complex_1.png", "a.gif", "b.pgm", "c.map.gz", "notes.txt", "README.md"):
        (tmp_path / name).touch()
    (tmp_path / "b.yaml").write_text("image: b.pgm\nresolution: 0.05\n")
    found = maps_in(tmp_path)
    assert found == ["a.gif", "ariadne_complex_1.png:threshold=161", "b.yaml", "c.map.gz"]
    assert [label(name) for name in found] == ["a", "ariadne_complex_1", "b", "c"]
    assert chosen([*found, *PLANS], ["c", "floorplan 2"]) == ["c.map.gz", "floorplan:seed=2"]
    assert chosen([*found, *PLANS], ["floorplan"]) == list(PLANS)
    with pytest.raises(SystemExit, match=r"unknown terrain 'cc'"):
        main(["maps", "--maps", str(tmp_path), "--terrains", "cc", "--out", str(tmp_path / "out")])


def test_the_whole_study_of_maps_has_a_thousand_missions() -> None:
    files = [f"{number}.png" for number in range(8)]
    assert len(set(maps.cases([*files, *PLANS]))) == 1008


def test_the_longest_standstill_is_that_of_the_whole_fleet() -> None:
    times = np.arange(8.0)
    turns = np.array([[0, 0], [1, 0], [1, 1], [1.05, 1], [1.08, 1.02], [1.2, 1.02], [1.2, 2], [1.2, 2]], dtype=float)
    assert longest_still(times, turns) == 2.0
    assert longest_still(times, np.zeros((8, 3))) == 7.0
    assert longest_still(times, np.cumsum(np.ones((8, 1)), axis=0)) == 0.0
    random = np.random.default_rng(1)
    grows = np.cumsum(random.choice([0.0, 0.03, 0.5], (60, 2), p=[0.7, 0.2, 0.1]), axis=0)
    seconds = np.arange(60.0)
    slow = max(seconds[j] - seconds[i] for i in range(60) for j in range(i, 60) if (grows[j] - grows[i] <= 0.1).all())
    assert longest_still(seconds, grows) == slow


def test_a_mission_of_a_map_that_cannot_be_read_is_a_row_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    (done,) = processes.each([Job(Case("broken.png", "market", 4, "perfect"), tmp_path)], 1)
    assert (done.row.ending, done.row.succeeded) == ("raised", False)
    assert "broken.png" in done.row.reason
    maps_table.add(tmp_path / "missions.csv", done.row)
    (again,) = maps_table.read(tmp_path / "missions.csv").values()
    assert (again.case, again.reason) == (done.row.case, done.row.reason)
    assert "broken.png" in maps_report([again], 1, {})


def dies_or_hangs(job: Job) -> Done:
    """What a mission may do to its process."""
    if job.case.robots == 1:
        os._exit(7)
    if job.case.robots == 2:
        time.sleep(60.0)
    return Done(MapRow(job.case, "explored", True))


def test_a_mission_that_dies_or_hangs_costs_no_other() -> None:
    jobs = [Job(Case("cross", "market", robots, "perfect")) for robots in (1, 2, 3, 4)]
    rows = {done.row.case.robots: done.row for done in processes.each(jobs, 2, 2.0, dies_or_hangs)}
    endings = {robots: row.ending for robots, row in rows.items()}
    assert endings == {1: "raised", 2: "raised", 3: "explored", 4: "explored"}
    assert "exit code 7" in rows[1].reason
    assert "given up after 2 s" in rows[2].reason


def test_the_row_of_a_mission_says_how_long_it_stood_and_what_its_robots_were_about() -> None:
    case = Case("maze", "nearest-frontier", 2, "perfect", 3, 8.0)
    result = explore("maze", 2, "nearest-frontier", 3, localiser="perfect", time_limit=8.0)
    row = row_of(case, result)
    assert (row.ending, row.succeeded, row["time_s"]) == ("timed out", False, 8.0)
    assert 0.0 <= row["stood_still_s"] < 4.0
    assert row["trajectory_error_mean_m"] == 0.0
    assert row["frontiers_left"] >= 1
    assert row.at_end == "2 driving"


def made_up_maps(**changed: float) -> list[MapRow]:
    figures = {"explored_share": 0.995, "time_s": 300.0, "stood_still_s": 5.0, "collisions_with_walls": 0.0, **changed}
    return [MapRow(case, "explored", True, figures, "4 driving") for case in maps.cases(["a.png", *PLANS])]


def test_the_study_of_maps_judges_what_was_asked_and_lists_what_failed() -> None:
    rows = made_up_maps()
    assert maps_report(rows, len(rows), {}).count("| met |") == 3
    bad = Case("a.png", "market", 4, "perfect")
    figures = {**rows[0].figures, "explored_share": 0.9, "stood_still_s": 3000.0, "collisions_with_walls": 757.0}
    rows = [
        MapRow(row.case, "timed out", False, figures, "3 idle, 1 blocked") if row.case == bad else row for row in rows
    ]
    text = maps_report(rows, len(rows) + 1, {str(bad): "a door is too narrow"})
    assert "755 of 756: 99.8% | met" in text
    assert "1 of 756 do; the longest time is 3,000 s | **missed**" in text
    assert "1.00 on average, 757 at most | **missed**" in text
    assert "756 of 757 missions have been run so far" in text
    assert "| 3 idle, 1 blocked | a door is too narrow |" in text
    assert "| a | 6 of 6 | **5 of 6** | 6 of 6 |" in text
    assert terrains_of(rows)[:3] == ["a.png", "floorplan:seed=1", "floorplan:seed=2"]


def test_the_page_of_the_study_of_maps_is_that_of_the_table_that_is_kept() -> None:
    rows = maps.in_order(maps_table.read(maps.FOLDER / "missions.csv").values())
    planned = len(maps.cases(sorted({*terrains_of(rows), *PLANS})))
    text = (maps.FOLDER / "statements.md").read_text(encoding="utf-8")
    assert text == maps_report(rows, planned, maps.read_causes(maps.FOLDER))
    compared = published.report(pl.read_csv(maps.FOLDER / "published.csv"))
    assert (maps.FOLDER / "published.md").read_text(encoding="utf-8") == compared
    page = (Path(__file__).parent.parent / "docs" / "studies.md").read_text(encoding="utf-8")
    for file in ("statements.md", "timing.md", "published.md", "ways.png", "successes.png"):
        assert f"../studies/maps/{file}" in page
        assert (maps.FOLDER / file).stat().st_size < 400_000


def test_published_missions_are_run_with_the_code_of_both_checkouts(tmp_path: Path) -> None:
    """Here both are this one, so that nothing differs."""
    mission = published.Mission("yan2017", "cross", "nearest-frontier", 4, 1)
    published.carry_out(published.HERE, tmp_path, 2, Console(quiet=True), [mission])
    rows = pl.read_csv(tmp_path / "published.csv")
    assert rows["code"].to_list() == ["before", "now"]
    assert rows["succeeded"].all()
    assert rows["time_s"].n_unique() == 1
    text = (tmp_path / "published.md").read_text(encoding="utf-8")
    assert "| cross, nearest-frontier, 4 | 1 | 1 | 1 |" in text
    with pytest.raises(SystemExit, match="no folder with the package"):
        main(["maps", "--published", str(tmp_path), "--out", str(tmp_path)])


def test_the_comparison_of_published_missions_is_in_pairs() -> None:
    def row(code: str, mission: published.Mission) -> dict[str, object]:
        time = (200.0 + mission.seed) * (1.25 if code == "now" and mission.design == "others" else 1.0)
        lost = code == "now" and (mission.terrain, mission.robots, mission.seed) == ("maze", 8, 1)
        return {
            "code": code, **{name: getattr(mission, name) for name in published.ALIKE}, "succeeded": not lost,
            "ending": "timed out" if lost else "explored", "time_s": time, "completeness": 0.5 if lost else 0.99,
            "ground": f"{code} cave" if mission.terrain == "cave" else "same",
        }  # fmt: skip

    rows = [row(code, mission) for code in (published.BEFORE, published.NOW) for mission in published.MISSIONS]
    text = published.report(pl.DataFrame(rows))
    assert "| all of yan2017 | 36 | 36 | 35 | 202 | 202 | 1.00 | 0 | 0 | +0.0%, p = 1 |" in text
    assert "| all of others | 24 | 24 | 24 | 202 | 252 | 1.25 | 0 | 24 | +25.0%," in text
    assert "| maze, nearest-frontier | 8 | 1 | explored, 99.0% | timed out, 50.0% |" in text
    assert "different ground, so that times cannot be compared: cave." in text


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
