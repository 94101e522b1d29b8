"""Which user is at the other end of a connection on this machine.

A controller that is a supervisor can run code in its simulator, and a simulator chooses what its controllers
do. So both refuse connections of other users of the machine.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import struct
from pathlib import Path

__all__ = ["is_own_user", "user_of_peer"]

CREDENTIALS = struct.Struct("3i")
"""Of SO_PEERCRED: process, user, group."""
TABLES = {socket.AF_INET: "tcp", socket.AF_INET6: "tcp6"}
LOCAL, REMOTE, USER = 1, 2, 7
"""Columns of /proc/net/tcp."""
ROOT = 0


def is_own_user(connection: socket.socket) -> bool:
    """False if the peer is on this machine and runs as another user; root may connect to everybody."""
    user = user_of_peer(connection)
    return user in (None, ROOT, os.getuid())


def user_of_peer(connection: socket.socket) -> int | None:
    """The number of the peer's user; None if the peer is on another machine, or the system does not tell."""
    if connection.family == socket.AF_UNIX:
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
        return int(CREDENTIALS.unpack(credentials)[1])
    if connection.family not in TABLES:
        return None
    own, peer = connection.getsockname()[:2], connection.getpeername()[:2]
    if not ipaddress.ip_address(str(peer[0]).partition("%")[0]).is_loopback:
        return None
    return _user_of_socket(TABLES[connection.family], _place(*peer), _place(*own))


def _user_of_socket(table: str, local: str, remote: str) -> int | None:
    """The user of the socket that is bound to one place and connected to another."""
    try:
        rows = Path("/proc/net", table).read_text("ascii").splitlines()[1:]
    except OSError:
        return None
    for row in map(str.split, rows):
        if (row[LOCAL], row[REMOTE]) == (local, remote):
            return int(row[USER])
    return None


def _place(host: str, port: int) -> str:
    """An address as /proc/net/tcp writes it: words of 32 bits in the machine's byte order."""
    packed = ipaddress.ip_address(host.partition("%")[0]).packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
