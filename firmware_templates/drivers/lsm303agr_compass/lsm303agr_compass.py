"""The magnetometer of an LSM303AGR as a compass: the direction of the magnetic field, whatever its
strength."""

from wb import board, field

WHO_AM_I, NAME = 0x4F, b"\x40"
CONFIG_A, CONTINUOUS = 0x60, 0x8C  # 100 Hz, compensated for the temperature
CONFIG_B, CANCELED = 0x61, 0x02  # without the part's own offset
CONFIG_C, WHOLE = 0x62, 0x10  # both bytes of a number are of one measurement
DATA, MANY = 0x68, 0x80  # MANY: the next byte is of the next register


class Driver:
    """The compass."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address = self._settings["address"]
        return (
            self._bus.read(address, WHO_AM_I, 1) == NAME
            and self._bus.write(address, bytes([CONFIG_C, WHOLE]))
            and self._bus.write(address, bytes([CONFIG_B, CANCELED]))
            and self._bus.write(address, bytes([CONFIG_A, CONTINUOUS]))
        )

    def _measured(self):
        """Return six bytes; None if the part does not answer, or has lost its settings."""
        address = self._settings["address"]
        mode = self._bus.read(address, CONFIG_A, 1)
        runs = mode is not None and mode[0] == CONTINUOUS
        return self._bus.read(address, DATA | MANY, 6) if runs else None

    def north(self):
        """Return the direction; None if it is unknown."""
        self._ready = self._ready or self._set_up()
        data = self._measured() if self._ready else None
        self._ready = data is not None
        if data is None:
            return None
        return field.direction([board.low_word(data, k) for k in (0, 2, 4)], self._settings)
