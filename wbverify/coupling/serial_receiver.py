"""A receiver: packet frames arrive at the second serial port."""

from __future__ import annotations

from wbridge.hal.link.framing import frame_cobs
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling, SerialBytes, Values
from wbridge.wbverify.coupling.serial_emitter import CHANNEL

STRENGTH, DIRECTION = 1.0, (0.0, 0.0, 0.0)
"""Values reported by the driver, because a serial line does not provide them."""


class SerialReceiver(SensorCoupling):
    """Sends each received packet over the line."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`; the values are those of one packet: channel, direction, strength, bytes."""
        channel, _, _, data = values
        self._waiting.append(frame_cobs(CHANNEL.pack(channel) + data))
        return (channel, DIRECTION, STRENGTH, data)

    def events(self) -> list[SerialBytes]:
        """See `SensorCoupling`."""
        waiting, self._waiting = self._waiting, []
        return [SerialBytes(packet) for packet in waiting]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return SerialReceiver()
