"""Workers in the jobs of a queueing system: what is submitted, and jobs that are kept up while there are missions."""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from expedition.bench.cluster_settings import JobSettings
from expedition.bench.crew import JOB_BEGAN, DaskClient
from expedition.bench.threads import ONE_THREAD
from expedition.errors import ExpeditionError

DaskCluster = Any

GONE_AFTER_S = 30.0
"""Seconds without any worker of a job after which the job has ended; nannies restart a worker in a few."""
ASK_QUEUE_EVERY_S = 10.0
STILLBORN_JOBS = 3
"""Jobs that may end before any of their workers came, until it is taken to be a mistake in the settings."""
QUEUE_COMMANDS = {
    "slurm": ("squeue", "--noheader", "--format=%T", "--jobs"),
    "pbs": ("qstat",),
    "sge": ("qstat", "-j"),
    "lsf": ("bjobs", "-noheader", "-o", "stat"),
}
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DONE", "EXIT")
# Missions do not live in Dask's memory, so there is nothing that a worker could free by pausing; a paused one would
# wait for ever. Beyond its share of the job's memory, the nanny ends the worker, and the mission is tried elsewhere.
NO_PAUSE = {f"DASK_DISTRIBUTED__WORKER__MEMORY__{name}": "False" for name in ("TARGET", "SPILL", "PAUSE")}


class Jobs:
    """Workers in jobs that are submitted, replaced and cancelled here."""

    own = True

    def __init__(self, client: DaskClient, cluster: DaskCluster, settings: JobSettings, logs: Path) -> None:
        self.client = client
        self.walltime_s = float(settings.walltime)
        self._cluster = cluster
        self._settings = settings
        self._logs = logs
        self._last_seen: dict[str, float] = {}
        self._stillborn: list[str] = []
        """Numbers of jobs that ended before any of their workers came."""
        self._next_question = time.monotonic() + ASK_QUEUE_EVERY_S

    def keep_up(self, present: Collection[str], missions: int) -> None:
        """Submit jobs up to what so many missions can use, in place of those that ended too."""
        now = time.monotonic()
        ended = [job for job in self._cluster.worker_spec if self._has_ended(job, present, now)]
        if now >= self._next_question:
            self._next_question = now + ASK_QUEUE_EVERY_S
            ended += self._stillborn_jobs()
        for job in ended:
            del self._cluster.worker_spec[job]
            self._last_seen.pop(job, None)
        if ended:
            self._settle()  # Before others are added, which get the names that become free.
        missing = self._settings.jobs_for(missions) - len(self._cluster.worker_spec)
        if len(self._stillborn) >= STILLBORN_JOBS:
            if not present:
                raise self._complaint()
            missing = 0  # The jobs that there are work on; submitting ever more that fail would annoy everyone.
        for _ in range(missing):
            self._cluster.worker_spec.update(self._cluster.new_worker_spec())
        if missing > 0:
            self._settle()

    def more_to_come(self, workers: int) -> bool:
        """Whether jobs that were submitted will bring more workers than so many."""
        return workers < len(self._cluster.worker_spec) * self._settings.missions_per_job

    def waiting_for(self) -> str:
        """What to tell a user who sees no worker."""
        numbers = ", ".join(str(job.job_id) for job in self._cluster.workers.values())
        return f"waiting for {self._settings.kind} to start the jobs {numbers}; their output goes to {self._logs}"

    def _has_ended(self, job: str, present: Collection[str], now: float) -> bool:
        if any(name == job or name.startswith(f"{job}-") for name in present):
            self._last_seen[job] = now
        return now - self._last_seen.get(job, now) > GONE_AFTER_S

    def _stillborn_jobs(self) -> list[str]:
        """Jobs that are no longer in the queue, and of which no worker ever came."""
        absent = [job for job in self._cluster.worker_spec if job not in self._last_seen]
        numbers = {job: self._cluster.workers[job].job_id for job in absent if job in self._cluster.workers}
        gone = [job for job, number in numbers.items() if not _in_queue(self._settings.kind, number)]
        self._stillborn += [numbers[job] for job in gone]
        return gone

    def _complaint(self) -> ExpeditionError:
        number = self._stillborn[-1]
        what = f"{len(self._stillborn)} jobs ended before a worker came; the last is {number}"
        files = sorted(self._logs.glob(f"*{number}*"), key=lambda path: path.stat().st_mtime)
        for path in reversed(files):
            if text := path.read_text(errors="replace").strip():
                return ExpeditionError(f"{what}. The end of {path}:\n" + "\n".join(text.splitlines()[-15:]))
        return ExpeditionError(
            f"{what}. It left no output in {self._logs}; `expedition cluster script FILE` shows what it ran"
        )

    def _settle(self) -> None:
        """Submit the jobs that are wanted and not there, and cancel those that are there and not wanted."""

        async def settled() -> None:
            await self._cluster

        kind = self._settings.kind
        try:
            self._cluster.sync(settled)
        except FileNotFoundError as error:
            self._give_up()
            raise ExpeditionError(
                f"{error.filename}: no such program here; is this a machine that submits to {kind}?"
            ) from None
        except RuntimeError as error:
            self._give_up()
            said = str(error).partition("stderr:\n")[2].strip() or str(error)
            raise ExpeditionError(f"{kind} refuses the job: {said}") from None

    def _give_up(self) -> None:
        """Let the cluster close in spite of jobs that could not be submitted, which it takes for a fault of its own."""
        from distributed import Status

        for job in self._cluster._created:
            if job.status == Status.created:
                job.status = Status.failed


def job_script(settings: JobSettings, folder: Path) -> str:
    """The script of one job, as it would be submitted for the store in `folder`."""
    with tempfile.TemporaryDirectory() as elsewhere:  # Making a job makes its folder for logs.
        job_class = _cluster_class(settings.kind).job_cls
        job = job_class("tcp://ADDRESS:PORT", name=settings.name, **_job_options(settings, elsewhere))
        script: str = job.job_script()
    return script.replace(elsewhere, logs_folder(settings, folder)).rstrip() + "\n"


def start_scheduler(settings: JobSettings, logs: str) -> DaskCluster:
    """A Dask scheduler in this process, still without jobs."""
    import dask

    cluster_class = _cluster_class(settings.kind)
    scheduler = {"dashboard_address": ":0"}  # A free port: the usual one may be someone else's.
    # Which jobs are over is found out here; Dask would cancel those whose workers a nanny is about to restart.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"})
    try:
        return cluster_class(**_job_options(settings, logs), scheduler_options=scheduler, silence_logs=logging.CRITICAL)
    except (ValueError, OSError) as error:
        raise ExpeditionError(f"cannot start a Dask scheduler: {error}") from None


def _cluster_class(kind: str) -> Any:
    import dask_jobqueue

    return getattr(dask_jobqueue, f"{kind.upper()}Cluster")


def _job_options(settings: JobSettings, logs: str) -> dict[str, Any]:
    """The settings in the words of dask-jobqueue."""
    variables = {**ONE_THREAD, **NO_PAUSE}
    exports = [f"export {name}={value}" for name, value in variables.items()]
    options: dict[str, Any] = {
        "cores": settings.cores,
        "processes": settings.missions_per_job,
        "memory": settings.memory,
        "walltime": _clock(settings.walltime, settings.kind),
        "queue": settings.queue,
        "interface": settings.interface,
        "job_extra_directives": list(settings.directives),
        "job_directives_skip": list(settings.skip_directives),
        "job_script_prologue": [f"export {JOB_BEGAN}=$(date +%s)", *exports, *settings.prologue],
        "python": shlex.quote(settings.python or sys.executable),
        "local_directory": shlex.quote(settings.scratch) if settings.scratch else None,
        "log_directory": logs,
        "job_name": settings.name,
        "death_timeout": 60,
    }
    # The paying account has two names among the systems.
    options["account" if settings.kind in ("slurm", "pbs") else "project"] = settings.account
    if settings.resources is not None:
        options["resource_spec"] = settings.resources
    return options


def logs_folder(settings: JobSettings, folder: Path) -> str:
    logs = settings.logs or str(folder / "job-logs")
    if len(logs.split()) > 1:
        raise ExpeditionError(f"{logs}: jobs cannot log into a folder with a space in its name; set another as logs")
    return logs


def _clock(span: int, kind: str) -> str:
    if kind == "lsf":  # Hours and minutes only.
        minutes = -(-span // 60)
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{span // 3600:02}:{span // 60 % 60:02}:{span % 60:02}"


def _in_queue(kind: str, number: str | None) -> bool:
    """Whether a job waits or runs. Where the queue does not answer, it is taken to be there."""
    try:
        answer = subprocess.run([*QUEUE_COMMANDS[kind], str(number)], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return True
    return answer.returncode == 0 and answer.stdout.strip() not in ("", *ENDED)
