"""How much of a mission goes into its log."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from expedition.spec import Spec

Seconds = Annotated[float, Field(gt=0, le=3600)]


class Detail(Spec):
    """Seconds of simulated time between two recordings of each kind; nothing of a kind that is null.

    What changes seldom is recorded when it does: decisions, notes, messages, tags, events.
    """

    fleet: Seconds = 0.2
    """Poses, beliefs, goals, states, links and curves of all robots."""
    transforms: Seconds | None = 0.2
    """`/tf`, for programs that know ROS."""
    odometry: Seconds | None = 1.0
    """`/robot_i/odometry`, for programs that know ROS."""
    scans: Seconds | None = 1.0
    """The latest scan of each robot."""
    landmarks: Seconds | None = 1.0
    """Where robots that have cameras believe landmarks to be."""
    maps: Seconds | None = 1.0
    """What changed in the maps of robots and of the base, and in all of them together."""
    paths: Seconds | None = 1.0
    """The ways that robots are about to drive, if they have changed."""
    markers: Seconds | None = 2.0
    """Links and frontiers, for programs that know ROS."""
    messages: bool = True
    """What robots tell each other."""
    keyframes: Seconds = 30.0
    """Whole maps, and what holds for long: from the last of them a reader starts that goes to any moment."""
