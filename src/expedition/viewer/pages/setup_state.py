"""What is set up on one page at the moment, and what was found of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from expedition.design.names import SPECS
from expedition.design.resolve import DEFAULTS
from expedition.errors import ExpeditionError
from expedition.failures import read_failures
from expedition.measure import stops
from expedition.viewer.pages.fields import Fields
from expedition.viewer.setup.allowed import COMPONENTS, cleared
from expedition.viewer.setup.checking import Look, look_at
from expedition.viewer.setup.drafts import Draft
from expedition.viewer.setup.questions import questions_of
from expedition.viewer.setup.runs import Runs


class SetUp:
    """Parameters by dotted name, stop conditions and the seed, changed field by field."""

    def __init__(self, runs: Runs, draft: Draft, changed: Callable[[], None]) -> None:
        self.runs = runs
        self.allowed = runs.allowed
        self.fields = Fields(self.set)
        self.changed = changed
        self.load(draft)

    def load(self, draft: Draft) -> None:
        """Take over a draft, written in whichever of its forms."""
        self.parameters = _unfolded(dict(draft.parameters))
        self.stop = _conditions(draft.stop)
        self.seed = draft.seed
        self.name = draft.name
        self.fields = Fields(self.set)

    def draft(self) -> Draft:
        """What is set up now."""
        return Draft(dict(self.parameters), self._stop_as_written(), self.seed, self.name)

    def value(self, name: str) -> Any:
        """A parameter's value, or what it is by default."""
        return self.parameters.get(name, DEFAULTS.get(name))

    def set(self, name: str, value: Any) -> None:
        """A parameter, or `stop.CONDITION.PARAMETER`; None makes it what it is by default."""
        if name.startswith("stop."):
            _, condition, parameter = name.split(".", 2)
            self._put(self.stop.setdefault(condition, {}), parameter, value)
        else:
            self._put(self.parameters, name, value)
        self.changed()

    def choose(self, family: str, name: str | None) -> None:
        """Another component of a kind: parameters that it has not are dropped."""
        self._put(self.parameters, family, None if name == DEFAULTS.get(family) else name)
        has = {question.name for question in self.questions(family)}
        for one in [one for one in self.parameters if one.startswith(f"{family}.") and one not in has]:
            del self.parameters[one]
        self.changed()

    def questions(self, family: str) -> tuple[Any, ...]:
        """What may be set of the component that is chosen now."""
        try:
            model = self._model(family)
        except ExpeditionError:
            return ()
        return () if model is None else questions_of(model, f"{family}.")

    def summary(self, family: str) -> str:
        """What the chosen component is, in a sentence."""
        name = self.value(family)
        registry = COMPONENTS[family]
        return registry.find(name).summary if name in registry.names() else ""

    def look(self) -> Look:
        """Check all of it. This may take a while and run beside other things, so nothing is changed here."""
        return look_at(self.draft(), self.allowed)

    def _model(self, family: str) -> Any:
        name = self.value(family)
        if name is None or (name == "none" and family == "prior"):
            return None
        if name in COMPONENTS[family].names():
            return COMPONENTS[family].find(name).parameters
        if family == "strategy":
            located = cleared({"parameters": {"strategy": name}}, self.allowed)["parameters"]["strategy"]
            return COMPONENTS[family].find(located).parameters
        return None

    def _put(self, values: dict[str, Any], name: str, value: Any) -> None:
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value

    def _stop_as_written(self) -> dict[str, Any]:
        """The conditions with what differs from the defaults; nothing if they are the usual ones."""
        if {name: given for name, given in self.stop.items() if given or name != "time"} == {"explored": {}}:
            return {}
        return {name: dict(given) or True for name, given in self.stop.items()}


def _unfolded(parameters: dict[str, Any]) -> dict[str, Any]:
    """Components without the parameters in their names, which get fields of their own; failures as fields."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if name in COMPONENTS and isinstance(value, str) and ":" in value and ".py:" not in value:
            component, written = COMPONENTS[name].parse(value) if _is_registered(name, value) else (None, {})
            if component is not None:
                found[name] = component.name
                found |= {f"{name}.{key}": one for key, one in written.items()}
                continue
        if name == "failures" and value is not None:
            found[name] = [one.model_dump(mode="json", exclude_defaults=True) for one in read_failures(value)]
            continue
        found[name] = value
    if found.get("prior") == "none":
        del found["prior"]
    return {name: value for name, value in found.items() if value != DEFAULTS.get(name) or name not in DEFAULTS}


def _is_registered(family: str, text: str) -> bool:
    return text.partition(":")[0].strip() in COMPONENTS[family].names()


def _conditions(written: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Each condition with those of its parameters that are not as by default."""
    checked = stops.check_stops(written or {"explored": True, "time": True})
    found = {}
    for name, given in checked.items():
        defaults = {question.name: question.default for question in questions_of(_stop_model(name))}
        found[name] = {key: value for key, value in given.items() if value != defaults.get(key)}
    return found


def _stop_model(name: str) -> Any:
    return stops.stop_condition.find(name).parameters


assert set(SPECS) <= set(COMPONENTS)
