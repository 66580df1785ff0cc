"""Tables in LaTeX, with the rules of the package booktabs, to be read in by `\\input`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_ROWS = 45
"""Longer tables may break over pages."""

ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "\n": " ", "²": r"\textsuperscript{2}", "−": r"$-$", "±": r"$\pm$",
    "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$", "·": r"$\cdot$", "–": "--", "—": "---", "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
})  # fmt: skip


def escape(text: str) -> str:
    """A text so that LaTeX sets it as it is."""
    return text.translate(ESCAPES)


def latex_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], words: int, caption: str = "", label: str = ""
) -> str:
    """A `tabular`, or a `longtable` if it is long; the first `words` columns are flush left.

    A `longtable` has its caption itself; that of a `tabular` is for the `table` around it and stands in a comment.
    """
    columns = "l" * words + "r" * (len(header) - words)
    return "\n".join(_lines(header, rows, columns, caption, label, len(rows) > MOST_ROWS)) + "\n"


def _lines(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: str, caption: str, label: str, long: bool
) -> Iterator[str]:
    packages = "booktabs and longtable" if long else "booktabs"
    yield f"% Needs the {'packages' if long else 'package'} {packages}."
    if not long:
        yield f"% For the table around it: \\caption{{{escape(caption)}}}\\label{{tab:{label}}}"
    yield rf"\begin{{{'longtable' if long else 'tabular'}}}{{{columns}}}"
    if long:
        yield rf"\caption{{{escape(caption)}}}\label{{tab:{label}}}\\"
    yield r"\toprule"
    yield _row(header)
    yield r"\midrule"
    if long:
        yield r"\endhead"
        yield r"\bottomrule"
        yield r"\endlastfoot"
    yield from map(_row, rows)
    if not long:
        yield r"\bottomrule"
    yield rf"\end{{{'longtable' if long else 'tabular'}}}"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"
