"""The strategy and the robots' software of a mission: from what a design says to plain data and to the things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from expedition.belief.merging import merges
from expedition.belief.slam import slam
from expedition.decisions import Strategy
from expedition.design.components import Given, Named, named, settle, spelled
from expedition.design.files import Digests
from expedition.design.names import SPECS
from expedition.design.parts import Part
from expedition.errors import ExpeditionError
from expedition.navigate.planner import planner
from expedition.navigate.planners import AStar as _registers_planners  # noqa: F401
from expedition.network import radios
from expedition.network.settings import channel_names, check_channels
from expedition.registry import Registry
from expedition.settings import ControllerSettings, nested
from expedition.spec import line_of, validate
from expedition.strategies import make_strategy
from expedition.strategies.library import strategy as strategies

REGISTRIES: dict[str, Registry[Any]] = {"localiser": slam, "merge": merges, "planner": planner, "radio": radios}
assert tuple(REGISTRIES) == SPECS


def strategy_part(strategy: Named, given: Given, folder: Path) -> Part:
    """The strategy with all its parameters."""
    parameters, files = settle(strategy, given, folder)
    try:
        make_strategy(strategy.name, parameters)
    except ExpeditionError as error:
        raise ExpeditionError(f"{given.where()}: {error}") from error
    return Part.of({"name": strategy.name, "parameters": parameters}, files)


def build_strategy(data: Mapping[str, Any]) -> tuple[str, Strategy]:
    """What the strategy is called in results, and the strategy."""
    _, bound = make_strategy(data["name"], data["parameters"])
    component = strategies.find(data["name"])
    path, dot, rest = data["name"].rpartition(".py:")
    short = f"{Path(path).name}{dot}{rest}" if dot else data["name"]
    return spelled(short, data["parameters"], component.parameters), bound


def settings_part(
    components: Mapping[str, Named], values: Mapping[str, Any], lines: dict[str, int], place: str, folder: Path
) -> Part:
    """All settings of the robots' software; `components` are those that some of them name.

    A component stays apart from its parameters, with all its defaults, so that each file it names is seen as such.
    """
    files: dict[str, str] = {}
    plain = {name: value for name, value in values.items() if name.partition(".")[0] not in SPECS}
    settings = nested(plain, lambda name: f"{place}, line {lines.get(name, '?')}: {name}")
    apart: dict[str, dict[str, Any]] = {}
    for setting, component in components.items():
        own = {name.partition(".")[2]: value for name, value in values.items() if name.startswith(f"{setting}.")}
        given = Given(setting, own, lines, place)
        parameters, found = settle(component, given, folder)
        apart[setting] = {"name": component.name, "parameters": parameters}
        settings[setting] = spelled(component.name, parameters, component.parameters)
        files.update(found)
    data = validate(ControllerSettings, settings, place, lines).model_dump(mode="json")
    network = data["network"]
    channels = {f"network.channels.{channel}": link for channel, link in network["channels"].items()}
    for name, link in {"network.link": network["link"], **channels}.items():
        if link["radio"] is not None:
            link["radio"], found = _radio_of_link(f"{name}.radio", link["radio"], lines, place, folder)
            files.update(found)
    return Part.of({**data, **apart}, files)


def _radio_of_link(name: str, text: str, lines: dict[str, int], place: str, folder: Path) -> tuple[str, Digests]:
    """The radio model of one channel, or of all, in one line with the whole path of its file."""
    line = line_of(name.split("."), lines)
    given = Given(name, {}, {name: line} if line else {}, place)
    component = named(radios, text, folder, given.where())
    parameters, files = settle(component, given, folder)
    return spelled(component.name, parameters, component.parameters), files


def check_links(settings: Part, radios: Iterable[str], lines: dict[str, int], place: str) -> None:
    """Refuse what is set for a channel that no robot and no base has a radio for."""

    def where(channel: str) -> str:
        # What is set for a channel stands on a line of its own, or with all that is set for channels.
        name = f"network.channels.{channel}"
        line = next((line for given, line in lines.items() if f"{given}.".startswith(f"{name}.")), None)
        return Given("network.channels", {}, {"network.channels": line} if line else lines, place).where()

    check_channels(settings.data["network"]["channels"], channel_names(radios), where)


def build_settings(data: Mapping[str, Any]) -> ControllerSettings:
    """The settings of a mission, in which a component is one line without what is as by default."""
    components = {
        setting: spelled(one["name"], one["parameters"], registry.find(one["name"]).parameters)
        for setting, registry in REGISTRIES.items()
        for one in [data[setting]]
    }
    return validate(ControllerSettings, {**data, **components}, "settings")
