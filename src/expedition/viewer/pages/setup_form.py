"""The form of the set-up page, section by section."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from expedition.errors import ExpeditionError
from expedition.failures import Failure
from expedition.fleet import names as robot_names
from expedition.fleet import robot_model
from expedition.measure.stops import stop_condition
from expedition.viewer.pages.fields import Fields, ask_tree
from expedition.viewer.pages.setup_state import SetUp
from expedition.viewer.setup.allowed import COMPONENTS
from expedition.viewer.setup.questions import Group, questions_of, robot_questions, settings_tree

MIXED = "a mixed fleet"
AT_ONCE = 3
"""Parameters of a component that are seen without opening anything."""
BASES = {"none": "no base station", "start": "where the first robot starts", "point": "at a point"}


class Form:
    """All sections. `show` makes them anew, from what is set up."""

    def __init__(self, setup: SetUp) -> None:
        self.setup = setup

    @ui.refreshable_method
    def show(self) -> None:
        """All sections."""
        setup = self.setup
        with section("Terrain", "What is explored."):
            self._component("terrain", [*COMPONENTS["terrain"].names(), *setup.allowed.terrain_files()])
        with section("Fleet", "Who explores, and from where."):
            self._fleet()
            self._component("placement", COMPONENTS["placement"].names())
            self._base()
        with section("Strategy", "What decides where each robot goes."):
            self._component("strategy", [*COMPONENTS["strategy"].names(), *setup.allowed.strategy_names()])
        tree = settings_tree()
        with section("Network", "Who hears whom, and what that costs.", closed=not self._has("radio", "network")):
            self._component("radio", COMPONENTS["radio"].names())
            network = next(one for one in tree if one.name == "network")
            assert isinstance(network, Group)
            ask_tree(setup.fields, network.questions, setup.parameters)
        with section(
            "Software", "How robots localise themselves, merge maps, plan and drive.",
            closed=not self._has(*(one.name for one in tree if one.name != "network"), "localiser", "merge", "planner"),
        ):  # fmt: skip
            for family in ("localiser", "merge", "planner"):
                self._component(family, COMPONENTS[family].names())
            ask_tree(setup.fields, [one for one in tree if one.name != "network"], setup.parameters)
        with section("Prior map", "A map that robots are given; it may be wrong.", closed=not self._has("prior")):
            self._component("prior", ["none", *COMPONENTS["prior"].names(), *setup.allowed.terrain_files()])
        with section("Failures", "What breaks, and when.", closed=not self._has("failures")):
            self._failures()
        with section("End", "When the mission is over.", closed=not setup.draft().stop):
            self._stops()

    def _has(self, *families: str) -> bool:
        return any(name.partition(".")[0] in families for name in self.setup.parameters)

    def _component(self, family: str, names: list[str]) -> None:
        setup = self.setup
        value = setup.value(family) or ("none" if family == "prior" else None)

        @ui.refreshable
        def parameters() -> None:
            about = ui.label(setup.summary(family)).classes("summary")
            about.props["data-about"] = family
            about.props["data-chosen"] = setup.value(family) or "none"
            questions = setup.questions(family)
            # A few at once; the others when they are wanted.
            first, rest = (
                (questions, ()) if len(questions) <= AT_ONCE + 1 else (questions[:AT_ONCE], questions[AT_ONCE:])
            )
            setup.fields.ask(first, setup.parameters)
            if rest:
                is_set = any(question.name in setup.parameters for question in rest)
                more = ui.expansion(f"{len(rest)} more of {setup.value(family)}", value=is_set).classes("group")
                with more.props(f'dense data-group="{family}"'):
                    setup.fields.ask(rest, setup.parameters)

        shown = value

        def chosen() -> None:
            nonlocal shown
            name = select.value
            if name is None or name == shown:
                return
            shown = name
            setup.fields.forget(f"{family}.")
            setup.choose(family, None if name == "none" and family == "prior" else name)
            parameters.refresh()

        select = ui.select(_with(names, value), label=_label(family), value=value, with_input=len(names) > 6)
        select.props("outlined dense options-dense stack-label").classes("choice").without_auto_validation()
        setup.fields.add(family, select)
        select.on_value_change(chosen)
        parameters()

    def _fleet(self) -> None:
        setup = self.setup
        robot = setup.parameters.get("robot", "pioneer-3dx")
        is_mixed = not (isinstance(robot, str) and robot in robot_names())

        @ui.refreshable
        def figures() -> None:
            now = setup.parameters.get("robot", "pioneer-3dx")
            if select.value == MIXED:
                text = ui.input(
                    "fleet", value=now if isinstance(now, str) else "", placeholder="3 * pioneer-3dx + 1 * quadrotor"
                )
                text.props('outlined dense stack-label debounce=300 hint="How many of each model, joined by +"')
                text.classes("choice").without_auto_validation()
                setup.fields.add("robot", text)
                text.on_value_change(lambda: setup.set("robot", text.value or None))
                return
            try:
                questions = robot_questions(robot_model(str(now)))
            except ExpeditionError:
                return
            others = {q.name for q in questions}
            is_set = any(name.startswith("robot.") for name in setup.parameters)
            with ui.expansion(f"Figures of {now}", value=is_set).classes("group").props('dense data-group="robot"'):
                setup.fields.ask(questions, setup.parameters)
            for name in [n for n in setup.parameters if n.startswith("robot.") and n not in others]:
                ui.label(f"{name}: {setup.parameters[name]}").classes("summary")

        def chosen() -> None:
            name = select.value
            setup.fields.forget("robot.")
            for one in [one for one in setup.parameters if one.startswith("robot.")]:
                del setup.parameters[one]
            if name == MIXED:
                setup.parameters.pop("robots", None)
                setup.set("robot", "2 * pioneer-3dx + 1 * quadrotor")
            else:
                setup.parameters.setdefault("robots", number.value or 4)
                setup.set("robot", None if name == "pioneer-3dx" else name)
            number.set_visibility(name != MIXED)
            figures.refresh()

        def counted() -> None:
            value = number.value
            whole = isinstance(value, int | float) and value == int(value)
            if number.visible:
                setup.set("robots", int(value) if whole else (value if value is not None else 0))

        with ui.element("div").classes("fields"):
            count = setup.parameters.get("robots", 4)
            number = ui.number("robots", value=count if isinstance(count, int) else 4, min=1, max=10_000, precision=0)
            number.props("outlined dense stack-label debounce=300 step=1").without_auto_validation()
            number.set_visibility("robots" in setup.parameters)
            setup.fields.add("robots", number)
            number.on_value_change(counted)
            names = [*robot_names(), MIXED]
            select = ui.select(names, label="robot model", value=MIXED if is_mixed else robot)
            select.props("outlined dense options-dense stack-label").without_auto_validation()
            if not is_mixed:
                setup.fields.add("robot", select)
            select.on_value_change(chosen)
        figures()

    def _base(self) -> None:
        setup = self.setup
        base = setup.parameters.get("base")
        point = _point(base)
        kind = "point" if point else "none" if base in (None, "none", False) else "start"

        def told() -> None:
            for field in (x, y):
                field.set_visibility(select.value == "point")
            if select.value == "point":
                setup.set("base", [x.value, y.value] if x.value is not None and y.value is not None else "start")
            else:
                setup.set("base", "start" if select.value == "start" else None)

        with ui.element("div").classes("fields fields-3"):
            select = ui.select(BASES, label="base station", value=kind).props(
                "outlined dense options-dense stack-label"
            )
            select.without_auto_validation()
            x, y = (
                ui.number(f"base {axis}", value=value, precision=2).props("outlined dense stack-label debounce=300")
                for axis, value in zip("xy", point or (0.0, 0.0), strict=True)
            )
            for field in (x, y):
                field.set_visibility(kind == "point")
                field.on_value_change(told)
            select.on_value_change(told)
        setup.fields.add("base", select)

    def _failures(self) -> None:
        setup = self.setup

        @ui.refreshable
        def rows() -> None:
            for index, one in enumerate(list(setup.parameters.get("failures") or [])):
                with ui.element("div").classes("row-card"):
                    # Names of fields begin with the row, so that each row has its own.
                    prefix = f"failures.{index}."
                    asked = Fields(lambda name, value, one=one: changed(one, name, value))  # type: ignore[misc]
                    asked.ask(questions_of(Failure, prefix), {f"{prefix}{key}": value for key, value in one.items()})
                    ui.button(icon="close", on_click=lambda one=one: drop(one)).props("flat dense round").tooltip(
                        "Remove"
                    )

        def changed(one: dict[str, Any], name: str, value: Any) -> None:
            key = name.rpartition(".")[2]
            if value is None:
                one.pop(key, None)
            else:
                one[key] = value
            setup.set("failures", list(setup.parameters.get("failures") or []) or None)

        def drop(one: dict[str, Any]) -> None:
            left = [other for other in setup.parameters.get("failures") or [] if other is not one]
            setup.set("failures", left or None)
            rows.refresh()

        def add() -> None:
            setup.set("failures", [*(setup.parameters.get("failures") or []), {"at": 60.0}])
            rows.refresh()

        rows()
        ui.button("Add a failure", icon="add", on_click=add).props("flat dense no-caps")

    def _stops(self) -> None:
        setup = self.setup

        def condition(name: str) -> None:
            component = stop_condition.find(name)

            @ui.refreshable
            def parameters() -> None:
                if name in setup.stop:
                    given = {f"stop.{name}.{key}": value for key, value in setup.stop[name].items()}
                    setup.fields.ask(questions_of(component.parameters, f"stop.{name}."), given)

            def switched() -> None:
                if switch.value:
                    setup.stop.setdefault(name, {})
                else:
                    setup.stop.pop(name, None)
                    setup.fields.forget(f"stop.{name}.")
                parameters.refresh()
                setup.changed()

            with ui.element("div").classes("row-card stop"):
                switch = ui.switch(name.replace("-", " "), value=name in setup.stop).props(f'data-stop="{name}"')
                ui.label(component.summary).classes("summary")
                if name == "time":
                    switch.disable()  # A mission always has a limit.
                switch.on_value_change(switched)
                setup.fields.add(f"stop.{name}", switch)
                parameters()

        for name in ("explored", "time", *(n for n in stop_condition.names() if n not in ("explored", "time"))):
            condition(name)


def section(title: str, help: str, closed: bool = False) -> ui.expansion:
    """A part of the form."""
    made = ui.expansion(title, caption=help, value=not closed).classes("section")
    made.props(f'data-section="{title}"')
    return made


def _label(family: str) -> str:
    return {"prior": "prior map"}.get(family, family)


def _with(names: Any, value: Any) -> list[str]:
    """Names with one that may not be among them, so that it can be shown, and blamed."""
    found = list(names)
    return found if value is None or value in found else [*found, value]


def _point(base: Any) -> tuple[float, float] | None:
    if isinstance(base, str) and "," in base:
        base = base.split(",")
    if isinstance(base, list | tuple) and len(base) == 2:
        try:
            return float(base[0]), float(base[1])
        except (TypeError, ValueError):
            return None
    if isinstance(base, dict) and {"x", "y"} <= set(base):
        return float(base["x"]), float(base["y"])
    return None
