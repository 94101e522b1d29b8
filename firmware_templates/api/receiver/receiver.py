"""Receiver: packets wait in a queue; a packet that does not fit is lost."""

from struct import unpack_from

from wb import channels
from wb.device import Sensor


class Receiver(Sensor):
    """A receiver of a robot on a board."""

    def _queue(self):
        return channels.received.setdefault(self._tag, [])

    def _first(self, place, empty):
        """Return a part of the first packet."""
        queue = self._queue()
        return queue[0][place] if queue else empty

    def _unpack(self, code, size):
        data = self.get_bytes()
        return unpack_from("<" + code * (len(data) // size), data)

    def get_queue_length(self):
        """Return the number of packets."""
        return len(self._queue())

    def next_packet(self):
        """Remove the first packet."""
        if self._queue():
            self._queue().pop(0)

    def get_data_size(self):
        """Return the bytes of the first packet; -1 if there is none."""
        return len(self.get_bytes()) if self._queue() else -1

    def get_signal_strength(self):
        """Return the strength of the first packet; NaN if there is none."""
        return self._first(1, channels.NAN)

    def get_emitter_direction(self):
        """Return the direction to the emitter of the first packet."""
        return list(self._first(2, [channels.NAN] * 3))

    def get_bytes(self):
        """Return the first packet; empty if there is none."""
        return self._first(3, b"")

    def get_string(self):
        """Return the first packet as text."""
        return self.get_bytes().decode()

    get_data = get_string

    def get_floats(self):
        """Return the first packet as floats of 8 bytes."""
        return self._unpack("d", 8)

    def get_ints(self):
        """Return the first packet as integers of 4 bytes."""
        return self._unpack("i", 4)

    def get_bools(self):
        """Return the first packet as booleans of 1 byte."""
        return tuple(one != 0 for one in self.get_bytes())

    def set_channel(self, channel):
        """Set the channel; -1 receives on all channels."""
        channels.command(self._row["channel"], channel)

    def get_channel(self):
        """Return the channel."""
        found = channels.read(self._row["channel"])
        return self._row["start_channel"] if found != found else int(found)
