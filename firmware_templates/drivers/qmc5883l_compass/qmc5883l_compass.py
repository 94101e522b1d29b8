"""A QMC5883L magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field

DATA, STATUS, CONTROL, PERIOD, IDENTIFICATION = 0x00, 0x06, 0x09, 0x0B, 0x0D
NAME = 0xFF
CONTINUOUS = 0x09  # 100 Hz, 512 measurements each
RECOMMENDED = 0x01
OVERFLOW = 0x02


class Driver(field.Compass):
    """The compass."""

    def __init__(self, settings, drivers):
        super().__init__(settings, drivers)
        self._control = settings["range"] << 4 | CONTINUOUS

    def _set_up(self):
        return (
            self._holds(IDENTIFICATION, NAME)
            and self._write(PERIOD, RECOMMENDED)
            and self._write(CONTROL, self._control)
        )

    def _measurement(self):
        data = self._read(DATA, CONTROL + 1)
        if data is None or data[CONTROL] != self._control:
            return None
        return () if data[STATUS] & OVERFLOW else [board.low_word(data, DATA + k) for k in (0, 2, 4)]
