"""An emitter on a serial line. A board has one such line; frames wait here until they are sent."""

from wb import board, packet

QUEUE_BYTES = 2 * (packet.MOST + packet.EXTRA + 3)


class Driver:
    """The emitter."""

    def __init__(self, settings, drivers):
        self._line = board.line(settings["baud"])
        self._queue = b""

    def packet(self, channel, data):
        """Queue a packet; one that does not fit is lost, as a radio packet would be."""
        if len(data) <= packet.MOST and len(self._queue) + QUEUE_BYTES // 2 <= QUEUE_BYTES:
            self._queue += packet.frame(channel, data)
            self.update(0)

    def update(self, elapsed):
        """Send what the line takes."""
        if self._queue:
            self._queue = self._queue[self._line.write(self._queue) or 0 :]
