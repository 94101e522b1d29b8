"""Which user is at the other end of a connection on this machine.

A controller that is a supervisor can run code in its simulator, and a simulator chooses what its controllers
do. So both refuse connections of other users of the machine.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["is_own_user", "is_this_user", "user_of_peer"]

CREDENTIALS = struct.Struct("3i")
"""Of SO_PEERCRED: process, user, group."""
LOCAL_LEVEL, LOCAL_PEER = 0, 1
"""SOL_LOCAL and LOCAL_PEERCRED of macOS (manual page unix(4)), which Python has no names for."""
LOCAL_CREDENTIALS = struct.Struct("=IIhxx16I")
"""The structure xucred there: version, user, number of groups, groups."""
TABLES = {socket.AF_INET: "tcp", socket.AF_INET6: "tcp6"}
USER, FILE = 7, 9
"""Columns of /proc/net/tcp; the file is 0 for a socket that its program has closed."""
ROOT = 0


def is_own_user(connection: socket.socket) -> bool:
    """False if the peer is on this machine and runs as another user; root may connect to everybody.

    Raises:
        OSError: the peer has gone.
    """
    return user_of_peer(connection) in (None, ROOT, _own_user())


def is_this_user(connection: socket.socket) -> bool:
    """True if the system says that the peer is a program of this user on this machine.

    Raises:
        OSError: the peer has gone.
    """
    return user_of_peer(connection) == _own_user()


def _own_user() -> int:
    """The number of this program's user; one that nobody has where users have no numbers."""
    return os.getuid() if hasattr(os, "getuid") else -1


def user_of_peer(connection: socket.socket) -> int | None:
    """The number of the peer's user; None if the peer is on another machine, or the system does not tell.

    Raises:
        OSError: the peer has gone: what it has sent is no longer anybody's (the system would say root's).
    """
    if hasattr(socket, "AF_UNIX") and connection.family == socket.AF_UNIX:
        return _user_of_local_peer(connection)
    if connection.family not in TABLES:
        return None
    own, peer = connection.getsockname()[:2], connection.getpeername()[:2]
    if peer[0] != own[0] and not ipaddress.ip_address(str(peer[0]).partition("%")[0]).is_loopback:
        return None
    return _user_of_socket(TABLES[connection.family], _place(*peer), _place(*own))


def _user_of_local_peer(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        shown = connection.getsockopt(LOCAL_LEVEL, LOCAL_PEER, LOCAL_CREDENTIALS.size)
        return int(LOCAL_CREDENTIALS.unpack(shown)[1])
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return int(CREDENTIALS.unpack(credentials)[1])


def _user_of_socket(table: str, local: str, remote: str) -> int | None:
    """The user of the socket that is bound to one place and connected to another; None: the system hides it.

    Raises:
        ConnectionResetError: there is no such socket, or its program has closed it.
    """
    try:
        text = Path("/proc/net", table).read_text("ascii")
    except OSError:
        return None
    # The table has thousands of rows on a busy computer: only those with both places are split.
    for start in _places_of(f" {local} {remote} ", text):
        row = text[text.rfind("\n", 0, start) + 1 : text.find("\n", start)].split()
        if row[FILE] != "0":
            return int(row[USER])
    raise ConnectionResetError(errno.ECONNRESET, "the peer has closed its connection")


def _places_of(part: str, text: str) -> Iterator[int]:
    """Where a part stands in a text."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def _place(host: str, port: int) -> str:
    """An address as /proc/net/tcp writes it: words of 32 bits in the machine's byte order."""
    packed = ipaddress.ip_address(host.partition("%")[0]).packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
