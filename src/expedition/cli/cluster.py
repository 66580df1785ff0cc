"""`expedition cluster`: look at what a cluster file means before anything is submitted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expedition.cli.app import app
from expedition.cli.words import out, parameters_table, say

cluster_app = typer.Typer(help="Cluster files: what they may say, and the jobs they make.", no_args_is_help=True)
app.add_typer(cluster_app, name="cluster")


@cluster_app.command("script")
def show_script(
    file: Annotated[str, typer.Argument(help="A cluster file.")],
    store: Annotated[Path, typer.Option(help="The store that will be run into.")] = Path("results"),
) -> None:
    """Print the script of one job, as `expedition run --cluster FILE` would submit it; nothing is submitted."""
    from expedition.bench.cluster import require_dask
    from expedition.bench.cluster_settings import JobSettings, load_settings
    from expedition.bench.jobs import job_script
    from expedition.errors import ExpeditionError

    settings = load_settings(file)
    if not isinstance(settings, JobSettings):
        raise ExpeditionError(f"{file}: a running Dask scheduler needs no jobs; allowed here: slurm, pbs, sge, lsf")
    require_dask()
    print(job_script(settings, store.absolute()), end="")


@cluster_app.command("fields")
def show_fields() -> None:
    """List what may stand in a cluster file."""
    from expedition.bench.cluster_settings import DaskSettings, JobSettings

    say("Jobs in a queue (kind: slurm, pbs, sge or lsf):\n")
    out.print(parameters_table(JobSettings))
    say("\nA Dask scheduler that is running already (kind: dask):\n")
    out.print(parameters_table(DaskSettings))
