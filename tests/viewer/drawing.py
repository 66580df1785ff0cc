"""The page on which terrains are drawn, as a hand uses it: places are metres, and what is saved is loaded again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expedition.terrain import Terrain, find_terrain
from tests.viewer.serving import Serving

LAYERS = {"wall_height_cm": "<u2", "material": "u1", "speed_percent": "u1"}
READ_LAYER = """name => {
    const { drawing } = expeditionDraw, data = drawing.layers[name];
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return text;
}"""


class Hand:
    """A mouse and a keyboard on a page at `/draw`."""

    def __init__(self, page: Any, serving: Serving, query: str = "") -> None:
        self.page = page
        self.serving = serving
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._listen)
        page.set_default_timeout(15_000)
        page.goto(f"{serving.origin}/draw{query}")
        page.wait_for_function("window.expeditionDraw?.drawing")
        page.evaluate("expeditionDraw.ready")

    def _listen(self, said: Any) -> None:
        # A refusal of the server is also shown on the page; the browser writes it down as well.
        if said.type == "error" and "Failed to load resource" not in said.text:
            self.troubles.append(said.text)

    def new(self, width: float = 10, height: float = 8, cell: float = 0.1, closed: bool = False) -> None:
        """A new terrain, as its dialog makes one."""
        self.page.evaluate("() => { expeditionDraw.changed = false; }")
        self.page.evaluate("given => expeditionDraw.act('create', ...given)", [width, height, cell, closed])
        self.page.wait_for_function("([w, h]) => expeditionDraw.drawing.width === w", arg=[width, height])

    def tool(self, key: str) -> None:
        self.page.keyboard.press(key)

    def set(self, **fields: object) -> None:
        """Fill in fields of the panel, as a user types into them."""
        for name, value in fields.items():
            field = self.page.locator(f'.draw-panel [data-field="{name}"]').last
            if isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(str(value))
                field.press("Enter")
            field.blur()

    def press(self, name: str) -> None:
        """A button of the panel or the line below."""
        self.page.locator(f'[data-field="{name}"]').last.click()

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        box = self.page.locator(".draw-sheet").bounding_box()
        px, py = self.page.evaluate("([x, y]) => expeditionDraw.view.camera.screen(x, y)", [x, y])
        return box["x"] + px, box["y"] + py

    def click(self, x: float, y: float, **options: Any) -> None:
        self.page.mouse.click(*self.pixel(x, y), **options)

    def double_click(self, x: float, y: float) -> None:
        self.page.mouse.dblclick(*self.pixel(x, y))

    def drag(self, *points: tuple[float, float], keys: Sequence[str] = (), steps: int = 4) -> None:
        for key in keys:
            self.page.keyboard.down(key)
        self.page.mouse.move(*self.pixel(*points[0]))
        self.page.mouse.down()
        for point in points[1:]:
            self.page.mouse.move(*self.pixel(*point), steps=steps)
        self.page.mouse.up()
        for key in keys:
            self.page.keyboard.up(key)

    def colour(self, x: float, y: float) -> tuple[int, int, int]:
        """What the canvas of the ground shows at a place."""
        script = """([x, y]) => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
            const { view } = expeditionDraw, [px, py] = view.camera.screen(x, y);
            const [left, top] = [px, py].map(at => Math.floor(at * (devicePixelRatio || 1)));
            done([...view.below.getContext("2d").getImageData(left, top, 1, 1).data]);
        })))"""
        red, green, blue, _ = self.page.evaluate(script, [x, y])
        return red, green, blue

    def layer(self, name: str) -> NDArray[Any]:
        rows, columns = self.page.evaluate("[expeditionDraw.drawing.rows, expeditionDraw.drawing.columns]")
        data = self.page.evaluate(READ_LAYER, name).encode("latin-1")
        return np.frombuffer(data, LAYERS[name]).reshape(rows, columns)

    def state(self) -> tuple[bytes, ...]:
        """Everything that is drawn, to the byte."""
        objects = self.page.evaluate("JSON.stringify(expeditionDraw.drawing.objects)")
        return (*(self.layer(name).tobytes() for name in LAYERS), objects.encode())

    def objects(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("kind => expeditionDraw.drawing.ofKind(kind)", kind)
        return found

    def save(self, name: str) -> Terrain:
        """Save under a name, as its dialog does, and load what was written."""
        assert self.page.evaluate("name => expeditionDraw.sheets.saveAs(name, true)", name)
        return self.saved(name)

    def saved(self, name: str) -> Terrain:
        """What is in the store under a name, which must be what is drawn."""
        terrain = find_terrain(str(self.serving.store / "terrains" / f"{name}.yaml"))
        for layer in LAYERS:
            np.testing.assert_array_equal(getattr(terrain, layer), self.layer(layer), layer)
        return terrain

    def findings(self) -> dict[str, list[str]]:
        """What the checks say once they have seen the latest drawing: by what they are about."""
        self.page.wait_for_function("expeditionDraw.checks.answered === expeditionDraw.checks.asked")
        found = self.page.evaluate("expeditionDraw.checks.findings")
        told: dict[str, list[str]] = {}
        for one in found:
            told.setdefault(one["about"], []).append(re.sub(r" \(pioneer-3dx\)", "", one["said"]))
        return told
