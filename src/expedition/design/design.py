"""A design: from its file to the list of its missions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from expedition.design.exclusions import leave_out
from expedition.design.names import family_of
from expedition.design.parts import Part
from expedition.design.planned import Planned
from expedition.design.resolve import Resolver
from expedition.design.robots import radio_names
from expedition.design.schema import MAX_MISSIONS, DesignFile
from expedition.design.source import Source
from expedition.design.values import Parameter, read_parameter
from expedition.design.vectors import Vector, read_vectors
from expedition.design.watching import check_channels, measurements_part, metric_names, stop_part
from expedition.errors import ExpeditionError
from expedition.log.detail import Detail
from expedition.measure.stops import check_base
from expedition.network.settings import channel_names
from expedition.spec import validate


@dataclass(frozen=True, eq=False)
class Design:
    """An experimental design whose every part was found to be right."""

    name: str
    description: str
    text: str = field(repr=False)
    """The file as it was written."""
    path: Path
    parameters: tuple[Parameter, ...] = field(repr=False)
    vectors: tuple[dict[str, Any], ...] = field(repr=False)
    """Those that are run, exclusions left out."""
    way: str
    """How the vectors came about: all, listed, a function, or a Latin hypercube."""
    excluded: int
    """How many vectors the exclusions took away."""
    iterations: int
    seed: int
    """Of the first iteration; the others have the next ones."""
    stop: dict[str, Any]
    measurements: dict[str, Any]
    metrics: tuple[str, ...]
    """The metrics named in the design, which are shown first; a user's own by the whole path of its file."""
    record: Detail | None
    """What goes into the logs of missions; None for no logs."""
    _parts: tuple[Mapping[str, Part], ...] = field(repr=False)

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The parameters that have several values among the vectors."""
        return tuple(name for name, values in self._values.items() if len(values) > 1)

    @cached_property
    def fixed(self) -> dict[str, Any]:
        """The parameters with one value."""
        return {name: next(iter(values.values())) for name, values in self._values.items() if len(values) == 1}

    def values_of(self, name: str) -> list[Any]:
        """The distinct values of a parameter among the vectors."""
        return list(self._values[name].values())

    @cached_property
    def _values(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for vector in self.vectors:
            for name in vector:
                found.setdefault(name, {})
        for vector in self.vectors:
            for name, values in found.items():
                value = vector.get(name)
                values.setdefault(repr(value), value)
        return found

    def missions(self) -> list[Planned]:
        """All missions, vector by vector and, of each, iteration by iteration."""
        return [
            Planned.of(parts, vector, iteration, self.seed + iteration, self.record)
            for vector, parts in zip(self.vectors, self._parts, strict=True)
            for iteration in range(self.iterations)
        ]

    def recorded(self) -> Design:
        """The same design with logs of all missions."""
        return self if self.record is not None else replace(self, record=Detail())

    def __len__(self) -> int:
        return len(self.vectors) * self.iterations


def load_design(name: str | Path) -> Design:
    """The design of that name or in that file, checked: a shipped one such as `quick`, or a YAML file.

    >>> len(load_design("yan2017"))
    600
    """
    return design_from(Source.read(name))


def design_from(source: Source) -> Design:
    """The design that stands in a source, checked."""
    file = _file(source)
    parameters = [read_parameter(source, each, data) for each, data in file.parameters.items()]
    for parameter in parameters:
        family_of(parameter.name, source.place("parameters", parameter.name))
    stop, measurements = stop_part(source, file.stop), measurements_part(source, file.measurements)
    metrics = metric_names(source, file.metrics)
    resolver = Resolver(source, parameters)
    every = resolver.fitting(read_vectors(source, file.vectors, parameters, file.seed))
    left = leave_out(source, file.exclude, every, complete=file.vectors == "all")
    if len(left) * file.iterations > MAX_MISSIONS:
        raise ExpeditionError(
            f"{source.place('iterations')}: {len(left):,} vectors x {file.iterations:,} iterations are "
            f"{len(left) * file.iterations:,} missions; at most {MAX_MISSIONS:,} are allowed"
        )
    common = {"stop": stop, "measurements": measurements}
    parts = _all_parts(resolver, left, common)
    check_base(
        stop.data, all(each["fleet"].data["base"] is not None for each in parts), f"{source.place('stop')}: stop"
    )
    fleets = {id(each["fleet"]): each["fleet"] for each in parts}
    check_channels(source, metrics, (name for fleet in fleets.values() for name in channel_names(radio_names(fleet))))
    return Design(
        file.name, file.description, source.text, source.path, tuple(parameters),
        tuple(vector.values for vector in left), _way(file.vectors), len(every) - len(left), file.iterations, file.seed,
        stop.data, measurements.data, metrics, _record(file.record), parts,
    )  # fmt: skip


def _file(source: Source) -> DesignFile:
    """The fields of the file, each of the right shape."""
    data = source.data
    if not isinstance(data, Mapping):
        raise ExpeditionError(f"{source.path}: expected the fields of a design: name, parameters and others")
    named = {"name": source.path.stem, **{str(key): value for key, value in data.items()}}
    file = validate(DesignFile, named, str(source.path), source.dotted())
    if not file.parameters:
        raise ExpeditionError(f"{source.place('parameters')}: parameters: none are given; a mission needs a terrain")
    return file


def _all_parts(
    resolver: Resolver, vectors: Sequence[Vector], common: Mapping[str, Part]
) -> tuple[Mapping[str, Part], ...]:
    return tuple({**resolver.parts(vector), **common} for vector in vectors)


def _record(written: bool | Detail) -> Detail | None:
    if isinstance(written, bool):
        return Detail() if written else None
    return written


def _way(written: Any) -> str:
    if isinstance(written, str):
        return "all combinations" if written == "all" else f"made by {written}"
    return "listed one by one" if isinstance(written, list) else "a Latin hypercube"
