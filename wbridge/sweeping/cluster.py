"""Runs on the workers of a Dask cluster."""

from __future__ import annotations

import os
import platform
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from wbridge.failures import InputError, RunError
from wbridge.hal.installation import extra_command
from wbridge.wbfleet.sweeps.work import Work, carry_out_work

PLAIN, ENCRYPTED = "dask", "dask+tls"
FORMS = "dask://HOST:PORT or dask+tls://HOST:PORT?ca=FILE&cert=FILE&key=FILE"
FILES = {"ca": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}
"""Options of an address, and what Dask calls them."""
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
        made: Future[dict[str, object]] = Future()
        sent = self._client.submit(_carry_out, work.to_data(), pure=False, retries=ATTEMPTS - 1)
        sent.add_done_callback(lambda future: _pass_on(future, made))
        return made

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()


def cluster(address: str) -> Cluster:
    """Connect to a scheduler: `dask://HOST:PORT`, or over TLS `dask+tls://HOST:PORT?ca=FILE&cert=FILE&key=FILE`;
    files that are not named are those of Dask's configuration.

    Raises:
        InputError: the address is invalid, or Dask is not installed.
        RunError: the scheduler does not answer.
    """
    scheme, place, files = _parts(address)
    try:
        from distributed import Client, Security  # start-up: 0.5 s, only for clusters
    except ImportError:
        raise InputError(
            f"--on needs Dask, which is not installed; install it with: {extra_command('cluster')}"
        ) from None
    connect: Any = Client
    options: dict[str, Any] = {"timeout": CONNECT_S}
    if scheme == ENCRYPTED:
        secure: Any = Security
        options["security"] = secure(require_encryption=True, **{FILES[name]: files[name] for name in files})
    try:
        return Cluster(connect(f"{'tls' if scheme == ENCRYPTED else 'tcp'}://{place}", **options))
    except (OSError, ValueError, TimeoutError) as problem:
        raise RunError(f"the scheduler at {scheme}://{place} does not answer: {problem}") from None


def _parts(address: str) -> tuple[str, str, dict[str, str]]:
    """Return the scheme, host and port, and the files of an address.

    Raises:
        InputError: it is invalid, or a file does not exist.
    """
    try:
        parts = urlsplit(address)
        files, port = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query))), parts.port
    except ValueError as problem:
        raise InputError(f"--on {address}: {problem}; expected {FORMS}") from None
    allowed = FILES if parts.scheme == ENCRYPTED else {}
    is_place = parts.scheme in (PLAIN, ENCRYPTED) and parts.hostname and port and parts.path in ("", "/")
    if not is_place or "@" in parts.netloc or set(files) - set(allowed):
        raise InputError(f"--on {address}: expected {FORMS}, the address of a Dask scheduler")
    absent = next((name for name in files if not Path(files[name]).is_file()), None)
    if absent is not None:
        raise InputError(f"--on {address}: {absent}={files[absent]}: there is no such file")
    return parts.scheme, parts.netloc, files


def _carry_out(data: dict[str, Any]) -> dict[str, Any]:
    if not os.path.exists(data["world"]):
        raise FileNotFoundError(f"{data['world']} does not exist on the worker {platform.node()}")
    return carry_out_work(data)


def _pass_on(sent: Any, made: Future[dict[str, Any]]) -> None:
    if sent.status == "finished":
        made.set_result(sent.result())
    else:
        reason = str(sent.exception() if sent.status == "error" else f"the run was {sent.status}")
        made.set_exception(RunError(f"a run failed on the cluster: {reason}"))
