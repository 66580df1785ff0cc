"""A table: numbers for programs and the same in words for readers, written as CSV, Parquet and LaTeX."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Table:
    """A table with its name and what is said of it."""

    name: str
    """Of its files, without the suffix."""
    title: str
    caption: str
    frame: pl.DataFrame
    shown: Shown


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of types that CSV and every reader of Parquet know."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested() or kind == pl.Object]
    words = [name for name, kind in frame.schema.items() if kind in (pl.Enum, pl.Categorical, pl.Null)]
    return frame.with_columns(
        *(pl.Series(name, [_text(value) for value in frame[name]], dtype=pl.String) for name in nested),
        *(pl.col(name).cast(pl.String) for name in words),
    )


def save_table(table: Table, folder: Path) -> list[Path]:
    """Write a table in its three formats; the same table gives the same bytes."""
    frame = plain(table.frame)
    packed = io.BytesIO()
    frame.write_parquet(packed, compression="zstd", row_group_size=ROW_GROUP)
    files = {
        "csv": frame.write_csv().encode(),
        "parquet": packed.getvalue(),
        "tex": latex_table(table.shown.header, table.shown.rows, table.shown.words, table.caption, table.name).encode(),
    }
    return [write_bytes(folder / f"{table.name}.{suffix}", content) for suffix, content in files.items()]


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
