"""Exploring in one call; the code is in `expedition.exploring`."""

from expedition.exploring import explore, plan_mission

__all__ = ["explore", "plan_mission"]
