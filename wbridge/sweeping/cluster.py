"""Runs on the workers of a Dask cluster."""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import Any

from hal.installation import extra_command
from wbfleet.sweeps.work import Work, carry_out_work
from wbridge.failures import InputError, RunError

__all__ = ["Cluster", "cluster"]

PREFIX = "dask://"
CONNECT_S = 10
ATTEMPTS = 3
"""How often a run is tried whose worker is lost."""


class Cluster:
    """The workers of a scheduler; each has the project's files under the same paths."""

    def __init__(self, client: Any) -> None:
        self._client = client
        try:
            client.wait_for_workers(1, CONNECT_S)
        except TimeoutError:
            address = client.scheduler.address
            client.close()
            raise RunError(
                f"the scheduler at {address} has no workers yet (waited {CONNECT_S} s); start one with: "
                f"dask worker {address}"
            ) from None
        self.size = sum(client.nthreads().values())

    def submit(self, work: Work) -> Future[dict[str, Any]]:
        """Carry out work on a worker."""
        made: Future[dict[str, Any]] = Future()
        sent = self._client.submit(_carry_out, work.to_data(), pure=False, retries=ATTEMPTS - 1)
        sent.add_done_callback(lambda one: _pass_on(one, made))
        return made

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()


def cluster(address: str) -> Cluster:
    """Connect to a scheduler.

    Raises:
        InputError: the address is invalid, or Dask is not installed.
        RunError: the scheduler does not answer.
    """
    if not address.startswith(PREFIX):
        raise InputError(f"--on {address}: expected {PREFIX}HOST:PORT, the address of a Dask scheduler")
    try:
        from distributed import Client  # start-up: 0.5 s, only for clusters
    except ImportError:
        raise InputError(
            f"--on needs Dask, which is not installed; install it with: {extra_command('cluster')}"
        ) from None
    connect: Any = Client
    try:
        return Cluster(connect(f"tcp://{address.removeprefix(PREFIX)}", timeout=CONNECT_S))
    except (OSError, ValueError, TimeoutError) as problem:
        raise RunError(f"the scheduler at {address} does not answer: {problem}") from None


def _carry_out(data: dict[str, Any]) -> dict[str, Any]:
    if not os.path.exists(data["world"]):
        raise FileNotFoundError(f"{data['world']} does not exist on the worker {os.uname().nodename}")
    return carry_out_work(data)


def _pass_on(sent: Any, made: Future[dict[str, Any]]) -> None:
    if sent.status == "finished":
        made.set_result(sent.result())
    else:
        reason = str(sent.exception() if sent.status == "error" else f"the run was {sent.status}")
        made.set_exception(RunError(f"a run failed on the cluster: {reason}"))
