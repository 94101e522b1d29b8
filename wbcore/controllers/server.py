"""Sockets for the controllers of all robots of a run: local ones in the instance's folder, and one TCP
port."""

from __future__ import annotations

import logging
import os
import selectors
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wbridge.hal.protocol.dialect import DIALECTS, R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.low_latency import (
    LowLatencyReceiver,
    Spin,
    processors,
    receiver_at_once,
    sender_at_once,
)
from wbridge.hal.protocol.packet import AWAKEN_CONTROLLER
from wbridge.hal.protocol.shared_memory import SUFFIX, SharedChannel, is_useful, offer
from wbridge.wbcore.controllers.admission import Admission, Visitor
from wbridge.wbcore.controllers.handshake import Handshake
from wbridge.wbcore.controllers.instance import LONGEST_SOCKET, Instance, InstanceTaken
from wbridge.wbcore.controllers.port import PortInstance, is_taken
from wbridge.wbcore.controllers.user_events import tell_events
from wbridge.wbcore.scene.diagnostics import did_you_mean, printable, shown

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession

__all__ = ["Connection", "Endpoint", "Server"]

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 14
PATIENCE_US = 5000
"""How long a single controller is polled exclusively, in microseconds."""
FIRST_PORT, PORTS = 1234, 100
SOLE_USE: int = getattr(socket, "SO_EXCLUSIVEADDRUSE", getattr(socket, "SO_REUSEADDR", 0))
"""Option of a listening socket. On Windows, SO_REUSEADDR would let two programs have the same port; elsewhere
it takes one whose last connection has just ended. Web pages have neither, and open no sockets."""
MOST_WAITING = 256 * 2**20
"""Maximum bytes queued for a controller that does not read; beyond this it is disconnected."""
MOST_MISSED = 16
"""Maximum number of unknown robot names that are reported."""
MOST_STRANGERS = 32
"""Maximum number of TCP connections before the handshake; the oldest one is closed."""


class Endpoint:
    """The local sockets of one robot."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        """Robot name, numbered if several robots share it."""
        self.kind = kind
        self.session: ControllerSession | None = None
        self.sockets: list[socket.socket] = []


class Connection:
    """One socket to a controller. Bytes that cannot be sent at once are queued."""

    def __init__(self, server: Server, sock: socket.socket, is_shared: bool = False) -> None:
        # Flags on each call select blocking: this takes fewer system calls than a selector.
        sock.setblocking(True)
        self.server = server
        self.socket = sock
        self._send_at_once = sender_at_once(sock)
        self._receive_at_once = receiver_at_once(sock, CHUNK)
        self.channel = self._share() if is_shared else None
        """Memory shared with the controller, if any."""
        receiver = self.channel or LowLatencyReceiver(sock, CHUNK, PATIENCE_US / 1000)
        self._eager: Callable[[], bytes] = receiver.receive
        self.session: ControllerSession | None = None
        self.handshake: Handshake | None = None
        self._waiting = bytearray()

    def _share(self) -> SharedChannel | None:
        """Offer shared memory to a controller; without it, the socket is used alone."""
        file = offer(self.socket)
        if file is None:
            return None
        return SharedChannel(file, self.socket, self._wake, is_simulator=True, timeout_ms=PATIENCE_US / 1000)

    def attach(self, session: ControllerSession, tcp: bool, dialect: Dialect) -> None:
        """Attach this connection to a robot."""
        from wbridge.wbcore.controllers.exchange import (
            ControllerExchange,  # start-up: 12 ms, meanwhile they start
        )

        self.session = session
        shares_memory = self.channel is not None
        exchange = ControllerExchange(session.robot, tcp=tcp, dialect=dialect, shares_memory=shares_memory)
        session.connect(exchange, self.send)
        self.server.on_connect(session)

    def send(self, data: bytes) -> None:
        """Send bytes, now or as soon as the controller reads."""
        channel = self.channel
        if not data or (channel is not None and channel.write(data)) or self.socket.fileno() < 0:
            return
        self._send_by_socket(data)

    def _wake(self) -> None:
        """Wake a controller that began to block while a packet was written to memory."""
        self._send_by_socket(AWAKEN_CONTROLLER)

    def _send_by_socket(self, data: bytes) -> None:
        if self.channel is not None:
            self.channel.sent += len(data)
        if not self._waiting:
            try:
                sent = self._send_at_once(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                return  # the end of the connection will be read later
            if sent == len(data):
                return
            data = data[sent:]
        self._waiting += data
        if len(self._waiting) > MOST_WAITING:
            self.server.drop(self, "it does not read its answers")
            return
        self.server.watch(self, writing=True)

    def ready(self, events: int) -> None:
        """Handle a readable or writable socket."""
        if events & selectors.EVENT_WRITE:
            self._flush()
        if events & selectors.EVENT_READ and self.socket.fileno() >= 0:
            self._read(self._at_once)

    def _flush(self) -> None:
        try:
            del self._waiting[: self._send_at_once(self._waiting)]
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()
        if not self._waiting:
            self.server.watch(self, writing=False)

    def close(self) -> None:
        """Close the socket and release the shared memory."""
        channel, self.channel = self.channel, None
        if channel is not None:
            channel.close()
        self.socket.close()

    def listen(self) -> bool:
        """Wait briefly for the request of a computing controller; False if none came."""
        exchange = self.session.exchange if self.session is not None else None
        return exchange is not None and exchange.due is None and not self._waiting and self._read(self._eager)

    def _at_once(self) -> bytes:
        data = self._receive_at_once()
        return data if self.channel is None else self.channel.merge(data)

    @property
    def has_packet(self) -> bool:
        """True if a request is in shared memory and may be read."""
        return self.channel is not None and not self._waiting and self.channel.has_packet

    def take_packet(self) -> None:
        """Handle the request in shared memory."""
        channel = self.channel
        if channel is not None:
            self._read(lambda: channel.take() or b"")

    def _read(self, receive: Callable[[], bytes]) -> bool:
        try:
            data = receive()
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        except ProtocolError as problem:
            self.server.drop(self, f"it sent an invalid request: {problem}")
            return True
        if not data:
            self._tell_short_visit()
            self.server.drop(self)
            return True
        try:
            self._take(data)
        except ProtocolError as problem:
            self.server.drop(self, f"it sent an invalid request: {problem}")
        return True

    def _tell_short_visit(self) -> None:
        """Warn if a TCP controller left at once: its library may have another release."""
        exchange = self.session.exchange if self.session is not None else None
        if exchange is None or not exchange.tcp or exchange.asked is not None:
            return
        others = ", ".join(f"--dialect {name}" for name in DIALECTS if name != exchange.robot.dialect.name)
        _LOG.warning(
            'warning: the controller of robot "%s" left before its first step; if it printed "node not '
            'handled", its library has another release than %s: try %s',
            *(exchange.robot.name, exchange.robot.dialect.name, others),
        )

    def _take(self, data: bytes) -> None:
        if self.handshake is not None:
            reply, session, dialect = self.handshake.feed(data)
            if session is None:
                self.send(reply)
                if reply:
                    self.server.drop(self)
                return
            self.handshake = None
            self.attach(session, True, dialect)
            self.send(reply)
            return
        exchange = self.session.exchange if self.session is not None else None
        if exchange is not None:
            reply = exchange.feed(data)
            if reply:
                self.send(reply)
            if exchange.has_left:
                self.server.drop(self)


class Server:
    """Listens for controllers and carries bytes between them and their sessions."""

    def __init__(
        self,
        *,
        port: int | None = None,
        host: str = "127.0.0.1",
        dialect: Dialect = R2025A,
        on_demand: bool = False,
        admission: Admission | None = None,
    ) -> None:
        """
        Args:
            port: TCP port, also the number of the instance; None: the first free one from 1234 on.
            host: the address to listen on.
            dialect: dialect of controllers that connect by TCP, or by the folder of R2023b and later.
            on_demand: open the port and the folder only when `instance` or an endpoint is needed.
            admission: who may connect; None: this user's programs here, and those with a random token.

        Raises:
            OSError: the port is in use, or the folder cannot be created.
        """
        self.dialect = dialect
        self.sessions: list[ControllerSession] = []
        self.on_connect: Callable[[ControllerSession], object] = lambda session: None
        """Called when a controller has connected."""
        self.on_leave: Callable[[ControllerSession], object] = lambda session: None
        """Called when a controller's connection has ended."""
        self._selector = selectors.DefaultSelector()
        self.admission = admission or Admission()
        self.host, self.on_demand = host, on_demand
        self._wanted_port = port
        self.at_close: list[Callable[[], object]] = []
        """Called when the server closes, for sockets of others in the run's folder."""
        self._opened: tuple[socket.socket, Instance | PortInstance] | None = None
        self._connections: dict[Connection, None] = {}
        self._only: Connection | None = None
        """The connection if there is exactly one."""
        self._shared: list[Connection] = []
        """The connections with shared memory."""
        self._spin, self._processors = Spin(), processors()
        self._endpoints: list[Endpoint] = []
        self._missed: set[str] = set()
        """Unknown robot names that were reported."""
        if not on_demand:
            self._open()

    @property
    def instance(self) -> Instance | PortInstance:
        """The folder by which controllers find the simulation.

        Raises:
            OSError: it has to be opened now, and the port is in use or the folder cannot be created.
        """
        return self._open()[1]

    @property
    def port(self) -> int:
        """The TCP port, opened now if it is not open; raises the errors of `instance`."""
        return self.instance.number

    @property
    def only_port(self) -> int | None:
        """The TCP port if controllers connect to it alone, those too that are started here."""
        return self.port if isinstance(self.instance, PortInstance) else None

    def mark_loading(self, is_loading: bool) -> None:
        """Tell controllers that look for their robot whether a world is loading."""
        if self._opened is not None:
            self._opened[1].mark_loading(is_loading)

    def _open(self) -> tuple[socket.socket, Instance | PortInstance]:
        """Return the TCP socket and the folder; open them if they are not open."""
        if self._opened is None:
            self._opened = _open(self.host, self._wanted_port)
            self._watch_listener(self._opened[0], self._accept_tcp)
        return self._opened

    def open_endpoint(self, name: str, kind: str) -> Endpoint:
        """Listen for the controller of a robot, which may not have a session yet.

        Args:
            name: name of the robot.
            kind: "extern" for a controller that the user starts, "intern" for one started here.

        Raises:
            OSError: the sockets cannot be created.
        """
        taken = {endpoint.name for endpoint in self._endpoints}
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} ({number})"
        endpoint = Endpoint(unique, kind)
        self._endpoints.append(endpoint)
        for path, dialect in self.instance.sockets(unique, kind):
            if not path.exists():
                used = self.dialect if dialect is R2025A else dialect
                self._listen_at(path, endpoint, used)
                shared = path.with_name(path.name + SUFFIX)
                if is_useful(self._spin) and len(os.fsencode(shared)) <= LONGEST_SOCKET:
                    self._listen_at(shared, endpoint, used)
        return endpoint

    def serve(self, sessions: Iterable[ControllerSession]) -> None:
        """Open the local sockets of all robots."""
        for endpoint in list(self._endpoints):
            self.close_endpoint(endpoint)
        self.sessions = list(sessions)
        for session in self.sessions:
            if session.robot.controller not in ("<none>", "none"):
                self.open_endpoint(
                    session.robot.name, "extern" if session.is_extern else "intern"
                ).session = session

    def close_endpoint(self, endpoint: Endpoint) -> None:
        """Stop listening for the controller of a robot; again after an interruption."""
        if endpoint in self._endpoints:
            self._endpoints.remove(endpoint)
        while endpoint.sockets:
            endpoint_socket = endpoint.sockets.pop()
            path = Path(endpoint_socket.getsockname())
            self._selector.unregister(endpoint_socket)
            endpoint_socket.close()
            path.unlink(missing_ok=True)

    def _listen_at(self, path: Path, endpoint: Endpoint, dialect: Dialect) -> None:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(path))
        made.listen(4)
        made.setblocking(False)
        endpoint.sockets.append(made)
        self._watch_listener(made, lambda: self._accept_local(made, endpoint, dialect))

    def _watch_listener(self, sock: socket.socket, accept: Callable[[], None]) -> None:
        self._selector.register(sock, selectors.EVENT_READ, lambda events: accept())

    def _accept_local(self, listener: socket.socket, endpoint: Endpoint, dialect: Dialect) -> None:
        sock, _ = listener.accept()
        session = endpoint.session
        if session is None or not self.admission.admits_user(sock):
            sock.close()
            return
        if session.exchange is not None:
            _tell_second(session)
            sock.close()
            return
        path = Path(listener.getsockname())
        session.robot.pictures.folder = path.parent
        self._add(Connection(self, sock, path.name.endswith(SUFFIX))).attach(session, False, dialect)

    def _accept_tcp(self) -> None:
        sock, _ = self._open()[0].accept()
        visitor = self._visitor(sock)
        if visitor is None:
            sock.close()
            return
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        strangers = [connection for connection in self._connections if connection.handshake is not None]
        if len(strangers) >= MOST_STRANGERS:
            self.drop(strangers[0])
        made = self._add(Connection(self, sock))
        doors = [
            (endpoint.name, endpoint.session)
            for endpoint in self._endpoints
            if endpoint.session is not None and (endpoint.session.is_extern or self.only_port is not None)
        ]
        made.handshake = Handshake(doors, self.dialect, visitor, self._tell_miss, _tell_second)

    def _visitor(self, sock: socket.socket) -> Visitor | None:
        """The checks for a TCP connection; None: it is refused or has gone already."""
        try:
            return self.admission.visitor(sock) if self.admission.admits_user(sock) else None
        except OSError:
            return None

    def _tell_miss(self, wanted: str, waiting: list[str]) -> None:
        """Report once that a controller requests a robot that is not waiting; it will retry."""
        wanted = unquote(wanted)  # libraries differ in whether it is encoded
        if wanted in self._missed or len(self._missed) >= MOST_MISSED:
            return
        self._missed.add(wanted)
        asked = f"robot {shown(wanted)}" if wanted else "a robot without naming one"
        known = ", ".join(f'"{name}"' for name in waiting) or "none"
        _LOG.warning(
            "warning: a TCP controller wants %s; robots waiting for a controller: %s%s",
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
        self._shared = [connection for connection in self._connections if connection.channel is not None]

    def watch(self, connection: Connection, writing: bool) -> None:
        """Wait until a connection is writable; nothing is read from it meanwhile."""
        events = selectors.EVENT_WRITE if writing else selectors.EVENT_READ
        self._selector.modify(connection.socket, events, connection.ready)

    def watch_file(self, file: int, ready: Callable[[], object]) -> None:
        """Have `poll` call a function when a file is readable."""
        self._selector.register(file, selectors.EVENT_READ, lambda events: ready())

    def forget_file(self, file: int) -> None:
        """Stop watching a file; files that are not watched are ignored."""
        if file in self._selector.get_map():
            self._selector.unregister(file)

    def drop(self, connection: Connection, why: str = "") -> None:
        """Close a connection and log the reason, if any."""
        if connection not in self._connections:
            return
        self._connections.pop(connection, None)
        self._find_only()
        self._selector.unregister(connection.socket)
        connection.close()
        session = connection.session
        if session is None or session.exchange is None:
            return
        if why:
            _LOG.warning(
                'warning: the controller of robot "%s" was disconnected: %s', session.robot.name, why
            )
        session.leave(expected=session.is_extern)
        self.on_leave(session)

    def disconnect(self, session: ControllerSession) -> None:
        """Close the connection of a session's controller, if any."""
        for connection in [connection for connection in self._connections if connection.session is session]:
            if session.exchange is not None:
                connection.send(session.exchange.last_word())
            self.drop(connection)

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Handle what has arrived; wait up to `timeout` seconds for it (None: forever).

        Returns:
            False if nothing came.
        """
        if (
            self._only is not None
            and (timeout is None or timeout * 1e6 >= PATIENCE_US)
            and self._only.listen()
        ):
            return True
        soonest = tell_events(self.sessions)
        if soonest is not None:
            timeout = soonest if timeout is None else min(timeout, soonest)
        found = self._select(timeout)
        for key, events in found:
            key.data(events)
        written = [connection for connection in self._shared if connection.has_packet]
        for connection in written:
            connection.take_packet()
        if soonest is not None:
            tell_events(self.sessions)
        return bool(found or written)

    def _select(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for a controller; spin for several controllers if each of them has a processor of its own."""
        count = len(self._connections)
        if 1 < count < self._processors and (timeout is None or timeout * 1e6 >= PATIENCE_US):
            return self._spin.wait(self._look, lambda: self._block(timeout))
        return self._selector.select(0) if timeout == 0 else self._block(timeout)

    def _look(self) -> list[tuple[selectors.SelectorKey, int]] | None:
        """What has arrived; None: nothing, neither at the sockets nor in shared memory."""
        found = self._selector.select(0)
        return found if found or any(connection.has_packet for connection in self._shared) else None

    def _block(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """Block until a socket is ready; packets in shared memory wake it through theirs."""
        channels = [connection.channel for connection in self._shared if connection.channel is not None]
        for channel in channels:
            channel.fall_asleep()
        try:
            return self._selector.select(
                0 if any(connection.has_packet for connection in self._shared) else timeout
            )
        finally:
            for channel in channels:
                channel.wake_up()

    def close(self) -> None:
        """Close all connections and remove the instance's folder."""
        while self.at_close:
            self.at_close.pop()()
        for connection in list(self._connections):
            self._connections.pop(connection, None)
            self._selector.unregister(connection.socket)
            connection.close()
        for endpoint in list(self._endpoints):
            self.close_endpoint(endpoint)
        self._selector.close()
        if self._opened is not None:
            listener, instance = self._opened
            listener.close()
            instance.remove()


def _open(host: str, port: int | None) -> tuple[socket.socket, Instance | PortInstance]:
    """Return a listening socket and the instance with its number: at a port, or at the first free one of
    Webots'."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS)
    for number in ports:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        is_bound = False
        try:
            sock.setsockopt(socket.SOL_SOCKET, SOLE_USE, 1)
            sock.bind((host, number))
            sock.listen(16)
            sock.setblocking(False)
            is_bound = True
            return sock, _instance(int(sock.getsockname()[1]))
        except OSError as problem:
            sock.close()
            has_owner = isinstance(problem, InstanceTaken) or (not is_bound and is_taken(problem))
            if port is not None or not has_owner:
                raise
    raise OSError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free")


def _instance(number: int) -> Instance | PortInstance:
    """The instance with a number, as this system can have it."""
    return Instance(number) if hasattr(socket, "AF_UNIX") else PortInstance(number)


def _tell_second(session: ControllerSession) -> None:
    _LOG.warning('warning: robot "%s": a second controller was refused', session.robot.name)
