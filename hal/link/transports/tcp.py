"""TCP: `tcp[s]://[:TOKEN@]HOST:PORT`, with an s over TLS.

Each message has its length before it; small ones leave at once (TCP_NODELAY).
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wbridge.hal.link.controller_connection import ControllerConnection, Lock
from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.guesses import GuessLimit
from wbridge.hal.link.messages import Token, encode
from wbridge.hal.link.pipe import FramedPipe, Pipe
from wbridge.hal.link.transports._socket_pipe import PATIENCE, SocketPipe
from wbridge.hal.link.url import Url
from wbridge.hal.protocol.peer_user import is_own_user
from wbridge.hal.table import DeviceTable

if TYPE_CHECKING:
    import ssl

FORM = "tcp[s]://[:TOKEN@]HOST:PORT[?ca=FILE|cert=FILE|sha256=FINGERPRINT]"
TLS = True
_DIGITS = 64
"""Of a SHA-256."""


def _fingerprint(text: str) -> str:
    """A SHA-256 in hexadecimal digits, also with colons as other programs print it.

    Raises:
        ValueError: it is none.
    """
    digits = text.replace(":", "").lower()
    if len(digits) != _DIGITS or not set(digits) <= set("0123456789abcdef"):
        raise ValueError(f"expected the {_DIGITS} hexadecimal digits of a SHA-256")
    return digits


def _certificate(file: str) -> str:
    """The fingerprint of the first certificate in a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it has none.
    """
    import ssl  # start-up: 17 ms for TLS

    from wbridge.hal.link.transports._tls_pipe import fingerprint_of  # start-up: it imports ssl

    with open(file, encoding="ascii", errors="replace") as text:
        _, begin, rest = text.read().partition(ssl.PEM_HEADER)
    body, end, _ = rest.partition(ssl.PEM_FOOTER)
    if not end:
        raise ValueError(f"expected a file with {ssl.PEM_HEADER}")
    return fingerprint_of(ssl.PEM_cert_to_DER_cert(begin + body + end))


OPTIONS: dict[str, Callable[[str], object]] = {"ca": str, "cert": _certificate, "sha256": _fingerprint}
ROBOT_OPTIONS: dict[str, Callable[[str], object]] = {"cert": str, "key": str}
_TAKEN = {
    errno.EADDRINUSE: "another program is using this port; end it, or choose another port",
    errno.EADDRNOTAVAIL: "this computer does not have that address; use 127.0.0.1 for local programs",
    errno.EACCES: "ports below 1024 are reserved for the system; choose a higher one",
}
"""Why nobody can listen there, by the error's number."""


class TcpListener:
    """The robot's end."""

    def __init__(
        self, host: str, port: int, *, raw: bool, token: str = "", context: ssl.SSLContext | None = None
    ) -> None:
        """
        Args:
            host: the own address.
            port: 0: any free one.
            raw: give byte pipes instead of message pipes.
            token: what controllers have to know; "": nothing.
            context: for TLS; None: without.
        """
        self._raw, self._context = raw, context
        self._lock = Lock(token, GuessLimit())
        self._socket = socket.create_server((host, port))
        self._socket.setblocking(False)
        scheme = "tcp" if context is None else "tcps"
        self.url = f"{scheme}://{host}:{self._socket.getsockname()[1]}"

    def accept(self) -> Pipe | None:
        """The pipe of a controller that has just connected."""
        try:
            connection, (address, *_) = self._socket.accept()
        except OSError:
            return None  # nobody is there; or the system has no room for another connection
        try:
            pipe = self._pipe(connection) if self._admits(connection, address) else None
        except OSError:
            pipe = None  # it has gone
        if pipe is None:
            connection.close()
            return None
        return pipe if self._raw else ControllerConnection(pipe, self._lock, address)

    def _admits(self, connection: socket.socket, address: str) -> bool:
        """False for an address that guesses tokens and, where none is required, for another user's program on
        this computer."""
        if self._lock.token:
            return self._lock.guesses.allows(address)
        return is_own_user(connection)

    def _pipe(self, connection: socket.socket) -> SocketPipe:
        if self._context is None:
            return SocketPipe(connection)
        from wbridge.hal.link.transports._tls_pipe import answer  # start-up: 17 ms for TLS

        return answer(connection, self._context, PATIENCE)

    def fileno(self) -> int:
        """Of the socket."""
        return self._socket.fileno()

    def close(self) -> None:
        """End listening."""
        self._socket.close()


def connect(url: Url) -> Pipe:
    """A pipe to a robot that listens on TCP."""
    pipe = FramedPipe(open_bytes(url), "length")
    if url.password:
        pipe.send(encode(Token(url.password.encode())))
    return pipe


def open_bytes(url: Url) -> SocketPipe:
    """A byte pipe to whatever listens on TCP."""
    options = url.read_options(OPTIONS)
    check(url)
    try:
        if url.scheme == "tcps":
            return _open_tls(url, options)
        return SocketPipe(socket.create_connection((url.host, url.port or 0), PATIENCE))
    except OSError as error:
        nobody = " (nothing is listening there)" if isinstance(error, ConnectionRefusedError) else ""
        raise ConnectionLost(f"{url.text}: {error.strerror or error}{nobody}") from None


def _open_tls(url: Url, options: dict[str, Any]) -> SocketPipe:
    from wbridge.hal.link.transports import _tls_pipe as tls  # start-up: 17 ms for TLS

    pins = [options[name] for name in ("cert", "sha256") if name in options]
    if len(pins) + ("ca" in options) > 1:
        raise AddressError(f"{url.text}: ca=, cert= and sha256= say in turn what to trust; give one of them")
    context = tls.pinned_context() if pins else tls.client_context(url.text, options.get("ca"))
    connection = socket.create_connection((url.host, url.port or 0), PATIENCE)
    try:
        return tls.greet(connection, context, url.host, PATIENCE, *pins)
    except OSError:
        connection.close()
        raise


def check(url: Url) -> None:
    """Check that the URL contains host and port, without connecting.

    Raises:
        AddressError: it does not.
    """
    if not url.host or not url.port or (url.user and not url.password):
        raise AddressError(f"{url.text}: expected {FORM}, for example tcp://192.168.1.7:8080")
    names = [name for name in OPTIONS if name in url.options]
    if url.scheme == "tcp" and names:
        raise AddressError(f"{url.text}: {names[0]}= is for TLS: tcps://{url.host}:{url.port}")


def listen(url: Url, table: DeviceTable) -> TcpListener:
    """Listen on TCP; without a host only for this computer, without a port on any free one."""
    return _listen(url, raw=False)


def listen_bytes(url: Url) -> TcpListener:
    """The same for a robot with a protocol of its own."""
    if url.password:
        raise AddressError(f"{url.text}: a token is for robots that speak the robot link")
    return _listen(url, raw=True)


def _listen(url: Url, raw: bool) -> TcpListener:
    options = url.read_options(ROBOT_OPTIONS)
    context = None
    if url.scheme == "tcps":
        from wbridge.hal.link.transports._tls_pipe import server_context  # start-up: 17 ms for TLS

        context = server_context(url.text, options.get("cert"), options.get("key"))
    elif options:
        raise AddressError(f"{url.text}: {' and '.join(options)} are for TLS: tcps://{url.host}")
    try:
        return TcpListener(
            url.host or "127.0.0.1", url.port or 0, raw=raw, token=url.password, context=context
        )
    except OSError as error:
        why = _TAKEN.get(error.errno or 0) or error.strerror or str(error)
        raise ConnectionLost(f"{url.text}: {why}") from None
