"""The robot's end of a connection on a transport that anyone can reach: tokens and unread answers."""

from __future__ import annotations

import hmac
from typing import NamedTuple, Protocol

from wbridge.hal.link.errors import ConnectionLost, MessageError
from wbridge.hal.link.guesses import GuessLimit
from wbridge.hal.link.messages import REFUSED_TOKEN, VERSION, Message, Refusal, Token, decode, encode
from wbridge.hal.link.pipe import FramedPipe, Pipe

__all__ = ["ControllerConnection", "Lock", "refusal_of"]

PATIENCE, SHORT_PATIENCE = 2.0, 0.02
"""Maximum wait for a controller to read its answers, in s: for the driving controller, and for others."""
HASH_BYTES = 8


def refusal_of(data: bytes, reason: int) -> bytes:
    """The refusal of a message, with the numbers by which the controller recognizes it as its own."""
    try:
        message: Message | None = decode(data)
    except MessageError:
        message = None
    session, client = getattr(message, "session", 0), getattr(message, "client", 0)
    sequence = getattr(message, "sequence", 0)
    return encode(Refusal(VERSION, session, client, sequence, reason, bytes(HASH_BYTES), ""))


class Lock(NamedTuple):
    """The token of a robot, which all its connections share."""

    token: str
    """That the first message must carry; "": none is required."""
    guesses: GuessLimit

    def opens(self, token: bytes, address: str) -> bool:
        """True for the token, unless the address has sent too many wrong ones in this second."""
        if not self.guesses.allows(address):
            return False
        is_right = hmac.compare_digest(token, self.token.encode())
        if not is_right:
            self.guesses.note_wrong(address)
        return is_right


UNLOCKED = Lock("", GuessLimit())
"""Of a robot that requires no token."""


class _PatientPipe(Pipe, Protocol):
    patience: float
    """Longest wait for a peer that does not read, in s."""


class ControllerConnection(FramedPipe):
    """One of several connections to a robot. The server may close it if it is idle or misbehaves."""

    def __init__(self, pipe: _PatientPipe, lock: Lock = UNLOCKED, address: str = "") -> None:
        """
        Args:
            pipe: carries the bytes.
            lock: of the robot; default: no token is required.
            address: of the controller.
        """
        super().__init__(pipe, "length")
        self._connection = pipe
        self._lock, self._address, self._admitted = lock, address, not lock.token
        self._is_wrong = False
        self.drives = False

    @property
    def drives(self) -> bool:
        """This controller has the session. Any other must read its answers at once or is disconnected."""
        return self._drives

    @drives.setter
    def drives(self, drives: bool) -> None:
        """Set whether it has the session."""
        self._drives = drives
        self._connection.patience = PATIENCE if drives else SHORT_PATIENCE

    def receive(self, timeout: float) -> bytes | None:
        """The next message, after the controller has shown its token.

        Raises:
            ConnectionLost: it has disconnected, or was refused because the token is missing or wrong.
        """
        data = super().receive(timeout)
        while data is not None and not self._admitted:
            self._authenticate(data)
            data = super().receive(0.0)
        return data

    def _authenticate(self, data: bytes) -> None:
        """Check the token in the first message."""
        try:
            message = decode(data)
        except MessageError:
            message = None
        is_guess = isinstance(message, Token) and not self._is_wrong
        if is_guess:
            self._admitted = self._lock.opens(message.data, self._address)
            # A wrong token is reported with the next message, whose session the controller recognizes.
            self._is_wrong = not self._admitted
        else:
            self.send(refusal_of(data, REFUSED_TOKEN))
            self.close()
            raise ConnectionLost("a controller without the token")
