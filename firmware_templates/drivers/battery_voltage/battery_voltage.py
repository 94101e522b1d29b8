"""The battery's charge, estimated from its voltage."""

from wb import board, curve, table


class Driver:
    """An analog input."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._input = board.Analog(settings["pin"], settings["samples"])

    def battery(self):
        """Return the charge in J."""
        volts = table.SUPPLY * self._input.code() / board.ADC_TOP * self._settings["ratio"]
        return curve.at(self._settings["curve"], volts)
