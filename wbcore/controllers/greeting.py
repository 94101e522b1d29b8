"""The handshake of controllers that connect by TCP."""

from __future__ import annotations

from hal.protocol.dialect import Dialect
from hal.protocol.names import encoded_name
from wbcore.controllers.lockstep import Seat

__all__ = ["Greeting"]

START, NAME = b"CTR", b"Robot-Name: "
CONNECTED, FAILED, FORBIDDEN = b"CONNECTED", b"FAILED", b"FORBIDDEN"
LONGEST = 4096


class Greeting:
    """Finds out which robot a controller wants to drive."""

    def __init__(self, seats: list[Seat], dialect: Dialect) -> None:
        self._seats, self._dialect = seats, dialect

    def feed(self, data: bytes) -> tuple[bytes, Seat | None, Dialect]:
        """Take the greeting, which comes in one piece.

        Returns:
            the reply, the seat of the robot (None: the controller is turned away), and the dialect.
        """
        if len(data) > LONGEST or not data.startswith(START):
            return FAILED, None, self._dialect
        _, _, name = data.partition(NAME)
        seat = self._find(name.decode("utf-8", "replace").strip("\0\r\n"))
        if seat is None:
            return FAILED, None, self._dialect
        if seat.link is not None:
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
