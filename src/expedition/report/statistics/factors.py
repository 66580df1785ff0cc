"""Which part each parameter of a design plays in its report: the axis, the panels, the cases, the covariates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

CASE = "case"
ALL_MISSIONS = "all missions"
AXIS_VALUES = 3  # a number with fewer values tells two or so settings apart; it gives no curve
CASE_VALUES = 6  # a number with more values than this was sampled from a range: a label for each helps nobody


@dataclass(frozen=True)
class Factors:
    """The parts that the varied parameters play.

    `x` is the axis of the figures, `panels` gives one panel a value, each combination of `cases` is a line and a thing
    to compare, and `covariates` are numbers sampled from a range, whose influence is told by rank correlations. In a
    design that samples everything, the axis is a covariate, too. `others` only have to be the same in a pair: seeds of
    terrains and such are among them, which repeat an experiment and are nothing to compare.
    """

    x: str | None = None
    panels: str | None = None
    cases: tuple[str, ...] = ()
    covariates: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def cell(self) -> list[str]:
        """The columns that tell the groups of missions apart that differ in nothing but the seed and covariates."""
        return [name for name in (self.panels, CASE, self.x) if name is not None]

    @property
    def axis(self) -> str | None:
        """The axis if its values repeat, so that each is a group of missions; None if it was sampled."""
        return None if self.x in self.covariates else self.x

    @property
    def surroundings(self) -> list[str]:
        """The columns besides the case that two missions must share to be a pair; the seed is another."""
        shared = [name for name in (self.panels, self.x) if name is not None]
        return shared + [name for name in (*self.covariates, *self.others) if name not in shared]

    @property
    def blocks(self) -> list[str]:
        """The columns whose values together make a block: missions that chance treats alike."""
        return ["seed", *(name for name in self.others if is_seed(name))]


def factors_of(results: pl.DataFrame, varied: Sequence[str]) -> Factors:
    """The part of each varied parameter, by its name and by the values that the finished missions have.

    The axis is `robots`, else the first number with three values or more. The panels are those of `terrain`. Other
    numbers with more than six values are covariates; the rest, in the design's order, are the cases. A parameter that
    is a seed is none of these: it only makes pairs, and where vectors are the sample, not even that.
    """
    there = [name for name in varied if name in results.columns and results[name].n_unique() > 1]
    names = [name for name in there if not is_seed(name)]
    panels = "terrain" if "terrain" in names else None
    numbers = [name for name in names if results[name].dtype.is_numeric() and name != panels]
    sampled = [name for name in numbers if _sampled(results, name, names)]
    x = _axis(results, numbers, sampled)
    covariates = [name for name in numbers if name in sampled or (name != x and _many(results, name))]
    cases = [name for name in names if name not in (x, panels, *covariates)]
    seeds = () if covariates else tuple(name for name in there if is_seed(name))
    return Factors(x, panels, tuple(cases), tuple(covariates), seeds)


def is_seed(name: str) -> bool:
    """Whether a parameter is a seed, as `terrain.seed`."""
    return name.rpartition(".")[2] == "seed"


def with_case(results: pl.DataFrame, factors: Factors) -> pl.DataFrame:
    """The results with a column `case`: an Enum whose order is that of the design, the first being the reference."""
    if not factors.cases:
        return results.with_columns(pl.lit(ALL_MISSIONS, pl.Enum([ALL_MISSIONS])).alias(CASE))
    texts = {name: _labels(results, name) for name in factors.cases}
    shared = _shared(texts)
    columns = [
        [f"{name}={text}" if text in shared else text for text in column.to_list()] for name, column in texts.items()
    ]
    cases = [", ".join(parts) for parts in zip(*columns, strict=True)]
    return results.with_columns(pl.Series(CASE, cases, dtype=pl.Enum(list(dict.fromkeys(cases)))))


def case_names(results: pl.DataFrame) -> list[str]:
    """The cases of a frame that `with_case` made and that it still has missions of, in the design's order."""
    names: list[str] = results[CASE].unique().sort().to_list()
    return names


def values_of(results: pl.DataFrame, name: str | None) -> list[object]:
    """The values of a parameter: numbers and cases in order, others as the design has them; [None] without any."""
    if name is None:
        return [None]
    values = results[name].unique(maintain_order=True)
    ordered = values.dtype.is_numeric() or isinstance(values.dtype, pl.Enum)
    return (values.sort() if ordered else values).to_list()


def panels_and_cases(results: pl.DataFrame, factors: Factors) -> Iterator[tuple[str | None, str, pl.DataFrame]]:
    """The missions of each panel and case, with the panel's title and the case's name."""
    for panel in values_of(results, factors.panels):
        here = results
        if factors.panels is not None:
            here = results.filter(pl.col(factors.panels).eq_missing(pl.lit(panel)))
        title = None if factors.panels is None else short_name(panel)
        for case in case_names(here):
            yield title, case, here.filter(pl.col(CASE) == case)


def level(name: str, value: object) -> str:
    """A parameter's value as a label: words stand alone, a number or a truth value needs its parameter's name."""
    if value is None:
        return f"{name}=default"
    if isinstance(value, bool):
        return f"{name}={str(value).lower()}"
    if isinstance(value, float):
        return f"{name}={value:.6g}"
    return value if isinstance(value, str) else f"{name}={value}"


def short_name(value: object) -> str:
    """A value as a title: a path gives only its file's name without the suffix."""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    if "/" not in text or ":" in text:
        return text
    name = text.rstrip("/").rsplit("/", 1)[1]
    return name.rsplit(".", 1)[0] or name


def _labels(results: pl.DataFrame, name: str) -> pl.Series:
    """The labels of a parameter's values, one a mission."""
    return pl.Series(name, [level(name, value) for value in results[name].to_list()], dtype=pl.String)


def _shared(texts: dict[str, pl.Series]) -> set[str]:
    """The labels that two parameters have in common, so that they would not say which is meant."""
    seen: set[str] = set()
    shared: set[str] = set()
    for column in texts.values():
        own = set(column.unique().to_list())
        shared |= own & seen
        seen |= own
    return shared


def _axis(results: pl.DataFrame, numbers: Sequence[str], sampled: Sequence[str]) -> str | None:
    if "robots" in numbers:
        return "robots"
    crossed = [name for name in numbers if name not in sampled and results[name].n_unique() >= AXIS_VALUES]
    return crossed[0] if crossed else None


def _many(results: pl.DataFrame, name: str) -> bool:
    return results[name].n_unique() > CASE_VALUES


def _sampled(results: pl.DataFrame, name: str, varied: Sequence[str]) -> bool:
    """Whether a number was drawn together with the others instead of being combined with them.

    Among all combinations, each combination of the other parameters meets every value of this one; in a Latin
    hypercube it meets about one.
    """
    others = [other for other in varied if other != name]
    if not others or not _many(results, name):
        return False
    vectors = results.select(varied).n_unique()
    return vectors < 2 * results.select(others).n_unique()
