"""A table: numbers for programs and the same in words for readers, written as CSV, Parquet and LaTeX."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from expedition.errors import ExpeditionError, shorten
from expedition.report.tables.latex import latex_table

ROW_GROUP = 65_536
"""Rows; given, since a default may depend on the number of threads."""


@dataclass(frozen=True)
class Shown:
    """A table as readers see it: rounded, with units, without columns that are the same in all rows."""

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int = 1
    """So many columns, from the left, are words; numbers are set flush right."""
    missions: Sequence[str] = ()
    """Keys, where each row is a mission: pages lead from there to its replay."""


@dataclass(frozen=True)
class Table:
    """A table with its name and what is said of it."""

    name: str
    """Of its files, without the suffix."""
    title: str
    caption: str
    frame: pl.DataFrame
    shown: Shown
    """On a page, and in LaTeX unless that is in parts."""
    parts: Mapping[str, tuple[str, Shown]] = field(default_factory=dict)
    """By name, where it is too wide for a sheet of paper: captions and tables, each a LaTeX file of its own."""


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of types that CSV and every reader of Parquet know."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested() or kind == pl.Object]
    words = [name for name, kind in frame.schema.items() if kind in (pl.Enum, pl.Categorical, pl.Null)]
    return frame.with_columns(
        *(pl.Series(name, [_text(value) for value in frame[name]], dtype=pl.String) for name in nested),
        *(pl.col(name).cast(pl.String) for name in words),
    )


def save_table(table: Table, folder: Path) -> list[Path]:
    """Write a table as CSV, Parquet and LaTeX; the same table gives the same bytes."""
    frame = plain(table.frame)
    packed = io.BytesIO()
    frame.write_parquet(packed, compression="zstd", row_group_size=ROW_GROUP)
    files = {
        "csv": frame.write_csv().encode(),
        "parquet": packed.getvalue(),
    }
    written = [write_bytes(folder / f"{table.name}.{suffix}", content) for suffix, content in files.items()]
    parts = {f"{table.name}-{part}": said for part, said in table.parts.items()}
    for name, (caption, shown) in (parts or {table.name: (table.caption, table.shown)}).items():
        text = latex_table(shown.header, shown.rows, shown.words, caption, name)
        written.append(write_bytes(folder / f"{name}.tex", text.encode()))
    return written


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file of a report, or say why that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise ExpeditionError(f"{shorten(str(path))}: cannot be written: {error.strerror or error}") from None
    return path


def _text(value: object) -> str | None:
    return None if value is None else str(value.to_list() if isinstance(value, pl.Series) else value)
