"""Download a file that a world names: only from public https servers, within limits of time and size.

A world may come from a stranger, so its addresses must not reach what only this computer can reach: files,
its own services, and those of its network. `WBRIDGE_FETCH_HOSTS` names servers that are trusted all the same,
for example an http server in a laboratory: HOST or HOST:PORT, separated by commas.
"""

from __future__ import annotations

import http.client
import ipaddress
import os
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)

__all__ = ["LONGEST_S", "MOST_BYTES", "Refused", "check_address", "download"]

MOST_BYTES = 32 * 2**20
"""Of a file."""
LONGEST_S = 60.0
"""From the first connection to the last byte."""
SILENCE_S = 20.0
"""Longest wait for a server."""
MOST_REDIRECTS = 5
CHUNK = 2**16
TRUSTED = "WBRIDGE_FETCH_HOSTS"
KNOWN = ("github.com", "githubusercontent.com", "cyberbotics.com")
"""Servers of models; a redirect may lead to them from any server."""


class Refused(ValueError):
    """An address is not allowed."""


def check_address(url: str, environment: Mapping[str, str] = os.environ) -> None:
    """Check an address before anything is sent.

    Raises:
        Refused: it is not https, or leads into this computer or its network.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as problem:
        raise Refused(str(problem)) from None
    if parts.username or parts.password:
        raise Refused("addresses with user names are not fetched")
    if not url.isprintable() or "\\" in url or not host:
        raise Refused("it is not a valid address")
    if _is_trusted(parts.netloc, host, environment) and parts.scheme in ("http", "https"):
        return
    if parts.scheme != "https":
        raise Refused("only https URLs are downloaded")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        pass  # a name, whose address is checked when it is known
    else:
        _check_public(str(address))
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        raise Refused(f"{host} is not a public server; to trust it, name it in {TRUSTED}")


def download(url: str, longest_s: float = LONGEST_S) -> bytes:
    """Return the file at an address.

    Raises:
        OSError: it cannot be had.
        Refused: the address, or one that it redirects to, is not allowed.
        ValueError: the file is too large, or takes too long.
    """
    check_address(url)
    ending = _Deadline(longest_s)
    try:
        with _opener(ending).open(Request(url), timeout=min(SILENCE_S, longest_s)) as answer:
            data = _read(answer)
        if ending.is_over:  # what has arrived may end in the middle
            raise OSError("the connection was cut")
        return data
    except (OSError, http.client.HTTPException, ValueError) as problem:
        if ending.is_over:
            raise ValueError(f"it took longer than {longest_s:g} s") from None
        if isinstance(problem, http.client.HTTPException):
            raise OSError(f"the server's answer is invalid ({type(problem).__name__})") from None
        raise
    finally:
        ending.cancel()


def _read(answer: Any) -> bytes:
    data = bytearray()
    while chunk := answer.read1(CHUNK):
        data += chunk
        if len(data) > MOST_BYTES:
            raise ValueError(f"larger than {MOST_BYTES // 2**20} MiB")
    if answer.length:
        raise OSError(f"the connection ended {answer.length} bytes before the end of the file")
    return bytes(data)


def _is_trusted(netloc: str, host: str, environment: Mapping[str, str]) -> bool:
    names = {name.strip().lower() for name in environment.get(TRUSTED, "").split(",")} - {""}
    return host in names or netloc.lower() in names


def _check_public(address: str) -> None:
    if not ipaddress.ip_address(address.partition("%")[0]).is_global:
        raise Refused(f"{address} is not a public address; to trust the server, name it in {TRUSTED}")


class _Deadline:
    """Cuts the connections of a download when its time is over, whatever they wait for."""

    def __init__(self, longest_s: float) -> None:
        self.is_over = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(longest_s, self._end)
        self._timer.daemon = True
        self._timer.start()

    def watch(self, connection: socket.socket) -> None:
        """Cut a connection, too."""
        self._sockets.append(connection)
        if self.is_over:
            self._end()

    def _end(self) -> None:
        self.is_over = True
        for connection in self._sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def cancel(self) -> None:
        """The download has ended."""
        self._timer.cancel()


def _opener(ending: _Deadline) -> OpenerDirector:
    """An opener that checks each connection and each redirect; proxies of the environment are used."""

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            _check_connection(self, ending)

    class Secure(http.client.HTTPSConnection, Plain):
        """Connects like a plain connection, checks included, before it speaks TLS."""

    class PlainHandler(HTTPHandler):
        def http_open(self, req: Request) -> Any:
            return self.do_open(Plain, req)

    class SecureHandler(HTTPSHandler):
        def https_open(self, req: Request) -> Any:
            return self.do_open(Secure, req)

    return build_opener(PlainHandler, SecureHandler, _Redirects)


def _check_connection(connection: http.client.HTTPConnection, ending: _Deadline) -> None:
    """Check where a name has led, before the request is sent: a public name may have a private address."""
    ending.watch(connection.sock)
    place, port = connection.host.strip("[]"), connection.port
    proxies = {
        urlsplit(proxy).hostname for name, proxy in os.environ.items() if name.lower().endswith("_proxy")
    }
    if place in proxies or _is_trusted(f"{place}:{port}", place, os.environ):
        return
    try:
        _check_public(str(connection.sock.getpeername()[0]))
    except Refused:
        connection.close()
        raise


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to the same server and to known ones."""

    max_redirections = MOST_REDIRECTS

    def redirect_request(
        self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """Check where a redirect leads.

        Raises:
            Refused: that is not allowed.
        """
        target = urljoin(req.full_url, newurl)
        check_address(target)
        before, after = urlsplit(req.full_url), urlsplit(target)
        host, former = after.hostname or "", before.hostname or ""
        is_known = any(host == name or host.endswith(f".{name}") for name in KNOWN)
        if not (host == former or host.endswith(f".{former}") or is_known):
            raise Refused(f"it redirects to another server, {host}")
        if before.scheme == "https" and after.scheme != "https":
            raise Refused("it redirects to an address without https")
        return super().redirect_request(req, fp, code, msg, headers, target)
