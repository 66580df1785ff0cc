"""What a mission came to, in a sentence and a table."""

from __future__ import annotations

from expedition.cli.words import out, say, table
from expedition.measure.ending import ending_sentence
from expedition.measure.metrics import in_words, that_apply
from expedition.mission import Result

WIDE = 110
"""Terminals narrower than this show the metrics without what they say."""


def show_summary(result: Result) -> None:
    """Print how the mission ended and its metrics, and the costs of the software if they were measured."""
    mission = result.mission
    robots = len(mission.fleet)
    say(f"{mission.terrain.name}, {robots} x {_models(result)}, {mission.strategy_name}, seed {mission.seed}")
    say(ending_in_words(result))
    print()
    header = ("metric", "value", "what it says")[: 3 if out.width >= WIDE else 2]
    metrics = that_apply(result.metrics, result.measurements)
    out.print(table(header, [row[: len(header)] for row in in_words(metrics, robots)]))
    if result.seconds_by_phase:
        print()
        out.print(table(("part", "computing", "share"), _phases(result)))


def ending_in_words(result: Result) -> str:
    """How a mission ended, as a sentence."""
    return ending_sentence(result.measurements, result.metrics, result.failure)


def _models(result: Result) -> str:
    return " and ".join(dict.fromkeys(model.name for model in result.mission.fleet.models))


def _phases(result: Result) -> list[tuple[str, str, str]]:
    seconds = result.seconds_by_phase
    total = sum(seconds.values()) or 1.0
    robot_seconds = len(result.mission.fleet) * (result.metrics["time_s"] or 1.0)
    rows = [(phase, f"{spent:.2f} s", f"{spent / total:.1%}") for phase, spent in seconds.items()]
    speed = f"{robot_seconds / total:,.0f} robot-seconds a second"
    return [*rows, ("all", f"{total:.2f} s", speed)]
