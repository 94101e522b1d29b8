"""A receiver: frames with packets come to the second serial port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.link.framing import frame_cobs
from wbverify.coupling.serial_emitter import CHANNEL
from wbverify.coupling.wires import BoardNumbers, Given, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.wires import Values

__all__ = ["make"]

STRENGTH, DIRECTION = 1.0, (0.0, 0.0, 0.0)
"""A line says nothing of them; so the driver tells these."""


class SerialReceiver(Sense):
    """Each packet that is heard goes over the line."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def carry(self, values: Values) -> Values:
        """See `Sense`; the values are those of one packet: channel, direction, strength, bytes."""
        channel, _, _, data = values
        self._waiting.append(frame_cobs(CHANNEL.pack(channel) + data))
        return (channel, DIRECTION, STRENGTH, data)

    def events(self) -> list[Given]:
        """See `Sense`."""
        waiting, self._waiting = self._waiting, []
        return [Given(one) for one in waiting]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbverify.coupling`."""
    return SerialReceiver()
