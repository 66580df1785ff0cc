"""The page on terrains says what the program does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from expedition.terrain import terrain

DOCS = Path(__file__).parents[2] / "docs"


def test_parameter_tables_are_those_of_the_program() -> None:
    script = runpy.run_path(str(DOCS / "make_terrain_images.py"), run_name="tables")
    committed = (DOCS / "terrain-parameters.inc").read_text(encoding="utf-8")
    assert committed == script["parameter_tables"](), "run `python docs/make_terrain_images.py`"
    assert set(script["PICTURES"]) <= set(terrain.names())


def test_every_terrain_has_a_small_picture_on_the_page() -> None:
    page = (DOCS / "terrains.md").read_text(encoding="utf-8")
    pictures = re.findall(r"\((images/terrain-[a-z-]+\.png)\)", page)
    assert len(pictures) == 10
    assert all(0 < (DOCS / picture).stat().st_size < 60_000 for picture in pictures)


def test_own_terrain_of_the_page_works_as_shown(tmp_path: Path) -> None:
    page = (DOCS / "terrains.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "def ring" in block)
    path = tmp_path / "my_file.py"
    path.write_text(code, encoding="utf-8")
    narrow, wide = terrain.make(f"{path}:ring"), terrain.make(f"{path}:ring:width=6")
    assert narrow.is_free(15, 0)
    assert not narrow.is_free(0, 0)
    assert abs(wide.free_area / narrow.free_area - 1.5) < 0.01
