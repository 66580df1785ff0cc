"""Cluster files: what is allowed in them, what is said about mistakes, and the jobs that come of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expedition.bench.cluster_settings import (
    DaskSettings,
    JobSettings,
    load_settings,
    nodes_needed,
    robots_per_node,
    seconds,
)
from expedition.bench.jobs import job_script
from expedition.errors import ExpeditionError

SLURM = """\
kind: slurm
jobs: 3
cores: 8
memory: 16GB
"""


def load(folder: Path, text: str) -> JobSettings:
    path = folder / "cluster.yaml"
    path.write_text(text)
    settings = load_settings(str(path))
    assert isinstance(settings, JobSettings)
    return settings


def script(folder: Path, text: str) -> str:
    return job_script(load(folder, text), Path("/shared/results"))


def test_nodes_of_the_2017_paper_are_found() -> None:
    assert robots_per_node(processors_per_node=8, processors_per_robot=2) == 4
    assert nodes_needed(max_team_size=30, robots_per_node=4) == 8


@given(st.integers(1, 10_000), st.integers(1, 100))
def test_nodes_hold_the_whole_team_and_one_less_does_not(team: int, per_node: int) -> None:
    nodes = nodes_needed(team, per_node)
    assert (nodes - 1) * per_node < team <= nodes * per_node


def test_robot_that_is_too_large_for_a_node_is_refused() -> None:
    with pytest.raises(ExpeditionError, match="with 9 processors does not fit on a node with 8"):
        robots_per_node(8, 9)


def test_jobs_follow_from_missions_at_once(tmp_path: Path) -> None:
    settings = load(tmp_path, SLURM.replace("jobs: 3", "missions_at_once: 30\ncores_per_mission: 2"))
    assert (settings.missions_per_job, settings.most_jobs) == (4, 8)
    assert settings.jobs_for(9) == 3
    assert settings.jobs_for(1000) == 8


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("90m", 5400),
        ("2h", 7200),
        ("1d 12h", 129_600),
        ("1d12h", 129_600),
        ("2h30m", 9000),
        ("45 min", 2700),
        ("2:30:00", 9000),
        ("1-12:00:00", 129_600),
        ("100:00:00", 360_000),
        ("30s", 30),
    ],
)
def test_time_spans_are_read_as_people_write_them(written: str, expected: int) -> None:
    assert seconds(written) == expected


@pytest.mark.parametrize("written", ["2:30", "soon", "", "1h 2d", "-1h"])
def test_other_text_is_no_time_span(written: str) -> None:
    with pytest.raises(ValueError, match="a time span is written"):
        seconds(written)


def test_wall_time_without_quotes_is_what_it_looks_like(tmp_path: Path) -> None:
    assert load(tmp_path, SLURM + "walltime: 02:30:00\n").walltime == 9000


def test_partition_and_project_are_other_words_for_queue_and_account(tmp_path: Path) -> None:
    settings = load(tmp_path, SLURM + "partition: long\nproject: robots\n")
    assert (settings.queue, settings.account) == ("long", "robots")


def test_logs_are_relative_to_the_file(tmp_path: Path) -> None:
    assert load(tmp_path, SLURM + "logs: said\n").logs == str(tmp_path / "said")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("kind: slrum\njobs: 1\n", r"line 1: unknown kind 'slrum'; did you mean 'slurm'\?"),
        ("jobs: 1\n", r"missing: kind; allowed: dask, slurm, pbs, sge, lsf"),
        ("[1, 2]\n", r"fields such as 'kind: slurm', found \[1, 2\]"),
        (SLURM + "wall_time: 2h\n", r"line 5: unknown field 'wall_time'; did you mean 'walltime'\?"),
        (SLURM + "walltime: soon\n", r"line 5: walltime: a time span is written 90m, .*, found 'soon'"),
        (SLURM + "walltime: 10s\n", r"line 5: walltime: .*greater than or equal to 60"),
        (SLURM.replace("16GB", "lots"), r"line 4: memory: memory is written 500MB or 16GB, found 'lots'"),
        (SLURM.replace("memory: 16GB\n", ""), r"missing: memory"),
        (SLURM.replace("jobs: 3", "jobs: 0"), r"line 2: jobs: .*greater than or equal to 1, found 0"),
        (SLURM.replace("jobs: 3\n", ""), r"give either jobs or missions_at_once"),
        (SLURM + "missions_at_once: 4\n", r"give either jobs or missions_at_once"),
        (SLURM + "cores_per_mission: 9\n", r"cores_per_mission must not be above cores, which is 8"),
        (SLURM + "resources: nodes=1\n", r"resources is for pbs and sge; with slurm, use directives"),
        (SLURM + 'directives: ["-a\\n#SBATCH -b"]\n', r"line 5: directives\.0: "),
        ("kind: dask\n", r"missing: address"),
        (
            "kind: dask\naddress: somewhere\n",
            r"line 2: address: an address is written tcp://host:8786, found 'somewhere'",
        ),
    ],
)
def test_mistake_in_a_file_is_named_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(text)
    with pytest.raises(ExpeditionError, match=re.escape(str(path)) + ".*" + complaint):
        load_settings(str(path))


def test_file_that_is_not_there_is_named() -> None:
    with pytest.raises(ExpeditionError, match=r"'cluster\.yml': no such cluster file; an address is written tcp://"):
        load_settings("cluster.yml")


def test_address_stands_for_a_running_scheduler() -> None:
    assert load_settings("tcp://10.0.0.1:8786") == DaskSettings(address="tcp://10.0.0.1:8786")
    with pytest.raises(ExpeditionError, match="--cluster: address: an address is written"):
        load_settings("10.0.0.1://")


@pytest.mark.parametrize("kind", ["slurm", "pbs", "sge", "lsf"])
def test_job_of_each_system_starts_one_worker_for_each_mission(tmp_path: Path, kind: str) -> None:
    text = SLURM.replace("slurm", kind) + (
        "walltime: 26h\nqueue: long\naccount: lab\ninterface: ib0\nprologue: [module load python]\n"
        "python: /shared/my env/bin/python\nscratch: /scratch\n"
    )
    made = script(tmp_path, text)
    lines = made.splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert lines[-1] == (
        "'/shared/my env/bin/python' -m distributed.cli.dask_worker tcp://ADDRESS:PORT --name expedition --nthreads 1 "
        "--memory-limit 1.86GiB --nworkers 8 --nanny --death-timeout 60 --local-directory /scratch --interface ib0"
    )
    assert lines.index("module load python") == len(lines) - 2
    assert "export POLARS_MAX_THREADS=1" in lines


def test_header_for_slurm(tmp_path: Path) -> None:
    made = script(tmp_path, SLURM + "walltime: 26h\npartition: long\naccount: lab\ndirectives: [--exclusive]\n")
    expected = [
        "-J expedition", "-e /shared/results/job-logs/expedition-%J.err",
        "-o /shared/results/job-logs/expedition-%J.out", "-p long", "-A lab", "-n 1", "--cpus-per-task=8", "--mem=15G",
        "-t 26:00:00", "--exclusive",
    ]  # fmt: skip
    assert re.findall(r"^#SBATCH (.*)$", made, re.M) == expected


def test_header_for_pbs(tmp_path: Path) -> None:
    text = SLURM.replace("slurm", "pbs") + "walltime: 90m\nqueue: long\naccount: lab\ndirectives: [-m n]\n"
    expected = [
        "-N expedition", "-q long", "-A lab", "-l select=1:ncpus=8:mem=15GB", "-l walltime=01:30:00",
        "-e /shared/results/job-logs/", "-o /shared/results/job-logs/", "-m n",
    ]  # fmt: skip
    assert re.findall(r"^#PBS (.*)$", script(tmp_path, text), re.M) == expected
    old = script(tmp_path, text + "resources: nodes=1:ppn=8\n")
    assert "#PBS -l nodes=1:ppn=8\n" in old
    assert "select" not in old


def test_header_for_sge(tmp_path: Path) -> None:
    text = SLURM.replace("slurm", "sge") + "walltime: 90m\nqueue: long\nproject: lab\ndirectives: [-pe smp 8]\n"
    text += "resources: h_vmem=2G\nskip_directives: [-j y]\n"
    expected = [
        "-N expedition", "-q long", "-P lab", "-l h_vmem=2G", "-l h_rt=01:30:00", "-e /shared/results/job-logs/",
        "-o /shared/results/job-logs/", "-cwd", "-pe smp 8",
    ]  # fmt: skip
    assert re.findall(r"^#\$ (.*)$", script(tmp_path, text), re.M) == expected


def test_header_for_lsf(tmp_path: Path) -> None:
    text = SLURM.replace("slurm", "lsf") + "walltime: 26h30m\nqueue: long\nproject: lab\n"
    expected = [
        "-J expedition", "-e /shared/results/job-logs/expedition-%J.err",
        "-o /shared/results/job-logs/expedition-%J.out", "-q long", '-P "lab"', "-n 8", '-R "span[hosts=1]"',
        "-M 16000000", "-W 26:30",
    ]  # fmt: skip
    assert re.findall(r"^#BSUB (.*)$", script(tmp_path, text), re.M) == expected


def test_showing_a_script_makes_no_folder(tmp_path: Path) -> None:
    made = job_script(load(tmp_path, SLURM), tmp_path / "results")
    assert f"{tmp_path}/results/job-logs" in made
    assert not (tmp_path / "results").exists()


def test_folder_for_logs_with_a_space_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExpeditionError, match="space in its name; set another as logs"):
        job_script(load(tmp_path, SLURM), tmp_path / "my results")
