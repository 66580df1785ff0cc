"""The recorded mission, the server and the browser that tests of the page share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from expedition.log.reader import LogReader
from expedition.log.recorder import Recorder
from expedition.mission import run
from tests.log.eventful import mission
from tests.viewer import drawn as drawing_of
from tests.viewer.serving import Serving, serve
from tests.viewer.watching import Watching, address_of, watching

expect.set_options(timeout=60_000)  # On a busy machine a page takes its time.


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a short mission in which everything happens."""
    path = tmp_path_factory.mktemp("recorded") / "eventful.mcap"
    run(mission(), record=Recorder(path))
    return path


@pytest.fixture(scope="module")
def serving(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that shows it, with a store of its own."""
    with serve(tmp_path_factory.mktemp("store"), str(recorded)) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser; module by module, since an open Playwright stands in the way of other event loops."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs Chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def log(recorded: Path) -> LogReader:
    """The log that the server shows."""
    return LogReader(recorded)


@pytest.fixture
def watch(browser: Browser, serving: Serving) -> Iterator[Watching]:
    """A page that has just been opened, to be used by mouse and keys."""
    with watching(browser, address_of(serving)) as page:
        yield page


@pytest.fixture(scope="module")
def drawn(browser: Browser, serving: Serving) -> Iterator[drawing_of.Watching]:
    """A page whose canvases are looked at, pixel by pixel."""
    with drawing_of.watch(browser, serving.address) as opened:
        yield opened
