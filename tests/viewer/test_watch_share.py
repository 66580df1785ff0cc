"""Links and pictures of what is seen, light and dark, a phone, and pages whose server, mission or tab goes away."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser

from expedition.log.reader import LogReader
from tests.viewer.serving import Serving, serve
from tests.viewer.watching import PATIENCE, Watching, address_of, watching

PLACE = "[clock.time, which, sides, selected, camera.x, camera.y, camera.scale, [...layers.shown].sort().join()]"


@pytest.fixture
def watch(browser: Browser, serving: Serving) -> Iterator[Watching]:
    with watching(browser, address_of(serving)) as page:
        yield page


def place_of(watch: Watching) -> list[object]:
    return list(watch.page.evaluate(f"() => {{ with (window.expedition) return {PLACE}; }}"))


@pytest.fixture
def growing(recorded: Path, tmp_path: Path) -> Path:
    """A log of which only a part is written so far."""
    path = tmp_path / "growing.mcap"
    data = recorded.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 5])
    os.utime(path, (4e9, 4e9))  # However slow the machine is, this was written just now.
    return path


def test_a_link_opens_what_was_seen_by_another(browser: Browser, serving: Serving, watch: Watching) -> None:
    watch.seek(22.5)
    watch.press("n", "n", "m", "m", "2")
    watch.part("tab-view").click()
    watch.part("map").select_option(value="3")
    box = watch.page.locator(".mission-view").bounding_box()
    assert box is not None
    watch.page.mouse.move(box["x"] + 200, box["y"] + 300)
    scale = watch.ask("camera.scale")
    watch.page.mouse.wheel(0, -300)
    watch.until(f"w.camera.scale > {scale}")
    watch.settle()
    seen = place_of(watch)
    assert seen[:4] == [22.5, 3, "both", 1]
    watch.act("share").click()
    link = watch.part("link").input_value()
    assert parse_qs(urlsplit(link).query).keys() == {"t", "map", "view", "layers", "robot", "x", "y", "s"}
    with watching(browser, link) as other:
        other.settle()
        there = place_of(other)
    assert there[:4] == seen[:4]
    assert there[4:7] == pytest.approx(seen[4:7], abs=0.01)
    assert there[7] == seen[7]


def test_the_link_is_copied_and_plays_if_asked_to(browser: Browser, serving: Serving) -> None:
    with watching(
        browser, address_of(serving, "?t=7&play=0.5"), permissions=["clipboard-read", "clipboard-write"]
    ) as watch:
        watch.until("w.clock.playing && w.clock.speed === 0.5 && w.clock.time > 7")
        watch.press("Space", "s")
        watch.part("link-plays").check()
        watch.act("copy-link").click()
        watch.page.locator(".act.done").wait_for()
        copied = watch.page.evaluate("() => navigator.clipboard.readText()")
    assert parse_qs(urlsplit(copied).query)["play"] == ["0.5"]


def test_a_link_that_makes_no_sense_opens_the_mission_all_the_same(browser: Browser, serving: Serving) -> None:
    query = "?t=1e9&map=99&view=up&layers=none&robot=-3&x=a&y=&s=0&play=fast"
    with watching(browser, address_of(serving, query)) as watch:
        assert watch.ask("which") == "union"
        assert watch.ask("sides") == "belief"
        assert watch.ask("selected") is None
        assert watch.ask("layers.has('trails')") is False
        assert watch.ask("camera.scale") > 1


def test_a_token_gets_into_no_link(browser: Browser, recorded: Path, tmp_path: Path) -> None:
    with serve(tmp_path, str(recorded), "--token", "geheim") as serving:
        assert "geheim" in serving.address
        with watching(browser, serving.address) as watch:
            watch.act("share").click()
            assert "geheim" not in watch.part("link").input_value()
            assert "geheim" not in watch.page.url


def test_what_is_on_screen_is_saved_as_png_and_svg(watch: Watching) -> None:
    watch.seek(20.0)
    watch.act("share").click()
    with watch.page.expect_download() as png:
        watch.act("save-png").click()
    picture = Image.open(io.BytesIO(Path(png.value.path()).read_bytes()))
    assert picture.width >= 900
    assert len(picture.convert("RGB").resize((200, 120)).getcolors(1 << 16) or []) > 20
    assert png.value.suggested_filename.endswith("-20.0s.png")
    with watch.page.expect_download() as svg:
        watch.act("save-svg").click()
    root = ElementTree.parse(svg.value.path()).getroot()
    assert root.tag.endswith("svg")
    assert len([*root.iter()]) > 20


def test_dark_is_the_systems_until_one_chooses(browser: Browser, serving: Serving) -> None:
    def is_dark(watch: Watching) -> bool:
        page = watch.page.evaluate("() => document.body.classList.contains('body--dark')")
        shown = watch.ask("theme.ink") == "#e8eaee"
        assert page == shown
        return bool(page)

    with watching(browser, address_of(serving), color_scheme="dark") as watch:
        assert is_dark(watch)
    with watching(browser, address_of(serving), color_scheme="light") as watch:
        assert not is_dark(watch)
        watch.press("d")
        assert is_dark(watch)
        watch.page.reload()
        watch.page.wait_for_function("() => window.expedition?.frames > 0", timeout=PATIENCE)
        assert is_dark(watch)
        watch.act("theme").click()
        assert not is_dark(watch)


def test_a_phone_has_the_map_above_and_everything_within_reach(browser: Browser, serving: Serving) -> None:
    phone = {"width": 390, "height": 800}
    with watching(browser, address_of(serving), viewport=phone, has_touch=True) as watch:
        assert watch.page.evaluate("() => document.documentElement.scrollWidth") <= 390
        stage = watch.page.locator(".stage").bounding_box()
        panel = watch.part("panel").bounding_box()
        assert stage is not None
        assert panel is not None
        assert stage["height"] > 200
        assert stage["y"] + stage["height"] < panel["y"]
        for name in ("play", "start", "end", "on-second", "share", "theme"):
            box = watch.act(name).bounding_box()
            assert box is not None, name
            assert box["x"] + box["width"] <= 390, name
        watch.act("on-second").tap()
        assert watch.time == 1.0
        watch.part("tab-robots").tap()
        watch.beat()
        watch.page.locator("[data-robot='2']").tap()
        assert watch.ask("selected") == 2
        watch.act("panel").tap()
        assert watch.part("panel").is_hidden()


def test_a_mission_that_runs_is_followed_until_it_ends(
    browser: Browser, recorded: Path, growing: Path, tmp_path: Path
) -> None:
    data = recorded.read_bytes()
    with serve(tmp_path, str(growing)) as serving, watching(browser, address_of(serving)) as watch:
        watch.until("w.clock.following")
        assert watch.part("status").inner_text() == "running"
        assert watch.act("live").get_attribute("aria-pressed") == "true"
        before = float(watch.ask("mission.end"))
        with growing.open("ab") as file:
            file.write(data[len(data) * 2 // 5 : len(data) * 4 // 5])
        watch.until(f"w.mission.end > {before} && w.clock.time > {before}")
        watch.press("Space")
        stands = watch.time
        assert not watch.ask("clock.following")
        with growing.open("ab") as file:
            file.write(data[len(data) * 4 // 5 :])
        watch.page.locator("[data-banner=ended]").wait_for()
        told = watch.page.locator("[data-banner=ended]").inner_text()
        assert "timed out" in told
        assert "poses are off by" in told
        assert watch.part("status").inner_text() == "timed out"
        assert watch.act("live").is_hidden()
        assert watch.time == stands


def test_a_mission_that_runs_plays_from_its_start_if_the_link_says_so(
    browser: Browser, growing: Path, tmp_path: Path
) -> None:
    with serve(tmp_path, str(growing)) as serving, watching(browser, address_of(serving, "?play=0.1")) as watch:
        watch.until("w.clock.playing && !w.clock.following && w.clock.time < 5")
        watch.press("l")
        watch.until("w.clock.following && w.clock.time > 5")


def test_a_log_that_was_cut_off_says_so_and_begins_at_its_start(
    browser: Browser, growing: Path, tmp_path: Path
) -> None:
    os.utime(growing, (1e9, 1e9))
    with serve(tmp_path, str(growing)) as serving, watching(browser, address_of(serving)) as watch:
        watch.page.locator("[data-banner=cut]").wait_for()
        assert watch.part("status").inner_text() == "cut off"
        assert watch.time == 0.0
        assert not watch.ask("clock.following")


def test_a_page_comes_back_to_where_it_was_when_the_server_does(
    browser: Browser, recorded: Path, tmp_path: Path
) -> None:
    with serve(tmp_path, str(recorded)) as serving, watching(browser, address_of(serving)) as watch:
        watch.seek(17.0)
        watch.press("n", "n", "n")
        watch.page.evaluate("() => { window.isOld = true; }")
        serving.process.terminate()
        watch.page.locator("[data-banner=connection]").wait_for()
        serving.process.wait(20)
        port = str(urlsplit(serving.origin).port)
        with serve(tmp_path, str(recorded), "--port", port):
            # The page is loaded anew, since the new server does not know it.
            watch.page.wait_for_function("() => !window.isOld && window.expedition?.frames > 0", timeout=PATIENCE)
            watch.settle()
            assert watch.page.locator("[data-banner=connection]").count() == 0
            assert watch.time == 17.0
            assert watch.ask("selected") == 2


def test_a_mission_goes_on_when_its_tab_is_closed_and_the_browser_killed(browser: Browser, tmp_path: Path) -> None:
    log = tmp_path / "log.mcap"
    words = ["--terrain", "cross", "--robots", "2", "--time-limit", "60", "--explored", "1", "--quiet", "--port=0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "expedition", "explore", *words, "--record", str(log), "--view", "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        address = process.stderr.readline().split()[-1]
        other = browser.browser_type.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        other.set_default_timeout(PATIENCE)
        for closes in (True, False):
            page = other.new_page()
            page.goto(address)
            page.wait_for_function("() => window.expedition?.frames > 0", timeout=PATIENCE)
            if closes:
                page.close()
        lock = os.readlink(tmp_path / "profile" / "SingletonLock")
        os.kill(int(lock.rpartition("-")[2]), signal.SIGKILL)
        while "the page stays" not in process.stderr.readline():
            assert process.poll() is None
        assert process.poll() is None
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # It ends its server as well.
        process.communicate(timeout=60)
    reader = LogReader(log)
    assert not reader.is_growing
    assert reader.end == pytest.approx(60.0)
