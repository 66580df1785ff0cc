"""A real Slurm of one node, started for the tests in a folder of its own and stopped after them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol")
START_S = 40.0

CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=tests Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@dataclass(frozen=True)
class Slurm:
    """A running Slurm: the folder with its configuration and logs."""

    folder: Path

    @property
    def configuration(self) -> Path:
        """The file that its programs find by the variable SLURM_CONF."""
        return self.folder / "slurm.conf"

    def ask(self, *words: str) -> str:
        """What one of its programs prints."""
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60).stdout.strip()

    def jobs(self) -> list[str]:
        """The numbers of the jobs that are waiting or running."""
        return self.ask("squeue", "--noheader", "--format=%i", "--states=PENDING,RUNNING").split()


def what_is_missing() -> str | None:
    """Why no Slurm can be started here, or None."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    missing = [program for program in PROGRAMS if shutil.which(program, path=path) is None]
    if missing:
        return f"Slurm is not installed here ({', '.join(missing)} not found); tools/slurm installs it"
    if os.geteuid() != 0:
        return "only root can start a Slurm that runs jobs"
    return None


@contextmanager
def running_slurm(folder: Path, cpus: int = 4) -> Iterator[Slurm]:
    """Start munge, the controller and a node with `cpus` processors, and stop them all at the end."""
    host = socket.gethostname().split(".")[0]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    controller_port, node_port = free_ports(2)
    slurm = Slurm(folder)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    slurm.configuration.write_text(
        CONFIGURATION.format(
            host=host, folder=folder, cpus=cpus, memory=memory, controller_port=controller_port, node_port=node_port
        )
    )
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    with ExitStack() as stack:
        munge = ["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={key}"]
        munge += [f"--{kind}-file={folder}/munge.{kind}" for kind in ("pid", "log", "seed")]
        stack.enter_context(_daemon(munge, folder))
        _wait(lambda: (folder / "munge.socket").exists(), "munged", folder / "munge.log")
        stack.enter_context(_daemon(["slurmctld", "-D", "-i", "-f", str(slurm.configuration)], folder))
        stack.enter_context(_daemon(["slurmd", "-D", "-N", host, "-f", str(slurm.configuration)], folder))
        _wait(lambda: slurm.ask("sinfo", "--noheader", "--format=%T") == "idle", "Slurm", folder / "slurmctld.log")
        yield slurm
        slurm.ask("scancel", "--user=root")
        _wait(lambda: not slurm.jobs(), "the end of all jobs", folder / "slurmctld.log")


@contextmanager
def _daemon(command: list[str], folder: Path) -> Iterator[None]:
    program = shutil.which(command[0], path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    assert program is not None
    with (folder / f"{command[0]}.out").open("wb") as output:
        environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        process = subprocess.Popen(
            [program, *command[1:]], env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(ready: object, what: str, log: Path) -> None:
    assert callable(ready)
    deadline = time.monotonic() + START_S
    while not ready():
        if time.monotonic() > deadline:
            text = log.read_text(errors="replace")[-2000:] if log.exists() else "no log"
            raise TimeoutError(f"waited {START_S:g} s for {what}; the end of {log}:\n{text}")
        time.sleep(0.1)


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on; all are held until the last is found, so that they differ."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
