"""Clearance: how near to walls a body may be planned, and the narrowest opening that it is sure to pass.

Both follow from the body, the side h of the map's cells, and the margin that the control keeps. With the need
n = half the width across the heading + margin:

- a cell is closed to the body if its middle is nearer to that of an occupied cell than the *passing radius*
  r = h max(1, floor(n / h)), a whole number of cells: what an opening has room for jumps from one cell to the next, and
  a radius in between would close openings at some angles and places on the grid and not at others;
- every opening at least max(2 n, 2 r + 1.5 h) wide is then open to it, at any angle and wherever it lies on the grid
  (`tests/fleet/test_clearance.py` tries them).

Some that are narrower look open as well. The control, which goes by what lidars see, does not squeeze through what
the body does not fit into, and the navigator closes the place then.
"""

from __future__ import annotations

import math

from expedition.fleet.body import Body, DiscBody

MARGIN = 0.035
"""Metres that a robot keeps to each side at its slowest, by the defaults of local navigation."""
ROUNDING = 1e-9


def half_width(body: Body) -> float:
    """Half of what the body takes across its heading, in metres."""
    return body.radius if isinstance(body, DiscBody) else 0.5 * body.width


def passing_radius(body: Body, resolution: float, margin: float = MARGIN) -> float:
    """How far the middle of a cell must be from that of every occupied one for the body to pass, in metres."""
    return resolution * max(1, math.floor((half_width(body) + margin) / resolution + ROUNDING))


def narrowest_opening(body: Body, resolution: float, margin: float = MARGIN) -> float:
    """Metres: every opening at least as wide is passed."""
    passing = passing_radius(body, resolution, margin)
    return max(2.0 * (half_width(body) + margin), 2.0 * passing + 1.5 * resolution)
