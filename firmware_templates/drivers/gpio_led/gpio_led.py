"""An LED on a digital pin."""

from wb import board


class Driver:
    """An LED; off at first."""

    def __init__(self, settings, drivers):
        self._inverted = settings["inverted"]
        self._pin = board.output(settings["pin"])
        self.value(0)

    def value(self, value):
        """Switch it on or off."""
        self._pin.value((value != 0) != self._inverted)
