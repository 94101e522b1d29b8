"""An encoder with one track: each edge counts in the direction that its motor was last commanded."""

from wb import board

FULL_TURN = 6.283185307179586


class Driver:
    """An encoder; counts from 0 when the board starts."""

    def __init__(self, settings, drivers):
        self._settings, self._drivers = settings, drivers
        self._count, self._motor = 0, settings["motor"]
        self._pin = board.input(settings["pin"], True)
        self._level = self._pin.value()
        board.watch(self._pin, self._changed)

    def _changed(self, _pin):
        """Count an edge. Runs in an interrupt, where nothing can be allocated."""
        level = self._pin.value()
        if level != self._level:
            self._level = level
            self._count += self._drivers[self._motor].heading

    def position(self):
        """Return the position in rad or m."""
        turns = self._count / self._settings["counts"]
        return turns if self._settings["linear"] else turns * FULL_TURN
