"""Localisation: where robots believe they are. Localisers by name stand behind one protocol."""

from __future__ import annotations

from expedition.belief.slam import odometry as odometry
from expedition.belief.slam import perfect as perfect
from expedition.belief.slam import scan_matching as scan_matching
from expedition.belief.slam.localiser import Localiser, slam

__all__ = ["Localiser", "slam"]
