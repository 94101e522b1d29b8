"""Sockets for controllers: local ones in the instance's folder, and one TCP port, for all robots of a run."""

from __future__ import annotations

import logging
import selectors
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

from hal.protocol.dialect import R2025A, Dialect
from hal.protocol.errors import ProtocolError
from wbcore.controllers.greeting import Greeting
from wbcore.controllers.instance import Instance
from wbcore.controllers.link import Link
from wbcore.controllers.lockstep import Seat

__all__ = ["Connection", "Server"]

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 16
FIRST_PORT, PORTS = 1234, 100
MOST_WAITING = 256 * 2**20
"""Bytes that wait for a controller which does not read, at which it is given up."""


class Connection:
    """One socket to a controller. What cannot be sent at once waits."""

    def __init__(self, server: Server, sock: socket.socket) -> None:
        sock.setblocking(False)
        self.server = server
        self.socket = sock
        self.seat: Seat | None = None
        self.greeting: Greeting | None = None
        self._waiting = bytearray()

    def sit(self, seat: Seat, tcp: bool, dialect: Dialect) -> None:
        """Become the controller of a robot."""
        self.seat = seat
        seat.connect(Link(seat.robot, tcp=tcp, dialect=dialect), self.send)

    def send(self, data: bytes) -> None:
        """Send bytes, now or as soon as the controller reads."""
        if not data or self.socket.fileno() < 0:
            return
        if not self._waiting:
            try:
                sent = self.socket.send(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                return  # the end of the connection will be read
            if sent == len(data):
                return
            data = data[sent:]
        self._waiting += data
        if len(self._waiting) > MOST_WAITING:
            self.server.drop(self, "it does not read what it is sent")
            return
        self.server.watch(self, writing=True)

    def ready(self, events: int) -> None:
        """The socket can be read or written."""
        if events & selectors.EVENT_WRITE:
            self._flush()
        if events & selectors.EVENT_READ and self.socket.fileno() >= 0:
            self._read()

    def _flush(self) -> None:
        try:
            del self._waiting[: self.socket.send(self._waiting)]
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()
        if not self._waiting:
            self.server.watch(self, writing=False)

    def _read(self) -> None:
        try:
            data = self.socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.server.drop(self)
            return
        try:
            self._take(data)
        except ProtocolError as problem:
            self.server.drop(self, f"it sent what is no request: {problem}")

    def _take(self, data: bytes) -> None:
        if self.greeting is not None:
            reply, seat, dialect = self.greeting.feed(data)
            if seat is None:
                self.send(reply)
                if reply:
                    self.server.drop(self)
                return
            self.greeting = None
            self.sit(seat, True, dialect)
            self.send(reply)
            return
        link = self.seat.link if self.seat is not None else None
        if link is not None:
            self.send(link.feed(data))
            if link.has_left:
                self.server.drop(self)


class Server:
    """Listens for controllers, and carries bytes between them and their seats."""

    def __init__(
        self, *, port: int | None = None, host: str = "127.0.0.1", dialect: Dialect = R2025A
    ) -> None:
        """
        Args:
            port: of TCP, also the number of the instance; None: the first free one from 1234 on.
            host: the address to listen at.
            dialect: of controllers that connect by TCP, or by the folder of R2023b and later.

        Raises:
            OSError: the port is taken, or the folder cannot be made.
        """
        self.dialect = dialect
        self.seats: list[Seat] = []
        self.on_leave: Callable[[Seat], object] = lambda seat: None
        """Is called when a controller's connection has ended."""
        self._selector = selectors.DefaultSelector()
        self._tcp = _listen(host, port)
        self.port = int(self._tcp.getsockname()[1])
        self.instance = Instance(self.port)
        self._connections: set[Connection] = set()
        self._local: list[socket.socket] = []
        self._watch_listener(self._tcp, self._accept_tcp)

    def serve(self, seats: Iterable[Seat]) -> None:
        """Offer a local socket for each robot, named by whether its controller is started here."""
        self._close_local()
        self.seats = list(seats)
        for seat in self.seats:
            if seat.robot.controller in ("<none>", "none"):
                continue
            kind = "extern" if seat.robot.controller == "<extern>" else "intern"
            for path, dialect in self.instance.sockets(seat.robot.name, kind):
                if not path.exists():
                    self._listen_at(path, seat, self.dialect if dialect is R2025A else dialect)

    def _listen_at(self, path: Path, seat: Seat, dialect: Dialect) -> None:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(path))
        made.listen(4)
        made.setblocking(False)
        self._local.append(made)
        self._watch_listener(made, lambda: self._accept_local(made, seat, dialect))

    def _watch_listener(self, sock: socket.socket, accept: Callable[[], None]) -> None:
        self._selector.register(sock, selectors.EVENT_READ, lambda events: accept())

    def _accept_local(self, listener: socket.socket, seat: Seat, dialect: Dialect) -> None:
        sock, _ = listener.accept()
        if seat.link is not None:
            _LOG.warning('warning: robot "%s": a second controller was refused', seat.robot.name)
            sock.close()
            return
        self._add(Connection(self, sock)).sit(seat, False, dialect)

    def _accept_tcp(self) -> None:
        sock, _ = self._tcp.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made = self._add(Connection(self, sock))
        made.greeting = Greeting(self.seats, self.dialect)

    def _add(self, connection: Connection) -> Connection:
        self._connections.add(connection)
        self._selector.register(connection.socket, selectors.EVENT_READ, connection.ready)
        return connection

    def watch(self, connection: Connection, writing: bool) -> None:
        """Watch whether a connection can be written, too."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writing else 0)
        self._selector.modify(connection.socket, events, connection.ready)

    def watch_file(self, file: int, ready: Callable[[int], None]) -> None:
        """Call a function in `poll` when a file can be read."""
        self._selector.register(file, selectors.EVENT_READ, ready)

    def forget_file(self, file: int) -> None:
        """Watch a file no more."""
        self._selector.unregister(file)

    def drop(self, connection: Connection, why: str = "") -> None:
        """End a connection; a reason is told."""
        if connection not in self._connections:
            return
        self._connections.discard(connection)
        self._selector.unregister(connection.socket)
        connection.socket.close()
        seat = connection.seat
        if seat is None:
            return
        if why:
            _LOG.warning('warning: the controller of robot "%s" was disconnected: %s', seat.robot.name, why)
        seat.leave(expected=seat.robot.controller == "<extern>")
        self.on_leave(seat)

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Handle what has arrived; waits for it up to `timeout` seconds (None: without end).

        Returns:
            False when nothing came.
        """
        found = self._selector.select(timeout)
        for key, events in found:
            key.data(events)
        return bool(found)

    def close(self) -> None:
        """End all connections, and remove the instance's folder."""
        for connection in list(self._connections):
            self._connections.discard(connection)
            self._selector.unregister(connection.socket)
            connection.socket.close()
        self._close_local()
        self._tcp.close()
        self._selector.close()
        self.instance.remove()

    def _close_local(self) -> None:
        for one in self._local:
            path = Path(one.getsockname())
            self._selector.unregister(one)
            one.close()
            path.unlink(missing_ok=True)
        self._local.clear()


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket at a port, or at the first free one of Webots' ports."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS)
    for number in ports:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, number))
        except OSError:
            sock.close()
            if number == ports[-1]:
                raise
            continue
        sock.listen(16)
        sock.setblocking(False)
        return sock
    raise OSError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free")
