"""Sockets that have the name of a file: local ones, or on Windows ports of this machine.

Python for Windows has no local sockets. There the file has the number of a port, and a secret that has to be
shown: who may read the file may connect, as for a local socket.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

__all__ = ["accepted", "connected", "listening"]

HOST = "127.0.0.1"
SECRET_BYTES = 16
PATIENCE_S = 1.0
"""Time to show the secret (s)."""
HAS_LOCAL = hasattr(socket, "AF_UNIX")
_secrets: dict[int, bytes] = {}
"""Those of the listening sockets of this process, by their ports."""


def listening(path: Path) -> socket.socket:
    """Return a socket that listens; the file is made.

    Raises:
        OSError: the file cannot be made.
    """
    listener = socket.socket(socket.AF_UNIX) if HAS_LOCAL else socket.socket()
    try:
        if HAS_LOCAL:
            listener.bind(str(path))
        else:
            listener.bind((HOST, 0))
            port, secret = listener.getsockname()[1], secrets.token_bytes(SECRET_BYTES)
            _secrets[port] = secret
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(f"{port} {secret.hex()}")
        listener.listen(1)
    except OSError:
        listener.close()
        raise
    return listener


def accepted(listener: socket.socket) -> socket.socket:
    """Return the next connection of a listening socket.

    Raises:
        BlockingIOError: there is none, or it was a stranger's.
    """
    connection, _ = listener.accept()
    if HAS_LOCAL:
        return connection
    secret = _secrets[listener.getsockname()[1]]
    connection.settimeout(PATIENCE_S)
    try:
        shown = connection.recv(SECRET_BYTES, socket.MSG_WAITALL)
    except OSError:
        shown = b""
    if not secrets.compare_digest(shown, secret):
        connection.close()
        raise BlockingIOError
    connection.settimeout(None)
    return connection


def connected(path: str) -> socket.socket:
    """Return a socket that is connected to what listens at a file.

    Raises:
        OSError: nothing listens there.
    """
    if HAS_LOCAL:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
        except OSError:
            connection.close()
            raise
        return connection
    port, secret = Path(path).read_text("ascii").split()
    connection = socket.create_connection((HOST, int(port)))
    connection.sendall(bytes.fromhex(secret))
    return connection
