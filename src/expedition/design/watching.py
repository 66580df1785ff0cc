"""Stop conditions, measurements and metrics of a design, checked one by one: a wrong one is known by its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from expedition.design.files import Digests, absolute, digest, names_python, split
from expedition.design.parts import Part
from expedition.design.source import Source
from expedition.design.values import check_plain
from expedition.errors import ExpeditionError, unknown
from expedition.measure import schedule, stops
from expedition.measure.metrics import METRICS, metric, metric_of

Check = Callable[[Mapping[str, Any], str], Mapping[str, Any]]


def stop_part(source: Source, written: Mapping[str, Any] | None) -> Part:
    """The stop conditions with all their parameters; those of Yan et al. (2017) if none is given."""
    return _part(source, "stop", stops.DEFAULTS if written is None else written, stops.check_stops, {})


def measurements_part(source: Source, written: Mapping[str, Any]) -> Part:
    """The measurements with their schedules. What is left out says so, since it would be taken by default."""
    return _part(source, "measurements", written, schedule.check_measurements, dict.fromkeys(schedule.DEFAULTS, False))


def _part(source: Source, field: str, written: Mapping[str, Any], check: Check, left_out: Mapping[str, Any]) -> Part:
    files: Digests = {}
    located = {}
    for name, value in written.items():
        place = f"{source.place(field, name)}: {field}"
        check_plain(value, f"{place}: {name}")
        key, value = (_locate(one, source.folder, files, place) for one in (str(name), value))
        if key in located:
            raise ExpeditionError(f"{place}: {name}: is given twice")
        located[key] = value
        check(located, place)  # All up to here are right together, so that a mistake is this one's.
    checked = {**left_out, **check(located, f"{source.place(field)}: {field}")}
    return Part.of(checked, files)


def _locate(data: Any, folder: Path, files: Digests, place: str) -> Any:
    """The data with the whole paths of the files that its texts begin with."""
    if names_python(data):
        located = absolute(data, folder)
        path, _ = split(located)
        try:
            files[path] = digest(path)
        except ExpeditionError as error:
            raise ExpeditionError(f"{place}: {error}") from error
        return located
    if isinstance(data, Mapping):
        return {key: _locate(value, folder, files, place) for key, value in data.items()}
    return [_locate(value, folder, files, place) for value in data] if isinstance(data, list) else data


def metric_names(source: Source, written: list[str]) -> tuple[str, ...]:
    """The metrics that are shown first; a user's own by the whole path of its file."""
    names = []
    for index, name in enumerate(written):
        place = f"{source.place('metrics', index)}: metrics"
        located = absolute(name, source.folder) if names_python(name) else name
        try:
            metric_of(located)
        except ExpeditionError as error:
            raise ExpeditionError(f"{place}: {error}") from error
        if located in names:
            raise ExpeditionError(f"{place}: {name} is named twice")
        names.append(located)
    return tuple(names)


def check_channels(source: Source, metrics: Iterable[str], channels: Iterable[str]) -> None:
    """Refuse a metric over a channel that no mission of the design has: it would be empty everywhere."""
    allowed = set(channels)
    for index, name in enumerate(metrics):
        if name.partition(":")[0] not in METRICS:
            continue  # What a user's own means by a channel is not known here.
        component, written = metric.parse(name)
        channel = component.check(written).get("channel")
        if channel is not None and channel not in allowed:
            raise unknown("channel", channel, allowed, f"{source.place('metrics', index)}: metrics: {name}")
