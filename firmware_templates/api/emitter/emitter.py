"""Emitter: each packet is sent with the next step, on the channel that was set when it was queued."""

from struct import pack

from wb import channels, messages
from wb.device import Device


def _bytes(message, length):
    """Return a message as bytes: text, or numbers of 8 (float), 4 (int) or 1 byte (bool), low bytes first."""
    if isinstance(message, str):
        return message.encode()
    if not isinstance(message, (list, tuple)):
        return bytes(message) if length is None else bytes(message)[:length]
    first = message[0] if message else None
    if isinstance(first, bool):
        return bytes([int(one) for one in message])
    return pack("<" + ("i" if isinstance(first, int) else "d") * len(message), *message)


class Emitter(Device):
    """An emitter of a robot on a board."""

    def __init__(self, name):
        super().__init__(name)
        self._channel = self._row["start_channel"]

    def send(self, message, length=None):
        """Queue a packet for the next step; return 0 if it is empty, too large or the queue is full."""
        if message is None:
            raise TypeError("send() called with None")
        data = _bytes(message, length)
        if data and channels.send(self._tag, int(self._channel), data):
            return 1
        print(messages.PACKET_NOT_SENT)
        return 0

    def set_channel(self, channel):
        """Set the channel of the packets to come; -1: all."""
        self._channel = channel

    def get_channel(self):
        """Return the channel."""
        return self._channel

    def get_range(self):
        """Return the field `range`."""
        return self._row["start_range"]

    def get_buffer_size(self):
        """Return the field `bufferSize`."""
        return self._row["buffer_size"]
