"""A bumper switch."""

from wb import board


class Driver:
    """A switch."""

    def __init__(self, settings, drivers):
        self._inverted = settings["inverted"]
        self._pin = board.input(settings["pin"], self._inverted)

    def value(self):
        """Return 1 while it is pressed."""
        return float(bool(self._pin.value()) != self._inverted)
