"""Registers of parts on the I2C bus."""

from wb import board


class Part:
    """A part that is set up before its first measurement, and again when it has lost its settings.

    Subclasses define `_set_up`, which returns true if the part has its settings, and `_measurement`, which
    returns the content of registers, or None if the part does not answer or has lost its settings.
    """

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _read(self, first, size):
        """Return successive registers; None if the part does not answer."""
        return self._bus.read(self._settings["address"], first, size)

    def _write(self, register, value):
        """Set a register. Return false if the part does not answer."""
        return self._bus.write(self._settings["address"], bytes([register, value]))

    def _holds(self, register, value):
        """Return true if a register has a value, such as that of a part's identity."""
        content = self._read(register, 1)
        return content is not None and content[0] == value

    def _measured(self):
        """Return what `_measurement` returns, or None without a set-up."""
        self._ready = self._ready or self._set_up()
        data = self._measurement() if self._ready else None
        self._ready = data is not None
        return data
