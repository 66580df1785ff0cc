"""That the benchmarks run and measure what they say; how fast is for `make bench` to print."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.cave import Explorer, cave
from benchmarks.markdown import MarkdownConsole, as_markdown
from benchmarks.missions import Cost, EveryScan, median_and_best, time_missions
from benchmarks.mresim import mresim
from benchmarks.phases import phases
from benchmarks.stack import stack
from rich.table import Table

from expedition.exploring import plan_mission
from expedition.fleet import Fleet
from expedition.mission import Mission, run
from expedition.sim import FlatSimulator
from expedition.stopwatch import PHASES
from expedition.terrain import find_terrain


def console() -> tuple[MarkdownConsole, io.StringIO]:
    out = io.StringIO()
    return MarkdownConsole(file=out), out


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each Markdown table of a text, its header first."""
    grids = re.findall(r"(?:^\|.*\n?)+", text, re.M)
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in grid.splitlines() if "---" not in line]
        for grid in grids
    ]


@pytest.fixture(scope="module")
def mission() -> Mission:
    return plan_mission("cross", 2, "nearest-frontier", 1, stop={"explored": 0.99, "time": 6.0})


def test_stack_has_a_row_for_each_fleet_localiser_and_number_of_scans() -> None:
    paper, out = console()
    stack(paper, fleets=(1, 2), localisers=("perfect", "scan-matching"), seeds=(1,), rounds=1, time_limit=2.0)
    header, *rows = tables(out.getvalue())[0]
    assert [row[:3] for row in rows] == [
        [robots, localiser, scans]
        for robots in ("1", "2")
        for localiser in ("perfect", "scan-matching")
        for scans in ("10", "25")
    ]
    assert all(float(row[header.index("robot-s/s")].replace(",", "")) > 0 for row in rows)
    assert {row[header.index("ended")] for row in rows} == {"timed out"}
    assert [row[header.index("ARGoS3, lidar only")] for row in rows] == ["1,546"] * 4 + [""] * 4


def test_phases_prints_shares_and_their_growth_with_fleet_and_terrain() -> None:
    paper, out = console()
    phases(paper, fleets=(1,), growing=(1, 2), sides=(20, 30), time_limit=2.0)
    shares, with_fleet, with_terrain = tables(out.getvalue())
    assert [row[0] for row in shares[1:]] == list(PHASES)
    assert sum(float(row[1].rstrip("%")) for row in shares[1:]) == pytest.approx(100.0, abs=1.0)
    assert with_fleet[0] == ["phase", "1", "2", "last / first"]
    assert with_terrain[0] == ["phase", "20 m", "30 m", "last / first"]
    assert with_fleet[-1][0] == with_terrain[-1][0] == "all"


def test_cave_prints_times_real_time_for_each_robot() -> None:
    paper, out = console()
    cave(paper, robots=3, size=30, explorers=(Explorer("maes", 0.5),), time_limit=2.0)
    speed, parts = tables(out.getvalue())
    assert speed[1][:2] == ["maes", "0.5 m"]
    assert float(speed[1][2]) > 0
    assert [row[0] for row in parts[1:]] == list(PHASES)


def test_mresim_prints_what_the_mission_takes_and_that_it_is_the_same_each_time() -> None:
    console = MarkdownConsole()
    with console.capture() as captured:
        mresim(console, rounds=2, time_limit=5.0)
    printed = captured.get()
    assert "are the same in all of 2 runs" in " ".join(printed.split())
    assert all(phase in printed for phase in (*PHASES, "wall, s", "processor, s", "148 s"))


def test_a_mission_is_the_same_when_every_scan_is_worked_out(mission: Mission) -> None:
    usual, every = run(mission), run(mission, simulator=EveryScan())
    assert usual.to_dict(series=True) == every.to_dict(series=True)


def test_every_scan_works_out_all_and_gives_the_latest() -> None:
    terrain = find_terrain("cross")
    fleet = Fleet.of("pioneer-3dx", 3, terrain)
    counted, usual = EveryScan(), FlatSimulator()
    for simulator in (counted, usual):
        simulator.reset(terrain, fleet, 1)
    commands = np.full((3, 3), 0.2)
    seen, expected = counted.advance(commands, 0.1), usual.advance(commands, 0.1)
    assert len(seen.scans()[0].ranges) > len(expected.scans(latest=True)[0].ranges)
    for one, other in zip(seen.scans(latest=True), expected.scans(latest=True), strict=True):
        np.testing.assert_array_equal(one.robots, other.robots)
        np.testing.assert_array_equal(one.times, other.times)
        np.testing.assert_array_equal(one.ranges, other.ranges)


def test_every_phase_of_a_mission_takes_time_and_none_is_counted_twice(mission: Mission) -> None:
    cost = time_missions([mission, replace(mission, stop={"time": 3.0})], profile=True)
    assert set(cost.phases) == set(PHASES)
    assert cost.simulated == pytest.approx(9.0)
    assert cost.robot_seconds == pytest.approx(18.0)
    assert 0.0 < sum(cost.phases.values()) <= cost.spent
    assert all(cost.phases[phase] > 0.0 for phase in PHASES)


def test_median_and_best_are_the_middle_and_the_fastest() -> None:
    spent = iter([4.0, 1.0, 2.0])
    median, best = median_and_best(3, lambda: Cost(8.0, 8.0, next(spent), {}, ()))
    assert (median.speed, best.speed) == (4.0, 8.0)


def test_markdown_keeps_title_cells_and_caption() -> None:
    table = Table("a", "b", title="above", caption="below")
    table.add_row("1", "2")
    assert as_markdown(table) == "above\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nbelow"
