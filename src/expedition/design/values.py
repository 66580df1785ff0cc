"""The values of a parameter: one, several, or a range."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from expedition.design.parts import canonical
from expedition.design.schema import MAX_MISSIONS
from expedition.design.source import Source, Where
from expedition.errors import ExpeditionError, nearest, shorten, unknown

MAX_DEPTH = 32
LONGEST_SHOWN = 100
"""Letters of a value that a hint repeats."""
FIELDS = ("from", "to", "by", "values")
"""Those of a mapping that stands for several values."""


@dataclass(frozen=True)
class Range:
    """All numbers from one to another, or every `by` of them."""

    low: float
    high: float
    by: float | None = None

    @property
    def whole(self) -> bool:
        """Whether both ends are whole numbers, so that all are."""
        return isinstance(self.low, int) and isinstance(self.high, int) and isinstance(self.by, int | None)

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            return False
        if self.by is None:
            return True
        steps = (value - self.low) / self.by
        return abs(steps - round(steps)) < 1e-9 * max(1.0, steps)

    def values(self, place: str) -> tuple[float, ...]:
        """The numbers of the range."""
        if self.by is None and not self.whole:
            raise ExpeditionError(
                f"{place}: a range between numbers that are not whole needs a step, as "
                f"{{from: {self.low:g}, to: {self.high:g}, by: {(self.high - self.low) / 4 or 1:g}}}"
            )
        by = self.by if self.by is not None else 1
        count = math.floor((self.high - self.low) / by + 1e-9) + 1
        if count > MAX_MISSIONS:
            raise ExpeditionError(f"{place}: a range of {count:,} values; at most {MAX_MISSIONS:,} are allowed")
        if self.whole:
            return tuple(range(int(self.low), int(self.high) + 1, int(by)))
        # Twelve digits: 0.1 + 2 * 0.1 is 0.3 to whoever wrote it.
        return tuple(float(f"{self.low + index * by:.12g}") for index in range(count))


@dataclass(frozen=True)
class Parameter:
    """A parameter of the design with the values it takes."""

    name: str
    written: tuple[Any, ...] | Range
    lines: tuple[int | None, ...]
    """Where each value stands; a range has one line."""
    place: str
    is_list: bool = False
    """Whether the values were written as a plain list, which some take for one value that is a list."""

    @property
    def values(self) -> tuple[Any, ...]:
        """All values; those of a range one by one."""
        return self.written.values(f"{self.place}: {self.name}") if isinstance(self.written, Range) else self.written

    def line_of(self, value: Any) -> int | None:
        """The line on which a value was written."""
        if isinstance(self.written, tuple):
            for line, one in zip(self.lines, self.written, strict=True):
                if same(one, value):
                    return line
        return self.lines[0] if self.lines else None


def read_parameter(source: Source, name: str, data: Any) -> Parameter:
    """A parameter from what stands in the file."""
    where: Where = ("parameters", name)
    place = source.place(*where)
    spot = f"{place}: {name}"
    if isinstance(data, Mapping):
        if "values" in data or not {"from", "to", "by"} & set(data):
            if set(data) != {"values"}:
                wrong = str(next((key for key in data if key != "values"), ""))
                raise ExpeditionError(f"{unknown('field', wrong, FIELDS, spot)}{_hint(name, data)}")
            return _listed(source, name, data["values"], (*where, "values"), is_list=False)
        found = read_range(data, spot)
        return Parameter(name, found, (source.line(*where),), place)
    if isinstance(data, list):
        return _listed(source, name, data, where, is_list=True)
    check_plain(data, spot)
    return Parameter(name, (data,), (source.line(*where),), place)


def _hint(name: str, data: Mapping[Any, Any]) -> str:
    """Some write {x: 4, y: 4} where one value is meant that is a mapping."""
    if all(nearest(str(key), FIELDS) for key in data):
        return ""
    text = yaml.safe_dump([data], default_flow_style=True, sort_keys=False, width=10**6).strip()
    written = f"{name}: {text if len(text) <= LONGEST_SHOWN else '[{...}]'}"
    return f" (a mapping is several values; for one value that is a mapping, write {written})"


def _listed(source: Source, name: str, items: Any, where: Where, is_list: bool) -> Parameter:
    place = source.place(*where)
    if not isinstance(items, list):
        raise ExpeditionError(f"{place}: {name}: expected a list of values, found {shorten(items)}")
    if not items:
        raise ExpeditionError(f"{place}: {name}: the list of values is empty; give one value at least")
    seen: set[str] = set()
    for index, item in enumerate(items):
        spot = f"{source.place(*where, index)}: {name}"
        check_plain(item, spot)
        if (text := canonical(item)) in seen:
            raise ExpeditionError(f"{spot}: the value {shorten(item)} is given twice")
        seen.add(text)
    lines = tuple(source.line(*where, index) for index in range(len(items)))
    return Parameter(name, tuple(items), lines, source.place(*where), is_list)


def read_range(data: Mapping[Any, Any], spot: str) -> Range:
    """`{from: 1, to: 30, by: 1}`; `spot` says where it stands."""
    for key in data:
        if key not in ("from", "to", "by"):
            raise unknown("field", str(key), ("from", "to", "by"), spot)
    for key in ("from", "to"):
        if key not in data:
            raise ExpeditionError(f"{spot}: missing: {key}")
    for key, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ExpeditionError(f"{spot}: {key}: expected a number, found {shorten(value)}")
    low, high, by = data["from"], data["to"], data.get("by")
    if low > high:
        raise ExpeditionError(f"{spot}: the range is upside down: from {low} is above to {high}")
    if by is not None and by <= 0:
        raise ExpeditionError(f"{spot}: by: expected a step above 0, found {by}")
    return Range(low, high, by)


def check_plain(value: Any, spot: str, depth: int = 0) -> None:
    """Refuse what JSON cannot hold, such as dates and infinities: every machine must read the same."""
    if depth > MAX_DEPTH:
        raise ExpeditionError(f"{spot}: nested more than {MAX_DEPTH} deep")
    if isinstance(value, float) and not math.isfinite(value):
        raise ExpeditionError(f"{spot}: expected a finite number, found {value}")
    if isinstance(value, list | tuple):
        for item in value:
            check_plain(item, spot, depth + 1)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ExpeditionError(f"{spot}: expected names as keys, found {shorten(key)}")
            check_plain(item, spot, depth + 1)
    elif value is not None and not isinstance(value, bool | int | float | str):
        raise ExpeditionError(f"{spot}: expected a number, text, true, false or null, found {shorten(value)}")


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal; true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)
