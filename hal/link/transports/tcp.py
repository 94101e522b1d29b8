"""TCP: `tcp://HOST:PORT`. Each message has its length before it; small ones leave at once (TCP_NODELAY)."""

from __future__ import annotations

import errno
import select
import socket

from hal.link.errors import AddressError, ConnectionLost
from hal.link.pipe import FramedPipe, Pipe
from hal.link.url import Url
from hal.table import DeviceTable

__all__ = ["FORM", "SocketPipe", "TcpListener", "check", "connect", "listen", "listen_bytes", "open_bytes"]

FORM = "tcp://HOST:PORT"
CHUNK = 1 << 16
_TAKEN = {
    errno.EADDRINUSE: "another program has this port; end it, or choose another port",
    errno.EADDRNOTAVAIL: "this is no address of this computer; 127.0.0.1 is, for programs on it alone",
    errno.EACCES: "ports below 1024 are the system's; choose a higher one",
}
"""Why nobody can listen there, by the error's number."""
PATIENCE = 2.0
"""Seconds to wait for a connection, or for a peer that does not read."""


class SocketPipe:
    """A byte pipe over a connected socket."""

    retry = 0.2

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise ConnectionLost(f"the connection has broken: {error}") from None

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            if not select.select([self._socket], [], [], timeout)[0]:
                return None
            data = self._socket.recv(CHUNK)
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the connection has broken: {error}") from None
        if not data:
            raise ConnectionLost("the other end has closed the connection")
        return data

    def fileno(self) -> int:
        """Of the socket."""
        return self._socket.fileno()

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


class TcpListener:
    """The robot's end."""

    def __init__(self, host: str, port: int, raw: bool = False) -> None:
        """
        Args:
            host: the own address.
            port: 0: any free one.
            raw: give byte pipes instead of message pipes.
        """
        self._raw = raw
        self._socket = socket.create_server((host, port))
        self._socket.setblocking(False)
        self.url = f"tcp://{host}:{self._socket.getsockname()[1]}"

    def accept(self) -> Pipe | None:
        """The pipe of a controller that has just connected."""
        try:
            connection, _ = self._socket.accept()
        except (BlockingIOError, ConnectionError):
            return None
        pipe = SocketPipe(connection)
        return pipe if self._raw else FramedPipe(pipe, "length")

    def fileno(self) -> int:
        """Of the socket."""
        return self._socket.fileno()

    def close(self) -> None:
        """End listening."""
        self._socket.close()


def connect(url: Url) -> Pipe:
    """A pipe to a robot that listens on TCP."""
    return FramedPipe(open_bytes(url), "length")


def open_bytes(url: Url) -> SocketPipe:
    """A byte pipe to whatever listens on TCP."""
    url.read_options({})
    check(url)
    try:
        connection = socket.create_connection((url.host, url.port or 0), PATIENCE)
    except OSError as error:
        nobody = " (nobody listens there)" if isinstance(error, ConnectionRefusedError) else ""
        raise ConnectionLost(f"{url.text}: {error.strerror or error}{nobody}") from None
    return SocketPipe(connection)


def check(url: Url) -> None:
    """See that the URL names host and port; whether somebody is there is not asked.

    Raises:
        AddressError: it does not.
    """
    if not url.host or not url.port:
        raise AddressError(f"{url.text}: expected is {FORM}, for example tcp://192.168.1.7:8080")


def listen(url: Url, table: DeviceTable) -> TcpListener:
    """Listen on TCP; without a host only for this computer, without a port on any free one."""
    return _listen(url, raw=False)


def listen_bytes(url: Url) -> TcpListener:
    """The same for a robot with a protocol of its own."""
    return _listen(url, raw=True)


def _listen(url: Url, raw: bool) -> TcpListener:
    url.read_options({})
    try:
        return TcpListener(url.host or "127.0.0.1", url.port or 0, raw)
    except OSError as error:
        why = _TAKEN.get(error.errno or 0) or error.strerror or str(error)
        raise ConnectionLost(f"{url.text}: {why}") from None
