"""What is written to the terminal, and how: tables, sentences, and values as a user would write them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from pydantic import BaseModel

out = Console(highlight=False, soft_wrap=True)


def say(sentence: str) -> None:
    """Print a sentence as it is, whatever the terminal can show of it."""
    print(sentence.encode(out.encoding, "replace").decode(out.encoding))


def warn(name: str, notes: Iterable[str]) -> None:
    """Print what a user should know of something, on the error stream so that output can be piped."""
    for note in notes:
        print(f"warning: {name}: {note}", file=sys.stderr)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """The one look of tables on the terminal."""
    made = Table(*header, box=None, pad_edge=False, header_style="bold", show_header=bool(header))
    for row in rows:
        made.add_row(*(escape(cell) for cell in row))
    return made


def parameters_table(model: type[BaseModel], prefix: str = "") -> Table:
    """The parameters of a component, their defaults, and what each is."""
    rows = [
        (
            f"{prefix}{name.replace('_', '-') if prefix else name}",
            "required" if field.is_required() else _default(field.default),
            field.description or "",
        )
        for name, field in model.model_fields.items()
    ]
    header = ("parameter", "default", "what it is") if any(row[2] for row in rows) else ("parameter", "default")
    return table(header, [row[: len(header)] for row in rows])


def _default(value: object) -> str:
    """A default as a user would write it."""
    if isinstance(value, tuple):
        return "x".join(f"{part:g}" for part in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
