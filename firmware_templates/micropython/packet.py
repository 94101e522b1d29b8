"""Packets on a serial line, as packet.c frames them: a zero byte, COBS of (channel, data, CRC-16), a zero
byte."""

MOST = 128  # bytes of a packet's data; longer packets are discarded
EXTRA = 6  # channel and CRC


def _crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8 | crc << 8) & 0xFFFF ^ byte
        crc ^= (crc & 0xFF) >> 4
        crc = (crc ^ crc << 12) & 0xFFFF
        crc ^= (crc & 0xFF) << 5
    return crc


def frame(channel, data):
    """Return the frame of a packet with at most MOST bytes."""
    content = (channel & 0xFFFFFFFF).to_bytes(4, "little") + data
    content += _crc16(content).to_bytes(2, "little")
    coded = bytearray(1)
    for block in content.split(b"\0"):  # no block is full
        coded.append(len(block) + 1)
        coded += block
    coded.append(0)
    return coded


class Decoder:
    """Takes the bytes of a line; damaged frames are discarded."""

    def __init__(self):
        self._coded = bytearray()

    def feed(self, data):
        """Iterate over the packets that bytes complete: channels and data."""
        for byte in data:
            if byte:
                if len(self._coded) <= MOST + EXTRA + 1:
                    self._coded.append(byte)
                continue
            content = _decoded(self._coded)
            self._coded = bytearray()
            if content is not None:
                channel = int.from_bytes(content[:4], "little")
                yield channel - (channel >> 31 << 32), bytes(content[4:-2])


def _decoded(coded):
    """Return the content of a frame; None if it is damaged."""
    content, place = bytearray(), 0
    while place < len(coded):
        end = place + coded[place]
        if end > len(coded):
            return None
        content += coded[place + 1 : end]
        place = end
        if place < len(coded):
            content.append(0)
    if not EXTRA <= len(content) <= MOST + EXTRA:
        return None
    return content if _crc16(content[:-2]) == int.from_bytes(content[-2:], "little") else None
