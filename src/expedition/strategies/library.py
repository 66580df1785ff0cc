"""How strategies are found: by name, from an entry point, as `my_file.py:my_strategy`, or as the function itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar, cast, overload

from expedition.errors import ExpeditionError, shorten
from expedition.registry import Component, Registry
from expedition.robot import Robot

Running = Coroutine[Any, Any, None]
Strategy = Callable[[Robot], Running]
Given = TypeVar("Given", bound=Callable[..., Any])


class Strategies(Registry[Any]):
    """The registry of strategies, and the decorator that users write.

    `@strategy` marks a strategy of the user's own, which is run as `my_file.py:my_strategy` or handed over as it is;
    `@strategy("name")` gives it a name for all. `@strategy("name", finishes=False)` says of one that it never knows
    when all is explored, so that conformance checks only ask that it explores more over time.
    """

    @overload
    def __call__(self, name: str, *, finishes: bool = True) -> Callable[[Given], Given]: ...
    @overload
    def __call__(self, name: Given, *, finishes: bool = True) -> Given: ...
    def __call__(self, name: Any, *, finishes: bool = True) -> Any:
        if not isinstance(name, str):
            return _checked(name)
        register = super().__call__(name)

        def mark(given: Any) -> Any:
            given.finishes = finishes
            return register(_checked(given))

        return mark


strategy = Strategies("strategy")


def make_strategy(given: str | Callable[..., Any], parameters: Mapping[str, Any] | None = None) -> tuple[str, Strategy]:
    """A strategy's name, parameters included, and the function to call with each robot.

    >>> name, run = make_strategy("cost-utility:range=6")
    """
    if isinstance(given, str):
        component, written = strategy.parse(given)
        text = given
    elif callable(given):
        text = getattr(given, "__name__", type(given).__name__)
        is_object = not (inspect.isroutine(_checked(given)) or inspect.isclass(given))
        function: Any = getattr(given, "__call__") if is_object else given  # noqa: B004, B009
        component, written = strategy.component(text, function), {}
    else:
        raise ExpeditionError(f"a strategy is a name or an `async def` function, found {shorten(given)}")
    return text, _bound(component, component.check({**written, **(parameters or {})}))


def _bound(component: Component[Any], parameters: dict[str, Any]) -> Strategy:
    """The strategy with its parameters set; of a class, each robot gets an object of its own."""
    build: Any = _checked(component.build)
    is_class = inspect.isclass(build)

    def bound(robot: Robot) -> Running:
        return cast(Running, build(**parameters)(robot) if is_class else build(robot, **parameters))

    bound.leads_from_base = getattr(build, "leads_from_base", False)  # type: ignore[attr-defined]
    return bound


def _checked(given: Given) -> Given:
    """Refuse what can be no strategy, before any robot drives."""
    called: Any = given if inspect.isroutine(given) else getattr(given, "__call__")  # noqa: B004, B009
    name = getattr(given, "__name__", shorten(given))
    if inspect.isclass(given) and not any("__call__" in vars(base) for base in given.__mro__[:-1]):
        raise ExpeditionError(f"strategy {name}: a class needs `async def __call__(self, robot)`")
    if inspect.isasyncgenfunction(called):
        raise ExpeditionError(f"strategy {name}: a strategy awaits and does not yield; write `await` for `yield`")
    if not inspect.iscoroutinefunction(called):
        raise ExpeditionError(f"strategy {name}: write `async def {name}(robot)`; a strategy awaits what takes time")
    positional = [
        parameter
        for parameter in inspect.signature(called).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    needed = [p for p in positional if p.default is p.empty and p.name != "self"]
    if len(needed) != 1:
        raise ExpeditionError(
            f"strategy {name}: takes one robot, and its parameters after a `*` as in `(robot, *, range: float = 8.0)`, "
            f"found {inspect.signature(called)}"
        )
    return given
