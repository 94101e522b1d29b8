"""A QMC5883L magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field

DATA, STATUS, CONTROL, PERIOD, IDENTIFICATION = 0x00, 0x06, 0x09, 0x0B, 0x0D
NAME = b"\xff"
CONTINUOUS = 0x09  # 100 Hz, 512 measurements each
RECOMMENDED = 0x01
OVERFLOW = 0x02


class Driver:
    """The compass."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._control = settings["range"] << 4 | CONTINUOUS
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address = self._settings["address"]
        return (
            self._bus.read(address, IDENTIFICATION, 1) == NAME
            and self._bus.write(address, bytes([PERIOD, RECOMMENDED]))
            and self._bus.write(address, bytes([CONTROL, self._control]))
        )

    def _measured(self):
        """Return the registers up to CONTROL; None if the part does not answer, or has lost its settings."""
        data = self._bus.read(self._settings["address"], DATA, CONTROL + 1)
        return None if data is None or data[CONTROL] != self._control else data

    def north(self):
        """Return the direction; None if it is unknown."""
        self._ready = self._ready or self._set_up()
        data = self._measured() if self._ready else None
        self._ready = data is not None
        if data is None or data[STATUS] & OVERFLOW:
            return None
        counts = [board.low_word(data, k) for k in (DATA, DATA + 2, DATA + 4)]
        return field.direction(counts, self._settings)
