"""The page on the strategies that ship has them all."""

from __future__ import annotations

import re
from pathlib import Path

from expedition.strategies import strategy

DOCS = Path(__file__).parents[2] / "docs"


def test_every_strategy_has_a_section_a_source_a_small_picture_and_a_table_on_the_page() -> None:
    page = (DOCS / "strategies-shipped.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([a-z-]+)\n(.*?)(?=^## )", page, re.M | re.S))
    tables = re.findall(r"^### (.+)$", (DOCS / "strategy-parameters.inc").read_text(encoding="utf-8"), re.M)
    compared = re.findall(r"^\| \[([a-z-]+)\]", (DOCS / "strategy-missions.inc").read_text(encoding="utf-8"), re.M)
    assert sorted(sections) == sorted(tables) == sorted(compared) == strategy.names()
    for name, text in sections.items():
        assert "Source: " in text
        assert "```text" in text
        assert f"images/strategy-{name}.png" in text
        assert 0 < (DOCS / f"images/strategy-{name}.png").stat().st_size < 120_000


def test_every_parameter_of_a_strategy_says_what_it_is() -> None:
    for name in strategy.names():
        for parameter, field in strategy.find(name).parameters.model_fields.items():
            assert field.description, f"{name}: {parameter}"
