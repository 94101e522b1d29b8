"""Sockets that have the name of a file: local ones, or on Windows ports of this machine.

Python for Windows has no local sockets. There the file has the number of a port, and a secret that has to be
shown: who may read the file may connect, as for a local socket.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

__all__ = ["HOST", "accepted", "connected", "connected_port", "listening", "opened", "shown"]

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
    listener, secret = (socket.socket(socket.AF_UNIX), b"") if HAS_LOCAL else opened()
    try:
        if HAS_LOCAL:
            listener.bind(str(path))
            listener.listen(1)
        else:
            port = listener.getsockname()[1]
            _secrets[port] = secret
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(f"{port} {secret.hex()}")
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
    if shown(connection, _secrets[listener.getsockname()[1]], PATIENCE_S) is None:
        raise BlockingIOError
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
    return connected_port(int(port), bytes.fromhex(secret))


# Ports, and their secrets.


def opened() -> tuple[socket.socket, bytes]:
    """Return a socket that listens at a new port, and a secret for it."""
    return socket.create_server((HOST, 0)), secrets.token_bytes(SECRET_BYTES)


def shown(connection: socket.socket, secret: bytes, patience: float, size: int = 0) -> bytes | None:
    """Return so many bytes behind the secret, which must come within `patience` (s); else close it: None."""
    connection.settimeout(patience)
    try:
        came = connection.recv(SECRET_BYTES + size, socket.MSG_WAITALL)
    except OSError:
        came = b""
    if len(came) < SECRET_BYTES + size or not secrets.compare_digest(came[:SECRET_BYTES], secret):
        connection.close()
        return None
    connection.settimeout(None)
    return came[SECRET_BYTES:]


def connected_port(port: int, secret: bytes, more: bytes = b"") -> socket.socket:
    """Return a socket that is connected to a port, and has shown its secret and some bytes there."""
    connection = socket.create_connection((HOST, port))
    connection.sendall(secret + more)
    return connection
