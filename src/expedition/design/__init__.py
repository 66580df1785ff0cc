"""Experimental designs: a file says which missions are run, when each ends, and what is measured."""

from __future__ import annotations

from expedition.design.building import build_mission
from expedition.design.design import Design, load_design
from expedition.design.planned import Planned

__all__ = ["Design", "Planned", "build_mission", "load_design"]
