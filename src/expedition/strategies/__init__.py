"""Strategies: one file a strategy, and the registry by which users name them."""

from expedition.strategies.central import Fleet, centralised
from expedition.strategies.library import make_strategy, strategy

from expedition.strategies import (  # isort: skip  # noqa: F401  they register themselves
    coordinated,
    cost_utility,
    frontier_return,
    hungarian,
    leader_follower,
    market,
    min_pos,
    nearest_frontier,
    random_walk,
    role_based,
    sector,
    time_preference,
)

__all__ = ["Fleet", "centralised", "make_strategy", "strategy"]
