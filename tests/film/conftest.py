"""The recorded mission that tests here film."""

from __future__ import annotations

from pathlib import Path

import pytest

from expedition.log.reader import LogReader
from tests.bench.conftest import small_disk  # noqa: F401  a fixture
from tests.log.eventful import Witnessed, mission, witness


@pytest.fixture(scope="session")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Witnessed:
    """A mission in which everything happens, recorded."""
    return witness(tmp_path_factory.mktemp("film") / "log.mcap", mission())


@pytest.fixture(scope="session")
def recorded(eventful: Witnessed) -> Path:
    """Its log's file."""
    return eventful.path


@pytest.fixture
def log(recorded: Path) -> LogReader:
    """Its log."""
    return LogReader(recorded)
