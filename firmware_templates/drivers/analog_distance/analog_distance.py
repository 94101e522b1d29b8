"""An analog distance sensor: volts to meters by its curve, meters to values by the device's lookup table."""

from wb import board, curve, table


class Driver:
    """An analog input."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._input = board.Analog(settings["pin"], settings["samples"])

    def value(self):
        """Return the value."""
        volts = table.SUPPLY * self._input.code() / board.ADC_TOP
        return curve.at(self._settings["lookup"], curve.at(self._settings["curve"], volts))
