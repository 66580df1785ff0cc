"""Pictures of what is on the screen, as pixels and as SVG."""

from __future__ import annotations

import base64
import io
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image

from expedition.log.reader import LogReader
from tests.viewer.drawn import ROBOTS, Pixels, Watching, has_colour

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def watching(drawn: Watching) -> Watching:
    drawn.reset()
    return drawn


def picture(watching: Watching, scale: float) -> Pixels:
    address = watching.run('return w.picture(given).toDataURL("image/png");', scale)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("RGBA"))


def drawn(watching: Watching, svg: str, width: int, height: int) -> Pixels:
    """What a browser makes of an SVG."""
    page = watching.page.context.browser.new_page(viewport={"width": width, "height": height})  # type: ignore[union-attr]
    page.set_content(f'<body style="margin: 0">{svg}</body>')
    shot = page.screenshot()
    page.close()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGBA"))


@pytest.mark.parametrize("scale", [1, 2])
def test_a_picture_has_everything_that_is_on_the_screen(watching: Watching, log: LogReader, scale: int) -> None:
    watching.run('w.show("both"); w.layers.set("grid", true);')
    watching.settle(15.1)
    found = picture(watching, scale)
    width, height = watching.run("return [w.element.clientWidth, w.element.clientHeight];")
    assert found.shape[:2] == pytest.approx((height * scale, width * scale), abs=2)
    assert (found[..., 3] == 255).all()
    scene = log.scene(15.1)
    left = watching.run(
        "return w.panes[1].element.getBoundingClientRect().left - w.panes[0].element.getBoundingClientRect().left;"
    )
    for pane, poses in ((0, scene.poses), (1, scene.believed)):
        for robot in range(4):
            x, y = watching.pixel(*poses[robot, :2], pane)
            assert has_colour(found, (scale * (x + pane * left), scale * y), ROBOTS[robot], 5 * scale, 8)
    screen = np.asarray(Image.open(io.BytesIO(watching.page.locator(".mission-view").screenshot())).convert("RGB"))
    if scale == 1:
        middle = (slice(120, -60), slice(5, -5))
        assert np.abs(found[..., :3].astype(int) - screen)[middle].mean() < 3.0


def test_an_svg_shows_the_same(watching: Watching, log: LogReader) -> None:
    watching.run(
        'for (const name of ["footprints", "uncertainty", "scans", "radio", "rough"]) w.layers.set(name, true);'
        "w.select(1);"
    )
    watching.settle(15.1)
    svg = watching.run("return w.svg();")
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"robot_0", "robot_1", "robot_2", "robot_3"} <= set(said)
    assert "Belief: all robots together, 15.1 s" in said
    for text in root.iter(f"{SVG}text"):
        if text.text and text.text.startswith("robot_"):
            x, y = watching.pixel(*log.scene(15.1).believed[int(text.text[-1]), :2])
            assert (float(text.get("x", 0)), float(text.get("y", 0))) == pytest.approx((x, y), abs=40)
    assert any(text and text.endswith(" m") for text in said)
    assert [image.get("href", "")[:22] for image in root.iter(f"{SVG}image")] == ["data:image/png;base64,"] * 2
    shown, wanted = drawn(watching, svg, round(width), round(height)), picture(watching, 1)
    difference = np.abs(shown[..., :3].astype(int) - wanted[: shown.shape[0], : shown.shape[1], :3]).max(axis=-1)
    assert (difference > 60).mean() < 0.02
    watching.only()
    blank = picture(watching, 1)[..., :3].astype(int)
    drew = np.abs(wanted[..., :3].astype(int) - blank).max(axis=-1) > 60
    assert (difference[drew] > 60).mean() < 0.2


def test_words_of_a_log_are_no_markup(watching: Watching) -> None:
    watching.settle(15.1)
    svg = watching.run("""
        const kept = w.mission.names[0];
        w.mission.names[0] = '<b>&"x';
        const found = w.svg();
        w.mission.names[0] = kept;
        return found;
    """)
    assert '<b>&"x' in [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_keys_of_colours_are_in_the_picture(watching: Watching) -> None:
    watching.only("map", "exploration")
    watching.settle(20.0)
    svg = watching.run("return w.svg();")
    said = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert "Seen first:" in said
    assert "20 s ago" in said
    assert "#a50026" in svg
