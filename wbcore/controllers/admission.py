"""Who may connect as a controller: this user's programs on this computer, and over TCP those with the token.

A controller that is a supervisor can run code in the simulator, so this matters as much as a login.
"""

from __future__ import annotations

import binascii
import logging
import os
import socket
from collections.abc import Iterable, Mapping

from wbridge.hal.link.guesses import GuessLimit
from wbridge.hal.protocol.names import SAFE, TOKEN_VARIABLE, shows_token, spellings, split_token, with_token
from wbridge.hal.protocol.peer_user import is_own_user, is_this_user

_LOG = logging.getLogger(__name__)
RANDOM_BYTES = 12
"""Of a token; short enough for an address that people copy, too long to be guessed."""


SHORTEST = 16
"""Minimum length of a token that the user chooses."""
_SAFE = str.maketrans("+/", "-_")


class Admission:
    """Checks the connections of one simulation."""

    def __init__(self, token: str | None = None, *, everywhere: bool = False) -> None:
        """
        Args:
            token: required over TCP; "": none is; None: a random one.
            everywhere: require it of this user's own programs on this computer, too.
        """
        self.token = random_token() if token is None else token
        self._everywhere = everywhere
        self._guesses = GuessLimit()
        self._reported: set[str] = set()
        """Kinds of refusals that were reported."""

    def admits_user(self, connection: socket.socket) -> bool:
        """False, after a warning, for a connection of another user of this computer."""
        try:
            if is_own_user(connection):
                return True
        except OSError:
            return False  # it has gone already
        self._report("user", "a controller of another user of this computer was refused")
        return False

    def visitor(self, connection: socket.socket) -> Visitor:
        """Return the checks for a TCP connection that `admits_user`."""
        is_own = not self._everywhere and is_this_user(connection)
        return Visitor(self, connection.getpeername()[0], needs_token=bool(self.token) and not is_own)

    def knows(self, address: str, name: str, robots: Iterable[str]) -> bool:
        """Return True if a name, as libraries send it, contains the token; count the address's wrong guesses.

        Args:
            address: of the client.
            name: from its handshake.
            robots: names of all robots: libraries replace a long name with its token by digits.
        """
        if not self._guesses.allows(address):
            return False
        is_known = shows_token(name, self.token, robots)
        if not is_known:
            self._guesses.note_wrong(address)
        return is_known

    def refuse(self, address: str, name: str) -> None:
        """Report that a controller's token is missing or wrong."""
        what = "a wrong" if split_token(name)[1] else "no"
        self._report(
            what,
            f"a TCP controller at {address} was refused: it sent {what} token; start it with the address "
            "that this run prints",
        )

    def _report(self, kind: str, text: str) -> None:
        """Warn once about each kind."""
        if kind not in self._reported:
            self._reported.add(kind)
            _LOG.warning("warning: %s (reported once)", text)


class Visitor:
    """A TCP connection that has not named its robot yet."""

    def __init__(self, admission: Admission, address: str, needs_token: bool) -> None:
        self._admission, self._address, self._needs_token = admission, address, needs_token

    def may_enter(self, name: str, robots: Iterable[str]) -> bool:
        """Return True if the connection may drive a robot. A wrong token is refused in any case.

        Args:
            name: from the handshake.
            robots: names of all robots.
        """
        admission = self._admission
        if not admission.token or (not self._needs_token and not split_token(name)[1]):
            return True
        if admission.knows(self._address, name, robots):
            return True
        admission.refuse(self._address, name)
        return False

    def wants(self, name: str, robot: str) -> bool:
        """Return True if a name from a handshake, perhaps with a token, is that of a robot."""
        with_secret = spellings(with_token(robot, self._admission.token)) if self._admission.token else []
        return split_token(name)[0] in spellings(robot) or name in with_secret


def random_token() -> str:
    """Return a token of letters, digits, - and _."""
    return binascii.b2a_base64(os.urandom(RANDOM_BYTES), newline=False).decode().translate(_SAFE)


def chosen_token(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the token that the user has set for a run; None: none.

    Raises:
        ValueError: it is too short, or has characters that libraries encode.
    """
    token = environment.get(TOKEN_VARIABLE)
    if not token:
        return None
    if len(token) < SHORTEST or not SAFE.issuperset(token.encode()):
        raise ValueError(
            f"{TOKEN_VARIABLE} has {len(token)} characters; expected at least {SHORTEST}, "
            "of letters, digits and - _ ~ ."
        )
    return token
