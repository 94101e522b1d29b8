"""An emitter: packet frames at the second serial port."""

from __future__ import annotations

import struct

from wbridge.hal.link.framing import CobsDecoder, frame_cobs
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PacketOutput

CHANNEL = struct.Struct("<i")
"""Precedes the bytes of a packet; docs/firmware.md describes the frames."""
BITS_PER_BYTE = 10
"""Bits per byte on the line: start, eight data bits, stop."""


class SerialEmitter(PacketOutput):
    """Decodes packets from the board's bytes; invalid bytes are skipped, as in a receiver."""

    def __init__(self, wiring: Wiring) -> None:
        self._decoder = CobsDecoder()
        self._baud = int(wiring.values["baud"])

    def decode(self, data: bytes) -> list[tuple[int, bytes]]:
        """See `PacketOutput`."""
        packets = [answer for answer in self._decoder.feed(data) if len(answer) >= CHANNEL.size]
        return [(CHANNEL.unpack_from(answer)[0], answer[CHANNEL.size :]) for answer in packets]

    def busy_ms(self, data: bytes) -> float:
        """See `PacketOutput`."""
        return 1000 * BITS_PER_BYTE * len(frame_cobs(CHANNEL.pack(0) + data)) / self._baud


def make(wiring: Wiring, numbers: BoardNumbers) -> PacketOutput:
    """See `wbridge.wbverify.coupling`."""
    return SerialEmitter(wiring)
