"""A limit for the packets that a client of paho takes from a broker.

paho collects each packet before it tells anybody: up to 256 MB, of whoever may publish. This stands between
paho and its socket. Of a message that is too long it hands over the topic without a text, as a shorter
packet, and drops the rest as it comes: the connection stays, and with a QoS above 0 the broker gets its
acknowledgment.
"""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.link.framing import MAX_MESSAGE

__all__ = ["LONGEST_PACKET", "PacketLimit"]

LONGEST_TOPIC = 0xFFFF
LONGEST_PACKET = MAX_MESSAGE + LONGEST_TOPIC + 4
"""Bytes of the largest message of the link, its topic, and their lengths (MQTT 3.1.1, 3.3)."""
PUBLISH = 3
MORE, DIGIT = 0x80, 0x7F
"""Of a byte of a length: others follow; its share of the length."""
MOST_DIGITS = 4
CHUNK = 1 << 16
MOST_CHUNKS = 100
"""Chunks that are dropped before others have their turn."""


class PacketLimit:
    """Receives in place of a socket, whose bytes are the packets of a broker (MQTT 3.1.1, 2.2)."""

    def __init__(self, receive: Callable[[int], bytes], longest: int = LONGEST_PACKET) -> None:
        """
        Args:
            receive: returns at most so many bytes, at least one; b"" at the end of the connection.
            longest: bytes of a packet, without its kind and length.
        """
        self._receive, self._longest = receive, longest
        self.reset()

    def reset(self) -> None:
        """Begin a new connection."""
        self._head = bytearray()
        """Of the packet that begins: its kind and length; of a message that is too long, its topic, too."""
        self._given = b""
        """To be handed over next."""
        self._passed = self._dropped = 0
        """Bytes that follow: to be handed over as they come, and to be dropped after these."""

    def __call__(self, size: int) -> bytes:
        """Return at most so many bytes, at least one; b"" at the end of the connection.

        Raises:
            BlockingIOError: nothing is there now.
            OSError: the connection is broken, or the broker sends what no broker may.
        """
        for _ in range(MOST_CHUNKS):
            if self._given:
                data, self._given = self._given[:size], self._given[size:]
                return data
            if self._passed:
                data = self._receive(min(size, self._passed))
                self._passed -= len(data)
                return data
            data = self._receive(min(self._dropped, CHUNK) or 1)
            if not data:
                return b""
            if self._dropped:
                self._dropped -= len(data)
            else:
                self._begin(data)
        raise BlockingIOError

    def _begin(self, data: bytes) -> None:
        """Take the next byte of a packet's beginning, which is handed over when it is complete."""
        head = self._head
        head += data
        end = next((k for k in range(1, len(head)) if not head[k] & MORE), 0)
        if not end:
            if len(head) > MOST_DIGITS:
                raise ConnectionError("the length of a packet has more than four bytes")
            return
        length = sum((digit & DIGIT) << 7 * k for k, digit in enumerate(head[1 : end + 1]))
        if length <= self._longest:
            self._hand_over(bytes(head), length, 0)
        elif head[0] >> 4 != PUBLISH:
            raise ConnectionError(f"a packet of {length} bytes that is no message")
        else:
            self._begin_long(length, bytes(head[end + 1 :]))

    def _begin_long(self, length: int, body: bytes) -> None:
        """Hand over a message that is too long without its text, when all before the text is there."""
        if len(body) < 2:
            return
        number = 2 if self._head[0] & 0b110 else 0  # QoS 1 and 2 have one
        kept = 2 + int.from_bytes(body[:2], "big") + number
        left = kept - len(body)
        short, digits = kept, bytearray()
        while short > DIGIT:
            digits.append(short & DIGIT | MORE)
            short >>= 7
        self._hand_over(bytes((self._head[0], *digits, short)) + body, left, length - kept)

    def _hand_over(self, data: bytes, passed: int, dropped: int) -> None:
        self._given, self._passed, self._dropped = data, passed, dropped
        self._head.clear()
