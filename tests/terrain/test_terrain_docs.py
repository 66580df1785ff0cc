"""The page on terrains says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from expedition.terrain import terrain

DOCS = Path(__file__).parents[2] / "docs"


def test_every_terrain_has_a_small_picture_and_a_table_on_the_page() -> None:
    page = (DOCS / "terrains.md").read_text(encoding="utf-8")
    pictures = re.findall(r"\(images/terrain-([a-z-]+)\.png\)", page)
    tables = re.findall(r"^### (.+)$", (DOCS / "terrain-parameters.inc").read_text(encoding="utf-8"), re.M)
    assert sorted(pictures) == sorted(tables) == terrain.names()
    assert all(0 < (DOCS / f"images/terrain-{name}.png").stat().st_size < 60_000 for name in pictures)


def test_own_terrain_of_the_page_works_as_shown(tmp_path: Path) -> None:
    page = (DOCS / "terrains.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "def ring" in block)
    path = tmp_path / "my_file.py"
    path.write_text(code, encoding="utf-8")
    narrow, wide = terrain.make(f"{path}:ring"), terrain.make(f"{path}:ring:width=6")
    assert narrow.is_free(15, 0)
    assert not narrow.is_free(0, 0)
    assert abs(wide.free_area / narrow.free_area - 1.5) < 0.01
