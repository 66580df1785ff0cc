"""The start page: everything that is there leads somewhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from expedition.terrain import find_terrain, save, terrain
from expedition.viewer.catalogue import entries, matching
from tests.viewer.serving import Serving, serve
from tests.viewer.setting_up import WAIT, field, looked

MISSIONS = 45
"""More than are listed at once."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1300, "height": 900})
    opened.set_default_timeout(WAIT)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def stored(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the missions of two designs, of which each has the log of another mission, and a terrain."""
    store = tmp_path_factory.mktemp("store")
    (store / "designs").mkdir()
    for name, strategies in (("older", ["market"]), ("newer", ["min-pos", "hungarian"])):
        missions = []
        for number in range(MISSIONS if name == "newer" else 1):
            strategy = strategies[number % len(strategies)]
            vector = {"terrain": "cross", "robots": 2 + number % 3, "strategy": strategy}
            key = f"{len(name) * 1000 + len(missions) + (500 if name == 'older' else 0):032x}"
            folder = store / "missions" / key
            folder.mkdir(parents=True)
            (folder / "log.mcap").symlink_to(recorded)
            metrics = {"time_s": 100.0 + number, "map_distorted": float(strategy == "market")}
            told = {"ending": "explored", "succeeded": True, "metrics": metrics}
            (folder / "result.json").write_text(json.dumps(told))
            missions.append({"key": key, "vector": vector, "iteration": 0, "seed": number + 1})
        text = "parameters: {terrain: cross, robots: [2, 3, 4], strategy: [%s]}\nstop: {explored: 0.8, time: 55}\n"
        record = {
            "name": name, "description": "", "text": text % ", ".join(strategies), "varied": [], "metrics": [],
            "missions": missions,
        }  # fmt: skip
        (store / "designs" / f"{name}.json").write_text(json.dumps(record))
    (store / "terrains").mkdir()
    save(find_terrain("loop:resolution=0.2"), store / "terrains" / "drawn.yaml")
    return store


@pytest.fixture(scope="module")
def server(stored: Path, recorded: Path) -> Iterator[Serving]:
    with serve(stored, str(recorded)) as started:
        yield started


def test_newest_designs_come_first_and_a_search_takes_all_words(stored: Path) -> None:
    from expedition.bench.store import Store

    found = entries(Store(stored))
    assert [entry.design for entry in found] == ["newer"] * MISSIONS + ["older"]
    assert {entry.strategy for entry in matching(found, "CROSS hungarian 3")} == {"hungarian"}
    assert [entry.strategy for entry in matching(found, "market")] == ["market"]
    assert not matching(found, "market hungarian")


def test_an_empty_store_says_how_something_comes_into_it(browser: Browser, page: Page, tmp_path: Path) -> None:
    with serve(tmp_path) as serving:
        page.goto(serving.origin)
        expect(page.locator('[data-panel="stored"]')).to_contain_text(
            f"expedition run quick --record --store {tmp_path}"
        )
        expect(page.get_by_role("button", name="Set up a mission")).to_be_visible()
        page.goto(f"{serving.origin}/compare")
        expect(page.get_by_text("There are not yet two missions with logs")).to_be_visible()
        page.get_by_role("button", name="Set up a mission").click()
        page.wait_for_url("**/setup")


def test_missions_of_the_store_are_searched_and_paged(server: Serving, page: Page) -> None:
    page.goto(server.origin)
    panel = page.locator('[data-panel="stored"]')
    expect(panel).to_contain_text("1 to 20 of 46")
    expect(panel).to_contain_text("100 s")
    panel.get_by_role("button", name="Further").click()
    expect(panel).to_contain_text("21 to 40 of 46")
    panel.locator("input").fill("market")
    expect(panel.locator("a.mission-title")).to_have_count(1)
    expect(panel).not_to_contain_text("hungarian")
    expect(panel.locator(".warn")).to_have_text("explored, map distorted")
    panel.get_by_role("link", name="set up").click()
    looked(page)
    expect(field(page, "strategy")).to_have_value("market")
    expect(field(page, "stop.time.seconds")).to_have_value("55")


def test_logs_and_missions_lead_to_where_they_are_watched(server: Serving, page: Page) -> None:
    page.goto(server.origin)
    page.get_by_role("link", name="eventful", exact=True).click()
    page.wait_for_url("**/watch/eventful")
    page.goto(server.origin)
    page.locator('[data-panel="stored"] a.mission-title').first.click()
    page.wait_for_url("**/watch/0*")


def test_terrains_have_pictures_and_lead_to_the_form(server: Serving, page: Page) -> None:
    page.goto(server.origin)
    pictures = page.locator('[data-panel="terrains"] img')
    expect(pictures).to_have_count(len(terrain.names()) + 1)
    pictures.last.scroll_into_view_if_needed()
    page.wait_for_function(
        "[...document.querySelectorAll('[data-panel=terrains] img')].every(image => image.naturalWidth > 40)"
    )
    page.get_by_role("link", name="drawn", exact=True).click()
    looked(page)
    expect(field(page, "terrain")).to_have_value("drawn.yaml")
    expect(page.locator(".caption")).to_contain_text("80.4 x 80.4 m")


def test_a_picture_is_of_a_known_terrain_only(server: Serving, page: Page, stored: Path) -> None:
    shutil.copy(stored / "terrains" / "drawn.pgm", stored / "outside.pgm")
    for name in ("nosuch", "..%2Fterrains%2Fdrawn.yaml", "..%2F..%2Fetc%2Fpasswd", "outside.pgm"):
        answer = page.request.get(f"{server.origin}/terrain-picture/{name}")
        assert answer.status == 404, name
    assert page.request.get(f"{server.origin}/terrain-picture/drawn.yaml").headers["content-type"] == "image/png"


def test_designs_lead_to_the_form(server: Serving, page: Page) -> None:
    page.goto(server.origin)
    page.locator('[data-panel="designs"]').get_by_role("link", name="yan2017").click()
    looked(page)
    expect(field(page, "merge")).to_contain_text("probabilistic")
    page.goto(server.origin)
    page.locator('[data-panel="designs"]').get_by_role("link", name="newer").click()
    looked(page)
    expect(field(page, "strategy")).to_have_value("min-pos")
