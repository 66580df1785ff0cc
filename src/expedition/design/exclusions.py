"""Exclusions: the vectors of a design that are not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from expedition.design.files import absolute, names_python
from expedition.design.source import Source
from expedition.design.values import Range, read_range, same
from expedition.design.vectors import Vector, user_function
from expedition.errors import ExpeditionError, nearest, shorten, unknown

Excludes = Callable[[Mapping[str, Any]], bool]


def leave_out(source: Source, written: Any, vectors: Sequence[Vector], complete: bool) -> list[Vector]:
    """The vectors that no exclusion matches. `complete` says that they are all combinations, so that a value in an
    exclusion that no vector has must be a mistake.
    """
    if written in (None, ()):
        return list(vectors)
    if not isinstance(written, list):
        raise ExpeditionError(
            f"{source.place('exclude')}: exclude: expected a list, as [{{terrain: maze, robots: 1}}], found "
            f"{shorten(written)}"
        )
    known = _values_by_name(vectors)
    rules = [_rule(source, index, item, known, complete) for index, item in enumerate(written)]
    left = [vector for vector in vectors if not any(rule(vector.values) for rule in rules)]
    if not left:
        raise ExpeditionError(f"{source.place('exclude')}: exclude: leaves no vector of {len(vectors):,}")
    return left


def _values_by_name(vectors: Sequence[Vector]) -> dict[str, list[Any]]:
    """Each parameter's distinct values."""
    found: dict[str, dict[str, Any]] = {}
    for vector in vectors:
        for name, value in vector.values.items():
            found.setdefault(name, {}).setdefault(repr(value), value)
    return {name: list(values.values()) for name, values in found.items()}


def _rule(source: Source, index: int, item: Any, known: Mapping[str, list[Any]], complete: bool) -> Excludes:
    place = f"{source.place('exclude', index)}: exclude"
    if names_python(item):
        return _function(absolute(item, source.folder), place)
    if not isinstance(item, Mapping) or not item:
        raise ExpeditionError(
            f"{place}: expected parameters with the values to leave out, or my_file.py:my_condition, found "
            f"{shorten(item)}"
        )
    tests = {}
    for name, value in item.items():
        spot = f"{source.place('exclude', index, str(name))}: exclude"
        if name not in known:
            raise unknown("parameter", str(name), known, spot)
        tests[name] = _test(f"{spot}: {name}", value, known[name], complete)
    return lambda values: all(name in values and test(values[name]) for name, test in tests.items())


def _test(spot: str, written: Any, known: Sequence[Any], complete: bool) -> Callable[[Any], bool]:
    """Whether a parameter's value is the one written, one of those listed, or in the range."""
    if isinstance(written, Mapping):
        within: Range = read_range(written, spot)
        return lambda value: value in within
    listed = written if isinstance(written, list) else [written]
    for one in listed:
        if complete and not any(same(one, value) for value in known):
            guess = nearest(str(one), [str(value) for value in known])
            hint = f"did you mean {guess!r}? " if guess else ""
            some = ", ".join(shorten(value, 30) for value in known[:20]) + (", ..." if len(known) > 20 else "")
            raise ExpeditionError(f"{spot}: no vector has the value {shorten(one)}; {hint}its values: {some}")
    return lambda value: any(same(one, value) for one in listed)


def _function(name: str, place: str) -> Excludes:
    """A condition of the user's: `my_condition(vector)` is true for those to leave out."""

    function = user_function(name, place)

    def excludes(values: Mapping[str, Any]) -> bool:
        said = function(dict(values))
        if not isinstance(said, bool | np.bool_):
            raise ExpeditionError(f"{place}: {Path(name).name}: must return True or False, found {shorten(said)}")
        return bool(said)

    return excludes
