"""Undo and redo of the page on which terrains are drawn: to the byte, whatever was done."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.viewer.drawing import Hand
from tests.viewer.serving import Serving, serve


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an empty store."""
    with serve(tmp_path_factory.mktemp("store")) as started:
        yield started


@pytest.fixture(scope="module")
def hand(browser, serving: Serving) -> Iterator[Hand]:
    context = browser.new_context(viewport={"width": 1000, "height": 750})
    hand = Hand(context.new_page(), serving)
    yield hand
    assert hand.troubles == []
    context.close()


def do_something(hand: Hand, rng: random.Random) -> None:
    """One random use of a random tool on a terrain of 10 x 8 m, on objects that are there as well."""
    place = lambda: (rng.uniform(-0.3, 10.3), rng.uniform(-0.3, 8.3))  # noqa: E731
    tool = rng.choice("wrtoobbefffdslpcvv")
    hand.tool("Escape")
    hand.tool(tool)
    hand.tool(rng.choice("1234"))
    if tool in "op":
        for _ in range(rng.randint(1, 5)):
            hand.click(*place())
        hand.tool("Enter")
    elif tool == "v":
        objects = hand.page.evaluate("expeditionDraw.drawing.objects")
        if objects:
            one = rng.choice(objects)
            area = one.get("area")
            from_ = (area["left"] + 0.02, area["bottom"] + 0.02) if area else (one.get("x"), one.get("y"))
            hand.drag(one["waypoints"][0] if "waypoints" in one else from_, place(), steps=2)
            if rng.random() < 0.3:
                hand.tool("Delete")
    else:
        hand.drag(place(), place(), keys=rng.choice([(), (), ("Shift",), ("Alt",)]), steps=2)


@pytest.mark.parametrize("seed", range(4))
def test_all_undone_is_as_at_first_and_all_redone_as_at_last(hand: Hand, seed: int) -> None:
    rng = random.Random(seed)
    hand.new(10, 8, 0.05, closed=bool(seed % 2))
    states = [hand.state()]
    for _ in range(12):
        do_something(hand, rng)
        hand.tool("Escape")
        while hand.page.evaluate("expeditionDraw.history.past.length") > len(states):
            states.append(b"")  # type: ignore[arg-type]  # A step between two that are looked at.
        if hand.page.evaluate("expeditionDraw.history.past.length") == len(states):
            states.append(hand.state())
    assert len(states) > 6
    for expected in reversed(states[:-1]):
        hand.page.keyboard.press("Control+z")
        if expected:
            assert hand.state() == expected
    hand.page.keyboard.press("Control+z")
    assert hand.state() == states[0]
    for expected in states[1:]:
        hand.page.keyboard.press("Control+Shift+z")
        if expected:
            assert hand.state() == expected


def test_canvas_shows_what_undo_brings_back(hand: Hand) -> None:
    hand.new()
    hand.tool("t")
    hand.tool("1")
    before = hand.colour(3, 3)
    hand.drag((2, 2), (4, 4))
    after = hand.colour(3, 3)
    hand.press("undo")
    assert hand.colour(3, 3) == before != after
    hand.press("redo")
    assert hand.colour(3, 3) == after


def test_new_step_forgets_what_was_undone(hand: Hand) -> None:
    hand.new()
    hand.tool("t")
    hand.tool("1")
    hand.drag((2, 2), (4, 4))
    hand.page.keyboard.press("Control+z")
    hand.drag((6, 2), (7, 4))
    state = hand.state()
    hand.page.keyboard.press("Control+Shift+z")
    assert hand.state() == state


def test_stroke_that_changes_nothing_is_no_step(hand: Hand) -> None:
    hand.new()
    hand.tool("e")
    hand.drag((2, 2), (4, 4))
    assert hand.page.evaluate("expeditionDraw.history.past.length") == 0
    assert not hand.page.evaluate("expeditionDraw.changed")


def test_escape_gives_up_a_brush_stroke_in_the_middle(hand: Hand) -> None:
    hand.new()
    before = hand.state()
    hand.tool("b")
    hand.tool("1")
    hand.page.mouse.move(*hand.pixel(2, 2))
    hand.page.mouse.down()
    hand.page.mouse.move(*hand.pixel(5, 2), steps=3)
    assert hand.state() != before
    hand.page.keyboard.press("Escape")
    hand.page.mouse.move(*hand.pixel(6, 2), steps=3)
    hand.page.mouse.up()
    assert hand.state() == before
