"""Where results come from: the versions that ran the missions, and how to run them again."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import expedition
from expedition.report.evidence import Evidence

CITATIONS = (
    (
        "Z. Yan, L. Fabresse, J. Laval, N. Bouraqadi: Metrics for performance benchmarking of multi-robot exploration. "
        "IEEE/RSJ International Conference on Intelligent Robots and Systems, 2015.",
        "",
    ),
    (
        "Z. Yan, L. Fabresse, J. Laval, N. Bouraqadi: Building a ROS-based testbed for realistic multi-robot "
        "simulation: taking the exploration as an example. Robotics 6(3), 2017.",
        "https://doi.org/10.3390/robotics6030021",
    ),
)
"""Where the metrics and the form of the figures come from, with an address where there is one."""


@dataclass(frozen=True)
class Provenance:
    """What ran the missions of a report; several sets of versions if they were not run with the same."""

    versions: tuple[tuple[dict[str, str], int], ...]
    """With how many missions each has."""
    code: tuple[tuple[str, int], ...]
    """Digests of the package's source, likewise."""


def provenance_of(evidence: Evidence) -> Provenance:
    """Read what each mission says of what ran it."""
    versions: Counter[str] = Counter()
    code: Counter[str] = Counter()
    for key in evidence.results["key"]:
        record: dict[str, Any] = evidence.store.parameters(key)
        versions[json.dumps(record.get("versions", {}), sort_keys=True)] += 1
        code[str(record.get("code", "unknown"))] += 1
    return Provenance(
        tuple((json.loads(text), count) for text, count in sorted(versions.items())), tuple(sorted(code.items()))
    )


def commands(evidence: Evidence) -> list[str]:
    """What runs the design again and makes its report."""
    name, store = evidence.record.name, evidence.store.folder.name or "results"
    file = name if ships(evidence) else f"{name}.yaml"
    return [
        f"expedition run {quoted(file)} --store {quoted(store)}",
        f"expedition report {quoted(store)} {quoted(name)}",
    ]


def view_command(evidence: Evidence) -> str:
    """What serves the page on which recorded missions are watched."""
    return f"expedition view --store {quoted(evidence.store.folder.name or 'results')}"


def ships(evidence: Evidence) -> bool:
    """Whether the design is one of those that come with the package, as it is there."""
    shipped = files("expedition.design").joinpath("reference", f"{evidence.record.name}.yaml")
    try:
        return shipped.read_text(encoding="utf-8") == evidence.record.text
    except OSError:
        return False


def bibtex() -> str:
    """How to cite the testbed."""
    return (
        "@software{expedition,\n"
        "  author = {{The expedition developers}},\n"
        "  title = {expedition: a testbed for multi-robot exploration},\n"
        f"  version = {{{expedition.__version__}}}\n"
        "}"
    )


def quoted(word: str) -> str:
    """A word as a shell takes it."""
    return shlex.quote(word)
