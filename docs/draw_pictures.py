"""The picture of the page on which terrains are drawn, made by using it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from expedition.terrain import Collapse, Door, Landmark, Person, Rectangle, Start, Terrain, save
from expedition.terrain.material import material_index


def station() -> Terrain:
    """A small research station with something of everything that can be drawn."""
    heights = np.zeros((180, 260), dtype=np.uint16)
    material = np.zeros(heights.shape, dtype=np.uint8)
    speed = np.full(heights.shape, 100, dtype=np.uint8)

    def block(left: float, bottom: float, right: float, top: float, kind: str = "concrete", height: int = 250) -> None:
        cells = slice(round(bottom * 10), round(top * 10)), slice(round(left * 10), round(right * 10))
        heights[cells], material[cells] = height, material_index(kind) if height else 0

    for wall in ((0, 0, 26, 0.3), (0, 17.7, 26, 18), (0, 0, 0.3, 18), (25.7, 0, 26, 18)):
        block(*wall)
    for wall in (
        (8, 0, 8.2, 7),
        (0, 7, 17.2, 7.2),
        (17, 0, 17.2, 7.2),
        (0, 11, 20, 11.2),
        (13, 11, 13.2, 18),
        (6, 11, 6.2, 18),
    ):
        block(*wall, "brick")
    for gap in (
        (3.5, 7, 4.5, 7.2),
        (11.5, 7, 12.7, 7.2),
        (2.5, 11, 3.5, 11.2),
        (9, 11, 10, 11.2),
        (15.5, 11, 16.7, 11.2),
        (17, 2.5, 17.2, 4),
    ):
        block(*gap, height=0)
    block(13.2, 12.9, 17, 13, "glass")
    block(1, 1, 2.5, 3, "wood", 80)
    block(4.5, 1, 7, 1.8, "wood", 80)
    block(10, 1, 10.8, 5, "metal", 180)
    block(14, 1, 14.8, 5, "metal", 180)
    block(1, 15.5, 4, 16.5, "wood", 80)
    rows, columns = np.mgrid[:180, :260]
    for x, y, radius in ((22, 14, 2.1), (23, 12, 1.7), (21.3, 3.5, 1.6)):
        speed[np.hypot(columns / 10 - x, rows / 10 - y) < radius] = 40
    for x, y, radius in ((19.5, 15, 0.6), (23.4, 8.5, 0.9), (20, 9, 0.5), (24.2, 4.8, 0.5)):
        rock = np.hypot(columns / 10 - x, rows / 10 - y) < radius
        heights[rock], material[rock] = 120, material_index("rock")
    speed[heights > 0] = 100
    door = {"height": 2.0}
    return Terrain(
        "station", heights, 0.1, (0.0, 0.0), material, speed,
        tuple(Landmark(x, y) for x, y in ((8.1, 3), (0.3, 9), (13.1, 16), (17.1, 6), (25.6, 10), (6.1, 14))),
        (
            Door(area=Rectangle(left=3.5, bottom=7, right=4.5, top=7.2), **door),
            Door(area=Rectangle(left=11.5, bottom=7, right=12.7, top=7.2), closed=True, switches=(60, 180), **door),
            Door(area=Rectangle(left=9, bottom=11, right=10, top=11.2), mean_open=30, mean_closed=60, **door),
            Door(area=Rectangle(left=17, bottom=2.5, right=17.2, top=4), **door),
            Person(waypoints=((9.5, 13), (11.8, 13), (11.8, 16), (9.5, 16))),
            Collapse(area=Rectangle(left=18.5, bottom=5, right=20.5, top=7), time=240, fill=0.7),
        ),
        (Start(2, 9.4), Start(3.2, 9.4), Start(2, 8.4), Start(3.2, 8.4)),
    )  # fmt: skip


def draw_page(browser: Any, origin: str, **options: Any) -> Page:
    """The page with the station, once its checks have been made."""
    page: Page = browser.new_context(**options).new_page()
    page.goto(f"{origin}/draw?terrain=station")
    page.wait_for_function("window.expeditionDraw?.drawing?.name === 'station'")
    page.wait_for_function(
        "expeditionDraw.checks.asked > 0 && expeditionDraw.checks.answered === expeditionDraw.checks.asked"
    )
    return page


def click_at(page: Page, x: float, y: float) -> None:
    """Click on a place in metres."""
    box = page.locator(".draw-sheet").bounding_box()
    px, py = page.evaluate("([x, y]) => expeditionDraw.view.camera.screen(x, y)", [x, y])
    assert box is not None
    page.mouse.click(box["x"] + px, box["y"] + py)


@contextmanager
def serving(store: str) -> Iterator[str]:
    """A server with a store; its address."""
    words = ["view", "--store", store, "--port", "0", "--no-open"]
    process = subprocess.Popen([sys.executable, "-m", "expedition", *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1].rstrip("/")
    finally:
        process.terminate()
        process.wait()


def make_draw(target: Path) -> None:
    """The station with a door selected."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        terrains = Path(folder) / "terrains"
        terrains.mkdir()
        save(station(), terrains / "station.yaml")
        with serving(folder) as origin:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = draw_page(browser, origin, viewport={"width": 1280, "height": 800})
            page.keyboard.press("v")
            click_at(page, 12.1, 7.1)
            page.mouse.move(400, 30)
            page.wait_for_timeout(300)
            page.screenshot(path=target)
            browser.close()
