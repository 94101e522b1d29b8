"""The handshake of controllers that connect by TCP."""

from __future__ import annotations

from collections.abc import Callable

from hal.protocol.dialect import Dialect
from hal.protocol.names import encoded_name
from wbcore.controllers.lockstep import Seat

__all__ = ["Greeting"]

START, NAME = b"CTR", b"Robot-Name: "
CONNECTED, FAILED, FORBIDDEN = b"CONNECTED", b"FAILED", b"FORBIDDEN"
LONGEST = 4096
MOST_NAMED = 20
"""Robots that a controller is told when its own is not there."""


class Greeting:
    """Finds out which robot a controller wants to drive.

    One that names none that waits is told those that do: behind the word that Webots says, of which its
    libraries read the first six letters, a line with the encoded name of each.
    """

    def __init__(
        self,
        seats: list[Seat],
        dialect: Dialect,
        on_miss: Callable[[str, list[str]], object],
        on_second: Callable[[Seat], object],
    ) -> None:
        """
        Args:
            seats: of all robots.
            dialect: of controllers.
            on_miss: is told the name of a robot that does not wait, and the names of those that do.
            on_second: is told the seat of a robot that has a controller already.
        """
        self._seats, self._dialect, self._on_miss, self._on_second = seats, dialect, on_miss, on_second

    def feed(self, data: bytes) -> tuple[bytes, Seat | None, Dialect]:
        """Take the greeting, which comes in one piece.

        Returns:
            the reply, the seat of the robot (None: the controller is turned away), and the dialect.
        """
        if len(data) > LONGEST or not data.startswith(START):
            return FAILED, None, self._dialect
        _, _, name = data.partition(NAME)
        wanted = name.decode("utf-8", "replace").strip("\0\r\n")
        seat = self._find(wanted)
        if seat is None:
            waiting = [one.robot.name for one in self._seats if one.is_extern and one.link is None]
            self._on_miss(wanted, waiting)
            names = [encoded_name(one).encode() for one in waiting[:MOST_NAMED]]
            return FAILED + b"\n" + b"\n".join(names), None, self._dialect
        if seat.link is not None:
            self._on_second(seat)
            return FORBIDDEN, None, self._dialect
        return CONNECTED, seat, self._dialect

    def _find(self, name: str) -> Seat | None:
        outside = [one for one in self._seats if one.is_extern]
        if not name:
            return outside[0] if len(outside) == 1 else None
        for seat in outside:
            encoded = encoded_name(seat.robot.name)
            if name in (seat.robot.name, encoded, encoded_name(encoded)):
                return seat
        return None
