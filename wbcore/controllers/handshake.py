"""The handshake of controllers that connect by TCP."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.names import encoded_name, split_token
from wbridge.wbcore.controllers.admission import Visitor

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession

__all__ = ["Handshake"]

START, NAME = b"CTR", b"Robot-Name: "
CONNECTED, FAILED, FORBIDDEN = b"CONNECTED", b"FAILED", b"FORBIDDEN"
LONGEST = 4096
MOST_NAMED = 20
"""Maximum number of waiting robots that the reply lists."""


class Handshake:
    """Finds the robot that a TCP controller wants to drive.

    If no such robot waits, the reply lists those that do: after the word FAILED, of which Webots' libraries
    read the first six letters, a line contains the encoded name of each.
    """

    def __init__(
        self,
        doors: list[tuple[str, ControllerSession]],
        dialect: Dialect,
        visitor: Visitor,
        on_miss: Callable[[str, list[str]], object],
        on_second: Callable[[ControllerSession], object],
    ) -> None:
        """
        Args:
            doors: sessions of the robots whose controllers come over TCP, with the unique name of each.
            dialect: of controllers.
            visitor: checks the connection.
            on_miss: receives the name of a robot that is not waiting, and the names of those that are.
            on_second: receives the session of a robot that already has a controller.
        """
        self._doors, self._dialect, self._visitor = doors, dialect, visitor
        self._on_miss, self._on_second = on_miss, on_second

    def feed(self, data: bytes) -> tuple[bytes, ControllerSession | None, Dialect]:
        """Parse the handshake, which arrives in one piece.

        Returns:
            the reply, the session of the robot (None: the controller is rejected), and the dialect.
        """
        if len(data) > LONGEST or not data.startswith(START):
            return FAILED, None, self._dialect
        _, _, name = data.partition(NAME)
        wanted = name.decode("utf-8", "replace").strip("\0\r\n")
        if not self._visitor.may_enter(wanted, [session.robot.name for _, session in self._doors]):
            return FORBIDDEN, None, self._dialect
        session = self._find(wanted)
        if session is None:
            waiting = [
                session.robot.name
                for _, session in self._doors
                if session.is_extern and session.exchange is None
            ]
            self._on_miss(split_token(wanted)[0], waiting)
            names = [encoded_name(session_name).encode() for session_name in waiting[:MOST_NAMED]]
            return FAILED + b"\n" + b"\n".join(names), None, self._dialect
        if session.exchange is not None:
            self._on_second(session)
            return FORBIDDEN, None, self._dialect
        return CONNECTED, session, self._dialect

    def _find(self, name: str) -> ControllerSession | None:
        if not split_token(name)[0]:
            outside = [session for _, session in self._doors if session.is_extern]
            return outside[0] if len(outside) == 1 else None
        wants = self._visitor.wants
        wanted = [session for door, session in self._doors if wants(name, door)]
        # Robots may share a name: who names no single one gets one that waits.
        wanted += [session for _, session in self._doors if wants(name, session.robot.name)]
        return min(wanted, key=lambda session: session.exchange is not None, default=None)
