"""The battery's charge, estimated from its voltage, which an INA219 measures."""

from wb import board, curve

VOLTAGE = 0x02  # in the upper 13 bits; the chip measures all the time from power-up on
VOLTS = 0.004


class Driver:
    """The part on the bus."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._bus = board.bus(settings["sda"], settings["scl"])

    def battery(self):
        """Return the charge in J; None if the part does not answer."""
        data = self._bus.read(self._settings["address"], VOLTAGE, 2)
        if data is None:
            return None
        return curve.at(self._settings["curve"], ((data[0] << 8 | data[1]) >> 3) * VOLTS)
