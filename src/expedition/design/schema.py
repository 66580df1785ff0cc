"""The fields of a design file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from expedition.log.detail import Detail
from expedition.spec import Spec

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
MAX_MISSIONS = 1_000_000
MAX_SEED = 2**62


class DesignFile(Spec):
    """An experimental design: which missions are run, when each ends, and what is measured."""

    name: Annotated[str, Field(pattern=NAME, max_length=100)]
    """What results are kept under: letters, digits, dots and dashes. Without one, the file's name."""
    description: Annotated[str, Field(max_length=10_000)] = ""
    """What is asked, in a sentence or two; the report begins with it."""
    parameters: dict[str, Any]
    """What is varied and what is fixed. A value, a [list] of values, {from, to, by} for a range, or {values: [...]}."""
    vectors: Any = "all"
    """Which values meet: all (combinations), a list of mappings, my_file.py:my_vectors, or {latin_hypercube: 50}."""
    exclude: Any = ()
    """Vectors to leave out: mappings from parameters to a value, a list or a range, or my_file.py:my_condition."""
    iterations: Annotated[int, Field(ge=1, le=MAX_MISSIONS)] = 1
    """How often each vector is run, each time with another seed."""
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 1
    """The seed of the first iteration; the next has the next number, and vectors share them."""
    stop: dict[str, Any] | None = None
    """When a mission ends: explored, time, no-frontier, area, distance, or my_file.py:my_condition."""
    measurements: dict[str, Any] = Field(default_factory=dict)
    """What is measured, and every how many seconds or when: series, resources, maps, or my_file.py:my_measurement."""
    record: bool | Detail = False
    """Whether each mission keeps a log that can be replayed, log.mcap; and in which detail, in seconds by kind."""
    metrics: list[str] = Field(default_factory=list)
    """The metrics shown first; all that are known if none is named. Your own: my_file.py:my_metric."""
