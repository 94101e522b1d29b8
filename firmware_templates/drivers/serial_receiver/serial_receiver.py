"""A receiver on a serial line. A board has one such line; packets wait here until they are read."""

from wb import board, packet

QUEUE_BYTES = 256  # each packet takes 5 more than its data
ALL_CHANNELS = -1
STRENGTH, DIRECTION = 1.0, (0.0, 0.0, 0.0)  # which a serial line does not have


class Driver:
    """The receiver."""

    def __init__(self, settings, drivers):
        self._line, self._decoder = board.line(settings["baud"]), packet.Decoder()
        self._channel = settings["channel"]
        self._queue, self._queued = [], 0

    def channel(self, channel):
        """Set the channel; -1 receives on all channels."""
        self._channel = int(channel)

    def update(self, elapsed):
        """Take what has arrived."""
        waiting = self._line.any()
        if not waiting:
            return
        for channel, data in self._decoder.feed(self._line.read(waiting)):
            is_mine = self._channel in (ALL_CHANNELS, channel) or channel == ALL_CHANNELS
            if is_mine and self._queued + len(data) + 5 <= QUEUE_BYTES:
                self._queue.append((channel, STRENGTH, DIRECTION, data))
                self._queued += len(data) + 5

    def packets(self):
        """Return the packets since the last call."""
        found, self._queue, self._queued = self._queue, [], 0
        return found
