"""What a metric is: a function of a mission's measurements, with all that tables, plots and pages say of it.

A user's own is a plain function in a file, `my_file.py:my_metric`, which takes `Measurements` and returns a number, or
None where there is none; `@described(...)` gives it a label, a unit and a direction.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from expedition.errors import ExpeditionError, shorten
from expedition.registry import Component, Registry

Better = Literal["lower", "higher", ""]
Value = float | None
Function = Callable[..., Value]


@dataclass(frozen=True)
class Metric:
    """A metric by its name, and how it is written."""

    name: str
    label: str
    unit: str
    better: Better
    """Which way is better, if either is."""
    pattern: str
    """How its values are written, for `str.format`, without the unit."""
    definition: str
    """What it is, in a sentence or two."""
    measured: bool
    """Whether it depends on the machine and so differs from run to run."""
    function: Function
    needs: str = ""
    """The fact without which it does not apply to a mission, such as a base station."""

    def applies(self, facts: Mapping[str, Any]) -> bool:
        """Whether it says anything of a mission with these facts."""
        return not self.needs or self.needs in facts

    def written(self, value: Value) -> str:
        """A value with its unit; what was never reached or could not be computed is said to be so."""
        if value is None:
            return "not reached"
        if math.isnan(value):
            return "none"
        text = self.pattern.format(value)
        return f"{text} {self.unit}" if self.unit and self.unit != "%" else text

    @property
    def label_with_unit(self) -> str:
        """As axes and table heads show it."""
        return f"{self.label} ({self.unit})" if self.unit and self.unit != "%" else self.label


class MetricRegistry(Registry[Value]):
    """Metrics by name; `describe` tells what is known of one."""

    def describe(self, name: str) -> Metric:
        """The metric of that name, from here, a plugin, or `my_file.py:my_metric`, perhaps with parameters."""
        component, parameters = self.parse(name)
        bound = component.check(parameters)
        build = component.build
        said: Mapping[str, Any] = getattr(build, "description", {})
        short = component.name.rpartition(":")[2]
        needs = said.get("needs", "")

        def function(measurements: Any) -> Value:
            if needs and needs not in measurements.facts:
                return None
            return _checked(build(measurements, **bound), name)

        return Metric(
            name, _label(said.get("label") or short.replace("_", " "), parameters), said.get("unit", ""),
            said.get("better", ""), said.get("pattern", "{:,.4g}"), _definition(component), said.get("measured", False),
            function, needs,
        )  # fmt: skip


metric = MetricRegistry("metric")


def described(
    label: str, unit: str = "", better: Better = "", pattern: str = "{:,.4g}", measured: bool = False, needs: str = ""
) -> Callable[[Function], Function]:
    """Decorator: say how a metric is called, in which unit it is, which way is better, and how it is written.

    One that `needs` a fact is None in missions without it, and tables leave it out there.
    """

    def describe(function: Function) -> Function:
        said = {
            "label": label, "unit": unit, "better": better, "pattern": pattern, "measured": measured, "needs": needs,
        }  # fmt: skip
        function.description = said  # type: ignore[attr-defined]
        return function

    return describe


def _definition(component: Component[Value]) -> str:
    return " ".join((inspect.getdoc(component.build) or "").split())


def _label(label: str, parameters: Mapping[str, Any]) -> str:
    return f"{label}, {', '.join(f'{name} {value}' for name, value in parameters.items())}" if parameters else label


def _checked(value: Any, name: str) -> Value:
    if value is None:
        return None
    if isinstance(value, int | float | np.number | np.bool_):
        return float(value)
    raise ExpeditionError(f"metric {name}: expected a number or None, found {shorten(value)}")
