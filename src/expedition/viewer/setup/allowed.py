"""What a page may name: registered components, and files that the store or the server's own user put where they lie.

Registries also load `my_file.py:my_thing` and maps by their paths, which is right for who sits at the machine and wrong
for who comes over a browser. Whatever a page sends, a whole design or one mission, goes through `cleared` before
anything is looked up: a name is a registered one, or that of a file in the store, without any path.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expedition.belief.prior import priors
from expedition.design.robots import COUNTED, JOINT
from expedition.design.software import REGISTRIES
from expedition.errors import ExpeditionError, shorten, unknown
from expedition.fleet import names as robot_names
from expedition.fleet.placement import placement as placements
from expedition.measure.metrics import METRICS, metric
from expedition.measure.schedule import SHIPPED, measurement, trigger
from expedition.measure.stops import stop_condition
from expedition.registry import Registry
from expedition.spec import parse_spec
from expedition.strategies import strategy as strategies
from expedition.terrain import terrain as terrains

FILE_NAME = r"[A-Za-z0-9_][A-Za-z0-9_ .-]{0,99}"
MAP = re.compile(rf"(?:\.\./terrains/)?({FILE_NAME}\.ya?ml)")
FUNCTION = re.compile(rf"({FILE_NAME}\.py):([A-Za-z_]\w*)(:.*)?", re.DOTALL)
PATH_LIKE = re.compile(
    r"[/\\\0]|\.(py|ya?ml|csv|pgm|png|jpe?g|bmp|gif|tiff?|webp|txt|map|json|npz|mcap)\b", re.IGNORECASE
)
COMPONENTS: dict[str, Registry[Any]] = {
    "terrain": terrains, "strategy": strategies, "placement": placements, "prior": priors, **REGISTRIES,
}  # fmt: skip
MOST_COMBINATIONS = 20_000
"""Vectors of a design that a page opens."""
MAX_SOURCE = 1_000_000
"""Bytes of a file with strategies that is looked through."""


@dataclass(frozen=True)
class Allowed:
    """The folders whose files a page may name."""

    store: Path
    strategies: Path | None = None
    """Of the user's own strategies, if the server was started with one."""

    @property
    def terrains(self) -> Path:
        """Where the store keeps terrains that were drawn."""
        return self.store / "terrains"

    def terrain_files(self) -> list[str]:
        """Names of the maps in the store."""
        return _names(self.terrains, lambda name: MAP.fullmatch(name) is not None)

    def strategy_names(self) -> list[str]:
        """The user's own strategies as `my_file.py:my_strategy`; files are looked through, not run."""
        if self.strategies is None:
            return []
        files = _names(self.strategies, lambda name: re.fullmatch(rf"{FILE_NAME}\.py", name) is not None)
        return [f"{file}:{name}" for file in files for name in _strategies_in(self.strategies / file)]

    def map_file(self, name: str, place: str) -> str:
        """The whole path of a map in the store."""
        file = self.terrains / name
        if name not in self.terrain_files() or not file.resolve().is_relative_to(self.store.resolve()):
            raise unknown("terrain", name, [*terrains.names(), *self.terrain_files()], place)
        return str(file.resolve())

    def strategy_file(self, file: str, function: str, place: str) -> str:
        """The whole path of a strategy of the user's."""
        if self.strategies is None or f"{file}:{function}" not in self.strategy_names():
            raise unknown("strategy", f"{file}:{function}", [*strategies.names(), *self.strategy_names()], place)
        return f"{(self.strategies / file).resolve()}:{function}"

    def short(self, text: Any) -> Any:
        """What a page calls a component whose whole path is known here."""
        if isinstance(text, str):
            for folder in (self.terrains, self.strategies):
                if folder is not None:
                    text = text.removeprefix(f"{folder.resolve()}/")
        return text


def cleared(data: Any, allowed: Allowed) -> dict[str, Any]:
    """The fields of a design, with whole paths where a file of the store is meant; refused if it names anything else.

    Fields that have other mistakes are left as they are: those are found when the design is read.
    """
    if not isinstance(data, Mapping):
        raise ExpeditionError(f"expected the fields of a design: name, parameters and others, found {shorten(data)}")
    found = {str(key): value for key, value in data.items()}
    clear = _Clearing(allowed)
    if isinstance(found.get("parameters"), Mapping):
        found["parameters"] = {str(name): clear.values(str(name), value) for name, value in found["parameters"].items()}
        _few_enough(found)
    for field, check in CHECKS.items():
        if field in found:
            found[field] = check(clear, found[field])
    return found


class _Clearing:
    """The way through a design. Texts are looked at as they stand before they are read as anything."""

    def __init__(self, allowed: Allowed) -> None:
        self._allowed = allowed

    def values(self, name: str, value: Any) -> Any:
        """All values of a parameter."""
        if isinstance(value, Mapping) and set(value) == {"values"} and isinstance(value["values"], list):
            return {"values": [self.value(name, one) for one in value["values"]]}
        if isinstance(value, list):
            return [self.value(name, one) for one in value]
        return self.value(name, value)

    def value(self, name: str, value: Any) -> Any:
        """One value of a parameter by its dotted name."""
        _no_path(shorten(name), name)
        if name in COMPONENTS and isinstance(value, str):
            return self._component(name, value)
        if name == "robot":
            self._robots(value)
            return value
        self.plain(name, value)
        return value

    def plain(self, place: str, value: Any) -> None:
        """Refuse whatever means a file, however deep it lies; a radio's name may stand anywhere in the settings."""
        last = place.rpartition(".")[2]
        if (last == "file" or last.endswith("_file")) and value is not None:
            raise ExpeditionError(f"{place}: a page reads no files, found {shorten(value)}")
        if isinstance(value, str):
            _no_path(place, value)
            if last == "radio":
                self._component("radio", value, place)
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                _no_path(place, str(key))
                self.plain(f"{place}.{key}", inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                self.plain(place, inner)

    def _component(self, family: str, text: str, place: str = "") -> str:
        place = place or family
        if family == "strategy" and self._allowed.strategies is not None and (match := FUNCTION.fullmatch(text)):
            located = self._allowed.strategy_file(match[1], match[2], place)
            self._parameters(place, f"own{match[3] or ''}")
            return located + (match[3] or "")
        name, colon, rest = text.partition(":")
        if family in ("terrain", "prior") and (match := MAP.fullmatch(name)):
            self._parameters(place, f"map:{rest}")
            return self._allowed.map_file(match[1], place) + colon + rest
        _no_path(place, text)
        registry = COMPONENTS[family]
        also = ["none"] if family == "prior" else []
        if name.strip() not in [*registry.names(), *also]:
            files = self._allowed.terrain_files() if family in ("terrain", "prior") else []
            own = self._allowed.strategy_names() if family == "strategy" else []
            raise unknown(registry.kind, name, [*registry.names(), *also, *files, *own], place)
        self._parameters(place, text)
        return text

    def _parameters(self, place: str, text: str) -> None:
        """Look at the parameters in a one-line spec."""
        for key, value in parse_spec(text)[1].items():
            self.plain(f"{place}.{key}", value)

    def _robots(self, value: Any) -> None:
        if isinstance(value, Mapping):
            value = [str(name) for name in value]
        for text in value if isinstance(value, list) else [value]:
            if not isinstance(text, str):
                continue  # Found to be none when the design is read.
            _no_path("robot", text)
            for part in JOINT.split(text)[::2]:
                match = COUNTED.match(part)
                name = (match[2] if match else part).partition(":")[0].strip()
                if name not in robot_names():
                    raise unknown("robot", name, robot_names(), "robot")
                self._parameters("robot", (match[2] if match else part).strip())

    def vectors(self, written: Any) -> Any:
        """Vectors: no function makes them."""
        if isinstance(written, str) and written != "all":
            raise ExpeditionError(f"vectors: a page runs no functions, found {shorten(written)}")
        return self.exclusions(written) if isinstance(written, list) else written

    def exclusions(self, written: Any) -> Any:
        """Mappings from parameters to values."""
        if not isinstance(written, list):
            self.plain("exclude", written)
            return written
        found = []
        for item in written:
            if isinstance(item, str):
                raise ExpeditionError(f"exclude: a page runs no functions, found {shorten(item)}")
            named = isinstance(item, Mapping)
            found.append({key: self.values(str(key), value) for key, value in item.items()} if named else item)
        return found

    def stops(self, written: Any) -> Any:
        """Stop conditions by name."""
        return self._named(written, "stop", stop_condition.kind, stop_condition.names())

    def measurements(self, written: Any) -> Any:
        """Measurements by name, and what they wait for."""
        self._named(written, "measurements", measurement.kind, [*SHIPPED, *measurement.names()])
        for name, schedule in written.items() if isinstance(written, Mapping) else ():
            when = schedule.get("when") if isinstance(schedule, Mapping) else None
            if when is not None and when not in trigger.names():
                raise unknown("trigger", str(when), trigger.names(), f"measurements: {name}: when")
        return written

    def _named(self, written: Any, field: str, kind: str, names: list[str]) -> Any:
        for name in written if isinstance(written, Mapping) else ():
            _no_path(field, str(name))
            if str(name).partition(":")[0].strip() not in names:
                raise unknown(kind, str(name), names, field)
            self._parameters(field, str(name))
        self.plain(field, written)
        return written

    def metrics(self, written: Any) -> Any:
        """Metrics by name."""
        for name in written if isinstance(written, list) else ():
            _no_path("metrics", str(name))
            if str(name).partition(":")[0].strip() not in [*METRICS, *metric.names()]:
                raise unknown("metric", str(name), METRICS, "metrics")
        return written

    def record(self, written: Any) -> Any:
        """What is recorded: numbers."""
        self.plain("record", written)
        return written


CHECKS: dict[str, Callable[[_Clearing, Any], Any]] = {
    "vectors": _Clearing.vectors, "exclude": _Clearing.exclusions, "stop": _Clearing.stops,
    "measurements": _Clearing.measurements, "metrics": _Clearing.metrics, "record": _Clearing.record,
}  # fmt: skip


def _no_path(place: str, text: str) -> None:
    if PATH_LIKE.search(text):
        raise ExpeditionError(
            f"{place}: a page takes registered names and what is in the store, no files, found {shorten(text)}"
        )


def _few_enough(data: Mapping[str, Any]) -> None:
    """Refuse more combinations than a page should unfold."""
    if data.get("vectors", "all") != "all":
        return
    count = 1
    for value in data["parameters"].values():
        count *= max(1, _count(value))
    if count > MOST_COMBINATIONS:
        raise ExpeditionError(
            f"parameters: {count:,} combinations; a page opens designs of up to {MOST_COMBINATIONS:,}, "
            "`expedition run` larger ones"
        )


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        numbers: list[Any] = [value.get("from"), value.get("to"), value.get("by") or 1]
        if all(isinstance(one, int | float) and math.isfinite(one) for one in numbers) and numbers[2] > 0:
            low, high, by = numbers
            return int(min(MOST_COMBINATIONS + 1, max(0, (high - low) / by) + 1))
        value = value.get("values")
    return len(value) if isinstance(value, list) else 1


def _names(folder: Path, fits: Callable[[str], bool]) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if fits(path.name) and path.is_file())
    except OSError:
        return []


def _strategies_in(path: Path) -> list[str]:
    """The strategies in a file: async functions of a robot, and classes that are called with one."""
    try:
        if path.stat().st_size > MAX_SOURCE:
            return []
        tree = ast.parse(path.read_text("utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    found = []
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef):
            is_one = len(node.args.posonlyargs) + len(node.args.args) >= 1
        else:
            is_one = isinstance(node, ast.ClassDef) and any(
                isinstance(inner, ast.AsyncFunctionDef) and inner.name == "__call__" for inner in node.body
            )
        if is_one and not node.name.startswith("_"):  # type: ignore[attr-defined]
            found.append(node.name)  # type: ignore[attr-defined]
    return found
