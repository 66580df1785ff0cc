"""Tables as Markdown, to paste into the documentation."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table


class MarkdownConsole(Console):
    """A console that prints tables as Markdown, between their titles and captions."""

    def print(self, *objects: Any, **options: Any) -> None:
        """As any console's, but for tables."""
        told = [as_markdown(thing) + "\n" if isinstance(thing, Table) else thing for thing in objects]
        super().print(*told, **{"soft_wrap": True, "markup": False, "highlight": False} | options)


def as_markdown(table: Table) -> str:
    """A table's title, its rows, and its caption."""
    headers = [str(column.header) for column in table.columns]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    lines = [headers, ["---"] * len(headers), *([str(cell) for cell in row] for row in rows)]
    grid = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return "\n\n".join(str(part) for part in (table.title, grid, table.caption) if part)
