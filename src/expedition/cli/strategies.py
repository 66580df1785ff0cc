"""`expedition strategy`: list and show strategies."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from expedition.cli.app import strategy_app
from expedition.cli.words import out, parameters_table, say, table


@strategy_app.command("list")
def list_strategies() -> None:
    """List all strategies by name."""
    from expedition.strategies import strategy

    out.print(table(("strategy", "what it does"), [(name, strategy.find(name).summary) for name in strategy.names()]))
    out.print("\nParameters and source of one: expedition strategy show NAME")
    out.print("Your own: expedition explore --strategy my_file.py:my_strategy")


@strategy_app.command("show")
def show_strategy(
    name: Annotated[str, typer.Argument(help="A strategy's name, or my_file.py:my_strategy.")],
) -> None:
    """Show a strategy: its rule, where it comes from, and its parameters."""
    from expedition.strategies import strategy

    component, _ = strategy.parse(name)
    say(f"{component.name}\n")
    say(_description(component.build))
    if component.parameters.model_fields:
        print()
        out.print(parameters_table(component.parameters))
        first = next(iter(component.parameters.model_fields))
        say(f"\nSet them in the name: expedition explore --strategy {component.name}:{first}=...")


def _description(build: Any) -> str:
    """The docstring of the strategy's file, which cites its paper, or else of the strategy itself."""
    of_file = getattr(inspect.unwrap(build), "__globals__", {}).get("__doc__")
    return inspect.cleandoc(of_file) if of_file else inspect.getdoc(build) or "It has no docstring."
