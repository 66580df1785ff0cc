"""Make the pictures of these pages: `python docs/make_images.py [strategies ...]`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

from expedition import explore
from expedition.bench.store import Store
from expedition.film import still
from expedition.mission import Result
from expedition.picture import draw_ways
from expedition.plotstyle import new_figure, save
from expedition.strategies import strategy
from expedition.terrain import terrain
from expedition.terrain.picture import save_picture

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parent / "images"
HALF_PAGE, FULL_PAGE = 7.5, 15.0  # centimetres: type has one size on the page, however wide the picture
PICTURES = {
    "loop": ("loop", HALF_PAGE),
    "cross": ("cross", HALF_PAGE),
    "zigzag": ("zigzag", HALF_PAGE),
    "maze": ("maze", HALF_PAGE),
    "cave": ("cave:seed=5", HALF_PAGE),
    "building": ("building:seed=3", HALF_PAGE),
    "perfect-maze": ("perfect-maze:loops=0.1", HALF_PAGE),
    "forest": ("forest:shape=mixed", HALF_PAGE),
    "office": ("office", FULL_PAGE),
    "floorplan": ("floorplan:seed=1", FULL_PAGE),
    "indoor": ("indoor", FULL_PAGE),
}

# The mission in which all strategies are shown; a random walk would not end by itself.
MISSION = {"terrain": "maze", "robots": 6, "seed": 1, "time_limit": 1000.0}
COLUMNS = {
    "time_s": ("time (s)", ",.0f"),
    "t90_s": ("T90 (s)", ",.0f"),
    "cost_m": ("cost (m)", ",.0f"),
    "efficiency_m2_per_m": ("efficiency (m²/m)", ".2f"),
    "share_spread": ("spread of shares", ".3f"),
    "map_quality": ("map quality", ".3f"),
    "sent_mb": ("sent (MB)", ".1f"),
}
DESIGN = """
name: corridors
description: Two ways to share out frontiers, in corridors.
parameters:
  terrain: maze
  robots: [3, 6]
  strategy: [nearest-frontier, coordinated]
iterations: 2
record: true
stop: {explored: 0.99, time: 600}
"""
# What is seen of the page: its address, the tab that is open, the size of the window, and the colours.
VIEWS: dict[str, tuple[str, str, int, int, Literal["light", "dark"]]] = {
    "watch": ("t=120.3", "view", 1400, 860, "light"),
    "both": ("t=60&view=both&map=3&robot=3", "view", 1400, 760, "light"),
    "robot": ("t=95&robot=1", "robots", 1400, 860, "light"),
    "dark": ("t=200&robot=4", "curves", 1400, 860, "dark"),
    "phone": ("t=120.3&robot=2", "robots", 390, 800, "light"),
}


def make_pictures() -> None:
    """One small PNG for each terrain."""
    FOLDER.mkdir(exist_ok=True)
    for name, (spec, width_cm) in PICTURES.items():
        path = save_picture(terrain.make(spec), FOLDER / f"terrain-{name}.png", width_cm=width_cm)
        save_small(path, path, 64)


def make_strategies() -> None:
    """The same mission with each strategy: the robots' ways, and a table of what came of it."""
    lines = [["strategy", "ending", *(label for label, _ in COLUMNS.values())], ["---"] * (2 + len(COLUMNS))]
    for name in strategy.names():
        result = explore(strategy=name, **MISSION)
        draw_strategy(result, FOLDER / f"strategy-{name}.png")
        values = [(result.metrics[metric], pattern) for metric, (_, pattern) in COLUMNS.items()]
        cells = ["-" if value is None else format(value, pattern) for value, pattern in values]
        lines.append([f"[{name}](#{name})", result.ending, *cells])
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    (FOLDER.parent / "strategy-missions.inc").write_text(table, encoding="utf-8")


def draw_strategy(result: Result, path: Path) -> None:
    """Half a page with who drove where and saw what first; the text around it says the rest."""
    figure = new_figure(HALF_PAGE, HALF_PAGE)
    axes = figure.subplots()
    draw_ways(result, axes)
    metrics = result.metrics
    axes.set_title(f"{result.mission.strategy_name}: {metrics['completeness']:.0%} in {metrics['time_s']:,.0f} s")
    axes.set(xticks=[], yticks=[], xlabel="", ylabel="")
    save_small(save(figure, path), path, 64)


def make_demo() -> None:
    """A mission of the papers' robots in the maze, and a figure of the report that `make demo` writes."""
    with tempfile.TemporaryDirectory() as folder:
        mission = explore("maze", 8, "nearest-frontier", 1).picture(Path(folder) / "mission.png")
        save_small(mission, FOLDER / "demo-mission.png", 128)
        for words in (["run", "quick", "--store", folder], ["report", folder, "quick", "--formats", "png"]):
            subprocess.run([sys.executable, "-m", "expedition", *words], check=True)
        save_small(Path(folder) / "reports" / "quick" / "figures" / "time-s.png", FOLDER / "demo-report.png", 128)


def make_film() -> None:
    """A moment of a film."""
    with tempfile.TemporaryDirectory() as folder:
        log, picture = Path(folder) / "log.mcap", Path(folder) / "film.png"
        explore("office", 5, "role-based", placement="grouped", base="start", time_limit=300, record=log)
        save_small(still(log, picture, at=130, curves=True), FOLDER / "film.png", 128)


def make_viewer_draw() -> None:
    """The page on which terrains are drawn."""
    from draw_pictures import make_draw

    path = FOLDER / "viewer-draw.png"
    make_draw(path)
    save_small(path, path, 96)


def save_small(source: Path, target: Path, colours: int) -> None:
    """Few colours are enough for a page, and make a small file."""
    with Image.open(source) as picture:
        few = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
    few.save(target, optimize=True)


@contextmanager
def pages_of(*words: str) -> Iterator[tuple[str, Browser]]:
    """`expedition view WORDS`, as the address that it prints, and a browser to look at it."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "expedition", "view", *words, "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        address = server.stdout.readline().split()[-1]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            yield address, browser
            browser.close()
    finally:
        server.terminate()
        server.wait()


def keep(page: Page, name: str) -> None:
    """Keep what is seen of a page as a picture, once all of it is there."""
    page.wait_for_timeout(3000)
    path = FOLDER / f"viewer-{name}.png"
    page.screenshot(path=path)
    save_small(path, path, 256)
    page.close()


def make_viewer() -> None:
    """The page on which missions are watched, in a browser: as it opens, with two maps, a robot, dark, on a phone."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "office.mcap"
        explore("office", 6, "cost-utility", 1, placement="biggest-room", time_limit=300.0, base="start", record=log)
        with pages_of(str(log), "--store", folder) as (address, browser):
            for name, (query, tab, width, height, scheme) in VIEWS.items():
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(f"{address}?{query}")
                page.wait_for_function("() => window.expedition?.frames > 0")
                page.locator(f"[data-tab={tab}]").click()
                keep(page, name)


def make_viewer_pages() -> None:
    """The other pages: where one starts, sets a mission up, and compares two."""
    with tempfile.TemporaryDirectory() as folder:
        design = Path(folder) / "corridors.yaml"
        design.write_text(DESIGN)
        store = Path(folder) / "results"
        subprocess.run([sys.executable, "-m", "expedition", "run", design, "--store", store, "--quiet"], check=True)
        listed = Store(store).design("corridors").missions
        keys = {one.vector["strategy"]: one.key for one in listed if one.vector["robots"] == 6}
        looks = {
            "start": "/",
            "setup": "/setup?terrain=building&robots=6&strategy=cost-utility&placement=grouped&base=start",
            "compare": f"/compare/{keys['nearest-frontier']}/{keys['coordinated']}",
        }
        with pages_of("--store", str(store)) as (address, browser):
            for name, path in looks.items():
                page = browser.new_page(viewport={"width": 1400, "height": 860})
                page.goto(address.rstrip("/") + path)
                if name == "compare":
                    page.wait_for_function("() => document.querySelectorAll('canvas').length > 4")
                    page.wait_for_timeout(2000)
                    page.keyboard.press("Space")
                    page.wait_for_timeout(14_000)
                    page.keyboard.press("Space")
                keep(page, name)


MAKERS = {
    "terrains": make_pictures,
    "strategies": make_strategies,
    "demo": make_demo,
    "film": make_film,
    "viewer-draw": make_viewer_draw,
    "viewer": make_viewer,
    "viewer-pages": make_viewer_pages,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or MAKERS:
        MAKERS[wanted]()
