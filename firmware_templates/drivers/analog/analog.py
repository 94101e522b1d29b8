"""A sensor with a voltage proportional to its value."""

from wb import board


class Driver:
    """An analog input."""

    def __init__(self, settings, drivers):
        self._low, self._high = settings["low"], settings["high"]
        self._input = board.Analog(settings["pin"], settings["samples"])

    def value(self):
        """Return the value."""
        return self._low + (self._high - self._low) * self._input.code() / board.ADC_TOP

    position = value
