"""The recorded mission that most tests here look at."""

from __future__ import annotations

import pytest

from expedition.log.reader import LogReader
from tests.log.eventful import Witnessed, mission, witness


@pytest.fixture(scope="session")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Witnessed:
    """A mission in which everything happens, recorded."""
    return witness(tmp_path_factory.mktemp("log") / "log.mcap", mission())


@pytest.fixture
def log(eventful: Witnessed) -> LogReader:
    """Its log."""
    return LogReader(eventful.path)
