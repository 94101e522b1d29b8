"""A controller at a wire that anybody can connect to: it may need a token, and must take its answers."""

from __future__ import annotations

import hmac
from typing import Protocol

from hal.link.errors import ConnectionLost, MessageError
from hal.link.messages import REFUSED_TOKEN, VERSION, Message, Refusal, Token, decode, encode
from hal.link.pipe import FramedPipe, Pipe

__all__ = ["ControllerConnection", "refusal_of"]

PATIENCE, SHORT_PATIENCE = 2.0, 0.02
"""How long a robot waits, in s, until a controller takes its answers: the one that drives, and any other."""
HASH_BYTES = 8


def refusal_of(data: bytes, reason: int) -> bytes:
    """What to answer to a controller that is not admitted, so that it recognizes the message as its own."""
    try:
        message: Message | None = decode(data)
    except MessageError:
        message = None
    session, client = getattr(message, "session", 0), getattr(message, "client", 0)
    sequence = getattr(message, "sequence", 0)
    return encode(Refusal(VERSION, session, client, sequence, reason, bytes(HASH_BYTES), ""))


class _PatientPipe(Pipe, Protocol):
    patience: float
    """Longest time to wait for a peer that does not read, in s."""


class ControllerConnection(FramedPipe):
    """The robot's end of one connection of several. It may be closed when it idles or disturbs."""

    def __init__(self, pipe: _PatientPipe, token: str) -> None:
        """
        Args:
            pipe: carries the bytes.
            token: what the first message has to tell; "": nothing.
        """
        super().__init__(pipe, "length")
        self._connection = pipe
        self._token, self._admitted = token.encode(), not token
        self.drives = False

    @property
    def drives(self) -> bool:
        """This controller has the session. Any other must take its answers at once or lose its connection."""
        return self._drives

    @drives.setter
    def drives(self, drives: bool) -> None:
        """Say whether it does."""
        self._drives = drives
        self._connection.patience = PATIENCE if drives else SHORT_PATIENCE

    def receive(self, timeout: float) -> bytes | None:
        """The next message of a controller that is admitted.

        Raises:
            ConnectionLost: it is gone, or was sent away because it has not shown the token.
        """
        data = super().receive(timeout)
        while data is not None and not self._admitted:
            self._authenticate(data)
            data = super().receive(0.0)
        return data

    def _authenticate(self, data: bytes) -> None:
        """Look at the first message."""
        try:
            message = decode(data)
        except MessageError:
            message = None
        if isinstance(message, Token) and hmac.compare_digest(message.data, self._token):
            self._admitted = True
        elif not isinstance(message, Token):
            # A wrong token is told with the message after it, whose session the controller will recognize.
            self.send(refusal_of(data, REFUSED_TOKEN))
            self.close()
            raise ConnectionLost("a controller without the token")
