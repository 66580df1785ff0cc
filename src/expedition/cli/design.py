"""`expedition design`: check, show and list experimental designs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from expedition.cli.app import design_app
from expedition.cli.words import out, say, table, warn

if TYPE_CHECKING:
    from expedition.design import Design, Planned

SHOWN_VALUES = 12
"""More values of a parameter than this are shown by their ends."""

Name = Annotated[str, typer.Argument(help="A design's name, such as quick, or a YAML file.", metavar="DESIGN")]


@design_app.command("list")
def list_designs() -> None:
    """List the designs that come with the package."""
    from expedition.design.source import Source, shipped

    rows = [(name, " ".join(str(Source.read(name).data.get("description", "")).split())) for name in shipped()]
    out.print(table(("design", "what it asks"), rows))
    out.print("\nWhat one consists of: expedition design show NAME")
    out.print("A copy to change: expedition design show NAME --source > mine.yaml")


@design_app.command("check")
def check_design(name: Name) -> None:
    """Check a design: every field, every name, and that each terrain holds its fleets.

    A mistake is told with its line and the nearest right name; the exit code is then 2.
    """
    from expedition.design import load_design
    from expedition.design.trial import try_out
    from expedition.errors import ExpeditionError

    design = load_design(name)
    try:
        terrains = try_out(design.missions())
    except ExpeditionError as error:
        raise ExpeditionError(f"{design.path}: {error}") from error
    _warn_of_maps(design.missions())
    _warn_of_reach(design.missions())
    say(
        f"{name}: right; {_count(len(design), 'mission')}: {_count(len(design.vectors), 'vector')} x "
        f"{_count(design.iterations, 'iteration')}, {_count(terrains, 'terrain')}"
    )


@design_app.command("show")
def show_design(
    name: Name,
    vectors: Annotated[bool, typer.Option("--vectors", help="List all vectors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, all missions included.")] = False,
    source: Annotated[bool, typer.Option("--source", help="Print the file as it was written.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Missions at a time, for the estimate; all cores if not given.", min=1)
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="A folder of finished missions, by whose times the estimate is put right.")
    ] = None,
) -> None:
    """Show a design: its parameters, how many missions that makes, and about how long they take."""
    from expedition.design import load_design

    design = load_design(name)
    if source:
        print(design.text, end="")
    elif as_json:
        _print_json(design, store)
    else:
        _show(design, workers, store)
        _warn_of_maps(design.missions())
        _warn_of_reach(design.missions())
        if vectors:
            print()
            names = design.varied or tuple(design.fixed)
            rows = [
                [str(index), *(_word(vector.get(each)) for each in names)]
                for index, vector in enumerate(design.vectors)
            ]
            out.print(table(("vector", *names), rows))


@design_app.command("schema")
def schema() -> None:
    """Print the JSON schema of design files, by which editors complete names and mark mistakes."""
    import json

    from expedition.design.editor import design_schema

    print(json.dumps(design_schema(), indent=2, ensure_ascii=False))


def _show(design: Design, workers: int | None, store: Path | None) -> None:
    from expedition.design.estimate import estimate
    from expedition.measure.metrics import metric_of

    say(design.name)
    if design.description:
        say(" ".join(design.description.split()))
    rows = [(name, _values(design.values_of(name))) for name in design.varied]
    print()
    out.print(table(("varied", "values"), rows or [("nothing", "")]))
    print()
    out.print(table(("fixed", "value"), [(name, _word(value)) for name, value in design.fixed.items()]))
    left_out = f"; {design.excluded:,} left out" if design.excluded else ""
    seeds = str(design.seed) if design.iterations == 1 else f"{design.seed} to {design.seed + design.iterations - 1}"
    cores = workers or _cores()
    missions = design.missions()
    done = _taken(store, missions)
    expected = estimate(missions, done)
    print()
    left = f" for the {expected.missions:,} left" if done else ""
    time = f"about {_duration(expected.seconds(cores))}{left} on {_count(cores, 'core')} of this kind"
    lines = [
        ("vectors", f"{len(design.vectors):,} ({design.way}{left_out})"),
        ("iterations", f"{design.iterations:,}, seeds {seeds}"),
        ("missions", f"{len(design):,}" + (f"; {len(done):,} finished in {store}" if store else "")),
        ("stop", "; ".join(_condition(name, value) for name, value in design.stop.items())),
        ("measured", "; ".join(_schedule(name, value) for name, value in design.measurements.items() if value)),
        ("metrics", ", ".join(metric_of(name).label for name in design.metrics) or "all"),
        ("time", time if expected.missions else "all missions are finished"),
    ]
    out.print(table((), lines))


def _warn_of_maps(missions: list[Planned]) -> None:
    """Print what is to be known of the map files that a design names."""
    from expedition.design.ground import map_notes

    for name, note in map_notes(missions):
        warn(name, [note])


def _warn_of_reach(missions: list[Planned]) -> None:
    """Print where fleets were placed otherwise than expected, or can reach little."""
    from expedition.design.trial import reach_notes

    for name, note in reach_notes(missions):
        warn(name, [note])


def _taken(store: Path | None, missions: list[Planned]) -> dict[str, float | None]:
    """The seconds that each mission took of those that are finished in a store; None where that was not measured."""
    if store is None:
        return {}
    from contextlib import suppress

    from expedition.bench.places import MEASURED
    from expedition.bench.records import read_json
    from expedition.bench.store import Store
    from expedition.errors import ExpeditionError

    place = Store.existing(store)
    taken = {}
    for key in {one.key for one in missions} & place.finished():
        with suppress(ExpeditionError):  # One that is damaged will be run again.
            taken[key] = read_json(place.missions / key / MEASURED).get("wall_s")
    return taken


def _print_json(design: Design, store: Path | None) -> None:
    import json

    from expedition.design.estimate import estimate

    missions = design.missions()
    told = {
        "name": design.name,
        "description": design.description,
        "file": str(design.path),
        "varied": list(design.varied),
        "fixed": design.fixed,
        "vectors": list(design.vectors),
        "iterations": design.iterations,
        "seed": design.seed,
        "stop": design.stop,
        "measurements": design.measurements,
        "metrics": list(design.metrics),
        "estimated_core_seconds": round(estimate(missions, _taken(store, missions)).core_seconds, 1),
        "missions": [
            {"key": one.key, "vector": one.vector, "iteration": one.iteration, "seed": one.seed} for one in missions
        ],
    }
    print(json.dumps(told, indent=2, ensure_ascii=False))


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0))


def _values(values: list[Any]) -> str:
    """Values in a row, or the ends of many."""
    if len(values) <= SHOWN_VALUES:
        return ", ".join(_word(value) for value in values)
    return f"{_word(values[0])}, {_word(values[1])}, ... {_word(values[-1])} ({len(values):,} values)"


def _word(value: Any) -> str:
    """A value as one writes it in YAML."""
    import json

    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value)


def _condition(name: str, parameters: dict[str, Any]) -> str:
    """`explored 0.99`: a stop condition by its first parameter, and those others that are not as by default."""
    from expedition.measure.stops import stop_condition

    fields = stop_condition.find(name).parameters.model_fields
    first = next(iter(fields), "")
    told = [_word(parameters[first])] if first else []
    told += [
        f"{key}={_word(parameters[key])}" for key in fields if key != first and parameters[key] != fields[key].default
    ]
    return " ".join([Path(name).name, *told])


def _schedule(name: str, schedule: dict[str, Any]) -> str:
    """`series every 1 s`, `maps at the end`."""
    when = f"every {schedule['every']:g} s" if "every" in schedule else f"at: {schedule['when']}"
    return f"{Path(name).name} {when.replace('at: end', 'at the end')}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds)):,} s"
    return f"{round(seconds / 60):,} minutes" if seconds < 5400 else f"{seconds / 3600:,.1f} hours"
