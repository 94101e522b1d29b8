"""Sockets for controllers: local ones in the instance's folder, and one TCP port, for all robots of a run."""

from __future__ import annotations

import errno
import logging
import selectors
import socket
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote

from hal.protocol.dialect import DIALECTS, R2025A, Dialect
from hal.protocol.eager import Eager
from hal.protocol.errors import ProtocolError
from wbcore.controllers.greeting import Greeting
from wbcore.controllers.instance import Instance, InstanceTaken
from wbcore.controllers.link import Link
from wbcore.controllers.lockstep import Seat, tell_events
from wbcore.scene.diagnostics import did_you_mean, printable, shown

__all__ = ["Connection", "Door", "Server"]

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 14
PATIENCE_US = 5000
"""Microseconds for which a single controller is listened to before others are, too."""
FIRST_PORT, PORTS = 1234, 100
MOST_WAITING = 256 * 2**20
"""Bytes that wait for a controller which does not read, at which it is given up."""
_TIMEVAL = struct.Struct("@ll")
MOST_MISSED = 16
"""Robots that are asked for in vain of which it is said."""
MOST_STRANGERS = 32
"""TCP connections that have not yet said which robot they want; the oldest one makes way."""


class Door:
    """The local sockets of one robot."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        """By which controllers find it: the robot's, with a number if several robots bear it."""
        self.kind = kind
        self.seat: Seat | None = None
        self.sockets: list[socket.socket] = []


class Connection:
    """One socket to a controller. What cannot be sent at once waits."""

    def __init__(self, server: Server, sock: socket.socket) -> None:
        # What waits for the socket is said at each call: that takes fewer calls than asking a selector.
        sock.setblocking(True)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TIMEVAL.pack(0, PATIENCE_US))
        self.server = server
        self.socket = sock
        self._eager = Eager(sock).receive
        self.seat: Seat | None = None
        self.greeting: Greeting | None = None
        self._waiting = bytearray()

    def sit(self, seat: Seat, tcp: bool, dialect: Dialect) -> None:
        """Become the controller of a robot."""
        self.seat = seat
        seat.connect(Link(seat.robot, tcp=tcp, dialect=dialect), self.send)
        self.server.on_connect(seat)

    def send(self, data: bytes) -> None:
        """Send bytes, now or as soon as the controller reads."""
        if not data or self.socket.fileno() < 0:
            return
        if not self._waiting:
            try:
                sent = self.socket.send(data, socket.MSG_DONTWAIT)
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
            self._read(self._at_once)

    def _flush(self) -> None:
        try:
            del self._waiting[: self.socket.send(self._waiting, socket.MSG_DONTWAIT)]
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()
        if not self._waiting:
            self.server.watch(self, writing=False)

    def listen(self) -> bool:
        """Wait for a moment for what a controller says that computes; False when it says nothing."""
        link = self.seat.link if self.seat is not None else None
        return link is not None and link.due is None and not self._waiting and self._read(self._eager)

    def _at_once(self, size: int) -> bytes:
        return self.socket.recv(size, socket.MSG_DONTWAIT)

    def _read(self, receive: Callable[[int], bytes]) -> bool:
        try:
            data = receive(CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._tell_short_visit()
            self.server.drop(self)
            return True
        try:
            self._take(data)
        except ProtocolError as problem:
            self.server.drop(self, f"it sent what is no request: {problem}")
        return True

    def _tell_short_visit(self) -> None:
        """By TCP nothing tells a library's release; one that is older stumbles over the robot's devices."""
        link = self.seat.link if self.seat is not None else None
        if not isinstance(link, Link) or not link.tcp or link.asked is not None:
            return
        others = ", ".join(f"--dialect {name}" for name in DIALECTS if name != link.robot.dialect.name)
        _LOG.warning(
            'warning: the controller of robot "%s" left before its first step; after "node not handled" its '
            "library is of another release than %s: try %s",
            *(link.robot.name, link.robot.dialect.name, others),
        )

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
        self.on_connect: Callable[[Seat], object] = lambda seat: None
        """Is called when a controller has taken a seat."""
        self.on_leave: Callable[[Seat], object] = lambda seat: None
        """Is called when a controller's connection has ended."""
        self._selector = selectors.DefaultSelector()
        self._tcp, self.instance = _open(host, port)
        self.host = host
        self.port = self.instance.number
        self._connections: dict[Connection, None] = {}
        self._only: Connection | None = None
        """The connection, if there is just one."""
        self._doors: list[Door] = []
        self._missed: set[str] = set()
        """Names of robots that were asked for in vain."""
        self._watch_listener(self._tcp, self._accept_tcp)

    def offer(self, name: str, kind: str) -> Door:
        """Listen for the controller of a robot, also before there is a seat for it.

        Args:
            name: of the robot.
            kind: "extern" for a controller that is started elsewhere, "intern" for one started here.

        Raises:
            OSError: the sockets cannot be made.
        """
        taken = {door.name for door in self._doors}
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} ({number})"
        door = Door(unique, kind)
        self._doors.append(door)
        for path, dialect in self.instance.sockets(unique, kind):
            if not path.exists():
                self._listen_at(path, door, self.dialect if dialect is R2025A else dialect)
        return door

    def serve(self, seats: Iterable[Seat]) -> None:
        """Offer a local socket for each robot, named by whether its controller is started here."""
        for door in list(self._doors):
            self.withdraw(door)
        self.seats = list(seats)
        for seat in self.seats:
            if seat.robot.controller not in ("<none>", "none"):
                self.offer(seat.robot.name, "extern" if seat.is_extern else "intern").seat = seat

    def withdraw(self, door: Door) -> None:
        """Listen no more for the controller of a robot."""
        self._doors.remove(door)
        for one in door.sockets:
            path = Path(one.getsockname())
            self._selector.unregister(one)
            one.close()
            path.unlink(missing_ok=True)

    def _listen_at(self, path: Path, door: Door, dialect: Dialect) -> None:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(path))
        made.listen(4)
        made.setblocking(False)
        door.sockets.append(made)
        self._watch_listener(made, lambda: self._accept_local(made, door, dialect))

    def _watch_listener(self, sock: socket.socket, accept: Callable[[], None]) -> None:
        self._selector.register(sock, selectors.EVENT_READ, lambda events: accept())

    def _accept_local(self, listener: socket.socket, door: Door, dialect: Dialect) -> None:
        sock, _ = listener.accept()
        seat = door.seat
        if seat is None:
            sock.close()
            return
        if seat.link is not None:
            _tell_second(seat)
            sock.close()
            return
        seat.robot.picture_folder = Path(listener.getsockname()).parent
        self._add(Connection(self, sock)).sit(seat, False, dialect)

    def _accept_tcp(self) -> None:
        sock, _ = self._tcp.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        strangers = [one for one in self._connections if one.greeting is not None]
        if len(strangers) >= MOST_STRANGERS:
            self.drop(strangers[0])
        made = self._add(Connection(self, sock))
        made.greeting = Greeting(self.seats, self.dialect, self._tell_miss, _tell_second)

    def _tell_miss(self, wanted: str, waiting: list[str]) -> None:
        """Say that a controller asks for a robot that does not wait; once, as it will ask again."""
        wanted = unquote(wanted)  # releases differ in whether it is encoded
        if wanted in self._missed or len(self._missed) >= MOST_MISSED:
            return
        self._missed.add(wanted)
        asked = f"robot {shown(wanted)}" if wanted else "a robot without naming one"
        known = ", ".join(f'"{one}"' for one in waiting) or "none"
        _LOG.warning(
            "warning: a controller asks by TCP for %s; robots that wait for one: %s%s",
            printable(asked),
            known,
            did_you_mean(wanted, waiting),
        )

    def _add(self, connection: Connection) -> Connection:
        self._connections[connection] = None
        self._find_only()
        self._selector.register(connection.socket, selectors.EVENT_READ, connection.ready)
        return connection

    def _find_only(self) -> None:
        self._only = next(iter(self._connections)) if len(self._connections) == 1 else None

    def watch(self, connection: Connection, writing: bool) -> None:
        """Watch whether a connection can be written; until then nothing more is read from it."""
        events = selectors.EVENT_WRITE if writing else selectors.EVENT_READ
        self._selector.modify(connection.socket, events, connection.ready)

    def watch_file(self, file: int, ready: Callable[[], object]) -> None:
        """Call a function in `poll` when a file can be read."""
        self._selector.register(file, selectors.EVENT_READ, lambda events: ready())

    def forget_file(self, file: int) -> None:
        """Watch a file no more; one that is not watched may be forgotten, too."""
        if file in self._selector.get_map():
            self._selector.unregister(file)

    def drop(self, connection: Connection, why: str = "") -> None:
        """End a connection; a reason is told."""
        if connection not in self._connections:
            return
        self._connections.pop(connection, None)
        self._find_only()
        self._selector.unregister(connection.socket)
        connection.socket.close()
        seat = connection.seat
        if seat is None or seat.link is None:
            return
        if why:
            _LOG.warning('warning: the controller of robot "%s" was disconnected: %s', seat.robot.name, why)
        seat.leave(expected=seat.is_extern)
        self.on_leave(seat)

    def dismiss(self, seat: Seat) -> None:
        """End the connection of a seat's controller, if there is one."""
        for one in [one for one in self._connections if one.seat is seat]:
            if seat.link is not None:
                one.send(seat.link.last_word())
            self.drop(one)

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Handle what has arrived; waits for it up to `timeout` seconds (None: without end).

        Returns:
            False when nothing came.
        """
        if (
            self._only is not None
            and (timeout is None or timeout * 1e6 >= PATIENCE_US)
            and self._only.listen()
        ):
            return True
        soonest = tell_events(self.seats)
        if soonest is not None:
            timeout = soonest if timeout is None else min(timeout, soonest)
        found = self._selector.select(timeout)
        for key, events in found:
            key.data(events)
        if soonest is not None:
            tell_events(self.seats)
        return bool(found)

    def close(self) -> None:
        """End all connections, and remove the instance's folder."""
        for connection in list(self._connections):
            self._connections.pop(connection, None)
            self._selector.unregister(connection.socket)
            connection.socket.close()
        for door in list(self._doors):
            self.withdraw(door)
        self._tcp.close()
        self._selector.close()
        self.instance.remove()


def _open(host: str, port: int | None) -> tuple[socket.socket, Instance]:
    """A listening socket and the folder of its number: at a port, or at the first free one of Webots'."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS)
    for number in ports:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, number))
            sock.listen(16)
            sock.setblocking(False)
            return sock, Instance(int(sock.getsockname()[1]))
        except OSError as problem:
            sock.close()
            is_taken = isinstance(problem, InstanceTaken) or problem.errno == errno.EADDRINUSE
            if port is not None or not is_taken:
                raise
    raise OSError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free")


def _tell_second(seat: Seat) -> None:
    _LOG.warning('warning: robot "%s": a second controller was refused', seat.robot.name)
