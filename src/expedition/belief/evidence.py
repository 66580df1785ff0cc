"""What a cell knows, as small integers: how a beam changes it, how evidence is merged, and what it says of the cell.

Two kinds of evidence:

- log-odds (Moravec and Elfes): 20 times the log-odds that the cell is occupied, added up and clamped so that a map can
  change its mind. A hit is p = 0.70, a miss p = 0.40.
- counters (MRXT): how often a beam crossed or ended in the cell, and how often it ended there; the total saturates, and
  from then on only the hits move. Packed as hits + 256 * total.

Zero means that nothing was observed that still counts: no beam brings evidence back to zero, but a robot that hears of
walls that have moved since takes back what it saw. A robot's own evidence is int16; merged evidence is int32, where
counters are hits + 65536 * total so that a whole fleet's fit. All are exact integers, so that what was added can be
taken away again.
"""

from __future__ import annotations

from expedition.belief.grid import FREE, OCCUPIED
from expedition.kernels import kernel

LOG_ODDS, COUNTERS = 0, 1
KINDS = {"log-odds": LOG_ODDS, "counters": COUNTERS}

SCALE = 20
"""Units of log-odds evidence per unit of log-odds."""
HIT, MISS = 17, -8
LIMIT = 70
"""Log-odds evidence is clamped to [-LIMIT, LIMIT]: p between 0.03 and 0.97, two misses undone by a hit."""
THRESHOLD = 1
"""Log-odds evidence from which a cell counts as occupied, and from whose negative it counts as free: p other than 0.5,
so that a cell once observed stays known."""
SURE = 2 * HIT
"""Log-odds evidence from which a robot is sure of a wall; of free ground it is at the limit."""
TOTAL_LIMIT = 20
"""Where the total counter saturates: a wall seen as often as you like is gone after eleven misses."""

GREEDY, PROBABILISTIC = 0, 1

MARK = 16384
"""Added to evidence that travels, where the robot saw a cell change: what it or others had seen before is outdated."""
MARKED = MARK // 2
"""Evidence from here on bears the mark."""


@kernel
def observed(kind: int, evidence: int, hit: bool) -> int:
    """Own evidence after a beam ended in the cell (`hit`) or crossed it."""
    if kind == LOG_ODDS:
        step = HIT if hit else MISS
        after = min(max(evidence + step, -LIMIT), LIMIT)
        if after == 0:
            return 1 if hit else -1
        return after
    hits, total = evidence & 255, evidence >> 8
    if total < TOTAL_LIMIT:
        return evidence + (257 if hit else 256)
    if hit:
        return evidence + (1 if hits < total else 0)
    return evidence - (1 if hits > 0 else 0)


@kernel
def widened(kind: int, evidence: int) -> int:
    """Own evidence in the units of merged evidence."""
    if kind == LOG_ODDS:
        return evidence
    return (evidence & 255) + 65536 * (evidence >> 8)


@kernel
def own_changed(merge: int, kind: int, old: int, new: int, fused: int) -> int:
    """Merged evidence of a cell after the robot's own evidence went from `old` to `new`.

    Greedy: what the robot saw itself has precedence over whatever it was told. Probabilistic: the merged map is the sum
    of everyone's evidence, of which the own part changes.
    """
    if merge == GREEDY:
        return widened(kind, new)
    return fused + widened(kind, new) - widened(kind, old)


@kernel
def told(merge: int, kind: int, own: int, old: int, new: int, fused: int) -> int:
    """Merged evidence of a cell after a teammate's evidence went from `old` to `new`, as far as the robot was told.

    Greedy: a cell the robot never saw takes what it is told first, and follows whoever last said what it holds.
    Probabilistic: the sum changes by what is new, so that nothing counts twice.
    """
    if merge == GREEDY:
        takes = (own == 0) & ((fused == 0) | (fused == widened(kind, old)))
        return fused + takes * (widened(kind, new) - fused)
    return fused + widened(kind, new) - widened(kind, old)


@kernel
def state_of(kind: int, fused: int) -> int:
    """UNKNOWN, FREE or OCCUPIED by merged evidence; counters say occupied where more than half of the beams hit.

    Without branches, as `told`: over many cells they could not be predicted.
    """
    if kind == LOG_ODDS:
        return (fused >= THRESHOLD) * OCCUPIED + (fused <= -THRESHOLD) * FREE
    total = fused >> 16
    return (total > 0) * (FREE + (2 * (fused & 65535) > total) * (OCCUPIED - FREE))


@kernel
def believed(kind: int, own: int, fused: int) -> int:
    """What a robot acts on: its own word where it is sure of a cell, else what merged evidence amounts to.

    Teammates' maps lie a little off. Summed up cell by cell, their free ground would wear away the walls that the robot
    itself has seen, and their walls would stand in ground that it drove over.
    """
    if kind == LOG_ODDS:
        if own >= SURE:
            return OCCUPIED
        if own <= -LIMIT:
            return FREE
    elif own >> 8 >= TOTAL_LIMIT:
        return state_of(kind, widened(kind, own))
    return state_of(kind, fused)
