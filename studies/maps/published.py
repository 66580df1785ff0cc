"""Missions as published designs have them, with this code and with another checkout's: are they faster, or slower?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

import expedition
from expedition.bench.provenance import digest_of
from expedition.bench.threads import ONE_THREAD
from expedition.errors import ExpeditionError, shorten
from studies.maps.mission import LONGEST_REASON
from studies.paired import changes
from studies.study import TERRAINS, markdown, written

HERE = Path(expedition.__file__).parent.parent
SCRIPT = Path(__file__).parent / "published_mission.py"
BEFORE, NOW = "before", "now"
SEEDS = (1, 2, 3)
FLEETS = (1, 4, 8)
OTHERS = ("cave", "building", "office", "indoor")
STRATEGIES = ("coordinated", "market")
RESOLUTION = 0.2
"""Metres of a cell of maps, as published designs have it; without it, cells follow the terrain."""
YAN2017: Mapping[str, Any] = {
    "robot": "pioneer-3dx:radios.wifi.range=200", "placement": "line", "time_limit": 2000.0,
    "settings": {
        "localiser": "scan-matching", "merge": "probabilistic", "planner": "dijkstra", "replan_rate": 1.0,
        "resolution": RESOLUTION, "mapping": {"max_range": 25.0},
    },
}  # fmt: skip
"""Those of the design `yan2017`."""
PLAIN: Mapping[str, Any] = {
    "robot": "pioneer-3dx", "placement": "grouped", "time_limit": 2000.0,
    "settings": {"localiser": "scan-matching", "resolution": RESOLUTION},
}  # fmt: skip
METRICS = (
    "time_s", "completeness", "explored_m2", "cost_m", "collisions_with_walls", "collisions_with_others",
    "trajectory_error_mean_m",
)  # fmt: skip
ALIKE = ("design", "terrain", "strategy", "robots", "seed")
PATIENCE = 3600.0
"""Wall-clock seconds after which a mission is given up."""


@dataclass(frozen=True)
class Mission:
    """A mission that both run."""

    design: str
    terrain: str
    strategy: str
    robots: int
    seed: int

    def arguments(self) -> dict[str, Any]:
        """Those of `explore`."""
        named = {"terrain": self.terrain, "robots": self.robots, "strategy": self.strategy, "seed": self.seed}
        return {**named, **(YAN2017 if self.design == "yan2017" else PLAIN)}


MISSIONS = (
    *(Mission("yan2017", *case) for case in product(TERRAINS, ("nearest-frontier",), FLEETS, SEEDS)),
    *(Mission("others", *case) for case in product(OTHERS, STRATEGIES, (4,), SEEDS)),
)


def carry_out(
    source: Path, folder: Path, workers: int, console: Console, missions: Sequence[Mission] = MISSIONS
) -> None:
    """Run what is missing of both codes, then compare them. Rows of code that has changed since are run anew."""
    sources = {BEFORE: source.resolve(), NOW: HERE}
    for place in sources.values():
        if not (place / "expedition" / "__init__.py").is_file():
            raise ExpeditionError(f"--published: {shorten(str(place))} is no folder with the package expedition in it")
    digests = {code: digest_of(place / "expedition")[:16] for code, place in sources.items()}
    table = folder / "published.csv"
    rows = [row for row in _read(table) if row["digest"] == digests[row["code"]]]
    done = {(row["code"], *(row[name] for name in ALIKE)) for row in rows}
    jobs = [
        (code, mission)
        for mission in sorted(missions, key=lambda one: -one.robots)
        for code in sources
        if (code, *(getattr(mission, name) for name in ALIKE)) not in done
    ]
    with (
        Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console, disable=not jobs) as bar,
        ThreadPoolExecutor(workers) as pool,
    ):
        task = bar.add_task("published", total=len(jobs))
        futures = {pool.submit(_run, sources[code], mission): (code, mission) for code, mission in jobs}
        try:
            for future in as_completed(futures):
                code, mission = futures[future]
                named = {name: getattr(mission, name) for name in ALIKE}
                rows.append({"code": code, "digest": digests[code], **named, **future.result()})
                _write(table, rows)
                bar.advance(task)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    text = report(pl.DataFrame(rows, infer_schema_length=None))
    (folder / "published.md").write_text(text, encoding="utf-8")
    console.print(text, markup=False, soft_wrap=True)


def report(rows: pl.DataFrame) -> str:
    """Times and successes of both codes side by side, in pairs of missions with the same seed."""
    both = rows.filter(pl.col("code") == BEFORE).join(
        rows.filter(pl.col("code") == NOW), on=list(ALIKE), suffix=" now", maintain_order="left"
    )
    lines = []
    groups: list[tuple[str, pl.DataFrame]] = [("all", both)]
    groups += [(f"all of {design}", some) for (design,), some in both.group_by("design", maintain_order=True)]
    groups += [
        (f"{terrain}, {strategy}, {robots}", some)
        for (terrain, strategy, robots), some in both.group_by("terrain", "strategy", "robots", maintain_order=True)
    ]
    tests = _tests(rows)
    for name, some in groups:
        lines.append([name, *_compared(some), tests.get(name, "")])
    head = [
        "missions", "pairs", "succeed before", "now", "median time before (s)", "now (s)", "ratio", "faster", "slower",
        "mean change, p",
    ]  # fmt: skip
    parts = [
        "Each mission is run with the code before and with the code now, with the same seed and with map cells of "
        f"{RESOLUTION:g} m. Times are those of pairs in which both succeed; faster and slower are by 1 s or more.\n",
        markdown(head, lines),
        "The mean change and its p are those of signed-rank tests over pairs after Holm's correction, for all missions "
        "and for each design.\n",
    ]
    if len(both) < len(MISSIONS):
        parts.insert(0, f"**{len(both)} of {len(MISSIONS)} pairs of missions have been run so far.**\n")
    moved = both.filter(pl.col("ground") != pl.col("ground now"))["terrain"].unique(maintain_order=True).to_list()
    if moved:
        parts.append(f"The two codes draw different ground, so that times cannot be compared: {', '.join(moved)}.\n")
    apart = both.filter(pl.col("succeeded") != pl.col("succeeded now"))
    apart = pl.concat([apart, both.filter(~pl.col("succeeded") & ~pl.col("succeeded now"))])
    if len(apart):
        parts += ["Missions that fail with one of the two, or with both:\n", _failures(apart)]
    return "\n".join(parts)


def _tests(rows: pl.DataFrame) -> dict[str, str]:
    found = changes(
        rows.sort(*ALIKE), "code", BEFORE, NOW, ["time_s"], alike=ALIKE, panels="design", blocks=ALIKE
    )["time_s"]  # fmt: skip
    return {
        name if name == "all" else f"all of {name}": f"{one.change:+.1%}, p = {one.p:.2g}".replace("-", "−")
        for name, one in found.items()
        if one.pairs
    }


def _compared(pairs: pl.DataFrame) -> list[str]:
    good = pairs.filter(pl.col("succeeded") & pl.col("succeeded now"))
    before, now = good["time_s"], good["time_s now"]
    counts = [str(len(pairs)), str(pairs["succeeded"].sum()), str(pairs["succeeded now"].sum())]
    if not len(good):
        return [*counts, "-", "-", "-", "-", "-"]
    first, second = (float(times.median()) for times in (before, now))  # type: ignore[arg-type]
    faster, slower = int((now <= before - 1.0).sum()), int((now >= before + 1.0).sum())
    return [*counts, written(first), written(second), f"{second / first:.2f}", str(faster), str(slower)]


def _failures(pairs: pl.DataFrame) -> str:
    lines = []
    for row in pairs.iter_rows(named=True):
        how = [f"{row['ending' + now]}, {row['completeness' + now] or 0.0:.1%}" for now in ("", " now")]
        lines.append([f"{row['terrain']}, {row['strategy']}", str(row["robots"]), str(row["seed"]), *how])
    return markdown(["mission", "robots", "seed", "before", "now"], lines)


def _run(source: Path, mission: Mission) -> dict[str, Any]:
    """Run a mission in a process of its own with the code of one checkout; an error is an ending too."""
    asked = json.dumps({"source": str(source), "mission": mission.arguments(), "metrics": METRICS})
    # -P: the folder of the script is no place to import from.
    command = [sys.executable, "-P", str(SCRIPT), asked]
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(source)}
    nothing: dict[str, Any] = {"succeeded": False, "ground": "", **dict.fromkeys(METRICS)}
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return {"ending": f"given up after {PATIENCE:g} s of computing", **nothing}
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[-1]
        return {"ending": f"raised {last[:LONGEST_REASON]}", **nothing}
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return {**found, **{name: _number(found[name]) for name in METRICS}}


def _number(value: float | None) -> float | None:
    """A figure with the digits that the table keeps."""
    return None if value is None else float(f"{value:.6g}")


def _read(table: Path) -> list[dict[str, Any]]:
    return pl.read_csv(table, schema_overrides={"digest": pl.String}).to_dicts() if table.exists() else []


def _write(table: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    new = table.with_suffix(".new")
    pl.DataFrame(rows, infer_schema_length=None).sort(*ALIKE, "code").write_csv(new)
    new.replace(table)
