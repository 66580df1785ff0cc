"""A watch page in a real browser, and what is drawn on it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from expedition.log.scene import Floats

Pixels = NDArray[np.uint8]
ROBOTS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#7f7f7f")
"""The colours of robots, as in colours.js."""
_READ = """([pane, sheet]) => {
    const { canvas, context } = window.expedition.panes[pane].sheets[sheet];
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = "";
    for (let k = 0; k < data.length; k += 32768) text += String.fromCharCode(...data.subarray(k, k + 32768));
    return [canvas.height, canvas.width, btoa(text)];
}"""


class Watching:
    """A page on which a mission is watched."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def run(self, script: str, given: Any = None) -> Any:
        """Run a script; `w` is the watch, `given` what is handed over."""
        return self.page.evaluate(f"async given => {{ const w = window.expedition; {script} }}", given)

    def reset(self) -> None:
        """As the page is when it opens."""
        self.run("""
            const { LAYERS } = await import("/static/layers/index.js");
            for (const layer of LAYERS) w.layers.set(layer.name, layer.on);
            w.ruler = false; w.setTheme("light"); w.select(null); w.followRobot(null); w.setHover(null);
            if (w.sides !== "belief") w.show("belief");
            w.showMap("union"); w.fit();
        """)
        self.page.mouse.move(2, 2)

    def only(self, *layers: str) -> None:
        """Have these layers on and no others."""
        self.run(
            "for (const name of [...w.layers.shown]) w.layers.set(name, false);"
            "for (const name of given) w.layers.set(name, true);",
            layers,
        )

    def settle(self, time: float | None = None) -> None:
        """Go to a time, and wait until everything of it is here and drawn."""
        if time is not None:
            self.run("w.clock.seek(given, false);", time)
        self.page.wait_for_function("window.expedition.isSettled", timeout=30_000)

    def sheet(self, name: str, pane: int = 0) -> Pixels:
        """(rows, columns, 4): what is on a sheet."""
        rows, columns, text = self.page.evaluate(_READ, [pane, name])
        return np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(rows, columns, 4)

    def is_blank(self, pane: int = 0) -> bool:
        """Whether nothing is drawn on any sheet."""
        return bool(
            self.run(
                "return Object.values(w.panes[given].sheets).every(({ canvas, context }) => new Uint32Array("
                "context.getImageData(0, 0, canvas.width, canvas.height).data.buffer).every(one => one === 0));",
                pane,
            )
        )

    def pixel(self, x: float, y: float, pane: int = 0) -> tuple[float, float]:
        """Where a place is on a pane, in pixels from its upper left corner."""
        px, py = self.run(
            "const one = w.panes[given[2]]; return w.camera.toPixel(given[0], given[1], one.width, one.height);",
            [x, y, pane],
        )
        return px, py

    def pixels(self, places: Iterable[Iterable[float]], pane: int = 0) -> list[tuple[float, float]]:
        """The same of many places."""
        found = self.run(
            "const one = w.panes[given[1]]; return given[0].map(p => w.camera.toPixel(...p, one.width, one.height));",
            [[list(map(float, place)) for place in places], pane],
        )
        return [(px, py) for px, py in found]

    def screen(self, x: float, y: float, pane: int = 0) -> tuple[float, float]:
        """Where a place is on the page."""
        px, py = self.pixel(x, y, pane)
        left, top = self.run(
            "const box = w.panes[given].element.getBoundingClientRect(); return [box.left, box.top];", pane
        )
        return left + px, top + py


def has_colour(sheet: Pixels, at: tuple[float, float], colour: str, within: float = 3.0, tolerance: int = 40) -> bool:
    """Whether there is a pixel of about that colour around a pixel."""
    wanted = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
    around = near(sheet, at, within)
    close = (np.abs(around[..., :3].astype(int) - wanted) <= tolerance).all(axis=-1)
    return bool((close & (around[..., 3] > 20)).any())


def near(sheet: Pixels, at: tuple[float, float], within: float) -> Pixels:
    """What is on a sheet around a pixel."""
    column, row = at
    low, left = max(0, int(row - within)), max(0, int(column - within))
    return sheet[low : int(row + within) + 1, left : int(column + within) + 1]


def is_blank(sheet: Pixels) -> bool:
    """Whether nothing is drawn on a sheet."""
    return not sheet[..., 3].any()


def centres(log: Any, cells: Floats | NDArray[Any]) -> list[tuple[float, float]]:
    """Where cells (row, column) of maps lie."""
    frame = log.header.frame
    return [
        (frame.origin[0] + (column + 0.5) * frame.resolution, frame.origin[1] + (row + 0.5) * frame.resolution)
        for row, column in cells
    ]


@contextmanager
def watch(browser: Browser, address: str, width: int = 1200, height: int = 720) -> Iterator[Watching]:
    """Open a watch page; an error on it fails the test."""
    page = browser.new_page(viewport={"width": width, "height": height})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.wait_for_function("window.expedition && window.expedition.frames > 0", timeout=30_000)
    try:
        yield Watching(page)
        assert not errors, errors[0]
    finally:
        page.close()
