"""Connect a controller to its simulator over a local socket or TCP, with retries."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.connection.address import Address, AddressError, encoded_name, is_loading, local_sockets
from wbridge.hal.connection.sockets import SocketConnection
from wbridge.hal.protocol.low_latency import Spin
from wbridge.hal.protocol.names import with_token
from wbridge.hal.protocol.shared_memory import SUFFIX, accept, is_useful
from wbridge.hal.reports import messages

if TYPE_CHECKING:
    from socket import socket

ATTEMPTS = 50
REFUSED = b"FAILED\n"
WAIT = 1.0
"""Seconds between two attempts."""
REPLY = 10
"""Maximum size of a reply to the handshake, in bytes."""
NAMES = 4096
"""Maximum size of the robot names that follow it, in bytes."""
PATIENCE = 1.0
"""Maximum wait for the robot names, in s."""


class CannotConnect(ConnectionError):
    """No simulator was found, or it rejected this controller."""


class NotReady(Exception):
    """The connection should be retried; `count` is False if this attempt does not count."""

    def __init__(self, why: str, count: bool = True) -> None:
        super().__init__(why)
        self.count = count


def connect(
    address: Address, attempts: int = ATTEMPTS, sleep: Callable[[float], object] = time.sleep
) -> SocketConnection:
    """Connect to the simulator at an address.

    Args:
        address: from `wbridge.hal.connection.address.from_environment`.
        attempts: maximum number of attempts, not counting those while a world is loading.
        sleep: waits the given number of seconds between two attempts.

    Raises:
        CannotConnect: no simulator answered, or it rejected the controller.
        AddressError: several robots wait, and the address names none of them.
    """
    attempt = _connect_tcp if address.scheme == "tcp" else _connect_local
    tried, said = 0, ""
    while True:
        try:
            return attempt(address, tried)
        except NotReady as reason:
            tried += reason.count
            if tried >= attempts:
                raise CannotConnect(messages.gave_up(reason, attempts)) from None
            if str(reason) != said:
                said = str(reason)
                print(messages.retrying(said), file=sys.stderr, flush=True)
        sleep(WAIT)


def _connect_local(address: Address, tried: int) -> SocketConnection:
    sockets = local_sockets(address)
    if not sockets:
        if is_loading(address):
            raise NotReady(messages.loading_world(), count=False)
        who = messages.named_robot(address.robot) if address.robot else messages.extern_robot()
        where = messages.in_instance(address.instance) if address.instance else ""
        raise NotReady(messages.no_simulator_found(who, where, _hint_from_here(address)))
    if not address.robot and len(sockets) > 1:
        names = ", ".join(one.parent.name for one in sockets)
        raise AddressError(messages.several_robots(names))
    from socket import AF_UNIX, socket  # start-up: 3 ms, not for controllers inside of the simulator

    from wbridge.hal.protocol.peer_user import is_own_user  # start-up: see above

    shared = sockets[0].with_name(sockets[0].name + SUFFIX)
    is_shared = is_useful(Spin()) and shared.exists()
    connection = socket(AF_UNIX)
    try:
        connection.connect(str(shared if is_shared else sockets[0]))
    except OSError as error:
        connection.close()
        raise NotReady(messages.no_connection(sockets[0], error.strerror)) from None
    if not is_own_user(connection):
        connection.close()
        raise CannotConnect(messages.other_users_simulator(sockets[0]))
    return SocketConnection(connection, tcp=False, memory=accept(connection) if is_shared else None)


def _connect_tcp(address: Address, tried: int) -> SocketConnection:
    from socket import IPPROTO_TCP, TCP_NODELAY, create_connection  # start-up: see _connect_local

    # Some releases expect the encoded name, others the plain name: alternate between them.
    name = with_token(address.robot, address.token)
    name = name if tried % 2 else encoded_name(name)
    greeting = "CTR" + (f"\nRobot-Name: {name}" if name else "")
    try:
        connection = create_connection((address.host, address.port))
    except OSError as error:
        raise NotReady(
            messages.no_connection_over_tcp(
                address.host, address.port, error.strerror or error, _hint_from_here(address)
            )
        ) from None
    try:
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        connection.sendall(greeting.encode())
        reply = _whole(connection, connection.recv(REPLY))
    except OSError as error:
        reply = str(error).encode()
    if reply == b"CONNECTED":
        return SocketConnection(connection, tcp=True)
    connection.close()
    if reply == b"FORBIDDEN":
        raise CannotConnect(
            messages.refused_controller(address.host, address.port, "wrong" if address.token else "missing")
        )
    if reply == b"PROCESSING":
        raise NotReady(messages.loading_world(), count=False)
    who = messages.named_robot(address.robot) if address.robot else messages.one_extern_robot()
    raise NotReady(messages.no_such_robot(address.host, address.port, who, _hint_from_reply(address, reply)))


def _whole(connection: socket, reply: bytes) -> bytes:
    """The complete reply. Unlike Webots, wbridge appends the names of its robots to a refusal."""
    if reply.startswith(REFUSED):
        connection.settimeout(PATIENCE)
        try:
            while len(reply) < NAMES and (more := connection.recv(NAMES - len(reply))):
                reply += more
        except OSError:
            pass  # the names that have arrived are enough
    return reply


def _hint_from_here(address: Address) -> str:
    from wbridge.hal.connection.waiting import hint_from_here  # start-up: 5 ms, only for messages

    return hint_from_here(address)


def _hint_from_reply(address: Address, reply: bytes) -> str:
    from wbridge.hal.connection.waiting import hint_from_reply  # start-up: 5 ms, only for messages

    return hint_from_reply(address, reply) if reply.startswith(REFUSED) else ""
