"""Uses the set-up page as a user does."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from expedition.log.reader import LogReader
from tests.viewer.serving import Serving

WAIT = 120_000
"""Milliseconds: a busy machine is no failure."""
TINY = {"terrain": "cross", "robots": "2", "strategy": "nearest-frontier", "localiser": "perfect"}
"""A mission that is over in a moment, given when it ends."""
ENDLESS = {"terrain": "cross", "robots": "1", "strategy": "own.py:dawdles", "localiser": "perfect"}
"""One that nobody waits for, of a server with these strategies."""
OWN = '''
import time


async def broken(robot, *, after: float = 1.0):
    """Fails."""
    await robot.wait(after)
    raise ValueError("broken on purpose")


async def dawdles(robot):
    """Stands still, and takes its time over it."""
    while True:
        time.sleep(0.02)
        await robot.wait(0.2)
'''


def strategies_in(folder: Path) -> tuple[str, str]:
    """Write strategies into a folder; the words with which a server knows them."""
    (folder / "own.py").write_text(OWN)
    return "--strategies", str(folder)


def open_setup(page: Page, serving: Serving, **query: str) -> None:
    """Open the page, and wait until it has looked at what is set up."""
    page.set_default_timeout(WAIT)
    page.goto(f"{serving.origin}/setup?{urlencode(query)}")
    looked(page)


def looked(page: Page) -> None:
    """Wait until the preview is that of what is set up."""
    expect(page.locator(".preview img").first).to_be_visible(timeout=WAIT)


def field(page: Page, name: str) -> Any:
    """The field of a parameter."""
    return page.locator(f'[data-field="{name}"]')


def fill(page: Page, name: str, value: str) -> None:
    """Type into a field."""
    field(page, name).fill(value)
    field(page, name).blur()


def choose(page: Page, name: str, option: str) -> None:
    """Choose from a list; where fields belong to what is chosen, once those before it are gone."""
    found = field(page, name)
    if found.get_attribute("type") == "search":
        found.fill(option)
    else:
        found.click()
    page.get_by_role("option", name=option, exact=True).click()
    about = page.locator(f'[data-about="{name}"]')
    if about.count():
        expect(about).to_have_attribute("data-chosen", option, timeout=WAIT)


def unfold(page: Page, title: str) -> None:
    """Open a section of the form."""
    section = page.locator(f'[data-section="{title}"]')
    if "q-expansion-item--collapsed" in (section.get_attribute("class") or ""):
        section.locator(".q-item").first.click()


def unfold_group(page: Page, name: str, of: str = "") -> None:
    """Open a group of fields; of something chosen just now, once its title says so."""
    group = page.locator(f'[data-group="{name}"]', has_text=of)
    if "q-expansion-item--collapsed" in (group.get_attribute("class") or ""):
        group.locator(".q-item").first.click()


def start(page: Page) -> str:
    """Start what is set up and go along to where it is watched; the mission's name."""
    button = page.get_by_role("button", name="Start", exact=True)
    expect(button).to_be_enabled(timeout=WAIT)
    button.click()
    page.wait_for_url("**/watch/*", timeout=WAIT)
    return page.url.rpartition("/")[2]


def start_by_link(page: Page, serving: Serving, **query: str) -> str:
    """Start a mission by an address; its name."""
    page.set_default_timeout(WAIT)
    page.goto(f"{serving.origin}/setup?{urlencode({**query, 'start': '1'})}")
    page.wait_for_url("**/watch/*", timeout=WAIT)
    return page.url.rpartition("/")[2]


def result(serving: Serving, name: str) -> dict[str, Any]:
    """How a mission ended, once the server has said so."""
    path = serving.store / "live" / name / "result.json"
    until = time.monotonic() + WAIT / 1000
    while time.monotonic() < until:
        if path.is_file() and "state" in (told := json.loads(path.read_text() or "{}")):
            return dict(told)
        time.sleep(0.1)
    raise AssertionError(f"{name} did not end")


def log_of(serving: Serving, name: str) -> LogReader:
    """A mission's log."""
    return LogReader(serving.store / "live" / name / "log.mcap")


def child_of(serving: Serving) -> int:
    """The process of a mission of a server."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
            command = (status.parent / "cmdline").read_text()
        except OSError:
            continue
        if re.search(rf"^PPid:\s+{serving.process.pid}$", text, re.MULTILINE) and "carry_out" in command:
            return int(status.parent.name)
    raise AssertionError("no mission runs")
