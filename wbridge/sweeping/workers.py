"""Who carries out the runs of a command: processes of this machine, or a cluster."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from wbridge.commands.run import count_of
from wbridge.sweeping.cluster import cluster
from wbridge.wbfleet.sweeps.crew import Crew
from wbridge.wbfleet.sweeps.sweep import Workers

MOST = 1024


def add_worker_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments that choose workers."""
    parser.add_argument(
        "--jobs", type=_jobs, metavar="N", help="number of processes (default: one per processor)"
    )
    parser.add_argument(
        "--on",
        metavar="dask://HOST:PORT",
        help="run on the cluster of this Dask scheduler, not on this machine; over TLS "
        "dask+tls://HOST:PORT?ca=FILE&cert=FILE&key=FILE",
    )


def workers_of(args: Namespace, longest_s: float | None = None) -> Workers:
    """Return the workers that the arguments choose; `longest_s` is the maximum real time of a run.

    Raises:
        InputError, RunError: the cluster cannot be used.
    """
    if args.on is not None:
        return cluster(args.on)

    return Crew(args.jobs, longest_s)


def _jobs(text: str) -> int:
    value = count_of(text)
    if not 1 <= value <= MOST:
        raise ArgumentTypeError(f"{text} is not a number of processes, 1 to {MOST}")
    return value
