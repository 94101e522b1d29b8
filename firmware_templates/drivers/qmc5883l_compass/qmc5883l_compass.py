"""A QMC5883L magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field, i2c_registers

DATA, STATUS, CONTROL, PERIOD, IDENTIFICATION = 0x00, 0x06, 0x09, 0x0B, 0x0D
NAME = 0xFF
CONTINUOUS = 0x09  # 100 Hz, 512 measurements each
RECOMMENDED = 0x01
OVERFLOW = 0x02


class Driver(i2c_registers.Part):
    """The compass."""

    def __init__(self, settings, drivers):
        super().__init__(settings)
        self._control = settings["range"] << 4 | CONTINUOUS

    def _set_up(self):
        return (
            self._holds(IDENTIFICATION, NAME)
            and self._write(PERIOD, RECOMMENDED)
            and self._write(CONTROL, self._control)
        )

    def _measurement(self):
        data = self._read(DATA, CONTROL + 1)
        return None if data is None or data[CONTROL] != self._control else data

    def north(self):
        """Return the direction; None if it is unknown."""
        data = self._measured()
        if data is None or data[STATUS] & OVERFLOW:
            return None
        counts = [board.low_word(data, k) for k in (DATA, DATA + 2, DATA + 4)]
        return field.direction(counts, self._settings)
