"""Parameter vectors: which values of the parameters meet in a mission."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from expedition.design.files import absolute, names_python
from expedition.design.schema import MAX_MISSIONS
from expedition.design.source import Source
from expedition.design.values import Parameter, Range, check_plain
from expedition.errors import ExpeditionError, nearest, shorten, unknown
from expedition.registry import Registry
from expedition.streams import generator

functions: Registry[Any] = Registry("function")
"""Functions in users' files."""


@dataclass(frozen=True)
class Vector:
    """One value for each parameter."""

    values: dict[str, Any]
    place: str
    """The file, or which of a function's vectors it is."""
    own: Mapping[str, int | None] = field(default_factory=dict)
    """The parameters that were written for this vector alone, and on which line."""


def read_vectors(source: Source, written: Any, parameters: Sequence[Parameter], seed: int) -> list[Vector]:
    """The vectors that a design asks for, exclusions apart."""
    place = f"{source.place('vectors')}: vectors"
    if isinstance(written, str) and written == "all":
        return list(_all(source, parameters))
    if names_python(written):
        return _from_function(source, written, parameters, place)
    if isinstance(written, list):
        return _explicit(source, written, parameters, place)
    if isinstance(written, Mapping):
        return _latin_hypercube(source, written, parameters, seed, place)
    guess = ", did you mean all?" if isinstance(written, str) and nearest(written.lower(), ["all"]) else ""
    raise ExpeditionError(
        f"{place}: expected all, a list of mappings, my_file.py:my_vectors or {{latin_hypercube: 50}}, "
        f"found {shorten(written)}{guess}"
    )


def _all(source: Source, parameters: Sequence[Parameter]) -> Iterator[Vector]:
    """Every combination; the first parameter changes slowest."""
    columns = [parameter.values for parameter in parameters]
    count = math.prod(map(len, columns))
    if count > MAX_MISSIONS:
        sizes = " x ".join(f"{len(column):,} {p.name}" for p, column in zip(parameters, columns, strict=True))
        raise ExpeditionError(
            f"{source.place('parameters')}: {count:,} combinations ({sizes}); at most {MAX_MISSIONS:,} are allowed: "
            "give fewer values, or vectors: {latin_hypercube: 1000}"
        )
    names = [parameter.name for parameter in parameters]
    for values in product(*columns):
        yield Vector(dict(zip(names, values, strict=True)), str(source.path))


def _explicit(source: Source, items: list[Any], parameters: Sequence[Parameter], place: str) -> list[Vector]:
    """Vectors written one by one. Parameters with one value hold for all; the others each vector must give."""
    if not items:
        raise ExpeditionError(f"{place}: the list is empty; give one vector at least, or all")
    vectors = []
    for index, item in enumerate(items):
        where = ("vectors", index)
        if not isinstance(item, Mapping):
            found = f"expected a mapping from parameters to values, found {shorten(item)}"
            raise ExpeditionError(f"{source.place(*where)}: vectors: {found}")
        lines = {str(name): source.line(*where, str(name)) for name in item}
        vectors.append(_completed(item, parameters, str(source.path), f"{source.place(*where)}: vectors", lines))
    return vectors


def _from_function(source: Source, text: str, parameters: Sequence[Parameter], place: str) -> list[Vector]:
    """Vectors that a function of the user's returns: `my_vectors(parameters)`, names to lists of values."""
    name = absolute(text, source.folder)
    given = {parameter.name: list(parameter.values) for parameter in parameters}
    shown = f"{place}: {Path(name).name}"
    returned = user_function(name, place)(given)
    if isinstance(returned, str | Mapping) or not isinstance(returned, Iterable):
        raise ExpeditionError(f"{shown}: must return an iterable of mappings, found {shorten(returned)}")
    vectors = []
    for index, item in enumerate(islice(_iterate(returned, shown), MAX_MISSIONS + 1)):
        spot = f"{shown}, vector {index}"
        if index == MAX_MISSIONS:
            raise ExpeditionError(f"{shown}: more than {MAX_MISSIONS:,} vectors")
        if not isinstance(item, Mapping):
            raise ExpeditionError(f"{spot}: expected a mapping from parameters to values, found {shorten(item)}")
        vectors.append(_completed(item, parameters, spot, spot, dict.fromkeys(map(str, item))))
    if not vectors:
        raise ExpeditionError(f"{shown}: returned no vector")
    return vectors


def user_function(name: str, place: str) -> Callable[[Any], Any]:
    """A function in a user's file, which says its place when it raises: that is the user's to put right."""
    try:
        function = functions.find(name).build
    except ExpeditionError as error:
        raise ExpeditionError(f"{place}: {error}") from error

    def called(argument: Any) -> Any:
        try:
            return function(argument)
        except ExpeditionError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {shorten(str(error), 200)}"
            raise ExpeditionError(f"{place}: {Path(name).name} raised {reason}") from error

    return called


def _iterate(items: Iterable[Any], shown: str) -> Iterator[Any]:
    """The items of what may be a generator of the user's, which may raise on the way."""
    try:
        yield from items
    except ExpeditionError:
        raise
    except Exception as error:
        raise ExpeditionError(f"{shown} raised {type(error).__name__}: {shorten(str(error), 200)}") from error


def _completed(
    item: Mapping[Any, Any], parameters: Sequence[Parameter], place: str, spot: str, lines: Mapping[str, int | None]
) -> Vector:
    """A vector with the parameters that have one value; it may also give parameters that stand nowhere else."""
    given = {}
    for name, value in item.items():
        if not isinstance(name, str):
            raise ExpeditionError(f"{spot}: expected names of parameters, found {shorten(name)}")
        given[name] = value.item() if isinstance(value, np.generic) else value
        check_plain(given[name], f"{spot}: {name}")
    several = [p.name for p in parameters if isinstance(p.written, Range) or len(p.written) > 1]
    missing = [name for name in several if name not in item]
    if missing:
        raise ExpeditionError(
            f"{spot}: a value is missing for {', '.join(missing)}, which has several values in parameters"
        )
    # In the order of the parameters, whatever that of the vector.
    values = {p.name: given.pop(p.name) if p.name in given else p.values[0] for p in parameters}
    return Vector({**values, **given}, place, lines)


def _latin_hypercube(
    source: Source, written: Mapping[Any, Any], parameters: Sequence[Parameter], seed: int, place: str
) -> list[Vector]:
    """Samples of which each takes another slice of every parameter's values (McKay, Beckman and Conover 1979)."""
    for key in written:
        if key != "latin_hypercube":
            raise unknown("field", str(key), ["latin_hypercube"], place)
    count = written.get("latin_hypercube")
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_MISSIONS:
        found = shorten(count)
        raise ExpeditionError(f"{place}: latin_hypercube: expected 1 to {MAX_MISSIONS:,} samples, found {found}")
    columns = {parameter.name: _samples(parameter, count, seed) for parameter in parameters}
    return [
        Vector({name: column[index] for name, column in columns.items()}, str(source.path)) for index in range(count)
    ]


def _samples(parameter: Parameter, count: int, seed: int) -> list[Any]:
    """A stream of its own for each parameter, so that a further one leaves the samples of the others as they are."""
    draws = generator(seed, f"latin-hypercube/{parameter.name}")
    shares = (draws.permutation(count) + draws.random(count)) / count
    written = parameter.written
    if isinstance(written, Range) and written.by is None and not written.whole:
        width = written.high - written.low
        # Six digits are enough for a plan, and can be read.
        rounded = (float(f"{written.low + share * width:.6g}") for share in shares.tolist())
        return [min(max(value, float(written.low)), float(written.high)) for value in rounded]
    if isinstance(written, Range) and written.by is None:
        low, numbers = int(written.low), int(written.high) - int(written.low) + 1
        return [low + min(int(share * numbers), numbers - 1) for share in shares.tolist()]
    values = parameter.values
    return [values[min(int(share * len(values)), len(values) - 1)] for share in shares.tolist()]
