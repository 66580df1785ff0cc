"""A watch page in a real browser, used as a person does: by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from tests.viewer.serving import Serving

PATIENCE = 120_000
"""Milliseconds; a machine may be busy, and nothing here is about speed."""
SETTLED = """() => {
    const { clock, panes, state, mission, isWaiting, dirty, shown, moment } = window.expedition;
    const time = Math.min(clock.time, mission.end);
    return !clock.playing && shown === clock.time && !isWaiting && !dirty && state.time === time
        && panes.every(({ keeper }) => keeper && keeper.time === state.time) && moment.time === clock.time;
}"""


class Watching:
    """A page that shows a mission."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def part(self, name: str) -> Locator:
        """An element by its part of the page."""
        return self.page.locator(f'[data-part="{name}"]')

    def act(self, name: str) -> Locator:
        """A button by its action."""
        return self.page.locator(f'[data-act="{name}"]')

    def ask(self, expression: str) -> Any:
        """The value of an expression of the Watch, as `clock.time`."""
        return self.page.evaluate(f"() => window.expedition.{expression}")

    @property
    def time(self) -> float:
        """The moment that is shown."""
        return float(self.ask("clock.time"))

    def until(self, condition: str) -> None:
        """Wait for a condition about the Watch `w`."""
        self.page.wait_for_function(f"() => {{ const w = window.expedition; return {condition}; }}", timeout=PATIENCE)

    def seek(self, time: float) -> None:
        """Go to a moment, as a link would, and wait until everything of it is there."""
        self.page.evaluate("time => window.expedition.clock.seek(time, false)", time)
        self.settle()

    def settle(self) -> None:
        """Wait until what is shown is of the time that the clock shows."""
        self.page.wait_for_function(SETTLED, timeout=PATIENCE)
        self.beat()

    def beat(self) -> None:
        """Wait until panels have been told."""
        self.page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 230))")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def open(self, tab: str) -> None:
        """Open a tab of the panel."""
        self.part(f"tab-{tab}").click()
        self.beat()


@contextmanager
def watching(browser: Browser, address: str, **context: Any) -> Iterator[Watching]:
    """A page in a profile of its own; scripts that fail fail the test."""
    size = context.pop("viewport", {"width": 1300, "height": 850})
    profile = browser.new_context(viewport=size, **context)
    profile.set_default_timeout(PATIENCE)
    page = profile.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(address)
        page.wait_for_function("() => window.expedition?.frames > 0", timeout=PATIENCE)
        yield Watching(page)
        assert not errors, errors
    finally:
        profile.close()


def address_of(serving: Serving, query: str = "") -> str:
    """The page of the log that a server was started with."""
    return f"{serving.origin}/watch/{serving.name}{query}"
