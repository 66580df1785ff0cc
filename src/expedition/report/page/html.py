"""Small pieces of HTML: text is escaped here and nowhere else."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence, Set
from html import escape
from itertools import repeat
from pathlib import Path

from expedition.bench.places import PAGE_PORT
from expedition.report.tables.table import Table

MOST_ROWS = 500
"""Longer tables stand on the page with their first rows alone."""
FIRST_ROWS = 50
UNIT = re.compile(r"(?<=\d) (?=(?:%|s|m|m²|m²/m|MB|kB/s|cells|of \d+|robots?)(?![\w/²]))")
"""The space between a number and its unit, at which no line is to break."""
LONG_CELL = 40
"""Letters of a cell whose text may break into lines."""
FOLDED_ROWS = 24
"""Longer tables are folded up until a reader opens them."""


def text(words: str) -> str:
    """Text as it is, except that what stands between backticks is code."""
    together = UNIT.sub("\N{NO-BREAK SPACE}", words)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(together))


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph."""
    return f"<p{_class(kind)}>{text(words)}</p>"


def listed(sentences: Iterable[str], kind: str = "") -> str:
    """A list of sentences."""
    return f"<ul{_class(kind)}>{''.join(f'<li>{text(one)}</li>' for one in sentences)}</ul>"


def section(heading: str, *parts: str) -> str:
    """A section, with a name by which it can be linked; nothing if it would be empty."""
    inside = "\n".join(part for part in parts if part)
    return f'<section id="{anchor(heading)}">\n<h2>{text(heading)}</h2>\n{inside}\n</section>' if inside else ""


def folded(summary: str, inside: str, opened: bool = False) -> str:
    """Something that is folded up until a reader opens it."""
    return f"<details{' open' if opened else ''}><summary>{text(summary)}</summary>\n{inside}\n</details>"


def code(lines: str) -> str:
    """Lines to be typed or saved."""
    return f"<pre><code>{escape(lines.rstrip())}</code></pre>"


def anchor(words: str) -> str:
    """Words as the name of a place on the page."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def image(path: Path, alt: str, width_cm: float) -> str:
    """A picture in the page itself."""
    kind = {".svg": "svg+xml", ".png": "png"}[path.suffix]
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img src="data:image/{kind};base64,{data}" alt="{escape(alt)}" style="width:{width_cm / 17 * 100:.0f}%">'


def links(files: Iterable[str]) -> str:
    """Links to files beside the page, by their kind; several of a kind with their names."""
    paths = [Path(file) for file in files]
    kinds = [path.suffix[1:].upper() for path in paths]
    named = [
        f'<a href="{escape(path.as_posix())}">{escape(kind if kinds.count(kind) == 1 else path.name)}</a>'
        for path, kind in zip(paths, kinds, strict=True)
    ]
    return f'<span class="files">{" ".join(named)}</span>' if named else ""


def table(
    made: Table,
    files: Sequence[str] = (),
    marks: bool = False,
    heading: bool = True,
    replays: Set[str] = frozenset(),
) -> str:
    """A table with its caption and files; a long one is folded up, of a very long one the first rows are shown.

    With `marks`, cells such as 4/5 have a colour by their share. Rows of missions in `replays` lead to their replay.
    """
    shown = made.shown
    watch = [_replay(key, replays) for key in shown.missions] if replays & set(shown.missions) else []
    rows = shown.rows if len(shown.rows) <= MOST_ROWS else shown.rows[:FIRST_ROWS]
    head = "".join(f"<th{_class('' if n < shown.words else 'n')}>{text(h)}</th>" for n, h in enumerate(shown.header))
    head += "<th>replay</th>" if watch else ""
    body = "\n".join(
        "<tr>" + "".join(_cell(cell, column >= shown.words, marks) for column, cell in enumerate(row)) + last + "</tr>"
        for row, last in zip(rows, watch or repeat(""), strict=False)
    )
    rest = f" The first {FIRST_ROWS} of {len(shown.rows):,} rows; the files have all." if rows is not shown.rows else ""
    inside = (
        f'<p class="caption">{text(made.caption)}{rest} {links(files)}</p>\n<div class="wide"><table>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )
    if len(rows) > FOLDED_ROWS and not marks:
        return folded(f"{made.title} ({len(shown.rows):,} rows)", inside)
    return f"<h3>{text(made.title)}</h3>\n{inside}" if heading else inside


def _replay(key: str, replays: Set[str]) -> str:
    """A cell that leads to the replay of a mission, if it was recorded."""
    return f'<td><a href="{replay_address(key)}">watch</a></td>' if key in replays else "<td></td>"


def replay_address(key: str) -> str:
    """Where the page of this machine replays a mission, once `expedition view` runs."""
    return f"http://127.0.0.1:{PAGE_PORT}/watch/{key}"


def _cell(cell: str, is_number: bool, marks: bool) -> str:
    kinds = ["n"] if is_number else ["long"] if len(cell) > LONG_CELL else []
    if marks and is_number and "/" in cell:
        succeeded, missions = map(int, cell.split("/"))
        kinds += ["none"] if succeeded == 0 else ["some"] if succeeded < 0.8 * missions else []
        kinds += ["most"] if 0.8 * missions <= succeeded < missions else []
    return f"<td{_class(' '.join(kinds))}>{text(cell)}</td>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
