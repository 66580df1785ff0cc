"""Two missions side by side have one clock, one camera and one set of layers, and a map each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.viewer.serving import Serving, serve
from tests.viewer.setting_up import TINY, WAIT, fill, log_of, open_setup, result, unfold

READY = "window.expedition?.watches?.every(watch => watch.mission && watch.frames > 0)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serve(tmp_path_factory.mktemp("store"), "--missions", "2") as started:
        yield started


@pytest.fixture(scope="module")
def both(server: Serving, browser: Browser) -> tuple[str, str]:
    """Two missions that were started to be compared, by name; the page goes to where they are."""
    page = browser.new_page()
    open_setup(page, server, **TINY)
    unfold(page, "End")
    fill(page, "stop.time.seconds", "12")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name="Start both").click()
    page.wait_for_url("**/compare/*/*", timeout=WAIT)
    first, second = page.url.split("/")[-2:]
    page.close()
    for name in (first, second):
        result(server, name)
    return first, second


@pytest.fixture
def page(server: Serving, browser: Browser, both: tuple[str, str]) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1300, "height": 850})
    opened.set_default_timeout(WAIT)
    opened.goto(f"{server.origin}/compare/{both[0]}/{both[1]}")
    opened.wait_for_function(READY)
    yield opened
    opened.close()


def test_both_differ_in_the_strategy_only(server: Serving, both: tuple[str, str]) -> None:
    first, second = (log_of(server, name).header.mission for name in both)
    assert first["strategy"] == "nearest-frontier" != second["strategy"]
    assert {**first, "strategy": ""} == {**second, "strategy": ""}


def test_the_clock_moves_both(page: Page) -> None:
    expect(page.locator("[data-side]")).to_have_count(2)
    line = page.locator('[data-part="timeline"]')
    box = line.bounding_box()
    assert box is not None
    line.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    page.wait_for_function("window.expedition.watches.every(watch => Math.abs(watch.shown - 6) < 0.1)")
    page.keyboard.press("Home")
    page.locator('[data-act="play"]').click()
    page.wait_for_function("window.expedition.watches.every(watch => watch.shown > 1)")
    page.locator('[data-act="end"]').click()
    page.wait_for_function("window.expedition.watches.every(watch => Math.abs(watch.shown - 12) < 0.1)")
    for side in (0, 1):
        expect(page.locator(f'[data-side="{side}"] .side-told')).to_contain_text("timed out after 0:12.0")


def test_layers_camera_and_layout_are_shared_and_maps_are_not(page: Page) -> None:
    page.locator('[data-act="layers"]').click()
    page.locator('[data-layer="trails"]').uncheck()
    assert page.evaluate("window.expedition.watches.map(watch => watch.layers.has('trails'))") == [False, False]
    page.locator('[data-layout="both"]').click()
    page.wait_for_function("window.expedition.watches.every(watch => watch.panes.length === 2)")
    page.locator('[data-part="map"]').select_option("1")
    page.wait_for_function("window.expedition.watches.every(watch => watch.which === 1)")
    page.evaluate("window.expedition.watches[1].zoomBy(2)")
    assert page.evaluate("window.expedition.watches[0].camera === window.expedition.watches[1].camera")
    assert page.evaluate("window.expedition.watches[0].keeper(1) !== window.expedition.watches[1].keeper(1)")


def test_missions_are_chosen_from_a_list(server: Serving, page: Page, both: tuple[str, str]) -> None:
    page.goto(f"{server.origin}/watch/{both[0]}")
    page.get_by_role("button", name="Compare with another mission").click()
    page.wait_for_url("**/compare?first=*")
    page.get_by_label("second").click()
    page.get_by_role("option").filter(has_text=both[1]).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url(f"**/compare/{both[0]}/{both[1]}")


def test_a_log_that_is_not_there_is_not_found(server: Serving, page: Page, both: tuple[str, str]) -> None:
    for path in (f"{both[0]}/nosuch", "nosuch/x", f"..%2F..%2Fetc/{both[0]}"):
        assert page.request.get(f"{server.origin}/compare/{path}").status == 404
