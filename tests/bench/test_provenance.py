"""The digest of the code: it changes with what missions run through, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from expedition.bench.provenance import LIBRARIES, code_digest, digest_of, plugins, versions

REFERENCE = "design/reference/quick.yaml"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of a few files."""
    for name in ("mission.py", "sim/flat.py", "fleet/presets/robot.yaml", "report/page.py", "sim/notes.txt", REFERENCE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


@pytest.mark.parametrize("name", ["mission.py", "sim/flat.py", "fleet/presets/robot.yaml", "sim/new.py"])
def test_another_source_gives_another_digest(package: Path, name: str) -> None:
    before = digest_of(package)
    (package / name).write_text("changed")
    assert digest_of(package) != before


@pytest.mark.parametrize("name", ["report/page.py", REFERENCE, "cli.txt", "sim/notes.txt", "sim/__pycache__"])
def test_what_no_mission_runs_through_does_not_count(package: Path, name: str) -> None:
    before = digest_of(package)
    (package / name).write_text("changed")
    assert digest_of(package) == before


def test_a_file_that_moved_gives_another_digest(package: Path) -> None:
    before = digest_of(package)
    (package / "sim" / "flat.py").rename(package / "sim" / "round.py")
    assert digest_of(package) != before


def test_versions_are_of_everything_that_computes() -> None:
    assert {"expedition", "python", *LIBRARIES} <= versions().keys()
    assert len(code_digest()) == 32


def test_packages_that_add_components_are_among_the_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, group in (("my_strategies", "expedition.strategy"), ("unrelated", "console_scripts")):
        folder = tmp_path / f"{name}-1.2.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (folder / "entry_points.txt").write_text(f"[{group}]\nboldly = {name}:boldly\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert ("my_strategies", "1.2") in list(plugins())
    assert "unrelated" not in dict(plugins())
