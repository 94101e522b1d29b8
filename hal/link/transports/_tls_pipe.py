"""TLS for TCP: a byte pipe that encrypts, and the certificates of its two ends."""

from __future__ import annotations

import hashlib
import socket
import ssl

from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.transports._socket_pipe import CHUNK, SocketPipe
from wbridge.hal.ready import readable


class TlsPipe(SocketPipe):
    """A byte pipe over a socket with TLS. The robot's end never waits for a controller's handshake."""

    def __init__(self, connection: ssl.SSLSocket, patience: float, *, greeted: bool) -> None:
        super().__init__(connection, patience)
        self._tls, self._greeted = connection, greeted

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        if not self._greeted:
            raise ConnectionLost("the connection is not encrypted yet")
        super().send(data)

    def _send_some(self, data: bytes | memoryview) -> int:
        """Send what the system takes at once; the number of bytes."""
        try:
            return self._tls.send(data)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            if not self._tls.pending() and not readable([self._tls], timeout):
                return None
            return self._read()
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the connection was lost: {error}") from None

    def _read(self) -> bytes | None:
        """What is there now; None when it is less than one record, or part of the handshake.

        Raises:
            ConnectionLost: the other end has closed the connection.
        """
        found = bytearray()
        try:
            if not self._greeted:
                self._tls.do_handshake()
                self._greeted = True
            while True:
                data = self._tls.recv(CHUNK)
                found += data
                if not data and not found:
                    raise ConnectionLost("the other end has closed the connection")
                if not self._tls.pending():
                    return bytes(found)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return bytes(found) or None


def client_context(text: str, authority: str | None) -> ssl.SSLContext:
    """What a controller trusts: a file with an authority's certificate, or the system's authorities.

    Raises:
        AddressError: the file cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=authority)
    except (OSError, ValueError) as error:
        raise AddressError(f"{text}: the certificate {authority}: {error}") from None


def fingerprint_of(certificate: bytes) -> str:
    """The SHA-256 of a certificate in DER, as hexadecimal digits."""
    return hashlib.sha256(certificate).hexdigest()


def pinned_context() -> ssl.SSLContext:
    """For a robot whose certificate is known: `greet` compares it, whoever has signed it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def server_context(text: str, certificate: str | None, key: str | None) -> ssl.SSLContext:
    """The certificate that a robot shows, and its key.

    Raises:
        AddressError: one is missing or cannot be read.
    """
    if certificate is None or key is None:
        raise AddressError(f"{text}: TLS needs the robot's certificate and its key: ?cert=FILE&key=FILE")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ValueError) as error:
        raise AddressError(f"{text}: the certificate {certificate} with the key {key}: {error}") from None
    return context


def greet(
    connection: socket.socket, context: ssl.SSLContext, host: str, patience: float, pin: str = ""
) -> TlsPipe:
    """Begin TLS as a controller.

    Args:
        connection: to the robot.
        context: what is trusted.
        host: the robot's name.
        patience: the longest time to wait, in s.
        pin: the `fingerprint_of` the only certificate that is accepted; "": the context decides.

    Raises:
        OSError: the robot has no certificate that is trusted, or does not speak TLS.
    """
    connection.settimeout(patience)
    tls = context.wrap_socket(connection, server_hostname=host)
    shown = fingerprint_of(tls.getpeercert(binary_form=True) or b"")
    if pin and shown != pin:
        tls.close()
        raise ssl.SSLError(f"the robot shows another certificate, sha256={shown}; expected sha256={pin}")
    return TlsPipe(tls, patience, greeted=True)


def answer(connection: socket.socket, context: ssl.SSLContext, patience: float) -> TlsPipe:
    """Begin TLS as a robot; the handshake goes on as bytes come."""
    wrapped = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    return TlsPipe(wrapped, patience, greeted=False)
