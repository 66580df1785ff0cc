"""A report is one page that anyone can open, with its figures and tables, the same each time it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from expedition.bench.store import Store
from expedition.cli import app
from expedition.errors import ExpeditionError
from expedition.report.evidence import gather
from expedition.report.order import places_of
from expedition.report.page.html import text
from expedition.report.report import write_report
from expedition.report.statistics.analysis import analyse
from expedition.report.statistics.factors import case_names, values_of
from tests.report.results_of_designs import small_store

VOID = {"meta", "img", "br", "link", "hr", "input"}


class Page(HTMLParser):
    """What is on a page: its elements with their attributes, its words, and whether all elements are closed."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words += data.replace("\N{NO-BREAK SPACE}", " ")

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def slow_maze(vector: dict[str, Any], seed: int) -> dict[str, Any]:
    """One robot never explores the maze in time, and one mission's strategy fails."""
    if (vector["terrain"], vector["robots"]) == ("maze", 1):
        return {"ending": "timed out", "succeeded": False}
    if vector["robots"] == 4:
        return {"metrics": {"map_distorted": float(vector["terrain"] == "loop"), "reachable_share": 0.06}}
    return {}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return small_store(tmp_path_factory.mktemp("stores") / "results", seeds=3, change=slow_maze)


@pytest.fixture(scope="module")
def folder(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(store, "small", tmp_path_factory.mktemp("report")).folder


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return Page((folder / "index.html").read_text(encoding="utf-8"))


def test_the_page_is_whole_and_every_element_is_closed(page: Page) -> None:
    assert page.open == []
    assert len(page.all("h1")) == 1
    assert page.all("html") == [{"lang": "en"}]


def test_the_page_needs_nothing_from_the_net(page: Page) -> None:
    assert page.all("script") == page.all("link") == page.all("iframe") == []
    assert all(image["src"].startswith("data:image/") for image in page.all("img"))
    outside = [link["href"] for link in page.all("a") if "://" in link["href"]]
    assert all(address.startswith("https://doi.org/") for address in outside)


def test_every_image_says_in_words_what_it_shows(page: Page) -> None:
    assert len(page.all("img")) >= 8
    assert all(len(image["alt"]) > 20 for image in page.all("img"))


def test_every_link_leads_to_a_file_or_a_place_on_the_page(page: Page, folder: Path) -> None:
    places = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    for link in page.all("a"):
        target = link["href"]
        if target.startswith("#"):
            assert target[1:] in places
        elif "://" not in target:
            assert (folder / target).is_file(), target


def test_every_figure_lies_beside_the_page_in_three_formats(folder: Path, page: Page) -> None:
    names = {path.stem for path in (folder / "figures").iterdir()}
    assert names >= {"time-s", "cost-m", "exploration-curves", "mission-loop", "heat-maze"}
    assert len(names) == len(page.all("figure"))
    for name in names:
        assert {path.suffix for path in (folder / "figures").glob(f"{name}.*")} == {".png", ".svg", ".pdf"}


def test_metrics_that_apply_to_no_mission_are_in_no_table(folder: Path) -> None:
    for name in ("missions", "summary"):
        columns = (folder / "tables" / f"{name}.csv").read_text().partition("\n")[0].split(",")
        assert {"time_s", "sensing_share"} <= set(columns)
        assert not {"base_completeness", "role_swaps", "energy_wh"} & set(columns)
    assert not list((folder / "figures").glob("base-curves*"))


def test_the_page_says_what_was_run_and_found(page: Page) -> None:
    assert "Two strategies in two terrains." in page.words
    assert "30 of 36 missions succeeded." in page.words
    assert "oordinated" in page.words.partition("Missions that succeeded")[0]
    assert "How the missions ended: 30 explored, 6 timed out." in page.words
    assert "expedition run small.yaml --store results" in page.words
    assert "expedition report results small" in page.words
    assert "Equation 1" in page.words
    assert re.search(r"Run with expedition [\d.]+", page.words)


def test_the_page_says_what_success_is_worth(page: Page) -> None:
    told = page.words.partition("How the missions ended")[2]
    assert re.search(r"Poses were off by \d\.\d\d m on average, and at worst by \d\.\d\d m; \d", told)
    assert "In 6 of 36 missions, of which 6 succeeded, the map is distorted" in told
    assert "In 12 of 36 missions, of which 12 succeeded, the fleet could reach less than 50% of the free ground" in told


def test_missions_that_did_not_succeed_are_on_the_page(page: Page, folder: Path) -> None:
    listed = page.words.partition("How each of them ended")[2].partition("Definitions")[0]
    assert listed.count("timed out") == 6
    assert (folder / "tables" / "failures.csv").read_text().count("timed out") == 6


def test_the_same_store_gives_the_same_bytes(store: Store, folder: Path, tmp_path: Path) -> None:
    again = write_report(store, "small", tmp_path / "again").folder
    files = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    assert [file for file in files if (folder / file).read_bytes() != (again / file).read_bytes()] == []


def test_names_and_descriptions_are_shown_as_they_are_written(tmp_path: Path) -> None:
    bad = "<script>alert('x')</script> & \"more\""
    name = bad.replace("/", "-")
    store = small_store(tmp_path / "s", name, ["loop"], ["market"], [1], 1, description=bad, text=bad)
    made = write_report(store, name, tmp_path / "r", formats=["png"])
    page = Page(made.page.read_text(encoding="utf-8"))
    assert page.all("script") == []
    assert page.words.count(bad) >= 2
    assert page.words.count(name) >= 2


def test_an_unfinished_design_says_how_many_missions_are_missing(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", terrains=["loop"], fleets=[1, 2], seeds=2, finished=5)
    made = write_report(store, "small", tmp_path / "r", formats=["png"])
    page = Page(made.page.read_text(encoding="utf-8"))
    assert (made.missions, made.planned) == (5, 8)
    assert "not finished: 5 of 8 missions are, 3 missions are missing." in page.words


def missing_loop(store: Store) -> Store:
    """The same store where no mission in the first terrain, nor with the first case, is finished."""
    for one in store.design("small").missions:
        if one.vector["terrain"] == "loop" or one.vector["strategy"] == "nearest-frontier":
            store.discard(one.key)
    return store


def test_panels_cases_and_colours_are_in_the_designs_order_whatever_is_finished(tmp_path: Path) -> None:
    terrains, strategies = ["zigzag", "loop", "maze"], ["nearest-frontier", "coordinated", "min-pos"]
    whole = small_store(tmp_path / "s", "small", terrains, strategies, [1, 2, 4], 1)
    for one in whole.design("small").missions:
        if (one.vector["terrain"], one.vector["strategy"]) in (("zigzag", "nearest-frontier"), ("loop", "coordinated")):
            whole.discard(one.key)
    evidence = gather(whole, "small")
    assert values_of(evidence.results, evidence.factors.panels) == terrains
    assert case_names(evidence.results) == strategies
    assert case_names(analyse(evidence.in_order, evidence.record.varied, evidence.shown).results) == strategies
    few = gather(missing_loop(whole), "small")
    assert values_of(few.results, few.factors.panels) == ["zigzag", "maze"]
    assert case_names(few.results) == strategies[1:]
    assert places_of(few.results, few.factors.panels)["maze"] == 2
    assert places_of(few.results, "case") == {name: number for number, name in enumerate(strategies)}


def test_tables_without_rows_are_not_written(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", terrains=["loop"], fleets=[1, 2], seeds=1)
    made = write_report(store, "small", tmp_path / "r", formats=["svg"])
    assert not list((made.folder / "tables").glob("failures.*"))
    assert "None: every finished mission succeeded." in Page(made.page.read_text(encoding="utf-8")).words


def test_a_single_mission_gives_a_report(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", terrains=["loop"], strategies=["market"], fleets=[2], seeds=1)
    made = write_report(store, "small", tmp_path / "r", formats=["svg"])
    page = Page(made.page.read_text(encoding="utf-8"))
    assert "All of the 1 missions succeeded." in page.words or "1 mission" in page.words
    assert made.figures == 3


def test_a_single_seed_gives_a_report_without_intervals(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", terrains=["loop"], seeds=1)
    made = write_report(store, "small", tmp_path / "r", formats=["svg"])
    assert "too few for intervals" in Page(made.page.read_text(encoding="utf-8")).words


def test_a_design_of_which_all_missions_failed_gives_a_report_that_says_so(tmp_path: Path) -> None:
    def fails(vector: dict[str, Any], seed: int) -> dict[str, Any]:
        return {"ending": "timed out", "succeeded": False}

    store = small_store(tmp_path / "s", terrains=["loop"], fleets=[1, 2, 4], seeds=2, change=fails)
    made = write_report(store, "small", tmp_path / "r", formats=["svg"])
    page = Page(made.page.read_text(encoding="utf-8"))
    assert "None of the 12 missions succeeded." in page.words
    assert page.words.count("timed out") >= 12


def test_what_a_failing_strategy_raised_is_told(tmp_path: Path) -> None:
    from expedition.decisions import StrategyFailed

    def fails(vector: dict[str, Any], seed: int) -> dict[str, Any]:
        sentence = f"robot 1 failed after {seed} s: ValueError: no goal"
        failure = StrategyFailed(sentence, 1, float(seed), "Traceback\nValueError: no goal\n")
        return {"ending": "failed", "succeeded": False, "failure": failure} if vector["robots"] == 2 else {}

    store = small_store(tmp_path / "s", terrains=["loop"], strategies=["mine"], fleets=[1, 2], seeds=1, change=fails)
    made = write_report(store, "small", tmp_path / "r", formats=["svg"])
    assert "ValueError: no goal" in Page(made.page.read_text(encoding="utf-8")).words


def test_chosen_metrics_take_the_place_of_the_designs(store: Store, tmp_path: Path) -> None:
    made = write_report(store, "small", tmp_path / "r", ["safety"], ["svg"], "median")
    names = {path.stem for path in (made.folder / "figures").iterdir()}
    assert "safety" in names
    assert "time-s" not in names


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["smal"], "unknown design 'smal'; did you mean 'small'?"),
        (["small", "--metric", "tim_s"], "unknown metric 'tim_s'; did you mean 'time_s'?"),
        (["small", "--formats", "gif"], "unknown picture format 'gif'"),
        (["small", "--statistic", "mode"], "unknown statistic 'mode'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_right_one(store: Store, arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, ["report", str(store.folder), *arguments])
    assert result.exit_code != 0
    assert sentence in f"{result.output}{result.exception}"


def test_a_folder_without_a_store_is_no_store(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert isinstance(result.exception, ExpeditionError)
    assert "no store there" in str(result.exception)


def test_a_design_without_a_finished_mission_has_no_report(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", finished=0)
    with pytest.raises(ExpeditionError, match="none of its 24 missions is finished"):
        write_report(store, "small")


@pytest.mark.parametrize("place", ["file/inside", "file"])
def test_a_place_that_cannot_be_written_is_named(store: Store, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ExpeditionError, match=r"cannot be written: (Not a directory|File exists)"):
        write_report(store, "small", tmp_path / place)


def test_the_command_reports_each_design_into_the_store(tmp_path: Path) -> None:
    for name in ("first", "second"):
        small_store(tmp_path / "s", name, ["loop"], ["market"], [1, 2], 1)
    refused = CliRunner().invoke(app, ["report", str(tmp_path / "s"), "--out", str(tmp_path / "r")])
    assert "has several designs, first, second" in str(refused.exception)
    result = CliRunner().invoke(app, ["report", str(tmp_path / "s"), "--formats", "svg"])
    assert result.exit_code == 0, result.exception
    assert "first: 2 missions" in result.output
    assert (tmp_path / "s" / "reports" / "second" / "index.html").is_file()


def test_numbers_and_their_units_stay_on_one_line() -> None:
    space = "\N{NO-BREAK SPACE}"
    assert text("by 18 % in 107.5 s, 3 steps") == f"by 18{space}% in 107.5{space}s, 3 steps"
    assert text("`a<b` & c") == "<code>a&lt;b</code> &amp; c"


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_browser_shows_the_page_with_its_figures(folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--window-size=1200,3000", f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={picture}",
         (folder / "index.html").as_uri()],
        capture_output=True, check=True, env={**os.environ, "HOME": str(tmp_path)}, timeout=120,
    )  # fmt: skip
    from PIL import Image

    shown = Image.open(picture).convert("RGB")
    assert shown.size == (1200, 3000)
    colours = {colour for _, colour in shown.getcolors(1 << 24) or []}
    assert (0, 114, 178) in colours  # the first line's colour: the figures are there


def test_missions_that_were_recorded_lead_to_their_replay(tmp_path: Path) -> None:
    store = small_store(tmp_path / "s", seeds=2, change=slow_maze)
    missions = gather(store, "small").results
    lost = missions.filter(~missions["succeeded"])["key"][0]
    won = missions.filter(missions["succeeded"])["key"][0]
    for key in (lost, won):
        (store.missions / key / "log.mcap").write_bytes(b"")
    page = Page((write_report(store, "small", tmp_path / "r").folder / "index.html").read_text(encoding="utf-8"))
    links = [link["href"] for link in page.all("a") if link["href"].startswith("http://127")]
    # Each in the table of all missions, and the one that failed in that of failures too.
    assert sorted(links) == sorted(f"http://127.0.0.1:8080/watch/{key}" for key in (lost, lost, won))
    assert "2 missions can be watched again: run expedition view --store s on this machine" in page.words
