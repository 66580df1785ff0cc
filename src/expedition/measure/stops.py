"""Stop conditions: when a mission ends, and whether it then has succeeded.

A condition is a function of how the mission stands, `Progress`; what may be set of it are its keyword-only parameters.
It returns None as long as the mission goes on. A user's own, `my_file.py:my_condition`, may also return True to end the
mission with success, or a sentence of its own as an `End`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from expedition.errors import ExpeditionError, shorten
from expedition.measure.progress import Progress
from expedition.registry import Registry

Share = Annotated[float, Field(gt=0, le=1, description="Of the explorable ground.")]
Seconds = Annotated[float, Field(gt=0, le=1e7, description="Simulated, since the start.")]
Wait = Annotated[float, Field(gt=0, le=1e7, description="Simulated, without anything new.")]
Area = Annotated[float, Field(gt=0, le=1e12, description="Of explorable ground.")]
Metres = Annotated[float, Field(gt=0, le=1e12, description="The way that may be driven.")]
Knower = Annotated[
    Literal["robot", "union", "base"],
    Field(description="Who must know: the robot that knows most, all robots together, or the base station."),
]
Success = Annotated[bool, Field(description="Whether that counts as a success.")]
Driver = Annotated[Literal["fleet", "robot"], Field(description="Whose way: of all together, or of any one.")]

DEFAULTS: Mapping[str, Any] = {"explored": 0.99, "time": 2000.0}
"""Those of Yan et al. (2017)."""


class End(NamedTuple):
    """How a mission ends."""

    ending: str
    succeeded: bool


stop_condition: Registry[End | bool | None] = Registry("stop condition")


@stop_condition("explored")
def explored(progress: Progress, *, share: Share = 0.99, of: Knower = "robot") -> End | None:
    """Ends with success when a share of the explorable ground is known to one robot, to all together or at the base.

    What lies behind a closed door is explorable, what a collapse may bury is too.
    """
    return End("explored", True) if _known(progress, of) >= share else None


@stop_condition("time")
def time(progress: Progress, *, seconds: Seconds = 2000.0) -> End | None:
    """Ends without success when the time is over."""
    return End("timed out", False) if progress.time >= seconds - 1e-6 else None


@stop_condition("no-frontier")
def no_frontier(progress: Progress, *, succeeds: Success = True) -> End | None:
    """Ends when no robot has a frontier left in its map; this is a success unless `succeeds` is false."""
    from expedition.outlook import frontiers

    controller = progress.controller
    if any(frontiers(controller, robot, None) for robot in range(controller.robots)):
        return None
    return End("no frontier left", succeeds)


@stop_condition("stalled")
def stalled(progress: Progress, *, seconds: Wait = 120.0, succeeds: Success = False) -> End | None:
    """Ends when no robot has seen new ground for so long: what is left is out of reach, or nobody goes there."""
    period = 1.0 / progress.controller.settings.control_rate
    last = max(int(progress.monitor.first_tick.max()), 0) * period
    return End("stalled", succeeds) if progress.time - last >= seconds - 1e-6 else None


@stop_condition("area")
def area(progress: Progress, *, square_metres: Area, of: Knower = "robot") -> End | None:
    """Ends with success when so much ground is known to one robot, to all together or at the base."""
    ground = progress.monitor.explorable_cells * progress.monitor.frame.resolution**2
    return End("area reached", True) if _known(progress, of) * ground >= square_metres else None


@stop_condition("distance")
def distance(progress: Progress, *, metres: Metres, of: Driver = "fleet") -> End | None:
    """Ends without success when the fleet together, or one robot, has driven so far: a budget of energy."""
    driven = progress.monitor.travelled
    return End("distance spent", False) if (driven.sum() if of == "fleet" else driven.max()) >= metres else None


def check_stops(stops: Mapping[str, Any], place: str = "stop") -> dict[str, dict[str, Any]]:
    """Conditions with all their parameters, from what users write: `{explored: 0.99, time: 2000, no-frontier: true}`.

    A plain value is that of the first parameter; `false` leaves a condition out. There is always a limit of time.
    """
    if not isinstance(stops, Mapping):
        raise ExpeditionError(f"{place}: expected conditions by name, as explored: 0.99, found {shorten(stops)}")
    checked: dict[str, dict[str, Any]] = {}
    for name, value in stops.items():
        if value is False or value is None:
            if name == "time":
                raise ExpeditionError(f"{place}: time: a mission needs a limit, in seconds")
            continue
        try:
            component, written = stop_condition.parse(str(name))
            if component.name in checked:
                raise ExpeditionError(f"{component.name}: is given twice")
            given = _parameters(component.parameters, value)
            if twice := written.keys() & given.keys():
                raise ExpeditionError(f"{component.name}: {min(twice)}: is given twice")
            checked[component.name] = component.check({**written, **given})
        except ExpeditionError as error:
            raise ExpeditionError(f"{place}: {error}") from error
    return {"time": {"seconds": DEFAULTS["time"]}, **checked}


def check_base(stops: Mapping[str, Mapping[str, Any]], has_base: bool, place: str = "stop") -> None:
    """Refuse conditions that are checked already and ask for what a base station knows where there is none."""
    for name in ("explored", "area"):
        if not has_base and stops.get(name, {}).get("of") == "base":
            raise ExpeditionError(
                f"{place}: {name}: of: base: the mission has no base station; give it one, as base: start"
            )


def make_stops(stops: Mapping[str, Mapping[str, Any]]) -> Callable[[Progress], End | None]:
    """One function of conditions that are checked already: how the mission ends now, if it does.

    Of several that hold at once a success counts, and then the first.
    """
    conditions = [(name, partial(stop_condition.find(name).build, **parameters)) for name, parameters in stops.items()]

    def ends(progress: Progress) -> End | None:
        found = [end for name, condition in conditions if (end := _end(name, condition(progress))) is not None]
        return next((end for end in found if end.succeeded), found[0] if found else None)

    return ends


def _known(progress: Progress, of: Knower) -> float:
    if of == "union":
        return progress.sample.union
    return float(progress.explored.max()) if of == "robot" else progress.sample.at_base


def _parameters(model: Any, value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    if value is True:
        return {}
    if not model.model_fields:
        raise ExpeditionError(f"it has no parameters; allowed: true or false, found {shorten(value)}")
    return {next(iter(model.model_fields)): value}


def _end(name: str, said: object) -> End | None:
    if said is None or isinstance(said, End):
        return said
    if isinstance(said, bool | np.bool_):
        return End(name.rpartition(":")[2].replace("_", " "), True) if said else None
    raise ExpeditionError(f"stop: {name}: expected None, True, False or an End, found {shorten(said)}")
