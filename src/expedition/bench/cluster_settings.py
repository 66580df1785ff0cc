"""What a cluster file says: which queueing system, and what one of its jobs is given.

A job is one program in the queue, usually a node or a part of one; in it, one worker process for each mission that runs
at a time. How many jobs follow from that is equation 7 of Yan et al. 2017, with missions where they had robots.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, model_validator

from expedition.errors import ExpeditionError, shorten, unknown
from expedition.spec import Spec, load_yaml, validate

_CLOCK = re.compile(r"(?:(\d+)-)?(\d+):([0-5]?\d):([0-5]?\d)")
_PARTS = re.compile(r"(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?")

_MEMORY = re.compile(r"\d+(\.\d+)?\s*[kKMGT]i?B")
_ADDRESS = re.compile(r"[a-z]+://[^\s/]")


def seconds(value: object) -> object:
    """A time span: a number of seconds, or text such as `2h`, `1d 12h`, `90m`, `2:30:00`, `1-12:00:00`."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    found = _CLOCK.fullmatch(text) or (_PARTS.fullmatch(text) if text else None)
    if found is None:
        raise ValueError("a time span is written 90m, 2h, 1d 12h, 2:30:00 or 1-12:00:00")
    days, hours, minutes, rest = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest


def _memory(text: str) -> str:
    if not _MEMORY.fullmatch(text):
        raise ValueError("memory is written 500MB or 16GB")
    return text


def _address(text: str) -> str:
    if not _ADDRESS.match(text):
        raise ValueError("an address is written tcp://host:8786")
    return text


Count = Annotated[int, Field(ge=1, le=100_000)]
Span = Annotated[int, BeforeValidator(seconds), Field(ge=60, le=366 * 86_400)]
Memory = Annotated[str, AfterValidator(_memory)]
Line = Annotated[str, Field(pattern=r"^[^\n\r]*$")]


def robots_per_node(processors_per_node: int, processors_per_robot: int) -> int:
    """How many robots a node can compute at a time; here also: how many missions."""
    if not 1 <= processors_per_robot <= processors_per_node:
        raise ExpeditionError(
            f"a robot with {processors_per_robot} processors does not fit on a node with {processors_per_node}"
        )
    return processors_per_node // processors_per_robot


def nodes_needed(max_team_size: int, robots_per_node: int) -> int:
    """Equation 7: the nodes to ask for, for the largest team; here also: the jobs, for all missions at once."""
    return -(-max_team_size // robots_per_node)


class DaskSettings(Spec):
    """A Dask scheduler that runs already."""

    kind: Literal["dask"] = "dask"
    """The kind of cluster."""
    address: Annotated[str, AfterValidator(_address)]
    """Where the scheduler listens, as `tcp://host:8786`."""


class JobSettings(Spec):
    """Jobs in the queue of a cluster."""

    kind: Literal["slurm", "pbs", "sge", "lsf"]
    """The queueing system."""
    jobs: Count | None = None
    """How many jobs at most. Never more are submitted than the missions can use."""
    missions_at_once: Count | None = None
    """Instead of `jobs`: how many missions run at a time; the number of jobs follows."""
    cores: Count = 1
    """Cores of one job."""
    cores_per_mission: Count = 1
    """Cores reserved for each mission. It computes on one; more of them give it more of the node's memory."""
    memory: Memory
    """Memory of one job, shared equally among its missions, as `16GB`."""
    walltime: Span = 3600
    """How long a job may run, as `2h` or `1-12:00:00`; a number is seconds. Ending jobs are replaced by new ones."""
    queue: Line | None = Field(default=None, validation_alias=AliasChoices("queue", "partition"))
    """The queue or partition."""
    account: Line | None = Field(default=None, validation_alias=AliasChoices("account", "project"))
    """Account or project that pays."""
    interface: Line | None = None
    """Network interface over which workers reach this machine, as `ib0`."""
    resources: Line | None = None
    """PBS and SGE: the resources to ask for, instead of those made from cores and memory."""
    directives: tuple[Line, ...] = ()
    """Further lines of the job's header, without their prefix, as `--exclusive`."""
    skip_directives: tuple[Line, ...] = ()
    """Lines of the job's header that contain one of these are left out."""
    prologue: tuple[Line, ...] = ()
    """Shell commands before the worker starts, as `module load python/3.12`."""
    python: str | None = None
    """The Python interpreter on the nodes. Default: this one."""
    scratch: str | None = None
    """A folder on the node's own disk for the workers' temporary files."""
    logs: str | None = None
    """Folder for the jobs' output, relative to the cluster file. Default: `job-logs` in the store."""
    name: Annotated[str, Field(pattern=r"^[A-Za-z][\w.-]{0,14}$")] = "expedition"
    """The jobs' name in the queue."""

    @model_validator(mode="after")
    def _fits_together(self) -> JobSettings:
        if (self.jobs is None) == (self.missions_at_once is None):
            raise ValueError("give either jobs or missions_at_once")
        if self.cores_per_mission > self.cores:
            raise ValueError(f"cores_per_mission must not be above cores, which is {self.cores}")
        if self.resources is not None and self.kind not in ("pbs", "sge"):
            raise ValueError(f"resources is for pbs and sge; with {self.kind}, use directives")
        return self

    @property
    def missions_per_job(self) -> int:
        """How many missions one job runs at a time."""
        return robots_per_node(self.cores, self.cores_per_mission)

    @property
    def most_jobs(self) -> int:
        """How many jobs there are at most."""
        return self.jobs or nodes_needed(self.missions_at_once or 1, self.missions_per_job)

    def jobs_for(self, missions: int) -> int:
        """How many jobs so many missions can use."""
        return min(self.most_jobs, nodes_needed(missions, self.missions_per_job))


Settings = DaskSettings | JobSettings
KINDS: dict[str, type[DaskSettings] | type[JobSettings]] = {
    "dask": DaskSettings, "slurm": JobSettings, "pbs": JobSettings, "sge": JobSettings, "lsf": JobSettings,
}  # fmt: skip


def load_settings(text: str) -> Settings:
    """The settings in a cluster file, or those that an address such as `tcp://host:8786` stands for."""
    if "://" in text:
        return validate(DaskSettings, {"address": text}, "--cluster")
    path = Path(text)
    if not path.exists():
        raise ExpeditionError(f"{shorten(text)}: no such cluster file; an address is written tcp://host:8786")
    content, lines = load_yaml(path)
    if not isinstance(content, dict):
        raise ExpeditionError(f"{path}: a cluster file has fields such as 'kind: slurm', found {shorten(content)}")
    if "kind" not in content:
        raise ExpeditionError(f"{path}: missing: kind; allowed: {', '.join(KINDS)}")
    kind = str(content["kind"])
    if kind not in KINDS:
        raise unknown("kind", kind, KINDS, f"{path}, line {lines['kind']}")
    settings = validate(KINDS[kind], content, str(path), lines)
    if isinstance(settings, JobSettings) and settings.logs is not None:
        return settings.model_copy(update={"logs": str(path.absolute().parent / settings.logs)})
    return settings
