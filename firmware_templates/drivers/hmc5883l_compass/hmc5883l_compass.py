"""An HMC5883L magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field

CONFIG_A, MODE, DATA, IDENTIFICATION = 0x00, 0x02, 0x03, 0x0A
AVERAGED = 0x78  # average of 8 measurements, at 75 Hz
CONTINUOUS = 0x00
PLACES = (DATA, DATA + 4, DATA + 2)  # x, y, z: the part stores z before y
OVERFLOW = -4096


class Driver:
    """The compass."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address = self._settings["address"]
        setup = bytes([CONFIG_A, AVERAGED, self._settings["range"] << 5, CONTINUOUS])
        return self._bus.read(address, IDENTIFICATION, 3) == b"H43" and self._bus.write(address, setup)

    def _counts(self):
        """Return the field in counts; None if the part does not answer, or has lost its settings."""
        data = self._bus.read(self._settings["address"], CONFIG_A, DATA + 6)
        if data is None or data[CONFIG_A] != AVERAGED or data[MODE] != CONTINUOUS:
            return None
        return [board.word(data, place) for place in PLACES]

    def north(self):
        """Return the direction; None if it is unknown."""
        self._ready = self._ready or self._set_up()
        counts = self._counts() if self._ready else None
        self._ready = counts is not None
        if counts is None or OVERFLOW in counts:
            return None
        return field.direction(counts, self._settings)
