"""Components by name: built in, from a plugin, or from a user's file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from expedition.errors import ExpeditionError
from expedition.registry import Registry
from expedition.terrain import find_terrain, terrain

ARENA = '''
import numpy as np
from expedition.terrain import Terrain

def arena(*, side: int = 20) -> Terrain:
    """A hall."""
    return Terrain.from_occupied("arena", np.zeros((side, side), dtype=bool))
'''


def test_a_name_can_be_taken_once_only() -> None:
    registry: Registry[int] = Registry("number")
    registry("one")(lambda: 1)
    with pytest.raises(ExpeditionError, match="already a number named 'one'"):
        registry("one")(lambda: 2)


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ExpeditionError, match="unknown terrain 'zigzak'; did you mean 'zigzag'"):
        find_terrain("zigzak")


def test_a_terrain_from_a_users_file_takes_parameters(tmp_path: Path) -> None:
    path = tmp_path / "my_arena.py"
    path.write_text(ARENA)
    assert find_terrain(f"{path}:arena").shape == (20, 20)
    assert find_terrain(f"{path}:arena:side=30").shape == (30, 30)
    with pytest.raises(ExpeditionError, match="unknown field 'sid'; did you mean 'side'"):
        find_terrain(f"{path}:arena:sid=30")


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        ("raise RuntimeError('no')", "arena", "RuntimeError while loading it: 'no'"),
        ("def arena(:", "arena", "SyntaxError"),
        (ARENA, "arean", "did you mean 'arena'"),
        ("arena = 3", "arena", "unknown function 'arena'"),
    ],
)
def test_a_users_file_that_does_not_work_is_told_so(tmp_path: Path, content: str, name: str, reason: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(ExpeditionError, match=reason):
        find_terrain(f"{path}:{name}")


def test_a_missing_file_is_told_so() -> None:
    with pytest.raises(ExpeditionError, match="no such file"):
        find_terrain("nowhere.py:arena")
    with pytest.raises(ExpeditionError, match="no such file"):
        find_terrain("nowhere.png")


def test_an_installed_plugin_is_found_by_name(tmp_path: Path) -> None:
    """A real distribution on the path, as pip would lay it, with an entry point."""
    (tmp_path / "my_arena.py").write_text(ARENA)
    info = tmp_path / "my_arena-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-arena\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[expedition.terrain]\narena = my_arena:arena\n")
    program = (
        "from expedition.terrain import find_terrain, terrain\n"
        "assert 'arena' in terrain.names()\n"
        "print(find_terrain('arena:side=12').shape)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "(12, 12)"


def test_every_terrain_says_what_it_is_and_describes_its_parameters() -> None:
    for name in terrain.names():
        component = terrain.find(name)
        assert component.summary.endswith(".")
        for field, info in component.parameters.model_fields.items():
            assert info.description, f"{name}: {field}"
